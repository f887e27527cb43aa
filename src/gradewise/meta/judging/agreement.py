"""How far judges agree, beyond chance, where, and on what not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats, Ints, quotient
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_between
from gradewise.meta.judging.disagreement import bias_frame, disputed_documents
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.pairs import STATISTICS, PairLabels, describe_tables, pair_labels
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.together import Together
from gradewise.showing import Shown
from gradewise.stats.agreement import cohen_kappa, overlap, raw_agreement
from gradewise.stats.percentiles import percentile_interval
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars as pl

REGIONS = (10, 30, 100, 1000)  # last ranks of the regions that documents are sorted into


@dataclass(frozen=True, eq=False)
class JudgeAgreement(Shown):
    """The agreement of every two judges, and of all together, with intervals over topics.

    `values[pair, statistic]`, `low` and `high` follow `pairs` and `STATISTICS`;
    `overall[statistic]` holds value, low and high for all judges together.
    """

    panel: Panel
    pairs: tuple[PairLabels, ...]
    values: Floats
    low: Floats
    high: Floats
    overall: dict[str, tuple[float, float, float]]
    level: float
    weights: Ints

    @property
    def notes(self) -> tuple[str, ...]:
        """Which grades count as the same where two judges have different scales."""
        return tuple(
            f"{pair.names[0]} and {pair.names[1]}: {pair.note}" for pair in self.pairs if pair.note
        )

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: judge_a, judge_b, documents, statistic, value, low, high; each pair once."""
        import polars as pl

        number = len(STATISTICS)
        return pl.DataFrame(
            {
                "judge_a": [pair.names[0] for pair in self.pairs for _ in STATISTICS],
                "judge_b": [pair.names[1] for pair in self.pairs for _ in STATISTICS],
                "documents": np.array([pair.both.sum() for pair in self.pairs]).repeat(number),
                "statistic": list(STATISTICS) * len(self.pairs),
                "value": self.values.ravel(),
                "low": self.low.ravel(),
                "high": self.high.ravel(),
            }
        ).fill_nan(None)

    @property
    def together(self) -> "pl.DataFrame":
        """A frame with a row for each statistic of all judges: statistic, value, low, high."""
        rows = [(name, *found) for name, found in self.overall.items()]
        return frame_of(rows, "statistic value low high")

    def confusion(self, judge_a: str, judge_b: str) -> Ints:
        """Return how many documents got each pair of grades, on the scale of `pair`."""
        return self.pair(judge_a, judge_b).tables(np.zeros(len(self.panel), np.int64), 1)[0]

    def pair(self, judge_a: str, judge_b: str) -> PairLabels:
        """Return the labels of two judges on the coarser of their scales."""
        return pair_labels(self.panel, judge_a, judge_b)

    @property
    def confusions(self) -> "pl.DataFrame":
        """A frame: judge_a, judge_b, grade_a, grade_b, documents, share (of grade_a's)."""
        rows = []
        for pair in self.pairs:
            table = pair.tables(np.zeros(len(self.panel), np.int64), 1)[0]
            for a, grade in enumerate(pair.scale.tolist()):
                share = table[a] / max(int(table[a].sum()), 1)
                rows += [
                    (*pair.names, grade, other, int(table[a, b]), float(share[b]))
                    for b, other in enumerate(pair.scale.tolist())
                ]
        return frame_of(rows, "judge_a judge_b grade_a grade_b documents share")

    @property
    def by_grade(self) -> "pl.DataFrame":
        """A frame with a row for each pair and grade.

        Columns: judge_a, judge_b, grade, given_a, given_b (documents with the grade), agreement
        (2 · both / (given_a + given_b)), and kappa with low and high, and overlap, of labels at or
        above the grade; these are missing for grade 0.
        """
        rows: list[tuple[Any, ...]] = []
        for pair in self.pairs:
            tables = self._topic_tables(pair)
            table = tables.sum(axis=0)
            for place, grade in enumerate(pair.scale.tolist()):
                a, b = int(table[place].sum()), int(table[:, place].sum())
                specific = 2 * float(table[place, place]) / (a + b) if a + b else np.nan
                rows.append((*pair.names, grade, a, b, specific, *self._at_least(tables, place)))
        return frame_of(
            rows, "judge_a judge_b grade given_a given_b agreement kappa low high overlap"
        )

    @property
    def by_topic(self) -> "pl.DataFrame":
        """A frame with a row for each pair and topic, the least agreement first.

        Columns: judge_a, judge_b, topic, documents, agreement, kappa_quadratic, overlap, and
        bias: the mean grade of judge_b less that of judge_a.
        """
        rows: list[tuple[Any, ...]] = []
        for pair in self.pairs:
            found = _describe(pair, self._topic_tables(pair))
            order = np.argsort(found[1], kind="stable")
            rows += [
                (*pair.names, self.panel.topics[t], *[column[t].item() for column in found])
                for t in order.tolist()
                if found[0][t]
            ]
        return frame_of(rows, f"judge_a judge_b topic {_DESCRIBED}")

    def by_region(self, judged: Judged, edges: Sequence[int] = REGIONS) -> "pl.DataFrame":
        """Return a frame with a row for each pair and region of ranks.

        A document belongs to the region of its best rank in any run of `judged`, which
        `Panel.join` made; those that no run retrieved come last. Columns as in `by_topic`, with
        `ranks` in place of the topic.
        """
        if not edges or any(b <= a for a, b in pairwise((0, *edges))):
            raise OptionError(f"edges must be ascending ranks from 1, not {list(edges)}")
        best = best_ranks(self.panel, judged)
        region = np.searchsorted(np.array(edges), best)
        region[best == _NOWHERE] = len(edges) + 1
        starts = [1, *[edge + 1 for edge in edges]]
        names = [f"{low}-{high}" for low, high in zip(starts, edges, strict=False)]
        names += [f"{starts[-1]}-", "not retrieved"]
        rows: list[tuple[Any, ...]] = []
        for pair in self.pairs:
            found = _describe(pair, pair.tables(region, len(names)))
            rows += [
                (*pair.names, name, *[column[place].item() for column in found])
                for place, name in enumerate(names)
                if found[0][place]
            ]
        return frame_of(rows, f"judge_a judge_b ranks {_DESCRIBED}")

    @property
    def bias(self) -> "pl.DataFrame":
        """A frame of who is generous: a row for each judge and each grade of the reference.

        Columns: judge, grade (of the reference; missing for all documents together), documents,
        reference and mean (the mean grades that the two gave), bias (mean - reference) with low
        and high. Grades are those of the panel's scale.
        """
        return bias_frame(self.panel, self.weights, self.level)

    def documents(self, number: int = 20) -> "pl.DataFrame":
        """Return the documents on which judges disagree most, with all their grades.

        `spread` is the mean difference of two labels, in steps of the panel's scale; of equal
        ones, documents with more labels come first.
        """
        return disputed_documents(self.panel, number)

    def _topic_tables(self, pair: PairLabels) -> Ints:
        return pair.tables(self.panel.topic, len(self.panel.topics))

    def _at_least(self, tables: Ints, place: int) -> tuple[float, float, float, float]:
        """Return κ with its interval, and the overlap, of labels at or above a level."""
        if place == 0:
            return np.nan, np.nan, np.nan, np.nan
        edges = [0, place]
        halves = np.add.reduceat(np.add.reduceat(tables, edges, axis=1), edges, axis=2)
        kappa = cohen_kappa(halves.sum(axis=0)).item()
        samples = cohen_kappa(np.tensordot(self.weights, halves, axes=1))
        low, high = percentile_interval(samples, self.level)
        return kappa, float(low), float(high), float(np.nanmean(overlap(halves)))


