"""A comparison of runs: what was found, as frames and as text."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradewise.arrays import Floats, Ints
from gradewise.errors import counted
from gradewise.measures.measure import Measure
from gradewise.showing import Shown
from gradewise.tables import Marked, Table

if TYPE_CHECKING:
    import polars as pl

TEST_NAMES = {
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "strict": "t-test, Wilcoxon and sign test, all three",
    "bootstrap": "paired bootstrap test",
    "randomization": "paired randomisation test",
    "tukey": "randomised Tukey HSD test",
}
CORRECTION_NAMES = {
    "none": "no correction",
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


@dataclass(frozen=True, eq=False)
class MeasureComparison:
    """How runs compare under one measure.

    Runs come best first. Pair k is the runs `first[k]` and `second[k]`, the better one first; with
    a baseline, that is always second. `low` and `high` bound means, `pair_low` and `pair_high`
    mean differences. `letters` are the groups of runs, if all pairs were compared.
    """

    measure: Measure
    topics: int
    runs: tuple[str, ...]
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
    letters: tuple[str, ...] | None

    def marks(self, alpha: float) -> list[str]:
        """Return what stands beside each run's mean: its groups, or * if not as the baseline."""
        if self.letters is not None:
            return list(self.letters)
        marks = [""] * len(self.runs)
        for index in self.first[self.corrected <= alpha]:
            marks[index] = "*"
        return marks


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """What `compare` found, one part for each measure, and how it was found."""

    parts: tuple[MeasureComparison, ...]
    baseline: str | None
    test: str
    correction: str
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
                    "group": part.marks(self.alpha),
                }
            )
            for part in self.parts
        )

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with a row for each pair of runs and measure.

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
                    "significant": part.corrected <= self.alpha,
                }
            )
            for part in self.parts
        )

    def table(self, digits: int = 4) -> Table:
        """Return means with letters or signs, a row for each run, by the first measure."""
        columns = [
            {
                run: Marked(f"{mean:.{digits}f}", mark)
                for run, mean, mark in zip(
                    part.runs, part.mean, part.marks(self.alpha), strict=True
                )
            }
            for part in self.parts
        ]
        header = ["run", *[str(part.measure) for part in self.parts]]
        return Table(header, [[run, *[c[run] for c in columns]] for run in self.parts[0].runs])

    def to_text(self, *, digits: int = 4, pairs: bool = False) -> str:
        """Return a leaderboard for each measure; pairs if asked for or against a baseline."""
        blocks = [
            block
            for part in self.parts
            for block in self._measure_blocks(part, digits, pairs or self.baseline is not None)
        ]
        return "\n".join([*blocks, self.explanation() + "\n"])

    def to_markdown(self, *, digits: int = 4) -> str:
        """Return a Markdown table of means with letters or signs."""
        return self.table(digits).to_markdown() + "\n" + self.explanation() + "\n"

    def to_latex(self, *, digits: int = 4) -> str:
        """Return a LaTeX tabular of means with letters or signs as superscripts."""
        return self.table(digits).to_latex() + f"% {self.explanation()}\n"

    def to_csv(self, *, pairs: bool = False) -> str:
        """Return runs, or pairs, as comma-separated values, to full precision."""
        return (self.pairs if pairs else self.runs).write_csv()

    def explanation(self) -> str:
        """Return in a sentence or two what the letters or signs stand for."""
        first = self.parts[0]
        meaning = (
            "Runs that share a letter cannot be told apart"
            if self.baseline is None
            else f"* marks runs that differ from {self.baseline}"
        )
        correction = "" if self.test == "tukey" else f", {CORRECTION_NAMES[self.correction]}"
        return (
            f"{meaning}: {TEST_NAMES[self.test]}{correction} over "
            f"{counted(len(first.p), 'pair')}, alpha {self.alpha:g}, "
            f"{counted(first.topics, 'topic')}. Intervals: {self.level:.0%}."
        )

    def _measure_blocks(self, part: MeasureComparison, digits: int, pairs: bool) -> list[str]:
        rows = [
            [run, f"{mean:.{digits}f}", _bounds(low, high, digits), mark]
            for run, mean, low, high, mark in zip(
                part.runs, part.mean, part.low, part.high, part.marks(self.alpha), strict=True
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
                "*" if part.corrected[k] <= self.alpha else "",
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
