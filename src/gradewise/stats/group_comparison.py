"""The result of a comparison on groups of topics, as frames and as text."""

from dataclasses import dataclass
from textwrap import fill
from typing import Any

from gradewise.collection.attributes import Attribute
from gradewise.csv_output import csv_text
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.showing import Shown
from gradewise.stats.measure_comparison import bounds_text, p_text
from gradewise.stats.measure_groups import MeasureGroups
from gradewise.tables import TEXT_WIDTH, Table


@dataclass(frozen=True, eq=False)
class GroupComparison(Shown):
    """The result of `compare_groups`: one part per measure."""

    parts: tuple[MeasureGroups, ...]
    attributes: tuple[Attribute, ...]
    pair: tuple[str, str] | None
    baseline: str | None
    alpha: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def groups(self) -> "pl.DataFrame":
        """A frame with one row per measure, pair and group.

        Columns: measure, attribute, group, size (topics), run_a, run_b, mean_a, mean_b, difference
        (a - b), low, high (its interval; those of a pair hold jointly), wins, ties, losses
        (topics, of a), p, p_corrected, significant.
        """
        return pl.concat(part.groups_frame() for part in self.parts)

    @property
    def interactions(self) -> "pl.DataFrame":
        """A frame with one row per measure, pair and attribute: does the difference depend on it.

        Columns: measure, attribute, run_a, run_b, p, p_corrected, significant.
        """
        return pl.concat(part.interactions_frame() for part in self.parts)

    @property
    def winners(self) -> "pl.DataFrame":
        """A frame with one row per measure and group: which run is best there.

        Columns: measure, attribute, group, size, best, mean, overall (the best run of all
        topics), overall_mean, p_corrected (of the lead of the one over the other), significant.
        """
        return pl.concat(part.winners_frame() for part in self.parts)

    def tables(self, digits: int = 4, *, pairs: bool = False) -> list[Table]:
        """Return, for each measure, who wins where and the differences of a pair, or of all.

        The pair is the one that was named, or the first: the best run against the next best one.
        """
        tables = []
        for part in self.parts:
            if self.pair is None:
                tables.append(_winner_table(part, digits))
            shown = range(len(part.first)) if pairs else range(1)
            tables += [_pair_table(part, pair, digits) for pair in shown]
        return tables

    def sentences(self) -> list[str]:
        """Return the findings on the first pair by each measure, and how they were tested."""
        told = [sentence for part in self.parts for sentence in part.findings()]
        return [*told, *self.explanation()]

    def explanation(self) -> list[str]:
        """Return how groups were made, tested and corrected for."""
        told = [f"{each.name}: {each.about}." for each in self.attributes if each.about]
        told.append(self.test_words())
        if any(each.name == "difficulty" and each.found for each in self.attributes):
            told.append(
                "Hard and easy topics were found from these scores; where scores are low, there is "
                "little room for differences."
            )
        return told

    def test_words(self) -> str:
        """Return how differences were tested and corrected for, and what intervals mean."""
        first = self.parts[0]
        pairs, limit = "", ""
        if first.family > 1:
            pairs, limit = f" and {counted(first.family, 'pair')}", ", but not for all pairs"
        return (
            f"Paired t-tests; p-values corrected for {counted(first.tested, 'group')}{pairs} "
            f"(Bonferroni), alpha {self.alpha:g}. The {self.level:.0%} intervals of a pair hold "
            f"jointly for all groups{limit}."
        )

    def to_text(self, *, digits: int = 4, pairs: bool = False, width: int | None = None) -> str:
        """Return tables of the winners and the differences, and the findings."""
        blocks = [table.to_text(width=width) for table in self.tables(digits, pairs=pairs)]
        lines = [fill(each, TEXT_WIDTH, break_on_hyphens=False) + "\n" for each in self.sentences()]
        return "\n".join([*blocks, "".join(lines)])

    def to_markdown(self, *, digits: int = 4, pairs: bool = False) -> str:
        """Return the tables in Markdown, and the findings."""
        blocks = [table.to_markdown() for table in self.tables(digits, pairs=pairs)]
        return "\n".join([*blocks, "\n\n".join(self.sentences()) + "\n"])

    def to_latex(self, *, digits: int = 4, pairs: bool = False) -> str:
        """Return LaTeX tabulars, and the findings as comments."""
        blocks = [table.to_latex() for table in self.tables(digits, pairs=pairs)]
        return "\n".join([*blocks, "".join(f"% {each}\n" for each in self.sentences())])

    def to_html(self, *, digits: int = 4, pairs: bool = False) -> str:
        """Return HTML tables, and the findings as paragraphs."""
        from html import escape

        blocks = [table.to_html() for table in self.tables(digits, pairs=pairs)]
        return "\n".join([*blocks, "".join(f"<p>{escape(s)}</p>\n" for s in self.sentences())])

    def to_csv(self) -> str:
        """Return the frame `groups` as comma-separated values, to full precision."""
        return csv_text(self.groups)

    def to_json(self) -> str:
        """Return groups, interactions and winners, and what was found, to full precision."""
        import json

        content: dict[str, Any] = {
            "alpha": self.alpha,
            "level": self.level,
            "findings": self.sentences(),
        }
        for name in ("groups", "interactions", "winners"):
            frame: pl.DataFrame = getattr(self, name)
            content[name] = frame.fill_nan(None).to_dicts()
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.attributes)
        against = " and ".join(self.pair) if self.pair else counted(len(self.parts[0].runs), "run")
        measures = ", ".join(str(part.measure) for part in self.parts)
        return f"GroupComparison({against}, by {names}, {measures})"


def _winner_table(part: MeasureGroups, digits: int) -> Table:
    best, _ = part.winners
    frame = part.winners_frame()
    rows = [
        [
            row["attribute"],
            row["group"],
            row["best"],
            str(row["size"]),
            f"{row['mean']:.{digits}f}",
            f"{row['mean'] - row['overall_mean']:+.{digits}f}" if place else "",
            "*" if row["significant"] else "",
        ]
        for place, row in zip(best, frame.iter_rows(named=True), strict=True)
    ]
    lead = f"over {part.runs[0]}"
    return Table(["attribute", "group", "best run", "topics", str(part.measure), lead, ""], rows, 3)


def _pair_table(part: MeasureGroups, pair: int, digits: int) -> Table:
    a, b = part.first[pair], part.second[pair]
    rows = [
        [
            attribute,
            group,
            str(part.topics[k]),
            f"{part.mean[a, k]:.{digits}f}",
            f"{part.mean[b, k]:.{digits}f}",
            f"{part.difference[pair, k]:+.{digits}f}",
            bounds_text(part.low[pair, k], part.high[pair, k], digits),
            f"{part.wins[pair, k]}/{part.ties[pair, k]}/{part.losses[pair, k]}",
            p_text(part.corrected[pair, k]),
            "*" if part.significant[pair, k] else "",
        ]
        for k, (attribute, group) in enumerate(part.group_names)
    ]
    names = [part.runs[a], part.runs[b]]
    header = ["attribute", "group", "topics", *names, "difference", "interval", "w/t/l", "p", ""]
    return Table(header, rows, labels=2)
