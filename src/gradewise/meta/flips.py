"""Flips: which exchanges of two documents in a list a measure notices.

Two documents of different grades trade places. A measure may ignore that, and should otherwise
rise if the better one moves up. Measures that ignore many flips are less informative (Yilmaz &
Robertson 2010, §3.1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import MeasureError, OptionError
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import (
    Measure,
    refuse_intents,
    refuse_preferences,
    refuse_sample,
)
from gradewise.noise import drop_noise
from gradewise.progress import go_through, watched
from gradewise.showing import Shown

_SINGLE = "flips exchange documents that have a single grade"


@dataclass(frozen=True, eq=False)
class Flips(Shown):
    """How measures respond to the flips of each list.

    Of `number[list]` flips, `ignored[measure, list]` do not change the value; in
    `wrong[measure, list]`, a better document moves up and the value falls.
    """

    measures: tuple[str, ...]
    number: Ints
    ignored: Ints
    wrong: Ints

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure, flips, ignored, wrong.

        Shares are means over lists with flips, so that long lists do not outweigh others.
        """
        some = self.number > 0
        shares = [(part[:, some] / self.number[some]).mean(axis=1) for part in self._parts()]
        names = ["measure", "flips", "ignored", "wrong"]
        columns = [list(self.measures), [int(self.number.sum())] * len(self.measures), *shares]
        return pl.DataFrame(dict(zip(names, columns, strict=True)))

    def _parts(self) -> tuple[Ints, Ints]:
        return self.ignored, self.wrong


@watched("lists")
def flips(
    judged: Judged,
    measures: MeasureLike | Sequence[MeasureLike],
    *,
    progress: Callable[[int], None] | None = None,
) -> Flips:
    """Return what share of flips between documents of different grades a measure ignores.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`; `judged.cut(100)` studies the first 100 ranks.
    measures
        The measures to study. Those of the pivot and gain-discount families are quick; for others,
        each list is scored once for every pair of its documents.
    progress
        Called with the number of lists that are done.

    Notes
    -----
    All pairs of ranks in a list whose documents have different grades are exchanged, one pair at a
    time; unjudged documents and negative grades count as grade 0. A change that is only a rounding
    error of the measure's values counts as none.

    Examples
    --------
    Of the four flips in this list, P@2 ignores the one within its cutoff and the one below it.

    >>> import gradewise as gw
    >>> judged = gw.judge_list([1, 0, 1, 0], relevant={1: 2})
    >>> gw.meta.flips(judged, ["P@2", "AP"]).frame["ignored"].to_list()
    [0.5, 0.0]
    """
    parsed = as_measures(measures)
    refuse_preferences(judged.pool, _SINGLE)
    for measure in parsed:
        refuse_intents(measure, _SINGLE)
        refuse_sample(measure, judged.pool, _SINGLE)
        if measure.judged_only or measure.uses_scores:
            raise MeasureError(
                f"{measure} depends on more than the ranks of all documents, so it has no flips"
            )
    number = np.zeros(len(judged), np.int64)
    ignored, wrong = np.zeros((2, len(parsed), len(judged)), np.int64)
    edges = np.searchsorted(judged.relevant_hits.list, np.arange(len(judged) + 1))
    values = np.abs(score_judged(judged, parsed).values)
    scales = np.nan_to_num(values).max(axis=(0, 1)).tolist()
    for index in go_through(range(len(judged)), progress):
        levels = _levels(judged, index, *edges[index : index + 2].tolist())
        better = np.triu(np.sign(levels[None, :] - levels[:, None]))  # 1: the lower one is better
        number[index] = np.count_nonzero(better)
        for m, (measure, scale) in enumerate(zip(parsed, scales, strict=True)):
            counted = _count(measure, _one_list(judged, index), levels, better, scale)
            ignored[m, index], wrong[m, index] = counted
    if not number.any():
        raise OptionError("no list has documents of different grades")
    return Flips(tuple(map(str, parsed)), number, ignored, wrong)


def _levels(judged: Judged, index: int, low: int, high: int) -> Ints:
    hits, levels = judged.relevant_hits, np.zeros(int(judged.retrieved[index]), np.int64)
    levels[hits.rank[low:high] - 1] = hits.level[low:high]
    return levels


def _one_list(judged: Judged, index: int) -> Lists:
    counts = judged.counts[judged.topic[[index]]]
    return Lists(judged.scale, counts, np.zeros(1, np.int64), judged.retrieved[[index]])


def _count(
    measure: Measure, lists: Lists, levels: Ints, better: Ints, scale: float
) -> tuple[int, int]:
    """Return how many flips a measure ignores, and how many it gets wrong."""
    if not better.any():
        return 0, 0
    change: Floats = measure.swap_deltas(lists, levels)[better != 0] * better[better != 0]
    if not measure.higher_is_better:
        change = -change
    change = drop_noise(change, max(scale, float(np.abs(change).max())))
    return int((change == 0).sum()), int((change < 0).sum())
