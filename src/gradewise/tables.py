"""Rows of text as a table: plain, Markdown, LaTeX, HTML or CSV."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradewise.inert import csv_cell, printable
from gradewise.libraries import pl

TEXT_WIDTH = 80  # columns of a terminal, which prose beside tables is wrapped to
DAGGER = "†"  # how papers mark a significant difference from a baseline
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    DAGGER: r"$\dagger$",
}
# In this order: what escapes comes first.
_MARKDOWN = {"\\": r"\\", "|": r"\|", "<": "&lt;", "`": r"\`", "](": r"]\("}


class Marked(str):
    """A cell with a number, letters or a sign behind it, and its place among its column.

    LaTeX and HTML set the letters as a superscript; there and in Markdown, the best number (place
    1) is bold and the second best (place 2) underlined.
    """

    number: str
    mark: str
    place: int

    def __new__(cls, number: str, mark: str = "", place: int = 0) -> "Marked":
        """Make the cell as plain text shows it."""
        cell = super().__new__(cls, f"{number} {mark}".rstrip())
        cell.number, cell.mark, cell.place = number, mark, place
        return cell


def find_places(numbers: Sequence[str], *, higher_is_better: bool = True) -> list[int]:
    """Return 1 for the best of the numbers, as they are printed, 2 for the second best, else 0.

    Only differences stand out: no number if all are equal, and no second best of two.

    Examples
    --------
    >>> find_places(["0.45", "0.51", "0.45", "0.38"])
    [2, 1, 2, 0]
    """
    known = {float(number) for number in numbers if number not in ("nan", "-")}
    ordered = sorted(known, reverse=higher_is_better)[: min(len(known) - 1, 2) if known else 0]
    return [ordered.index(float(n)) + 1 if float(n) in ordered else 0 for n in numbers]


@dataclass(frozen=True)
class Table:
    """A header and rows of cells; the first `labels` columns are text, the others numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1

    @staticmethod
    def of_frame(frame: "pl.DataFrame", digits: int = 4) -> "Table":
        """Return a frame as a table: text columns to the left, numbers rounded."""
        numeric = [kind.is_numeric() for kind in frame.dtypes]
        labels = numeric.index(True) if True in numeric else len(numeric)
        rows = [[_frame_cell(value, digits) for value in row] for row in frame.iter_rows()]
        return Table(frame.columns, rows, labels=labels)

    def to_text(self, *, width: int | None = None) -> str:
        """Return columns padded with spaces.

        A table wider than `width` is folded: as many columns as fit, then the labels again with the
        next columns.

        Examples
        --------
        >>> print(Table(["run", "AP", "nDCG"], [["bm25", "0.25", "0.31"]]).to_text(width=12))
        run     AP
        bm25  0.25
        <BLANKLINE>
        run   nDCG
        bm25  0.31
        <BLANKLINE>
        """
        if not self._is_inert():
            return self._inert().to_text(width=width)
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        parts = [range(len(widths))] if width is None else _fold(widths, self.labels, width)
        return "\n".join(self._text_of(part, widths) for part in parts)

    def _is_inert(self) -> bool:
        return all(cell == printable(cell) for line in (self.header, *self.rows) for cell in line)

    def _inert(self) -> "Table":
        """Return the table with control characters written out, so that no name splits a row."""
        lines = [[_written_out(cell) for cell in line] for line in (self.header, *self.rows)]
        return Table(lines[0], lines[1:], labels=self.labels)

    def _text_of(self, columns: Sequence[int], widths: Sequence[int]) -> str:
        chosen = [widths[column] for column in columns]
        lines = [[line[column] for column in columns] for line in (self.header, *self.rows)]
        return "".join(self._padded(line, chosen, "  ").rstrip() + "\n" for line in lines)

    def _padded(self, line: Sequence[str], widths: Sequence[int], gap: str) -> str:
        cells = zip(line, widths, strict=True)
        return gap.join(
            cell.ljust(width) if index < self.labels else cell.rjust(width)
            for index, (cell, width) in enumerate(cells)
        )

    def to_markdown(self, *, caption: str | None = None, label: str | None = None) -> str:
        """Return a Markdown table, below its caption and an anchor for its label."""
        anchor = f'<a id="{_html_text(label)}"></a>' if label else ""
        above = f"{anchor}{_markdown_text(caption or '')}\n\n" if caption or label else ""
        rule = ["---" if index < self.labels else "---:" for index in range(len(self.header))]
        inert = self._inert()
        lines = [inert.header, rule, *inert.rows]
        escaped = (map(_markdown_cell, line) for line in lines)
        return above + "".join("| " + " | ".join(line) + " |\n" for line in escaped)

    def renamed(self, names: Mapping[str, str]) -> "Table":
        """Return the table with other names for rows and columns."""
        header = [names.get(cell, cell) for cell in self.header]
        rows = [
            [names.get(cell, cell) for cell in row[: self.labels]] + [*row[self.labels :]]
            for row in self.rows
        ]
        return Table(header, rows, labels=self.labels)

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """Return a LaTeX tabular, with the rules of booktabs; a float if it has a caption.

        Marks stand in columns of their own, close to the numbers, so that digits stay aligned.
        """
        marked = [width > 0 for width in self._mark_widths()]
        kinds = ["l"] * self.labels + ["r@{}l" if mark else "r" for mark in marked[self.labels :]]
        lines = [
            rf"\begin{{tabular}}{{{''.join(kinds)}}}",
            r"\toprule",
            _latex_row(
                rf"\multicolumn{{2}}{{c}}{{{_latex_text(name)}}}" if mark else _latex_text(name)
                for name, mark in zip(self.header, marked, strict=True)
            ),
            r"\midrule",
            *[_latex_row(map(_latex_cell, row, marked)) for row in self.rows],
            r"\bottomrule",
            r"\end{tabular}",
        ]
        if caption is not None or label is not None:
            named = [rf"\label{{{_latex_label(label)}}}"] if label is not None else []
            told = [rf"\caption{{{_latex_text(caption)}}}"] if caption is not None else []
            lines = [r"\begin{table}", r"\centering", *told, *named, *lines, r"\end{table}"]
        return "\n".join(lines) + "\n"

    def to_html(self, *, caption: str | None = None, label: str | None = None) -> str:
        """Return an HTML table that looks the same wherever it stands; its label is its id."""
        widths = self._mark_widths()
        lines = [
            self._html_row(map(_html_cell, self.header, widths), "th"),
            *[self._html_row(map(_html_cell, row, widths), "td") for row in self.rows],
        ]
        name = f' id="{_html_text(label)}"' if label else ""
        told = ""
        if caption:
            style = "text-align: left; padding: 0.4em 0.8em"
            told = f'<caption style="{style}">{_html_text(caption)}</caption>\n'
        return f'<table{name} style="border-collapse: collapse">\n{told}{"".join(lines)}</table>\n'

    def _html_row(self, cells: Iterable[str], tag: str) -> str:
        style = "padding: 0.2em 0.8em; text-align:"
        sides = ["left" if index < self.labels else "right" for index in range(len(self.header))]
        filled = [
            f'<{tag} style="{style} {side}">{cell}</{tag}>'
            for side, cell in zip(sides, cells, strict=True)
        ]
        return f"<tr>{''.join(filled)}</tr>\n"

    def _mark_widths(self) -> list[int]:
        """Return the length of the longest mark in each column; 0 if there are none."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return [max((len(getattr(cell, "mark", "")) for cell in col), default=0) for col in columns]

    def to_csv(self) -> str:
        """Return comma-separated values."""
        out = io.StringIO()
        lines = [[csv_cell(cell) for cell in line] for line in (self.header, *self.rows)]
        csv.writer(out, lineterminator="\n").writerows(lines)
        return out.getvalue()


def _fold(widths: Sequence[int], labels: int, width: int) -> list[list[int]]:
    """Return which columns are shown together: the labels, and others while they fit."""
    parts: list[list[int]] = []
    room = width - sum(widths[:labels]) - 2 * max(labels - 1, 0)
    left = 0
    for column in range(labels, len(widths)):
        if not parts or left < widths[column] + 2:
            parts.append([*range(labels)])
            left = room
        parts[-1].append(column)
        left -= widths[column] + 2
    return parts or [[*range(labels)]]


def _frame_cell(value: Any, digits: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _markdown_cell(cell: str) -> str:
    if isinstance(cell, Marked) and cell.place:
        number = f"**{cell.number}**" if cell.place == 1 else f"<u>{cell.number}</u>"
        return f"{number} {cell.mark}".rstrip()
    return _markdown_text(cell)


def _markdown_text(text: str) -> str:
    """Return a text in which nothing is markup that could run, link or end a cell."""
    for char, escape in _MARKDOWN.items():
        text = text.replace(char, escape)
    return text


def _html_text(text: str) -> str:
    from html import escape  # not needed on the way from files to text

    return escape(printable(text))


def _html_cell(cell: str, width: int) -> str:
    """Return a cell; marks get as much room as the longest in the column, to align digits."""
    number = cell.number if isinstance(cell, Marked) else cell
    begin, end, mark = "", "", ""
    if isinstance(cell, Marked):
        begin, end = {1: ("<b>", "</b>"), 2: ("<u>", "</u>")}.get(cell.place, ("", ""))
        mark = _html_text(cell.mark)
    if width:
        style = f"display: inline-block; width: {width}ch; text-align: left; line-height: 0"
        mark = f'<sup style="{style}">{mark}</sup>'
    return begin + _html_text(number) + end + mark


def _written_out(cell: str) -> str:
    return cell if isinstance(cell, Marked) else printable(cell)


def _latex_label(label: str) -> str:
    """Return a label without characters that could end it."""
    return "".join(char for char in printable(label) if char not in "\\{}%#~^$&")


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_cell(cell: str, marked: bool) -> str:
    """Return a cell; two if the column has marks."""
    number = _latex_text(cell.number if isinstance(cell, Marked) else cell)
    if not isinstance(cell, Marked):
        return number + (" & " if marked else "")
    if cell.place:
        number = rf"\{'textbf' if cell.place == 1 else 'underline'}{{{number}}}"
    mark = ""
    if cell.mark:
        shown = r"\dagger" if cell.mark == DAGGER else rf"\mathrm{{{_latex_text(cell.mark)}}}"
        mark = f"$^{{{shown}}}$"
    return f"{number} & {mark}".rstrip() if marked else number


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in printable(text))
