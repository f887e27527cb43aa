"""Propensity-scored measures of extreme classification: rare labels count for more.

A label that few training points have is likely to be missing from judgments. A document is a label
here and a topic a point to be labeled; the grade of a relevant document is its frequency, the
number of training points that have the label. `grade_by_frequency` makes such judgments.
"""

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.accepted import QrelsLike
from gradewise.collection.judged import Judged, Lists
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.errors import InputError, MeasureError
from gradewise.kernels import ids
from gradewise.measures.cumulated_gain import rank_discount
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import JAIN_2016
from gradewise.measures.registry import register


class _PropensityScored(Measure):
    """A measure whose gain is 1 over the propensity of a label, which its frequency gives.

    It is a sum of discounted gains, but not declared as one: a higher grade brings less gain here,
    and learners put higher grades first.
    """

    A: float
    B: float
    points: int | None
    cutoff_rule = "required"
    no_relevant = "0"
    always_shown: ClassVar[frozenset[str]] = frozenset({"points"})

    def check(self) -> None:
        """Raise a MeasureError unless there are so many points that propensities are below 1."""
        if self.points is None or self.points < 3:
            raise MeasureError(
                f"{self.name} needs the number of training points, at least 3, such as "
                f"{self.name}(points=10000)@5"
            )

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        constant = (np.log(float(self.points or 0)) - 1) * (self.B + 1) ** self.A
        gain = 1 + constant * (judged.scale + self.B) ** -self.A  # 1/p of each frequency
        return ratio(hits.sums(gain[hits.level - 1] * self.discount(hits.rank)), self.norm(judged))

    def discount(self, rank: Ints) -> Floats:
        """Return what a rank is worth; 1 unless a measure says else."""
        return np.ones(len(rank))

    @abstractmethod
    def norm(self, lists: Lists) -> Floats:
        """Return what the sum of each list is divided by."""


@register
class PSP(_PropensityScored):
    """Propensity-scored precision at k: precision in which rare labels count for more.

    Definition
    ----------
    PSP@k = (1/k) Σ_{n <= k} [r_n > 0] / p(r_n), where the grade r_n is the frequency of the label
    and p(N_l) = 1 / (1 + C (N_l + B)^(-A)) its propensity, with C = (ln N - 1) (B + 1)^A and N
    training points. It can exceed 1. Benchmarks print the mean over points divided by that of the
    best possible ranking.

    Examples
    --------
    Of 1000 training points 10 have the label: 1/p = 1 + 5.9078 · 1.6553 · 0.2610 = 3.552.

    >>> import gradewise as gw
    >>> round(gw.score("PSP(points=1000)@1", grades=[10], relevant={10: 1}), 3)
    3.552
    """

    A: float = 0.55
    B: float = 1.5
    points: int | None = None
    references = (JAIN_2016,)

    def norm(self, lists: Lists) -> Floats:
        """Return k."""
        return np.full(len(lists), float(self.cutoff or 0))


@register
class PSnDCG(_PropensityScored):
    """Propensity-scored nDCG at k: discounted gain in which rare labels count for more.

    Definition
    ----------
    PSnDCG@k = Σ_{n <= k} [r_n > 0] / (p(r_n) log2(n + 1)) / Σ_{n <= min(k, R)} 1 / log2(n + 1),
    where the grade r_n is the frequency of the label, R the number of labels of the point and
    p(N_l) = 1 / (1 + C (N_l + B)^(-A)) the propensity, with C = (ln N - 1) (B + 1)^A and N training
    points. It can exceed 1. Benchmarks print the mean over points divided by that of the best
    possible ranking.

    Examples
    --------
    One label, which 10 of 1000 training points have, at rank 3: 3.552 / log2(4).

    >>> import gradewise as gw
    >>> round(gw.score("PSnDCG(points=1000)@5", grades=[0, 0, 10], relevant={10: 1}), 3)
    1.776
    """

    A: float = 0.55
    B: float = 1.5
    points: int | None = None
    references = (JAIN_2016,)

    def discount(self, rank: Ints) -> Floats:
        """Return 1 / log2(n + 1)."""
        return rank_discount(rank, dcg="log2", b=2.0)

    def norm(self, lists: Lists) -> Floats:
        """Return the discounts of as many ranks as there are labels, down to the cutoff."""
        cutoff = int(self.cutoff or 0)
        sums = prefix_sums(rank_discount(np.arange(1, cutoff + 1), dcg="log2", b=2.0))
        return lists.per_list(sums[np.minimum(lists.relevant(), cutoff)])


def grade_by_frequency(qrels: QrelsLike, training: QrelsLike | None = None) -> Qrels:
    """Grade relevant documents by the number of topics for which they are relevant.

    Parameters
    ----------
    qrels
        Judgments; documents with a positive grade are relevant.
    training
        Judgments in which frequencies are counted; `qrels` themselves by default.

    Examples
    --------
    >>> import gradewise as gw
    >>> labels = {"1": {"cat": 1, "dog": 1}, "2": {"cat": 1, "cow": 0}}
    >>> gw.grade_by_frequency(labels).to_dict()
    {'1': {'cat': 2, 'dog': 1}, '2': {'cat': 2, 'cow': 0}}
    """
    read = read_qrels(qrels)
    counted = read if training is None else read_qrels(training)
    numbering = ids.Numbering()
    number = numbering.add(counted.docs.data, counted.docs.offsets)
    frequency = np.bincount(number[counted.numbers > 0], minlength=len(numbering))
    number = numbering.find(read.docs.data, read.docs.offsets)
    grade = np.where(number < 0, 0, np.append(frequency, 0)[number])
    unseen = (read.numbers > 0) & (grade == 0)
    if unseen.any():
        first = read.docs.take(np.flatnonzero(unseen)[:1]).to_list()[0]
        raise InputError(
            f"{first!r} is not relevant to any topic of the training judgments, so it has no "
            f"frequency ({int(unseen.sum())} judgments of such documents)"
        )
    return replace(read, numbers=np.where(read.numbers > 0, grade, read.numbers).astype(np.float64))
