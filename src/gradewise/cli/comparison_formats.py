"""Formats of comparisons, over all topics or over several sets of topics."""

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Literal

from gradewise.cli.formats import Looks, parquet_bytes, write_formatted
from gradewise.cli.score_formats import join_frames, join_json
from gradewise.csv_output import csv_text
from gradewise.errors import counted

if TYPE_CHECKING:
    import polars as pl

    from gradewise.stats.comparison import Comparison

ComparisonFormat = Literal["table", "csv", "json", "markdown", "latex", "html", "parquet"]
# Comparisons by the name of a set of topics; "" if there is one without a name.
Sets = Mapping[str, "Comparison"]


def write_comparisons(
    sets: Sets, chosen: ComparisonFormat, output: str, pairs: bool, looks: Looks
) -> None:
    """Write comparisons to a file or to standard output."""
    write_formatted(lambda name: COMPARISON_FORMATS[name](sets, pairs, looks), chosen, output)


def _headed(
    sets: Sets,
    heading: str,
    made: Callable[["Comparison", str], str],
    safe: Callable[[str], str] = str,
) -> str:
    """Put what is made of each set below a heading, if the set has a name."""
    parts = []
    for name, found in sets.items():
        topics = safe(f"{name}, {counted(found.parts[0].topics, 'topic')}")
        parts.append((heading.format(topics) if name else "") + made(found, name))
    return "\n".join(parts)


def _text(sets: Sets, pairs: bool, looks: Looks) -> str:
    def made(found: "Comparison", _: str) -> str:
        return found.to_text(digits=looks.digits, pairs=pairs, names=looks.names, width=looks.width)

    return _headed(sets, "{}\n\n", made)


def _markdown(sets: Sets, _: bool, looks: Looks) -> str:
    return _headed(sets, "**{}**\n\n", lambda found, set_: found.to_markdown(**looks.of_set(set_)))


def _html(sets: Sets, _: bool, looks: Looks) -> str:
    return _headed(
        sets, "<h3>{}</h3>\n", lambda found, set_: found.to_html(**looks.of_set(set_)), escape
    )


def _latex(sets: Sets, _: bool, looks: Looks) -> str:
    return _headed(sets, "% {}\n", lambda found, set_: found.to_latex(**looks.of_set(set_)))


def _frame(sets: Sets, pairs: bool) -> "pl.DataFrame":
    return join_frames({n: found.pairs if pairs else found.runs for n, found in sets.items()})


COMPARISON_FORMATS: dict[ComparisonFormat, Callable[[Sets, bool, Looks], str | bytes]] = {
    "table": _text,
    "csv": lambda sets, pairs, _: csv_text(_frame(sets, pairs)),
    "json": lambda sets, pairs, _: join_json({n: f.to_json(pairs=pairs) for n, f in sets.items()}),
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
    "parquet": lambda sets, pairs, _: parquet_bytes(_frame(sets, pairs)),
}
