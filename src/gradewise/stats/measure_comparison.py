"""How runs compare under one measure: the numbers, and what shows which of them differ."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.measures.measure import Measure
from gradewise.stats.letters import letter_groups
from gradewise.stats.tiers import find_tiers
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class MeasureComparison:
    """How runs compare under one measure.

    Runs are ordered best first. Pair k consists of the runs `first[k]` and `second[k]`, the better
    one first, or the baseline second if there is one. `low` and `high` bound means; `pair_low` and
    `pair_high` bound mean differences. P-values are corrected for a family of `family` pairs, which
    is all pairs if the baseline is the best run. `groups` says what shows which runs differ where
    all pairs were compared.
    """

    measure: Measure
    topics: int
    runs: tuple[str, ...]
    baseline: str | None
    family: int
    mean: Floats
    low: Floats
    high: Floats
    first: Ints
    second: Ints
    difference: Floats
    pair_low: Floats
    pair_high: Floats
    effect: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    p: Floats
    corrected: Floats
    significant: Bools
    groups: Literal["letters", "tiers"] = "letters"

    @property
    def differs(self) -> Bools:
        """Which runs differ significantly, [run, run]."""
        found = np.zeros((len(self.runs), len(self.runs)), np.bool_)
        found[self.first, self.second] = found[self.second, self.first] = self.significant
        return found

    @cached_property
    def letters(self) -> tuple[str, ...] | None:
        """The groups of runs that do not differ, if all pairs were compared."""
        return None if self.baseline is not None else tuple(letter_groups(self.differs))

    @cached_property
    def tiers(self) -> Ints | None:
        """The tier of each run, from 1, if all pairs were compared; see `stats.find_tiers`."""
        return None if self.baseline is not None else find_tiers(self.differs)

    @property
    def shows_tiers(self) -> bool:
        """Whether tiers, not letters, show which runs differ."""
        return self.baseline is None and self.groups == "tiers"

    @property
    def marks(self) -> list[str]:
        """The mark of each run: its letters or its tier, or * if it differs from the baseline."""
        if self.shows_tiers and self.tiers is not None:
            return [str(tier) for tier in self.tiers]
        if self.letters is not None:
            return list(self.letters)
        marked = set(self.first[self.significant].tolist())
        return ["*" if run in marked else "" for run in range(len(self.runs))]

    def runs_frame(self) -> "pl.DataFrame":
        """Return measure, run, mean, low, high, group and tier, best run first."""
        import polars as pl

        nothing = [None] * len(self.runs)
        return pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(self.runs),
                "run": list(self.runs),
                "mean": self.mean,
                "low": self.low,
                "high": self.high,
                "group": nothing if self.shows_tiers else self.marks,
                "tier": nothing if self.tiers is None else self.tiers,
            },
            schema_overrides={"group": pl.String, "tier": pl.Int64},
        )

    def pairs_frame(self) -> "pl.DataFrame":
        """Return a row for each pair of runs."""
        import polars as pl

        return pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(self.p),
                "run_a": [self.runs[index] for index in self.first],
                "run_b": [self.runs[index] for index in self.second],
                "difference": self.difference,
                "low": self.pair_low,
                "high": self.pair_high,
                "effect": self.effect,
                "wins": self.wins,
                "ties": self.ties,
                "losses": self.losses,
                "p": self.p,
                "p_corrected": self.corrected,
                "significant": self.significant,
            }
        )

    def leaderboard(self, digits: int) -> Table:
        """Return means, intervals, and letters, tiers or asterisks as text."""
        rows = [
            [run, f"{mean:.{digits}f}", bounds_text(low, high, digits), mark]
            for run, mean, low, high, mark in zip(
                self.runs, self.mean, self.low, self.high, self.marks, strict=True
            )
        ]
        sign = "" if self.baseline is not None else "tier" if self.shows_tiers else "group"
        return Table(["run", str(self.measure), "interval", sign], rows)

    def pair_table(self, digits: int) -> Table:
        """Return the difference of each pair as text; a baseline is not repeated in every row."""
        alone = self.baseline is not None
        names = ["run", "change"] if alone else ["run", "against", "difference"]
        rows = [
            [
                self.runs[self.first[k]],
                *([] if alone else [self.runs[self.second[k]]]),
                f"{self.difference[k]:+.{digits}f}",
                bounds_text(self.pair_low[k], self.pair_high[k], digits),
                f"{self.effect[k]:+.2f}",
                f"{self.wins[k]}/{self.ties[k]}/{self.losses[k]}",
                p_text(self.corrected[k]),
                "*" if self.significant[k] else "",
            ]
            for k in range(len(self.p))
        ]
        header = [*names, "interval", "effect", "w/t/l", "p", ""]
        return Table(header, rows, labels=1 if alone else 2)


def bounds_text(low: float, high: float, digits: int) -> str:
    """Return an interval as tables write it; a dash if there is none."""
    return "-" if low != low else f"[{low:.{digits}f}, {high:.{digits}f}]"


def p_text(value: float) -> str:
    """Return a p-value as tables write it; a dash if there is none."""
    if value != value:
        return "-"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