def judge_agreement(
    panel: Panel, *, level: float = 0.95, replicates: int = 1000, seed: int = 0
) -> JudgeAgreement:
    """Return how far judges agree: every two of them, and all together.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`.
    level, replicates, seed
        Confidence level of the intervals, number of bootstrap samples of topics, random seed.

    Notes
    -----
    Two judges are compared on the documents that both have labeled. If they have different scales,
    the grades of the one with more grades are mapped to those of the other by the monotone map
    with the highest quadratically weighted κ; `notes` says how. For all judges together, labels
    are on the panel's scale, and documents may lack some.

    Examples
    --------
    >>> import gradewise as gw
    >>> people = {"t": {"a": 2, "b": 1, "c": 0, "d": 0}, "u": {"e": 1, "f": 0}}
    >>> model = {"t": {"a": 2, "b": 2, "c": 0, "d": 1}, "u": {"e": 1, "f": 0}}
    >>> found = gw.meta.judge_agreement(gw.meta.judges({"people": people, "model": model}))
    >>> found.confusion("people", "model").tolist()
    [[2, 1, 0], [0, 1, 1], [0, 0, 1]]
    >>> found.frame.filter(statistic="kappa")["value"].round(4).to_list()
    [0.5]
    """
    check_between(0, 1, level=level)
    topics = len(panel.topics)
    weights = topic_weights(topics, replicates=replicates, seed=seed)
    pairs = [pair_labels(panel, panel.judges[a], panel.judges[b]) for a, b in _in_order(panel)]
    once = np.ones((1, topics), np.int64)
    values, low, high = np.zeros((3, len(pairs), len(STATISTICS)))
    for place, pair in enumerate(pairs):
        tables = pair.tables(panel.topic, topics)
        values[place] = describe_tables(tables, once)[0]
        low[place], high[place] = percentile_interval(describe_tables(tables, weights), level)
    together = Together.of(panel)
    samples = together.describe(weights)
    overall = {}
    for name, value in together.describe(once).items():
        lowest, highest = percentile_interval(samples[name], level)
        overall[name] = (float(value[0]), float(lowest), float(highest))
    return JudgeAgreement(panel, tuple(pairs), values, low, high, overall, level, weights)


def best_ranks(panel: Panel, judged: Judged) -> Ints:
    """Return the best rank of each document of a panel in any run; `_NOWHERE` if in none."""
    panel.under(judged, panel.reference)  # checks that the lists are the panel's
    best = np.full(len(panel), _NOWHERE)
    np.minimum.at(best, judged.hit_rows, judged.hits.rank)
    return best


_NOWHERE = np.iinfo(np.int64).max
_DESCRIBED = "documents agreement kappa_quadratic overlap bias"


def _in_order(panel: Panel) -> list[tuple[int, int]]:
    """Return every pair of judges, those with the reference first."""
    first = panel.place_of(panel.reference)
    order = [first, *[place for place in range(len(panel.judges)) if place != first]]
    return [(a, b) for k, a in enumerate(order) for b in order[k + 1 :]]


def _describe(pair: PairLabels, tables: Ints) -> list[Any]:
    """Return documents, agreement, quadratic κ, overlap and bias of tables."""
    documents = tables.sum(axis=(1, 2))
    grades = pair.scale.astype(np.float64)
    sums = tables.sum(axis=1) @ grades - tables.sum(axis=2) @ grades
    kappa = cohen_kappa(tables, weights="quadratic")
    return [documents, raw_agreement(tables), kappa, overlap(tables), quotient(sums, documents)]
