"""gradewise med: how far apart could runs be, whatever the unjudged documents are."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.options import (
    Depth,
    Digits,
    Figure,
    Output,
    Qrels,
    Quiet,
    Runs,
    Seed,
    TieRule,
    Ties,
    check_figure,
    named_runs,
)

if TYPE_CHECKING:
    from gradewise.distance import Med


class Format(StrEnum):
    """How distances, or documents to judge, are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    pool = "pool"


def med(
    qrels: Qrels,
    runs: Runs,
    measure: Annotated[
        str, typer.Option("-m", "--measure", help="The measure, such as AP@100.")
    ] = "AP@100",
    judge_next: Annotated[
        int | None,
        typer.Option("--next", help="Print so many documents to judge next, as a pool.", min=1),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option(help="Write the grades that attain the distance, as qrels, to this file."),
    ] = None,
    unjudged: Annotated[
        bool,
        typer.Option("--unjudged", help="Take all documents as unjudged; keep the grades."),
    ] = False,
    unretrieved: Annotated[
        int | None,
        typer.Option(help="Documents of neither run that may be relevant, too.", min=0),
    ] = None,
    depth: Depth = None,
    output_format: Annotated[
        Format | None,
        typer.Option("-f", "--format", help="How to print: table, or pool for --next."),
    ] = None,
    output: Output = "-",
    figure: Figure = None,
    ties: Ties = TieRule.trec,
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Tell how far apart runs could be under any completion of the judgments.

    Two runs: topic by topic, with the difference on judged documents and the range it could have.
    More runs: the distance of each from each. With --next: the documents that matter most.
    """
    from gradewise.collection.reading import read_qrels
    from gradewise.errors import OptionError

    check_figure(figure)
    if len(runs) < 2:
        raise OptionError("a distance needs two runs or more")
    if judge_next is None and output_format is Format.pool:
        raise OptionError("a pool is printed with --next only")
    if assignment is not None and (judge_next is not None or len(runs) > 2):
        raise OptionError("--assignment is for two runs, without --next")
    if unretrieved is not None and (judge_next is not None or len(runs) > 2):
        raise OptionError("--unretrieved is for two runs, without --next")
    table = read_qrels(qrels)
    options: dict[str, Any] = {"k": depth, "ties": ties.value, "seed": seed}
    if unjudged:
        options["grades"] = table.scale.tolist() or [1]
    judged = None if unjudged else table
    named = named_runs(runs)
    if judge_next is not None:
        _print_next(
            named, judged, measure, judge_next, output_format, output, digits, quiet, options
        )
    elif len(runs) == 2:
        result = _between_two(named, judged, measure, unretrieved, quiet, options)
        if assignment is not None:
            _write_assignment(result, assignment)
        _print(_with_all(result), output_format, output, digits)
        _tell(result, quiet)
        _draw(figure, result)
    else:
        _print_matrix(named, judged, measure, output_format, output, figure, digits, quiet, options)


def _between_two(
    named: dict[str, str],
    judged: Any,
    measure: str,
    unretrieved: int | None,
    quiet: bool,
    options: dict[str, Any],
) -> "Med":
    from gradewise.cli.watching import progress_bar
    from gradewise.collection.reading import read_run
    from gradewise.distance import med as distance

    first, second = (read_run(source, name=name) for name, source in named.items())
    topics = len({*first.topics, *second.topics})
    with progress_bar("topics", topics, quiet=quiet) as advance:
        return distance(
            first, second, judged, measure, unretrieved=unretrieved, progress=advance, **options
        )


def _print_next(
    named: dict[str, str],
    judged: Any,
    measure: str,
    number: int,
    output_format: Format | None,
    output: str,
    digits: int,
    quiet: bool,
    options: dict[str, Any],
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.distance import judge_next
    from gradewise.files import write_text

    with progress_bar("topics", None, quiet=quiet) as advance:
        wanted = judge_next(named, judged, measure, number=number, progress=advance, **options)
    if output_format in (None, Format.pool):
        write_text(output, wanted.pool())
    else:
        _print(wanted.frame, output_format, output, digits)


def _print_matrix(
    named: dict[str, str],
    judged: Any,
    measure: str,
    output_format: Format | None,
    output: str,
    figure: str | None,
    digits: int,
    quiet: bool,
    options: dict[str, Any],
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.distance import med_matrix

    with progress_bar("topics", None, quiet=quiet) as advance:
        distances = med_matrix(named, judged, measure, progress=advance, **options)
    _print(distances.frame, output_format, output, digits)
    if figure is not None:
        from gradewise.report.figures.distance import distance_map
        from gradewise.report.figures.theme import save_figure

        save_figure(distance_map(distances), figure)


def _with_all(result: "Med") -> Any:
    import polars as pl

    return pl.concat([result.frame, result.summary], how="vertical_relaxed")


def _print(frame: Any, output_format: Format | None, output: str, digits: int) -> None:
    from gradewise.cli.formats import write_frame
    from gradewise.cli.options import FrameFormat

    chosen = FrameFormat.table if output_format is None else FrameFormat(output_format.value)
    write_frame(frame, chosen, output, digits=digits)


def _tell(result: "Med", quiet: bool) -> None:
    from gradewise.cli.watching import note

    note(result.conclusion, quiet=quiet)
    if result.tells_little:
        note(
            f"{result.judged:.0%} of the documents are judged, so that one relevant document "
            "can make AP differ by almost 1: the distance tells little; SSP is shown beside it",
            quiet=quiet,
        )
    if not result.exact:
        loose = sum(not each.exact for each in result.distances)
        note(f"{loose} of {len(result.distances)} topics have bounds only", quiet=quiet)


def _draw(figure: str | None, result: "Med") -> None:
    if figure is None:
        return
    from gradewise.report.figures.distance import topic_ranges
    from gradewise.report.figures.theme import save_figure

    save_figure(topic_ranges(result), figure)


def _write_assignment(result: "Med", path: str) -> None:
    from gradewise.collection.reading import read_qrels
    from gradewise.collection.writing import write_qrels
    from gradewise.errors import OptionError

    grades = {each.topic: each.assignment for each in result.distances if each.assignment}
    if not grades:
        raise OptionError("nothing is unjudged in these lists, so that there is no assignment")
    write_qrels(read_qrels(grades), path)
