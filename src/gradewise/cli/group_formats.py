"""Comparisons on groups of topics, and of releases, in the formats of tables."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from gradewise.cli import options as opt
from gradewise.cli.formats import Looks, parquet_bytes, write_formatted
from gradewise.cli.score_formats import join_frames, join_json
from gradewise.csv_output import csv_text
from gradewise.errors import OptionError, counted, told_of
from gradewise.files import is_file

if TYPE_CHECKING:
    from gradewise.measures.scores import Scores
    from gradewise.stats.group_comparison import GroupComparison

GroupFormat = Literal["table", "csv", "json", "markdown", "latex", "html", "parquet"]
FOUND = "found"  # in place of a file: no attributes but those that are found


def refuse_for_groups(**given: object) -> None:
    """Raise an OptionError for an option that does not apply to groups of topics."""
    for name, value in given.items():
        if value:
            raise OptionError(
                f"--{name} does not apply with --attributes, which compares by paired t-tests, "
                "corrected for the number of groups and pairs (Bonferroni)"
            )


def compare_on_groups(
    sets: "Mapping[str, Scores]",
    attributes: str,
    rules: dict[str, Any],
    chosen: GroupFormat,
    output: str,
    pairs: bool,
    looks: Looks,
    figure: str | None,
    quiet: bool,
) -> None:
    """Compare runs on groups of topics, for each set of topics; write a table and a figure."""
    from gradewise.cli.watching import note
    from gradewise.stats.by_group import compare_groups

    given = None if attributes == FOUND and not is_file(attributes) else attributes
    found = {}
    for name, scores in sets.items():
        with told_of(name):
            found[name] = compare_groups(scores, given, **rules)
    notes = [f"{name}: {told}" if name else told for name in found for told in found[name].notes]
    note(*notes, quiet=quiet)
    write_formatted(lambda kind: GROUP_FORMATS[kind](found, pairs, looks), chosen, output)
    opt.draw(figure, lambda figures: figures.group_differences(next(iter(found.values()))))


Sets = Mapping[str, "GroupComparison"]


def _headed(sets: Sets, heading: str, made: "Callable[[GroupComparison], str]") -> str:
    parts = []
    for name, found in sets.items():
        topics = counted(len(found.attributes[0].labels), "topic")
        parts.append((heading.format(f"{name}, {topics}") if name else "") + made(found))
    return "\n".join(parts)


def _text(sets: Sets, pairs: bool, looks: Looks) -> str:
    return _headed(
        sets,
        "{}\n\n",
        lambda each: each.to_text(digits=looks.digits, pairs=pairs, width=looks.width),
    )


def _markdown(sets: Sets, pairs: bool, looks: Looks) -> str:
    return _headed(
        sets, "**{}**\n\n", lambda each: each.to_markdown(digits=looks.digits, pairs=pairs)
    )


def _latex(sets: Sets, pairs: bool, looks: Looks) -> str:
    return _headed(sets, "% {}\n", lambda each: each.to_latex(digits=looks.digits, pairs=pairs))


def _html(sets: Sets, pairs: bool, looks: Looks) -> str:
    from html import escape

    safe = {escape(name): each for name, each in sets.items()}
    return _headed(
        safe, "<h3>{}</h3>\n", lambda each: each.to_html(digits=looks.digits, pairs=pairs)
    )


def _frame(sets: Sets) -> Any:
    return join_frames({name: found.groups for name, found in sets.items()})


GROUP_FORMATS: dict[GroupFormat, Callable[[Sets, bool, Looks], str | bytes]] = {
    "table": _text,
    "csv": lambda sets, _, __: csv_text(_frame(sets)),
    "json": lambda sets, _, __: join_json({name: each.to_json() for name, each in sets.items()}),
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
    "parquet": lambda sets, _, __: parquet_bytes(_frame(sets)),
}
