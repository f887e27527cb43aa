"""The result of a comparison of runs, as frames and as text."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.errors import counted
from gradewise.measures.measure import Measure
from gradewise.showing import Shown
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.letters import letter_groups
from gradewise.stats.tests import TESTS, Test
from gradewise.tables import Marked, Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class MeasureComparison:
    """How runs compare under one measure.

    Runs are ordered best first. Pair k consists of the runs `first[k]` and `second[k]`, the better
    one first, or the baseline second if there is one. `low` and `high` bound means; `pair_low` and
    `pair_high` bound mean differences.
    """

    measure: Measure
    topics: int
    runs: tuple[str, ...]
    baseline: str | None
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

    @property
    def marks(self) -> list[str]:
        """The mark of each run: its letters, or * if it differs from the baseline."""
        if self.letters is not None:
            return list(self.letters)
        marked = set(self.first[self.significant].tolist())
        return ["*" if run in marked else "" for run in range(len(self.runs))]


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """The result of `compare`: one part per measure, and the method used."""

    parts: tuple[MeasureComparison, ...]
    baseline: str | None
    test: Test
    correction: Correction
    alpha: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def runs(self) -> "pl.DataFrame":
        """A frame with columns measure, run, mean, low, high, group; best run first."""
        import polars as pl

        return pl.concat(
            pl.DataFrame(
                {
                    "measure": [str(part.measure)] * len(part.runs),
                    "run": list(part.runs),
                    "mean": part.mean,
                    "low": part.low,
                    "high": part.high,
                    "group": part.marks,
                }
            )
            for part in self.parts
        )

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with one row per pair of runs and measure.

        Columns: measure, run_a, run_b, difference (of means, a - b), low, high (its interval),
        effect (Cohen's d), wins, ties, losses (topics, of a), p, p_corrected, significant.
        """
        import polars as pl

        return pl.concat(
            pl.DataFrame(
                {
                    "measure": [str(part.measure)] * len(part.p),
                    "run_a": [part.runs[index] for index in part.first],
                    "run_b": [part.runs[index] for index in part.second],
                    "difference": part.difference,
                    "low": part.pair_low,
                    "high": part.pair_high,
                    "effect": part.effect,
                    "wins": part.wins,
                    "ties": part.ties,
                    "losses": part.losses,
                    "p": part.p,
                    "p_corrected": part.corrected,
                    "significant": part.significant,
                }
            )
            for part in self.parts
        )

    def table(self, digits: int = 4) -> Table:
        """Return means with letters or asterisks, one row per run, ordered by the first measure."""
        columns = [
            {
                run: Marked(f"{mean:.{digits}f}", mark)
                for run, mean, mark in zip(part.runs, part.mean, part.marks, strict=True)
            }
            for part in self.parts
        ]
        header = ["run", *[str(part.measure) for part in self.parts]]
        return Table(header, [[run, *[c[run] for c in columns]] for run in self.parts[0].runs])

    def to_text(self, *, digits: int = 4, pairs: bool = False) -> str:
        """Return a leaderboard for each measure, and pairs on request or with a baseline."""
        blocks = [
            block
            for part in self.parts
            for block in self._measure_blocks(part, digits, pairs or self.baseline is not None)
        ]
        return "\n".join([*blocks, self.explanation() + "\n"])

    def to_markdown(self, *, digits: int = 4) -> str:
        """Return a Markdown table of means with letters or asterisks."""
        return self.table(digits).to_markdown() + "\n" + self.explanation() + "\n"

    def to_latex(self, *, digits: int = 4) -> str:
        """Return a LaTeX tabular of means, with letters or asterisks as superscripts."""
        return self.table(digits).to_latex() + f"% {self.explanation()}\n"

    def to_csv(self, *, pairs: bool = False) -> str:
        """Return runs, or pairs, as comma-separated values, to full precision."""
        return (self.pairs if pairs else self.runs).write_csv()

    def explanation(self) -> str:
        """Return what the letters or asterisks mean: test, correction, alpha and topics."""
        first = self.parts[0]
        meaning = (
            "Runs that share a letter do not differ significantly"
            if self.baseline is None
            else f"* marks runs that differ significantly from {self.baseline}"
        )
        test = TESTS[self.test]
        correction = "" if test.joint else f", {CORRECTIONS[self.correction].title}"
        return (
            f"{meaning}: {test.title}{correction} over "
            f"{counted(len(first.p), 'pair')}, alpha {self.alpha:g}, "
            f"{counted(first.topics, 'topic')}. Intervals: {self.level:.0%}."
        )

    def _measure_blocks(self, part: MeasureComparison, digits: int, pairs: bool) -> list[str]:
        rows = [
            [run, f"{mean:.{digits}f}", _bounds(low, high, digits), mark]
            for run, mean, low, high, mark in zip(
                part.runs, part.mean, part.low, part.high, part.marks, strict=True
            )
        ]
        sign = "group" if self.baseline is None else ""
        blocks = [Table(["run", str(part.measure), "interval", sign], rows).to_text()]
        if pairs:
            blocks.append(self._pair_table(part, digits).to_text())
        return blocks

    def _pair_table(self, part: MeasureComparison, digits: int) -> Table:
        header = ["run", "against", "difference", "interval", "effect", "won/tied/lost", "p", ""]
        rows = [
            [
                part.runs[part.first[k]],
                part.runs[part.second[k]],
                f"{part.difference[k]:+.{digits}f}",
                _bounds(part.pair_low[k], part.pair_high[k], digits),
                f"{part.effect[k]:+.2f}",
                f"{part.wins[k]}/{part.ties[k]}/{part.losses[k]}",
                _p(part.corrected[k]),
                "*" if part.significant[k] else "",
            ]
            for k in range(len(part.p))
        ]
        return Table(header, rows, labels=2)

    def __repr__(self) -> str:
        against = f"against {self.baseline}" if self.baseline else "all pairs"
        return (
            f"Comparison({counted(len(self.parts[0].runs), 'run')}, {against}, "
            f"test={self.test!r}, {', '.join(str(part.measure) for part in self.parts)})"
        )


def _bounds(low: float, high: float, digits: int) -> str:
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
