"""Measures of users whose time or reading runs out: time-biased gain and the U-measure."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.gains import gain_table
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import Gains
from gradewise.measures.references import SAKAI_2013, SMUCKER_2012
from gradewise.measures.registry import register

# The user study of Smucker & Clarke: seconds, and chances of users.
_SUMMARY = 4.4  # to judge a summary
_DOCUMENT, _WORD = 7.8, 0.018  # to judge a document, and more for each of its words
_OPENS = {True: 0.64, False: 0.39}  # the document behind a relevant summary, or another
_SAVES = 0.77  # a relevant document that is opened


@register
class TBG(Measure):
    """Time-biased gain: how many relevant documents users save before their time runs out.

    Definition
    ----------
    TBG = Σ_n g(r_n) 2^(-t(n) / half_life), where g(r) = 0.64 · 0.77 if r >= rel, else 0, and t(n)
    is the time in seconds until a user reaches rank n: for each document above, 4.4 for the summary
    and 0.018 · words + 7.8 for the document if it is opened, with probability 0.64 if it
    is relevant and 0.39 if not. These numbers and the half-life of 224 seconds are those of the
    paper. The lengths of documents are not known here: all have the same number of words, which is
    a parameter, and none counts as a duplicate.

    Examples
    --------
    Two relevant documents, 4.4 + 0.64 · 16.8 = 15.152 seconds apart:
    0.4928 · (1 + 2^(-15.152/224)).

    >>> import gradewise as gw
    >>> round(gw.score("TBG(words=500)", grades=[1, 1], relevant={1: 2}), 4)
    0.963
    """

    rel: int = 1
    words: float = 500.0
    half_life: float = 224.0
    always_shown = frozenset({"words"})
    differs = (
        "cwl_eval's TBG divides by the sum of all weights, so that it is a gain per document; "
        "`TBG(words=500)` is the expected gain, as in the paper.",
    )
    references = (SMUCKER_2012,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.hits_of(self.rel))
        relevant_above = hits.running() - 1
        others_above = hits.rank - 1 - relevant_above
        opened = _OPENS[True] * relevant_above + _OPENS[False] * others_above
        seconds = _SUMMARY * (hits.rank - 1) + (_WORD * self.words + _DOCUMENT) * opened
        return hits.sums(_OPENS[True] * _SAVES * np.exp2(-seconds / self.half_life))


@register
class U(GainDiscount):
    """U-measure: gain that is worth less the more a user has read, down to nothing at L.

    Definition
    ----------
    U = Σ_n h(r_n) max(0, 1 - n · length / L): the trailtext of a user is made of the texts read,
    and after n documents its end is n · length characters down. The lengths of texts
    are not known here: a user reads the same number of characters of every document, which is a
    parameter. L = 132000 is the paper's.

    Examples
    --------
    Documents of 1000 characters at ranks 1 and 3, and a user who reads at most 10000:
    1 - 0.1 + 1 - 0.3.

    >>> import gradewise as gw
    >>> gw.score("U(L=10000,length=1000)", grades=[1, 0, 1], relevant={1: 2})
    1.6
    """

    L: float = 132000.0
    length: float = 200.0
    gains: Gains = None
    static = True
    always_shown: ClassVar[frozenset[str]] = frozenset({"length"})
    differs = (
        "cwl_eval's U-measure takes the position where a document begins, not where it ends, and "
        "divides by the sum of all weights, so that it is a gain per document.",
    )
    references = (SAKAI_2013,)

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return gain_table(self.gains, lists.scale)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return what remains of the user's reading at the end of a document."""
        return np.maximum(1 - rank * self.length / self.L, 0.0)

    def tail_weight(self, size: int) -> float:
        """Return the weight of the ranks below a list, if there is no cutoff."""
        if self.cutoff is not None:
            return 0.0
        rank = np.arange(size + 1, int(self.L // self.length) + 1)
        return float((1 - rank * self.length / self.L).sum())
