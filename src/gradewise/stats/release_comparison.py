"""The result of a comparison of releases, as frames and as text."""

from dataclasses import dataclass
from textwrap import fill
from typing import Any

from gradewise.csv_output import csv_text
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.showing import Shown
from gradewise.stats.measure_comparison import bounds_text, p_text
from gradewise.stats.measure_releases import MeasureReleases
from gradewise.tables import TEXT_WIDTH, Table

_ROWS = 40  # of steps that are printed unless more are asked for


@dataclass(frozen=True, eq=False)
class ReleaseComparison(Shown):
    """The result of `compare_releases`: one part per measure."""

    releases: tuple[str, ...]
    parts: tuple[MeasureReleases, ...]
    alpha: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> "pl.DataFrame":
        """A frame with one row per measure, run and release.

        Columns: measure, run, release, topics, mean, since (the release before), shared (topics of
        both), paired (False if means over different topics are compared), change, low, high (its
        interval), p, p_corrected, significant; null where there is no release before.
        """
        return pl.concat(part.frame() for part in self.parts)

    def tables(self, digits: int = 4, *, steps: bool | None = None) -> list[Table]:
        """Return, for each measure, first and last release of each run, and every step.

        Steps are left out if they are many, unless they are asked for.
        """
        tables = []
        for part in self.parts:
            tables.append(_overview(part, digits))
            rows = int((part.topics > 0).sum())
            if steps or (steps is None and rows <= _ROWS and len(self.releases) > 2):
                tables.append(_step_table(part, digits))
        return tables

    def sentences(self) -> list[str]:
        """Return what changed by each measure, which topics changed, and how it was tested."""
        told = [sentence for part in self.parts for sentence in part.findings()]
        return [*dict.fromkeys(told), self.explanation()]

    def explanation(self) -> str:
        """Return how changes were tested and corrected for."""
        number = counted(self.parts[0].changes_number, "change")
        return (
            f"Paired t-tests over shared topics, Holm's correction over {number} from release to "
            f"release, alpha {self.alpha:g}. Intervals: {self.level:.0%}, of each change alone."
        )

    def to_text(
        self, *, digits: int = 4, steps: bool | None = None, width: int | None = None
    ) -> str:
        """Return the tables and the findings."""
        blocks = [table.to_text(width=width) for table in self.tables(digits, steps=steps)]
        lines = [fill(each, TEXT_WIDTH, break_on_hyphens=False) + "\n" for each in self.sentences()]
        return "\n".join([*blocks, "".join(lines)])

    def to_markdown(self, *, digits: int = 4, steps: bool | None = None) -> str:
        """Return the tables in Markdown, and the findings."""
        blocks = [table.to_markdown() for table in self.tables(digits, steps=steps)]
        return "\n".join([*blocks, "\n\n".join(self.sentences()) + "\n"])

    def to_latex(self, *, digits: int = 4, steps: bool | None = None) -> str:
        """Return LaTeX tabulars, and the findings as comments."""
        blocks = [table.to_latex() for table in self.tables(digits, steps=steps)]
        return "\n".join([*blocks, "".join(f"% {each}\n" for each in self.sentences())])

    def to_html(self, *, digits: int = 4, steps: bool | None = None) -> str:
        """Return HTML tables, and the findings as paragraphs."""
        from html import escape

        blocks = [table.to_html() for table in self.tables(digits, steps=steps)]
        return "\n".join([*blocks, "".join(f"<p>{escape(s)}</p>\n" for s in self.sentences())])

    def to_csv(self) -> str:
        """Return the frame `changes` as comma-separated values, to full precision."""
        return csv_text(self.changes)

    def to_json(self) -> str:
        """Return releases, findings and changes, to full precision."""
        import json

        content: dict[str, Any] = {
            "releases": list(self.releases),
            "alpha": self.alpha,
            "level": self.level,
            "findings": self.sentences(),
            "changes": self.changes.to_dicts(),
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        names = ", ".join(str(part.measure) for part in self.parts)
        runs = counted(len(self.parts[0].runs), "run")
        return f"ReleaseComparison({counted(len(self.releases), 'release')}, {runs}, {names})"


def _overview(part: MeasureReleases, digits: int) -> Table:
    """Return the first and the last release of each run, and the change between them."""
    known, whole = part.topics > 0, part.whole
    first, last = known.argmax(axis=1), known.shape[1] - 1 - known[:, ::-1].argmax(axis=1)
    rows = []
    for run, name in enumerate(part.runs):
        moved = first[run] < last[run]
        rows.append(
            [
                name,
                part.releases[first[run]],
                part.releases[last[run]],
                f"{part.mean[run, first[run]]:.{digits}f}",
                f"{part.mean[run, last[run]]:.{digits}f}",
                f"{whole.change[run]:+.{digits}f}" if moved else "",
                bounds_text(whole.low[run], whole.high[run], digits) if moved else "",
                _sharing(whole.shared[run], whole.paired[run]) if moved else "",
            ]
        )
    header = [
        "run",
        "first",
        "last",
        f"{part.measure}, first",
        "last",
        "change",
        "interval",
        "shared",
    ]
    return Table(header, rows, labels=3)


def _sharing(shared: int, paired: bool) -> str:
    return str(shared) if paired else f"{shared}, unpaired"


def _step_table(part: MeasureReleases, digits: int) -> Table:
    rows = [
        [
            row["run"],
            row["release"],
            str(row["topics"]),
            f"{row['mean']:.{digits}f}",
            *([""] * 5 if row["since"] is None else _step_cells(row, digits)),
        ]
        for row in part.frame().iter_rows(named=True)
    ]
    header = [
        "run",
        "release",
        "topics",
        str(part.measure),
        "change",
        "interval",
        "shared",
        "p",
        "",
    ]
    return Table(header, rows, labels=2)


def _step_cells(row: dict[str, Any], digits: int) -> list[str]:
    nan = float("nan")
    low, high, p = (
        nan if row[name] is None else row[name] for name in ("low", "high", "p_corrected")
    )
    return [
        "-" if row["change"] is None else f"{row['change']:+.{digits}f}",
        bounds_text(low, high, digits),
        _sharing(row["shared"], row["paired"]),
        p_text(p),
        "*" if row["significant"] else "",
    ]
