"""Distance between scores and grades."""

import numpy as np

from gradewise.arrays import Floats, add_up
from gradewise.collection.judged import Judged
from gradewise.errors import MeasureError
from gradewise.measures.gains import gain_table
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import KISHIDA_2005, MIZZARO_2004
from gradewise.measures.registry import register


@register
class ADM(Measure):
    """Average distance measure: how near the scores are to the grades; ranks play no part.

    Definition
    ----------
    ADM = 1 - (1/N) Σ |s_i - h(x_i)| over the N documents of the collection, where s is the score,
    0 for documents that were not retrieved, and h the gain. N is `size`, or the number of
    documents that were retrieved or judged. Scores must be on the scale of the gains: with scores
    between 0 and 1 give gains such as {1: 0.5, 2: 1.0}, and ADM lies between 0 and 1.

    Examples
    --------
    Distances 0.1, 0.3 and, for a relevant document that was not retrieved, 1: 1 - 1.4/3.

    >>> import gradewise as gw
    >>> adm = gw.score("ADM", grades=[1, None], relevant={1: 2}, scores=[0.9, 0.3])
    >>> round(adm, 4)
    0.5333
    """

    gains: Gains = None
    size: int | None = None
    cutoff_rule = "none"
    uses_scores = True
    references = (MIZZARO_2004, KISHIDA_2005)
    no_relevant = "like any other topic"
    missing_topic = "as if all scores were 0"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        if judged.hit_scores is None or judged.unjudged_scores is None:
            raise MeasureError(f"{self} needs the scores of documents, not only their ranks")
        gain = gain_table(self.gains, judged.scale)
        level = np.maximum(judged.hits.level, 0)
        retrieved = judged.hits.sums(np.abs(judged.hit_scores - gain[level]))
        missed = judged.per_list(add_up(judged.counts, gain)) - judged.hits.sums(gain[level])
        judged_count = judged.per_list(judged.counts.sum(axis=1))
        hits = judged.hits.counts(judged.is_judged)
        known = judged_count + judged.retrieved - hits
        documents = known if self.size is None else np.full(len(judged), float(self.size))
        if (documents < known).any():
            raise MeasureError(f"{self}: a topic has more documents than size")
        distance = ratio(retrieved + missed + judged.unjudged_scores, documents)
        return np.where(documents > 0, 1 - distance, 0.0)
