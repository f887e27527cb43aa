"""gradewise med: how far runs could differ, whatever the grades of unjudged documents."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

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
    Ties,
    check_figure,
    named_runs,
)

if TYPE_CHECKING:
    from gradewise.distance import Med

MedFormat = Literal["table", "csv", "json", "markdown", "latex", "pool"]


def med(
    qrels: Qrels,
    runs: Runs,
    measure: Annotated[
        str, typer.Option("-m", "--measure", help="Measure, such as nDCG@10.")
    ] = "AP@100",
    judge_next: Annotated[
        int | None,
        typer.Option("--next", help="Print this many documents to judge next, as a pool.", min=1),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option(help="Write the grades that attain the distance to this qrels file."),
    ] = None,
    unjudged: Annotated[
        bool,
        typer.Option("--unjudged", help="Treat all documents as unjudged; keep only the grades."),
    ] = False,
    unretrieved: Annotated[
        int | None,
        typer.Option(help="Number of further relevant documents, in neither run.", min=0),
    ] = None,
    depth: Depth = None,
    output_format: Annotated[
        MedFormat | None,
        typer.Option("-f", "--format", help="Output format; default: table, or pool with --next."),
    ] = None,
    output: Output = "-",
    figure: Figure = None,
    ties: Ties = "trec",
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Bound how far runs could differ if the missing judgments were known.

    This is the maximized effectiveness distance (MED). For two runs, prints each topic with the
    difference on judged documents and its possible range; for more runs, the distance of each
    pair; with --next, the documents whose judgments would narrow the range most.
    """
    from gradewise.collection.reading import read_qrels
    from gradewise.errors import OptionError

    check_figure(figure)
    if len(runs) < 2:
        raise OptionError("only 1 run was given; a distance needs at least 2")
    if judge_next is None and output_format == "pool":
        raise OptionError("the format pool needs --next")
    if assignment is not None and (judge_next is not None or len(runs) > 2):
        raise OptionError("--assignment needs exactly two runs, and cannot be used with --next")
    if unretrieved is not None and (judge_next is not None or len(runs) > 2):
        raise OptionError("--unretrieved needs exactly two runs, and cannot be used with --next")
    table = read_qrels(qrels)
    options: dict[str, Any] = {"k": depth, "ties": ties, "seed": seed}
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
    output_format: MedFormat | None,
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
    if output_format is None or output_format == "pool":
        write_text(output, wanted.pool())
    else:
        _print(wanted.frame, output_format, output, digits)


def _print_matrix(
    named: dict[str, str],
    judged: Any,
    measure: str,
    output_format: MedFormat | None,
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


def _print(frame: Any, output_format: MedFormat | None, output: str, digits: int) -> None:
    from gradewise.cli.formats import write_frame

    assert output_format != "pool"  # which is not of frames
    write_frame(frame, output_format or "table", output, digits=digits)


def _tell(result: "Med", quiet: bool) -> None:
    from gradewise.cli.watching import note
    from gradewise.errors import counted

    note(result.conclusion, quiet=quiet)
    if result.tells_little:
        note(
            f"only {result.judged:.0%} of the documents are judged, so a single relevant document "
            "can change AP by almost 1; the SSP distance is more informative here",
            quiet=quiet,
        )
    if not result.exact:
        loose = sum(not each.exact for each in result.distances)
        topics = counted(len(result.distances), "topic")
        note(f"for {loose} of {topics} the distance is bounded, not exact", quiet=quiet)


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
        raise OptionError("all documents of these lists are judged, so there is nothing to assign")
    write_qrels(read_qrels(grades), path)
