"""Rows of text as a table: plain, Markdown, LaTeX, HTML or CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

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
}


class Marked(str):
    """A cell with letters or a sign behind its number, which LaTeX sets as a superscript."""

    number: str
    mark: str

    def __new__(cls, number: str, mark: str) -> "Marked":
        """Make the cell as plain text shows it."""
        cell = super().__new__(cls, f"{number} {mark}".rstrip())
        cell.number, cell.mark = number, mark
        return cell


@dataclass(frozen=True)
class Table:
    """A header and rows of cells; the first `labels` columns are text, the others numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1

    def to_text(self) -> str:
        """Return columns padded with spaces."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [self.header, *self.rows]
        return "".join(self._padded(line, widths, "  ").rstrip() + "\n" for line in lines)

    def _padded(self, line: Sequence[str], widths: Sequence[int], gap: str) -> str:
        cells = zip(line, widths, strict=True)
        return gap.join(
            cell.ljust(width) if index < self.labels else cell.rjust(width)
            for index, (cell, width) in enumerate(cells)
        )

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        rule = ["---" if index < self.labels else "---:" for index in range(len(self.header))]
        lines = [self.header, rule, *self.rows]
        escaped = ([cell.replace("|", r"\|") for cell in line] for line in lines)
        return "".join("| " + " | ".join(line) + " |\n" for line in escaped)

    def to_latex(self) -> str:
        """Return a LaTeX tabular, with the rules of booktabs."""
        numbers = len(self.header) - self.labels
        lines = [
            rf"\begin{{tabular}}{{{'l' * self.labels}{'r' * numbers}}}",
            r"\toprule",
            _latex_row(self.header),
            r"\midrule",
            *[_latex_row(row) for row in self.rows],
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """Return an HTML table that looks the same wherever it stands."""
        lines = [self._html_row(self.header, "th"), *[self._html_row(r, "td") for r in self.rows]]
        return f'<table style="border-collapse: collapse">\n{"".join(lines)}</table>\n'

    def _html_row(self, cells: Sequence[str], tag: str) -> str:
        style = "padding: 0.2em 0.8em; text-align:"
        return "".join(
            [
                "<tr>",
                *[
                    f'<{tag} style="{style} {"left" if index < self.labels else "right"}">'
                    f"{_html_cell(cell)}</{tag}>"
                    for index, cell in enumerate(cells)
                ],
                "</tr>\n",
            ]
        )

    def to_csv(self) -> str:
        """Return comma-separated values."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.header, *self.rows])
        return out.getvalue()


def _html_cell(cell: str) -> str:
    from html import escape  # not needed on the way from files to text

    if isinstance(cell, Marked):
        return escape(cell.number) + (f"<sup>{escape(cell.mark)}</sup>" if cell.mark else "")
    return escape(cell)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_latex_cell, cells)) + r" \\"


def _latex_cell(cell: str) -> str:
    if isinstance(cell, Marked):
        mark = rf"$^{{\mathrm{{{_latex_text(cell.mark)}}}}}$" if cell.mark else ""
        return _latex_text(cell.number) + mark
    return _latex_text(cell)


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)
