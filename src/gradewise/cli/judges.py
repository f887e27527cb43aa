"""gradewise judges: people and models as judges, and what may be concluded from their labels."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.judge_views import VIEWS, Asked, ViewName
from gradewise.meta.judging.combine import COMBINATIONS, Method
from gradewise.meta.judging.next import AIMS, Aim
from gradewise.stats.prediction_powered import TARGETS, Target

if TYPE_CHECKING:
    from gradewise.meta import Panel

DEFAULT_MEASURES = ("AP", "nDCG", "nDCG@10", "P@10", "RBP", "Q", "GAP", "xGAP", "eGAP")
JudgesFormat = Literal["table", "csv", "json", "markdown", "latex", "html", "parquet", "pool"]
_TEXTS = ("table", "markdown", "latex", "html")


def judges(
    qrels: Annotated[
        list[str],
        typer.Argument(
            metavar="QRELS",
            help="Judgments of two or more judges: files, or NAME=FILE. The first is the "
            "reference.",
        ),
    ],
    runs: Annotated[
        list[str] | None,
        typer.Option("--runs", metavar="RUN...", help="Runs, or a folder of them."),
    ] = None,
    measure: opt.Measures = None,
    show: Annotated[
        ViewName, typer.Option(help=f"What to show: {list_titles(VIEWS)}.")
    ] = "agreement",
    reference: Annotated[
        str | None, typer.Option(metavar="NAME", help="Judge to compare with. Default: the first.")
    ] = None,
    maps: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="NAME:MAP",
            help="Grades of a judge on the reference's scale: NAME:0=0,1=2; or NAME:same, "
            "NAME:fit. Repeat for more.",
        ),
    ] = None,
    combine: Annotated[
        Method | None,
        typer.Option(
            help=f"How to combine judges: {list_titles(COMBINATIONS)}. Default: calibrated with "
            "--truth, else dawid-skene."
        ),
    ] = None,
    truth: Annotated[
        str | None, typer.Option(metavar="NAME", help="Judge whose labels are taken as correct.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Judge who labeled all topics. Default: the only other judge."
        ),
    ] = None,
    target: Annotated[
        Target | None,
        typer.Option(help=f"What the intervals are for: {list_titles(TARGETS)}."),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PREFIX", help="Prefix of the run names of one family; repeat for more."
        ),
    ] = None,
    judge_next: Annotated[
        int | None,
        typer.Option("--next", help="Print this many documents to judge next, as a list.", min=1),
    ] = None,
    aim: Annotated[
        Aim,
        typer.Option(help=f"What to judge next for: {list_titles(AIMS)}."),
    ] = "width",
    level: Annotated[float, typer.Option(help="Confidence level.")] = 0.95,
    replicates: opt.Replicates = 500,
    output_format: Annotated[
        JudgesFormat | None,
        typer.Option("-f", "--format", help=f"{opt.FORMAT_HELP} With --next: pool."),
    ] = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
    quiet: opt.Quiet = False,
) -> None:
    """Compare judges (people or models) and show what their labels can support.

    Prints how far judges agree; with --runs, also whether it matters who judges (--show effect,
    measures, flips), intervals from few people and many model labels (--show powered), and what
    people should judge next (--next).
    """
    from gradewise.cli.formats import FRAME_FORMATS, format_of, write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.errors import OptionError

    opt.check_figure(figure)
    view = VIEWS[show]
    if (view.runs or judge_next is not None) and not runs:
        what = "--next" if judge_next is not None else f"--show {show}"
        raise OptionError(f"{what} needs runs; name them with --runs")
    if judge_next is None and output_format == "pool":
        raise OptionError("the format pool requires --next")
    panel = _read_panel(qrels, reference, maps)
    with progress_bar("working", None, quiet=quiet) as advance:
        asked = Asked(
            panel=panel,
            runs=opt.named_runs(runs) if runs else {},
            measures=tuple(measure or DEFAULT_MEASURES),
            method=combine,
            truth=truth,
            model=model,
            target=target,
            families=family or (),
            level=level,
            replicates=replicates,
            seed=seed,
            ties=ties,
            progress=advance,
        )
        note(*panel.notes, quiet=quiet)
        if judge_next is not None:
            _list_next(asked, judge_next, aim, output_format, output, digits)
            return
        found = view.function(asked)
    note(*found.notes, quiet=quiet)
    given: Any = output_format
    chosen = format_of(given, output, FRAME_FORMATS)
    wide = found.table is not None and chosen in _TEXTS
    frame: Any = found.table if wide else found.frame
    write_frame(frame, chosen, output, digits=digits)
    if figure is not None and found.figure is None:
        raise OptionError(f"--show {show} has no figure")
    opt.draw(figure, lambda figures: found.figure(figures) if found.figure else None)


def _read_panel(qrels: list[str], reference: str | None, maps: list[str] | None) -> "Panel":
    from gradewise.errors import OptionError
    from gradewise.meta import judges as make_panel

    named: dict[str, str] = {}
    for text in qrels:
        name, path = opt.name_and_path(text)
        if name in named:
            raise OptionError(
                f"two judges are named {name!r}; give each its own name, as in NAME=FILE"
            )
        named[name] = path
    rules: dict[str, Any] = {}
    for text in maps or []:
        name, colon, rule = text.rpartition(":")
        rules[name if colon else rule] = _read_map(text, rule)
    return make_panel(named, reference=reference, maps=rules)


def _read_map(text: str, rule: str) -> Any:
    """Read 0=0,1=2 as {0: 0, 1: 2}."""
    from gradewise.errors import OptionError

    if rule in ("same", "fit"):
        return rule
    try:
        pairs = [part.split("=") for part in rule.split(",")]
        return {int(grade): int(other) for grade, other in pairs}
    except ValueError:
        raise OptionError(f"--map {text}: expected NAME:0=0,1=2, NAME:same or NAME:fit") from None


def _list_next(
    asked: Asked,
    number: int,
    aim: Aim,
    output_format: JudgesFormat | None,
    output: str,
    digits: int,
) -> None:
    from gradewise.cli.formats import FRAME_FORMATS, format_of, write_frame
    from gradewise.files import write_text
    from gradewise.meta import judge_next

    found = judge_next(
        asked.runs,
        asked.labels(truth=asked.panel.reference),
        asked.measures[0],
        number=number,
        aim=aim,
        level=asked.level,
        ties=asked.ties,
        seed=asked.seed,
        progress=asked.progress,
    )
    formats: dict[Any, Any] = {"pool": None, **FRAME_FORMATS}
    chosen = format_of(output_format, output, formats)
    if chosen == "pool":
        write_text(output, found.pool())
    else:
        write_frame(found.frame, chosen, output, digits=digits)
