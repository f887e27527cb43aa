"""How the columns of a text are kept apart and what they hold, told by its first line of data."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gradewise.collection.sources.columns import (
    Columns,
    columns_of,
    find_columns,
    looks_named,
    names_some,
)
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.layouts import (
    QRELS_LAYOUTS,
    RUN_LAYOUTS,
    Layout,
    columns_layout,
    layout_of,
)
from gradewise.collection.sources.names import plain
from gradewise.errors import InputError
from gradewise.kernels import decimals

# What may keep columns apart besides white space, and what a file is called then.
DELIMITERS = {"\t": "TSV", ",": "CSV", ";": "CSV with semicolons", "|": "CSV with bars"}
_BLANKS = " \t\v\f"  # white space around a field, which is no part of it, as in the kernels
_GRADE = re.compile(r"[+-]?[0-9]+(\.0*)?|L[0-9]+")


@dataclass(frozen=True)
class FirstLine:
    """The first line of data: its columns between white space, and the text from there on."""

    columns: list[str]
    text: str
    line: str

    def split(self, delimiter: str) -> list[str]:
        """Return the columns of the line, or of the record in quotes that begins with it."""
        if not delimiter:
            return self.columns
        if delimiter == "\t":
            return [_unquoted(field.strip(_BLANKS)) for field in self.line.split("\t")]
        try:
            text = io.StringIO(self.text, newline="")
            record = next(csv.reader(text, delimiter=delimiter, skipinitialspace=True))
        except (csv.Error, StopIteration):
            return []
        return [field.strip(_BLANKS) for field in record]

    def delimiters(self) -> list[str]:
        """Return the delimiters that the line holds, or the record in quotes that it begins."""
        text = self.text if self.line.count('"') % 2 else self.line
        return [delimiter for delimiter in DELIMITERS if delimiter in text]

    def hint(self) -> str:
        """Return what the line would be between delimiters, if that may have been meant."""
        for delimiter in self.delimiters():
            names = self.split(delimiter)
            if len(names) > 2:
                shown = ", ".join(names)[:100]
                return (
                    f"; as {DELIMITERS[delimiter]} it has {len(names)} columns ({shown}); set "
                    "columns, such as topic,doc,score, to read it"
                )
        return ""


@dataclass(frozen=True)
class Sniffed:
    """The layout of a text, and whether its first line is a header."""

    layout: Layout
    header: bool = False


def sniff(
    first: FirstLine,
    name: str,
    *,
    grades: bool,
    given: Given | None,
    sampled: Layout | None = None,
) -> Sniffed | None:
    """Tell the layout by the first line of data; None if it has none that is known.

    `sampled` is the layout of a sampled pool, if white space may keep the columns of one apart.
    """
    if given is not None:
        return _sniff_given(first, name, given, grades=grades)
    for delimiter in (*first.delimiters(), ""):
        names = first.split(delimiter)
        if looks_named(names, grades=grades):
            columns = find_columns(names, name, grades=grades)
            return Sniffed(columns_layout(columns, delimiter, _assumed(columns, delimiter)), True)
    layout = sampled or _positional(first, "", grades=grades)
    is_plain = layout is not None and _fits(first.columns, layout, grades=grades)
    for delimiter in first.delimiters():
        found = _positional(first, delimiter, grades=grades)
        if found is None or not _fits(first.split(delimiter), found, grades=grades):
            continue
        if not is_plain or (delimiter == "\t" and _cuts_otherwise(first, found)):
            return Sniffed(found)
    for delimiter in () if is_plain else (*first.delimiters(), ""):
        names = first.split(delimiter)
        if names_some(names):
            find_columns(names, name, grades=grades)  # which says what is missing
    return None if layout is None else Sniffed(layout)


def _sniff_given(first: FirstLine, name: str, given: Given, *, grades: bool) -> Sniffed:
    """Tell what keeps columns apart, given what they hold."""
    tried = (*first.delimiters(), "")
    if given.names:
        wanted = {plain(column) for _, column in given.names}

        def known(delimiter: str) -> int:
            return len(wanted & set(map(plain, first.split(delimiter))))

        best = max(tried, key=known)
        columns = find_columns(first.split(best), name, grades=grades, given=given)
        return Sniffed(columns_layout(columns, best, ""), True)
    width = len(given.places)
    fitting = [each for each in tried if len(first.split(each)) == width]
    if not fitting:
        raise InputError(
            f"{name}: columns {given} name {width} columns, but the first line has "
            f"{len(first.columns)}: {first.line.strip()[:100]}"
        )
    found = {role: place for place, role in enumerate(given.places) if role}
    roles = tuple(role or "_" for role in given.places)
    columns = columns_of(roles, found, given, grades=grades)
    layouts = [columns_layout(columns, each, "") for each in fitting]
    for layout in layouts:
        fields = first.split(layout.delimiter)
        is_order = columns.number is None and not names_some(fields)
        if is_order or (columns.number is not None and _fits(fields, layout, grades=grades)):
            return Sniffed(layout)
    assumed = f"read the first line as a header: {first.line.strip()}"
    return Sniffed(replace(layouts[0], assumed=assumed), True)


def _positional(first: FirstLine, delimiter: str, *, grades: bool) -> Layout | None:
    """Return the layout of a line without a header, by its number of columns."""
    layout = layout_of(first.split(delimiter), QRELS_LAYOUTS if grades else RUN_LAYOUTS)
    if layout is None or not delimiter:
        return layout
    kind = DELIMITERS[delimiter]
    assumed = f"read as {kind} with {layout.shape}" if layout.sure else f"read as {kind}"
    return replace(layout, delimiter=delimiter, assumed=assumed)


def _assumed(columns: Columns, delimiter: str) -> str:
    if not columns.assumed:
        return f"read as {DELIMITERS[delimiter]}" if delimiter else ""
    kind = f"as {DELIMITERS[delimiter]}: " if delimiter else ""
    return f"read {kind}{columns.told()}"


def _fits(fields: Sequence[str], layout: Layout, *, grades: bool) -> bool:
    """Tell whether the number of a line is one."""
    place = layout.columns[2]
    if len(fields) <= place:
        return False
    field = fields[place]
    if grades:
        return _GRADE.fullmatch(field) is not None
    return decimals.parse_decimal(field.encode("utf-8", "replace")) is not None


def _cuts_otherwise(first: FirstLine, layout: Layout) -> bool:
    """Tell whether white space is part of the wanted fields between tabs."""
    fields, last = first.split("\t"), max(layout.columns) + 1
    return all(fields) and fields[:last] != first.columns[:last]


def _unquoted(field: str) -> str:
    if len(field) > 1 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"')
    return field
