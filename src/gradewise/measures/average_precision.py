"""Average precision and the sums of precisions that it is made of."""

from typing import ClassVar, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.measures.measure import ratio
from gradewise.measures.pivot import OverRelevant, Pivot
from gradewise.measures.references import (
    BUCKLEY_2000,
    KISHIDA_2005,
    MOFFAT_MED,
    ROBERTSON_2006,
    TREC_EVAL,
)
from gradewise.measures.registry import register


def _both_relevant(lists: Lists, rel: int) -> Floats:
    """Return the table with 1 where pivot and document are both relevant."""
    relevant = np.arange(len(lists.scale) + 1) >= lists.first_level(rel)
    return np.outer(relevant, relevant).astype(np.float64)


@register
class AP(OverRelevant):
    """Average precision: the mean of the precisions at the ranks of relevant documents.

    Definition
    ----------
    AP = (1/R) Σ_{n: r_n >= rel} (1/n) · #{m <= n : r_m >= rel}, where R counts the relevant
    documents of the topic. With a cutoff k the sum runs over n <= k; it is divided by R, or with
    norm='min(k,R)' by the smaller of k and R.

    Examples
    --------
    Relevant documents at ranks 1 and 3 of three relevant: (1/1 + 2/3) / 3.

    >>> import gradewise as gw
    >>> round(gw.score("AP", grades=[1, 0, 1], relevant={1: 3}), 4)
    0.5556
    """

    rel: int = 1
    precisions_over = "relevant"
    differs = (
        "trec_eval's map_cut.k and ir_measures' AP@k divide by R, as `AP@k` does.",
        "NTCIREVAL's AP@k, and many recommender libraries' MAP@k, divide by the smaller of k and "
        "R: `AP(norm='min(k,R)')@k`.",
    )
    references = (BUCKLEY_2000, KISHIDA_2005)

    def kernel(self, lists: Lists) -> Floats:
        """Return 1/R where pivot and document are both relevant."""
        relevant = self.divisor(lists.relevant(self.rel))
        return _both_relevant(lists, self.rel) * ratio(1.0, relevant)[:, None, None]


@register
class GMAP(AP):
    """Geometric mean average precision: AP, averaged so that bad topics weigh more.

    Definition
    ----------
    The value of a topic is its AP. The summary is exp(mean of ln max(AP, 0.00001)).

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("GMAP", grades=[1, 0, 1], relevant={1: 2}) == gw.score(
    ...     "AP", grades=[1, 0, 1], relevant={1: 2}
    ... )
    True
    """

    aggregate = "geometric"
    references = (ROBERTSON_2006, TREC_EVAL)


@register
class SP(Pivot):
    """Sum of precisions at the ranks of relevant documents.

    Definition
    ----------
    SP = Σ_{n: r_n >= rel} (1/n) · #{m <= n : r_m >= rel}, with n <= k if there is a cutoff.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SP", grades=[1, 0, 1], relevant={1: 3}), 4)
    1.6667
    """

    rel: int = 1
    precisions_over: ClassVar[Literal["constant"] | None] = "constant"
    references = (MOFFAT_MED,)

    def divisor(self, relevant: Ints) -> Ints:
        """Return 1, whatever the number of relevant documents."""
        return np.ones_like(relevant)

    def kernel(self, lists: Lists) -> Floats:
        """Return 1 where pivot and document are both relevant."""
        return _both_relevant(lists, self.rel)[None]


@register
class SSP(SP):
    """Scaled sum of precisions: SP@k divided by k, whatever the number of relevant documents.

    Definition
    ----------
    SSP@k = (1/k) Σ_{n <= k: r_n >= rel} (1/n) · #{m <= n : r_m >= rel}.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SSP@5", grades=[1, 0, 1], relevant={1: 3}), 4)
    0.3333
    """

    cutoff_rule = "required"
    references = (MOFFAT_MED,)

    def divisor(self, relevant: Ints) -> Ints:
        """Return k, whatever the number of relevant documents."""
        return np.full_like(relevant, int(self.cutoff or 1))

    def kernel(self, lists: Lists) -> Floats:
        """Return 1/k where pivot and document are both relevant."""
        return super().kernel(lists) / float(self.cutoff or 1)
