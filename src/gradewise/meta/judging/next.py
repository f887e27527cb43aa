"""What people should judge next: the documents whose labels would tell most about the runs.

The difference of two runs has an interval of two parts. Documents with uncertain labels give it a
standard deviation; documents without any label, a range (the maximized effectiveness distance).
A judgment removes a document's share of either; what it is expected to change is its worth:

- "width": how much shorter the interval is expected to be;
- "order": by how much the interval is expected to move away from 0, the order being settled once it
  excludes 0. A label that widens the lead counts too.

If grade g of document d changes the expected difference by δ(g), judging d takes Var(δ) from the
variance. Both families have δ in closed form, with the counts of the most likely labels.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice, choose
from gradewise.collection.accepted import RunsLike
from gradewise.collection.judged import Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.ties import Ties
from gradewise.distance.judge_next import judge_next as judge_unlabeled
from gradewise.errors import OptionError, check_between, counted
from gradewise.libraries import special
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.soft_labels import SoftLabels
from gradewise.meta.judging.values import checked_measures
from gradewise.progress import watched
from gradewise.showing import Shown

if TYPE_CHECKING:
    import polars as pl

Aim = Literal["width", "order"]
_CHUNK = 1 << 22  # numbers held at a time


@dataclass(frozen=True, eq=False)
class NextDocuments(Shown):
    """Documents to judge, the most informative first.

    `gain` is what a judgment is expected to change, summed over pairs of runs; `labeled` says
    whether some judge has labeled the document, and `expected` its expected grade (NaN if not).
    """

    measure: Measure
    aim: Aim
    topics: tuple[str, ...]
    documents: tuple[str, ...]
    gain: Floats
    labeled: tuple[bool, ...]
    expected: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: topic, document, gain, labeled, expected."""
        import polars as pl

        return pl.DataFrame(
            {
                "topic": list(self.topics),
                "document": list(self.documents),
                "gain": self.gain,
                "labeled": list(self.labeled),
                "expected": self.expected,
            },
            schema_overrides={"topic": pl.String, "document": pl.String, "labeled": pl.Boolean},
        ).fill_nan(None)

    def pool(self) -> str:
        """Return the documents as a judging list: topic, 0 and document, without grades."""
        rows = zip(self.topics, self.documents, strict=True)
        return "".join(f"{topic} 0 {document}\n" for topic, document in rows)


