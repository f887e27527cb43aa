"""Output formats by name or by the ending of a file, and the formats of frames."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import typer

from gradewise.csv_output import csv_text
from gradewise.errors import OptionError
from gradewise.files import file_kind, write_bytes, write_text
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl

FrameFormat = Literal["table", "csv", "json", "markdown", "latex", "html", "parquet"]
Format = TypeVar("Format", bound=str)

_ENDINGS = {"md": "markdown", "tex": "latex", "htm": "html", "xml": "junit"}
# What people may expect by a name, and some or all commands do not write.
_FORMATS: set[Any] = {"csv", "json", "markdown", "latex", "html", "parquet", "junit"}
_OTHERS = {"tsv", "jsonl", "xls", "xlsx", "pdf", "docx", "ods"}


def format_of(given: Format | None, output: str, formats: Mapping[Format, Any]) -> Format:
    """Return the format that was given, or that the output's ending names; else the first one.

    Examples
    --------
    >>> format_of(None, "scores.csv.gz", FRAME_FORMATS), format_of(None, "-", FRAME_FORMATS)
    ('csv', 'table')
    """
    if given is not None:
        return given
    named: Any = _ENDINGS.get(file_kind(output), file_kind(output))
    return named if named in formats else next(iter(formats))


def check_format(given: Format | None, output: str, formats: Mapping[Format, Any]) -> Format:
    """Return the format, or refuse a name that promises another one; called before the work."""
    chosen = format_of(given, output, formats)
    if chosen == "parquet" and output == "-":
        raise typer.BadParameter("parquet cannot be printed; name a file with -o FILE")
    kind = file_kind(output)
    if given is None and (kind in _OTHERS or _ENDINGS.get(kind, kind) in _FORMATS - {*formats}):
        endings = {name: ending for ending, name in _ENDINGS.items() if ending != "htm"}
        known = ", ".join(f".{endings.get(name, name)}" for name in formats if name in _FORMATS)
        raise OptionError(
            f"{output}: there is no format for .{kind}; known extensions are {known}, and .txt for "
            "a table (-f chooses a format for any name)"
        )
    return chosen


def write_formatted(content: Callable[[Any], str | bytes], output_format: str, output: str) -> None:
    """Write what a format makes, to a file or to standard output; parquet only to a file."""
    if output_format == "parquet" and output == "-":
        raise typer.BadParameter("parquet cannot be printed; name a file with -o FILE")
    made = content(output_format)
    if isinstance(made, bytes):
        write_bytes(output, made)
    else:
        write_text(output, made)


def write_frame(
    frame: "pl.DataFrame", output_format: FrameFormat | None, output: str, *, digits: int = 4
) -> None:
    """Write a frame to a file, or to standard output if that is "-"; csv and json in full."""
    chosen = format_of(output_format, output, FRAME_FORMATS)
    write_formatted(lambda name: FRAME_FORMATS[name](frame, digits), chosen, output)


@dataclass(frozen=True)
class Looks:
    """How a table is printed: decimal places, new names of rows and columns, caption, label.

    Text is folded at `width` columns, if there is a terminal.
    """

    digits: int = 4
    names: Mapping[str, str] = field(default_factory=dict)
    caption: str | None = None
    label: str | None = None
    width: int | None = None

    @property
    def captioned(self) -> dict[str, str | None]:
        """Caption and label, by name."""
        return {"caption": self.caption, "label": self.label}

    def of_set(self, name: str) -> dict[str, Any]:
        """Return the looks of a table, with the name of its set of topics in caption and label."""
        caption, label = self.caption, self.label
        if name:
            caption = caption and f"{caption.rstrip('.')}. Topics: {name}."
            label = label and f"{label}-{name}"
        return {"digits": self.digits, "names": self.names, "caption": caption, "label": label}


def parquet_bytes(frame: "pl.DataFrame") -> bytes:
    """Return a frame as parquet."""
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


FRAME_FORMATS: dict[FrameFormat, Callable[["pl.DataFrame", int], str | bytes]] = {
    "table": lambda frame, digits: Table.of_frame(frame, digits).to_text(),
    "csv": lambda frame, _: csv_text(frame),
    "json": lambda frame, _: frame.write_json() + "\n",
    "markdown": lambda frame, digits: Table.of_frame(frame, digits).to_markdown(),
    "latex": lambda frame, digits: Table.of_frame(frame, digits).to_latex(),
    "html": lambda frame, digits: Table.of_frame(frame, digits).to_html(),
    "parquet": lambda frame, _: parquet_bytes(frame),
}
