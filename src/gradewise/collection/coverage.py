"""Coverage: how well runs and judgments fit together."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.tables import Table

DEPTHS = (5, 10, 20, 100)


@dataclass(frozen=True, eq=False)
class Coverage:
    """For each run: topics that match, are missing or extra, and how much of it is unjudged.

    `without_relevant` counts topics with no relevant document.
    """

    judged: Judged = field(repr=False)
    runs: tuple[str, ...]
    topics: int
    without_relevant: int
    matched: Ints
    extra: Ints

    @cached_property
    def unjudged(self) -> Floats:
        """The share of unjudged documents among the first DEPTHS of each run's lists."""
        return self.unjudged_at(DEPTHS)

    def unjudged_at(self, depths: Sequence[int]) -> Floats:
        """Return the share of unjudged documents in lists cut at depths, shape (runs, depths).

        Where a run has no document at all, the share is 0.
        """
        judged = self.judged
        shape = (len(self.runs), self.topics)
        shares = np.zeros((len(self.runs), len(depths)))
        for index, depth in enumerate(depths):
            known = judged.hits.counts(judged.is_judged & (judged.hits.rank <= depth))
            seen = np.minimum(judged.retrieved, depth).reshape(shape).sum(axis=1)
            found = known.reshape(shape).sum(axis=1)
            shares[:, index] = np.where(seen > 0, 1 - found / np.maximum(seen, 1), 0.0)
        return shares

    @property
    def missing(self) -> Ints:
        """How many judged topics each run misses."""
        return self.topics - self.matched

    def frame(self) -> "pl.DataFrame":
        """Return a frame with one row for each run."""
        shares = {f"unjudged@{depth}": self.unjudged[:, i] for i, depth in enumerate(DEPTHS)}
        return pl.DataFrame(
            {
                "run": list(self.runs),
                "judged_topics": [self.topics] * len(self.runs),
                "matched": self.matched,
                "missing": self.missing,
                "extra": self.extra,
                **shares,
            }
        )

    def table(self, digits: int = 4) -> Table:
        """Return a table with one row for each run."""
        counts = zip(self.matched, self.missing, self.extra, strict=True)
        rows = [
            [run, *map(str, numbers), *[f"{share:.{digits}f}" for share in shares]]
            for run, numbers, shares in zip(self.runs, counts, self.unjudged, strict=True)
        ]
        header = ["run", "matched", "missing", "extra", *[f"unjudged@{d}" for d in DEPTHS]]
        return Table(header, rows)

    def notes(self) -> list[str]:
        """Return what a user should know, in sentences; nothing if all fits."""
        numbers = zip(self.runs, self.missing.tolist(), self.extra.tolist(), strict=True)
        return [*self.judged.notes, *fit_notes(list(numbers), self.topics, self.without_relevant)]


def fit_notes(
    runs: Sequence[tuple[str, int, int]], topics: int, without_relevant: int
) -> list[str]:
    """Return sentences on missing and extra topics, given (run, missing, extra) for each run."""
    notes = []
    for run, missing, extra in runs:
        if missing:
            notes.append(f"{run}: {missing} of {topics} judged topics are missing from the run")
        if extra:
            notes.append(f"{run}: ignored {counted(extra, 'topic')} without judgments")
    if without_relevant:
        notes.append(f"{counted(without_relevant, 'judged topic')} without a relevant document")
    return notes


def coverage(judged: Judged) -> Coverage:
    """Summarize how well runs and judgments fit together."""
    runs, topics = len(judged.runs), len(judged.topics)
    is_compared = judged.pool is not None and judged.pool.preferences is not None
    return Coverage(
        judged=judged,
        runs=judged.runs,
        topics=topics,
        without_relevant=0 if is_compared else int((judged.relevant() == 0).sum()),
        matched=(judged.retrieved.reshape(runs, topics) > 0).sum(axis=1),
        extra=judged.extra_topics,
    )