@watched("topics")
def judge_next(
    runs: RunsLike,
    labels: SoftLabels,
    measure: MeasureLike,
    *,
    number: int = 50,
    aim: Aim = "width",
    unlabeled: bool = True,
    level: float = 0.95,
    ties: Ties = "trec",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> NextDocuments:
    """Return the documents whose judgment by people would be most informative about the runs.

    Parameters
    ----------
    runs
        At least two runs: a list or a dictionary {name: run}.
    labels
        What is known of documents so far, from `gw.meta.combine_judges`; with people as `truth`,
        what they have judged is certain and not asked again.
    measure
        A measure of the two families.
    number
        How many documents to return.
    aim
        "width" to shorten the intervals of differences between runs, "order" to settle which
        of two runs is better.
    unlabeled
        Whether documents that no judge has labeled may be asked for.
    level
        Confidence level of the intervals.
    ties, seed
        The order of documents with equal scores, as in `gw.judge`.
    progress
        Called with 1 after each topic, for documents without labels.

    Notes
    -----
    Each document is considered alone. A document without labels takes from the range that MED
    allows the difference: half of the reduction if it is not relevant, and half if it is.

    Examples
    --------
    Judges disagree about x and y only, and both runs have x at the same rank:

    >>> import gradewise as gw
    >>> qrels = {"a": {"t": {"x": 1, "y": 1, "z": 1}}, "b": {"t": {"x": 0, "y": 0, "z": 1}}}
    >>> labels = gw.meta.combine_judges(gw.meta.judges(qrels), "majority")
    >>> runs = {"one": {"t": {"x": 3.0, "y": 2.0, "z": 1.0}}, "two": {"t": {"x": 3.0, "z": 2.0}}}
    >>> gw.meta.judge_next(runs, labels, "DCG@3").documents
    ('y',)
    """
    (parsed,) = checked_measures(measure)
    named = name_runs(runs)
    if len(named) < 2:
        raise OptionError(f"{counted(len(named), 'run')} given; a difference needs at least 2")
    if number < 1:
        raise OptionError(f"number must be at least 1, not {number}")
    check_between(0, 1, level=level)
    worth = choose("aim", aim, AIMS).function
    panel = labels.panel
    judged = panel.under_levels(panel.join(dict(named), ties=ties, seed=seed), labels.levels)
    gain = _Differences.of(parsed, judged, labels).gains(worth, level)
    order = np.lexsort((np.arange(len(gain)), -gain))[:number]
    found = [
        (float(gain[row]), panel.topics[panel.topic[row]], name, row)
        for row, name in zip(order.tolist(), panel.docs.take(order).to_list(), strict=True)
        if gain[row] > 0
    ]
    if unlabeled:
        free = judge_unlabeled(
            dict(named),
            labels.qrels(),
            parsed,
            number=number,
            ties=ties,
            seed=seed,
            progress=progress,
        )
        share = 1.0 if aim == "width" else 0.5  # only one end of the interval matters
        found += [
            (share * float(value), topic, name, -1)
            for value, topic, name in zip(free.shrink, free.topics, free.documents, strict=True)
        ]
    return _listed(parsed, aim, labels, sorted(found, key=lambda each: -each[0])[:number])


def _listed(
    measure: Measure, aim: Aim, labels: SoftLabels, found: Sequence[tuple[float, str, str, int]]
) -> NextDocuments:
    grades = labels.chances @ labels.panel.scale.astype(np.float64)
    return NextDocuments(
        measure,
        aim,
        tuple(topic for _, topic, _, _ in found),
        tuple(name for _, _, name, _ in found),
        np.array([value for value, _, _, _ in found], np.float64),
        tuple(row >= 0 for _, _, _, row in found),
        np.array([grades[row] if row >= 0 else np.nan for _, _, _, row in found], np.float64),
    )


@dataclass(frozen=True, eq=False)
class _Differences:
    """What a label changes: `change[row, run, level]`, as a share of the mean over topics.

    `mean[run]` are the expected means, and `chances[row, level]` those of the rows that matter.
    """

    rows: Ints
    size: int
    chances: Floats
    change: Floats
    mean: Floats

    @staticmethod
    def of(measure: Measure, judged: Judged, labels: SoftLabels) -> "_Differences":
        chances = labels.chances[judged.hit_rows]
        topics = len(judged.topics)
        mean = measure.expected_values(judged, chances).reshape(-1, topics).mean(axis=1)
        given = measure.given_levels(judged, chances) / topics
        given -= (given * chances).sum(axis=1, keepdims=True)
        rows, place = np.unique(judged.hit_rows, return_inverse=True)
        uncertain = labels.uncertain[rows]
        change = np.zeros((len(rows), len(judged.runs), chances.shape[1]))
        change[place.ravel(), judged.hits.list // topics] = given
        return _Differences(
            rows[uncertain],
            len(labels.chances),
            labels.chances[rows[uncertain]],
            change[uncertain],
            mean,
        )

    def gains(self, worth: Callable[..., Floats], level: float) -> Floats:
        """Return what judging each document of the panel is expected to change."""
        quantile = float(special.ndtri((1 + level) / 2))
        first, second = np.triu_indices(len(self.mean), 1)
        total = np.zeros(len(self.rows))
        step = max(1, _CHUNK // max(self.change[:, 0].size, 1))
        for low in range(0, len(first), step):
            a, b = first[low : low + step], second[low : low + step]
            apart = self.change[:, a] - self.change[:, b]  # row, pair, level
            own = np.einsum("rl,rpl->rp", self.chances, apart**2)
            variance = own.sum(axis=0)
            shrink = quantile * (np.sqrt(variance) - np.sqrt(np.maximum(variance - own, 0.0)))
            lead = (self.mean[a] - self.mean[b])[None, :]
            total += worth(shrink, lead, apart, self.chances).sum(axis=1)
        gains = np.zeros(self.size)
        gains[self.rows] = total
        return gains


def _shorter(shrink: Floats, lead: Floats, apart: Floats, chances: Floats) -> Floats:
    """Return how much shorter the interval gets, at both ends."""
    return 2 * shrink


def _clearer(shrink: Floats, lead: Floats, apart: Floats, chances: Floats) -> Floats:
    """Return how much farther the interval's near end gets from 0."""
    after = np.einsum("rl,rpl->rp", chances, np.abs(lead[..., None] + apart))
    return np.asarray(shrink + after - np.abs(lead))


AIMS: dict[Aim, Choice] = {
    "width": Choice(_shorter, "short intervals of differences"),
    "order": Choice(_clearer, "which of two runs is better"),
}
