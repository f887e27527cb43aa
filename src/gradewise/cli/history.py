"""gradewise history: how runs moved from release to release."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from gradewise.cli import options as opt
from gradewise.cli.formats import FrameFormat, check_format, parquet_bytes, write_formatted

if TYPE_CHECKING:
    from gradewise.stats.release_comparison import ReleaseComparison


def history(
    folder: Annotated[
        str,
        typer.Argument(
            help="Folder with one file of saved scores per release, as written by `gradewise eval "
            "-o 2024-05.parquet`."
        ),
    ],
    measure: opt.Measures = None,
    topics: Annotated[
        str | None,
        typer.Option(help="Topics to use: a file, comma-separated ids, or a regular expression."),
    ] = None,
    steps: Annotated[
        bool | None,
        typer.Option(
            "--steps/--no-steps",
            help="Print every release of every run. Default: only if that is at most 40 rows.",
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Significance level of corrected p-values.")] = 0.05,
    level: Annotated[float, typer.Option(help="Confidence level of intervals.")] = 0.95,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    digits: opt.Digits = 4,
    quiet: opt.Quiet = False,
) -> None:
    """Show how runs changed from release to release, from a folder of saved scores.

    Releases are ordered by the dates in the names of their files, or else by name. A change is over
    the topics that two releases share, with its confidence interval; a note says where topics
    changed.
    """
    from gradewise.cli.watching import note
    from gradewise.stats.by_release import compare_releases

    opt.check_figure(figure)
    chosen = check_format(output_format, output, HISTORY_FORMATS)
    found = compare_releases(folder, measure or None, alpha=alpha, level=level, topics=topics)
    note(*found.notes, quiet=quiet)
    looks = opt.looks_of(digits, None, None, None, output)
    write_formatted(
        lambda kind: HISTORY_FORMATS[kind](found, looks.digits, steps, looks.width), chosen, output
    )
    opt.draw(figure, lambda figures: figures.release_lines(found))


HISTORY_FORMATS: dict[
    FrameFormat, Callable[["ReleaseComparison", int, bool | None, int | None], str | bytes]
] = {
    "table": lambda f, digits, steps, width: f.to_text(digits=digits, steps=steps, width=width),
    "csv": lambda f, *_: f.to_csv(),
    "json": lambda f, *_: f.to_json(),
    "markdown": lambda f, digits, steps, _: f.to_markdown(digits=digits, steps=steps),
    "latex": lambda f, digits, steps, _: f.to_latex(digits=digits, steps=steps),
    "html": lambda f, digits, steps, _: f.to_html(digits=digits, steps=steps),
    "parquet": lambda f, *_: parquet_bytes(f.changes),
}
