"""The result of a comparison of runs, as frames and as text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from textwrap import fill

from gradewise.csv_output import csv_text
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.showing import Shown
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.intervals import INTERVALS, IntervalKind
from gradewise.stats.measure_comparison import MeasureComparison
from gradewise.stats.tests import TESTS, Test
from gradewise.stats.tiers import RULE, tier_agreement
from gradewise.tables import DAGGER, TEXT_WIDTH, Marked, Table, find_places


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """The result of `compare`: one part per measure, and the method used.

    `replicates` is the number of samples that the test drew, if any.
    """

    parts: tuple[MeasureComparison, ...]
    baseline: str | None
    test: Test
    correction: Correction
    alpha: float
    level: float
    interval: IntervalKind
    replicates: int | None
    notes: tuple[str, ...] = ()

    @property
    def runs(self) -> "pl.DataFrame":
        """A frame with columns measure, run, mean, low, high, group, tier; best run first.

        `group` holds letters, or * with a baseline; it is null if tiers are shown instead. `tier`
        is null with a baseline.
        """
        return pl.concat(part.runs_frame() for part in self.parts)

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with one row per pair of runs and measure.

        Columns: measure, run_a, run_b, difference (of means, a - b), low, high (its interval),
        effect (Cohen's d), wins, ties, losses (topics, of a), p, p_corrected, significant.
        """
        return pl.concat(part.pairs_frame() for part in self.parts)

    def table(self, digits: int = 4) -> Table:
        """Return means with letters, tiers or daggers, a row per run, ordered by the first measure.

        Letters and daggers follow the numbers; tiers have columns of their own.
        """
        header, columns = ["run"], list[dict[str, str]]()
        for part in self.parts:
            numbers = [f"{mean:.{digits}f}" for mean in part.mean]
            places = find_places(numbers, higher_is_better=part.measure.higher_is_better)
            marks = ["" if part.shows_tiers else mark.replace("*", DAGGER) for mark in part.marks]
            cells = map(Marked, numbers, marks, places)
            columns.append(dict(zip(part.runs, cells, strict=True)))
            header.append(str(part.measure))
            if part.shows_tiers:
                columns.append(dict(zip(part.runs, part.marks, strict=True)))
                header.append("tier")
        return Table(header, [[run, *[c[run] for c in columns]] for run in self.parts[0].runs])

    def to_text(
        self,
        *,
        digits: int = 4,
        pairs: bool = False,
        names: Mapping[str, str] | None = None,
        width: int | None = None,
    ) -> str:
        """Return a leaderboard for each measure, and pairs on request or with a baseline.

        `names` renames runs and measures; tables wider than `width` are folded.
        """
        tables = []
        for part in self.parts:
            tables.append(part.leaderboard(digits))
            if pairs or self.baseline is not None:
                tables.append(part.pair_table(digits))
        told = self._named(names).sentences()
        if len(tables) > len(self.parts):
            told.append("w/t/l counts topics won, tied and lost; p is corrected.")
        blocks = [table.renamed(names or {}).to_text(width=width) for table in tables]
        lines = [fill(each, TEXT_WIDTH, break_on_hyphens=False) + "\n" for each in told]
        return "\n".join([*blocks, "".join(lines)])

    def to_markdown(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return a Markdown table of means with letters, tiers or daggers; the best is bold.

        `names` renames runs and measures. The caption is above the table, what the marks mean
        below it.
        """
        table = self.table(digits).renamed(names or {})
        return table.to_markdown(caption=caption, label=label) + "\n" + self._note(names) + "\n"

    def to_latex(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return a LaTeX tabular of means, with letters or daggers as superscripts.

        The best value of a column is bold, the second best underlined. With a caption or a label
        the tabular is put in a table, and the caption ends with what the marks mean; otherwise a
        comment says so.
        """
        table = self.table(digits).renamed(names or {})
        if caption is None and label is None:
            return table.to_latex() + f"% {self._note(names)}\n"
        return table.to_latex(caption=self._caption(caption, names), label=label)

    def to_html(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return an HTML table of means, with letters or daggers as superscripts, or tiers.

        The caption ends with what the marks mean; without one, a paragraph below says so.
        """
        table = self.table(digits).renamed(names or {})
        if caption is None:
            return table.to_html(label=label) + f"<p>{escape(self._note(names))}</p>\n"
        return table.to_html(caption=self._caption(caption, names), label=label)

    def _caption(self, caption: str | None, names: Mapping[str, str] | None) -> str:
        """Return a caption that ends with what the marks mean."""
        begin = caption if not caption or caption.endswith((".", "?", "!")) else f"{caption}."
        return f"{begin} {self._note(names)}" if begin else self._note(names)

    def _note(self, names: Mapping[str, str] | None) -> str:
        """Return what the marks mean, with new names and daggers; tables hold no intervals."""
        *meaning, _ = self._named(names).sentences()
        return " ".join(meaning).replace("* marks", f"{DAGGER} marks")

    def _named(self, names: Mapping[str, str] | None) -> "Comparison":
        """Return the same with the baseline's new name, for explanations."""
        return replace(
            self, baseline=self.baseline and (names or {}).get(self.baseline, self.baseline)
        )

    def to_csv(self, *, pairs: bool = False) -> str:
        """Return runs, or pairs, as comma-separated values, to full precision."""
        return csv_text(self.pairs if pairs else self.runs)

    def to_json(self, *, pairs: bool = False) -> str:
        """Return the method, what the marks mean, and runs by measure, to full precision.

        Pairs are included on request or with a baseline.
        """
        import json

        with_pairs = pairs or self.baseline is not None
        measures = [
            {
                "measure": str(part.measure),
                "topics": part.topics,
                "runs": part.runs_frame().drop("measure").to_dicts(),
                **({"pairs": part.pairs_frame().drop("measure").to_dicts()} if with_pairs else {}),
            }
            for part in self.parts
        ]
        method = {
            "baseline": self.baseline,
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "interval": self.interval,
            "level": self.level,
            "replicates": self.replicates,
            "explanation": self.explanation(),
        }
        return json.dumps(method | {"measures": measures}, indent=2, ensure_ascii=False) + "\n"

    def explanation(self) -> str:
        """Return what letters, tiers or asterisks mean: test, correction, alpha and topics."""
        return " ".join(self.sentences())

    def meaning(self) -> str:
        """Return what letters, tiers or asterisks mean, without the test behind them."""
        if self.baseline is not None:
            return f"* marks runs that differ significantly from {self.baseline}"
        if self.parts[0].shows_tiers:
            return RULE
        return "Runs that share a letter do not differ significantly"

    def sentences(self) -> list[str]:
        """Return the explanation sentence by sentence: marks, limits of tiers, intervals."""
        first, test = self.parts[0], TESTS[self.test]
        samples = f" ({self.replicates:,} replicates)" if self.replicates else ""
        correction = "" if test.joint else f", {CORRECTIONS[self.correction].title}"
        return [
            f"{self.meaning()}: {test.title}{samples}{correction} over {self._families()}, "
            f"alpha {self.alpha:g}, {counted(first.topics, 'topic')}.",
            *([self.limits_of_tiers()] if first.shows_tiers else []),
            f"Intervals: {self.level:.0%}, {INTERVALS[self.interval].title}.",
        ]

    def limits_of_tiers(self) -> str:
        """Say how far tiers can be trusted."""
        shares = [_share_that_differs(part) for part in self.parts]
        told = shares[0]
        if len(shares) > 1:
            named = zip(self.parts, shares, strict=True)
            told = ", ".join(f"{share} ({part.measure})" for part, share in named)
        return (
            "Tiers are for reading, not groups of equals: of the pairs of runs in different tiers, "
            f"{told} differ significantly."
        )

    def _families(self) -> str:
        """Return how many pairs are corrected for, and why if it is more than are shown."""
        shown = len(self.parts[0].p)
        wider = [part for part in self.parts if part.family > shown]
        if not wider or TESTS[self.test].joint:
            return counted(self.parts[0].family, "pair")
        everything, best = f"all {wider[0].family} pairs", f"{self.baseline} is the best run"
        if len(wider) == len(self.parts):
            return f"{everything} ({best})"
        names = ", ".join(str(part.measure) for part in wider)
        return f"{counted(shown, 'pair')} ({everything} for {names}, by which {best})"

    def __repr__(self) -> str:
        against = f"against {self.baseline}" if self.baseline else "all pairs"
        return (
            f"Comparison({counted(len(self.parts[0].runs), 'run')}, {against}, "
            f"test={self.test!r}, {', '.join(str(part.measure) for part in self.parts)})"
        )


def _share_that_differs(part: MeasureComparison) -> str:
    """Return the share of pairs in different tiers that differ significantly."""
    if part.tiers is None:
        return "none"
    found = tier_agreement(part.tiers, part.differs)
    return f"{found.apart_differing / found.apart:.0%}" if found.apart else "none"
