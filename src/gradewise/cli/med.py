"""gradewise med: how far runs could differ, whatever the grades of unjudged documents."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gradewise.cli import options as opt
from gradewise.libraries import pl

if TYPE_CHECKING:
    from gradewise.distance import Med

MedFormat = Literal["table", "csv", "json", "markdown", "latex", "html", "parquet", "pool"]


def med(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: Annotated[
        str, typer.Option("-m", "--measure", help="Measure, such as nDCG@10.")
    ] = "AP@100",
    judge_next: Annotated[
        int | None,
        typer.Option("--next", help="Print this many documents to judge next, as a pool.", min=1),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option(help="Write the grades that give the distance to this file, as qrels."),
    ] = None,
    unjudged: Annotated[
        bool,
        typer.Option("--unjudged", help="Ignore the judgments, except for which grades exist."),
    ] = False,
    unretrieved: Annotated[
        int | None,
        typer.Option(help="Maximum number of relevant documents in neither run.", min=0),
    ] = None,
    depth: opt.Depth = None,
    output_format: Annotated[
        MedFormat | None,
        typer.Option("-f", "--format", help=f"{opt.FORMAT_HELP} With --next: pool."),
    ] = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Bound how far runs could differ if the missing judgments were known.

    This is the maximized effectiveness distance (MED). For two runs, prints each topic with the
    difference on judged documents and its possible range; for more runs, the distance of each
    pair; with --next, the documents whose judgments would narrow the range most.
    """
    from gradewise import distance
    from gradewise.cli.formats import FRAME_FORMATS, format_of
    from gradewise.cli.watching import progress_bar
    from gradewise.collection.reading import read_qrels, read_run
    from gradewise.errors import OptionError, check_runs
    from gradewise.files import write_text

    opt.check_figure(figure)
    named = opt.named_runs(runs, columns, names)
    check_runs(len(named), "a distance")
    if judge_next is None and output_format == "pool":
        raise OptionError("the format pool requires --next")
    if assignment is not None and (judge_next is not None or len(named) > 2):
        raise OptionError("--assignment needs exactly two runs, and cannot be used with --next")
    if unretrieved is not None and (judge_next is not None or len(named) > 2):
        raise OptionError("--unretrieved needs exactly two runs, and cannot be used with --next")
    table = read_qrels(opt.judgments(qrels, columns))
    options: dict[str, Any] = {"k": depth, "ties": ties, "seed": seed}
    if unjudged:
        options["grades"] = table.scale.tolist() or [1]
    judged = None if unjudged else table
    read = {name: read_run(source, name=name) for name, source in named.items()}
    opt.tell_inputs(table, read, quiet=quiet)
    if judge_next is not None:
        with progress_bar("topics", None, quiet=quiet) as advance:
            wanted = distance.judge_next(
                read, judged, measure, number=judge_next, progress=advance, **options
            )
        output_format = format_of(output_format, output, {"pool": None, **FRAME_FORMATS})
        if output_format == "pool":
            write_text(output, wanted.pool())
        else:
            _print(wanted.frame, output_format, output, digits)
    elif len(named) > 2:
        with progress_bar("topics", None, quiet=quiet) as advance:
            distances = distance.med_matrix(read, judged, measure, progress=advance, **options)
        _print(distances.frame, output_format, output, digits)
        opt.draw(figure, lambda figures: figures.distance_map(distances))
    else:
        first, second = read.values()
        topics = len({*first.topics, *second.topics})
        options |= {"unretrieved": unretrieved}
        with progress_bar("topics", topics, quiet=quiet) as advance:
            result = distance.med(first, second, judged, measure, progress=advance, **options)
        if assignment is not None:
            _write_assignment(result, assignment)
        _print(_with_all(result), output_format, output, digits)
        _tell(result, quiet)
        opt.draw(figure, lambda figures: figures.topic_ranges(result))


def _with_all(result: "Med") -> Any:
    return pl.concat([result.frame, result.summary], how="vertical_relaxed")


def _print(frame: Any, output_format: MedFormat | None, output: str, digits: int) -> None:
    from gradewise.cli.formats import write_frame

    assert output_format != "pool"  # which is not of frames
    write_frame(frame, output_format, output, digits=digits)


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


def _write_assignment(result: "Med", path: str) -> None:
    from gradewise.collection.reading import read_qrels
    from gradewise.collection.writing import write_qrels
    from gradewise.errors import OptionError

    grades = {each.topic: each.assignment for each in result.distances if each.assignment}
    if not grades:
        raise OptionError("all documents of these lists are judged, so there is nothing to assign")
    write_qrels(read_qrels(grades), path)
