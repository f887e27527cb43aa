"""Expected search length: how many documents a user reads in vain."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.references import COOPER_1968, KISHIDA_2005, VAN_RIJSBERGEN_1979
from gradewise.measures.registry import register
from gradewise.measures.whole_ranking import WholeRanking


@register
class ESL(WholeRanking):
    """Expected search length: non-relevant documents read to find as many relevant as wanted.

    Definition
    ----------
    If the list holds the q wanted documents, ESL = n - q, where n is the rank at which the last
    of them is found. If it holds only f < q of them, the user goes on through the rest of the
    collection in random order: ESL = j + i (q - f) / (R - f + 1), where j counts the non-relevant
    documents of the list and i those of the rest of the collection of N documents (`size`). It is
    undefined for a topic with R < q relevant documents.

    Cooper averages over the possible orders of documents with equal scores as well; here they are
    ordered as in every other measure.

    Examples
    --------
    The list holds 5 relevant and 3 other documents, and the rest of the collection 2 and 3. The
    sixth relevant document is expected after 3 + 3/(2 + 1) others, as in van Rijsbergen's example.

    >>> import gradewise as gw
    >>> grades = [1, 1, 0, 1, 0, 1, 1, 0]
    >>> gw.score("ESL(size=13,wanted=6)", grades=grades, relevant={1: 7})
    4.0
    >>> gw.score("ESL(size=13,wanted=3)", grades=grades, relevant={1: 7})
    1.0
    """

    rel: int = 1
    size: int | None = None
    wanted: int = 1
    higher_is_better = False
    references = (COOPER_1968, VAN_RIJSBERGEN_1979, KISHIDA_2005)
    no_relevant = "undefined (NaN), and left out of the mean"
    missing_topic = "the search length of a random order of the collection"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.relevant_hits(judged)
        relevant = judged.per_list(judged.relevant(self.rel))
        found = hits.counts()
        rest = float(self.size or 0) - judged.retrieved - (relevant - found)
        chance = (self.wanted - found) / np.maximum(relevant - found + 1, 1)
        values = judged.retrieved - found + rest * chance
        last = hits.where(hits.running() == self.wanted)
        values[last.list] = last.rank - self.wanted
        return np.where(relevant >= self.wanted, values, np.nan)
