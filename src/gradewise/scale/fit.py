"""How well runs and judgments fit together, from counts that engines sum up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.coverage import DEPTHS, fit_notes
from gradewise.errors import InputError, Problem
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.outcome import (
    EXTRA,
    JUDGED,
    LIST,
    MISSING,
    PROBLEM,
    RELEVANT,
    RETRIEVED,
    SEEN,
    STATUS,
)
from gradewise.tables import Table

# What engines sum up, for each run and status: the name, and an expression of SQL.
COUNTS = {
    "rows": "1",
    "reported": RETRIEVED,
    "without_relevant": f"case when {RELEVANT} = 0 then 1 else 0 end",
    **{f"seen_{d}": f"least({RETRIEVED}, {d})" for d in DEPTHS},
    **{f"known_{d}": name for d, name in zip(DEPTHS, SEEN, strict=True)},
}


@dataclass(frozen=True, eq=False)
class Fit:
    """For each run: judged topics that it has, misses or adds, and how much of it is unjudged.

    `unjudged[run, d]` is the share of unjudged documents among the first DEPTHS[d] of its lists.
    """

    runs: tuple[str, ...]
    topics: int
    without_relevant: int
    matched: Ints
    extra: Ints
    unjudged: Floats

    @staticmethod
    def of_counts(rows: Sequence[dict[str, Any]], problems: Sequence[dict[str, Any]]) -> "Fit":
        """Take COUNTS by run and status; raise an InputError if there are problems."""
        by_status: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            by_status.setdefault(int(row[STATUS]), []).append(row)
        wrong = by_status.get(PROBLEM, ())
        if wrong:
            told = [Problem(str(p[RUN]).removesuffix(": "), str(p[TOPIC])) for p in problems]
            raise InputError(told, int(sum(row["reported"] for row in wrong)))
        topics = by_status.get(JUDGED, ())
        lists = {row[RUN]: row for row in by_status.get(LIST, ())}
        extra = {row[RUN]: int(row["rows"]) for row in by_status.get(EXTRA, ())}
        missing = {row[RUN] for row in by_status.get(MISSING, ())}
        runs = tuple(sorted({*lists, *extra, *missing}))
        return Fit(
            runs,
            int(sum(row["rows"] for row in topics)),
            int(sum(row["without_relevant"] for row in topics)),
            np.array([int(lists[run]["rows"]) if run in lists else 0 for run in runs], np.int64),
            np.array([extra.get(run, 0) for run in runs], np.int64),
            np.array([_shares(lists.get(run)) for run in runs]).reshape(len(runs), len(DEPTHS)),
        )

    @property
    def missing(self) -> Ints:
        """How many judged topics each run misses."""
        return self.topics - self.matched

    def notes(self) -> list[str]:
        """Return what a user should know, in sentences; nothing if all fits."""
        numbers = zip(self.runs, self.missing.tolist(), self.extra.tolist(), strict=True)
        return fit_notes(list(numbers), self.topics, self.without_relevant)

    def frame(self) -> Any:
        """Return a frame of polars with one row for each run."""
        import polars as pl

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
        rows = [
            [run, *map(str, numbers), *[f"{share:.{digits}f}" for share in shares]]
            for run, _, *numbers, shares in zip(
                self.runs,
                self.runs,
                self.matched.tolist(),
                self.missing.tolist(),
                self.extra.tolist(),
                self.unjudged.tolist(),
                strict=True,
            )
        ]
        header = ["run", "matched", "missing", "extra", *[f"unjudged@{d}" for d in DEPTHS]]
        return Table(header, rows)


def _shares(row: dict[str, Any] | None) -> list[float]:
    if row is None:
        return [0.0] * len(DEPTHS)
    return [1 - row[f"known_{d}"] / row[f"seen_{d}"] if row[f"seen_{d}"] else 0.0 for d in DEPTHS]
