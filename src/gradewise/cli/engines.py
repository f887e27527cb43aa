"""gradewise eval --engine: scoring out of core, on Dask or on Spark."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gradewise.cli.formats import Looks
from gradewise.cli.score_formats import ScoreFormat
from gradewise.csv_output import csv_text
from gradewise.errors import OptionError
from gradewise.tables import Table

if TYPE_CHECKING:
    from gradewise.scale.local import Evaluated
    from gradewise.scale.totals import Totals

EngineName = Literal["local", "dask", "spark"]
Engine = Annotated[
    EngineName | None,
    typer.Option(
        help="Score out of core and write per-topic values to -o as they are computed: local (this "
        "process), dask or spark. Default: in memory."
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Spark master, such as spark://host:7077, yarn or sc://host. Default: this machine.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Dask scheduler, such as tcp://host:8786. Default: processes of this machine.",
    ),
]
Partitions = Annotated[
    int | None,
    typer.Option(help="Number of partitions on Dask or Spark. Default: up to the engine.", min=1),
]
Share = Annotated[
    float,
    typer.Option(help="Score only this share of the judged topics. Default: all.", max=1.0),
]


def evaluate_on_engine(
    engine: EngineName,
    qrels: Any,
    runs: list[str],
    measures: list[str],
    output: str,
    *,
    master: str | None,
    scheduler: str | None,
    partitions: int | None,
    quiet: bool,
    **rules: Any,
) -> "Evaluated":
    """Score runs on an engine with a progress bar; note how topics fit."""
    if engine == "local":  # pyarrow's own pool would keep tens of megabytes
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    from gradewise.cli.watching import note, progress_bar
    from gradewise.collection.naming import name_sources
    from gradewise.scale.paths import Task, evaluate_paths
    from gradewise.scale.settings import Settings

    if master is not None and engine != "spark":
        raise OptionError("--master requires --engine spark")
    if scheduler is not None and engine != "dask":
        raise OptionError("--scheduler requires --engine dask")
    task = Task(
        qrels,
        dict(name_sources(runs)),
        Settings.of(measures, **rules, strict=engine == "local"),
        None if output == "-" else output,
        master or scheduler,
        partitions,
    )
    label = "rows" if engine == "local" else "tasks"
    with progress_bar(label, None, quiet=quiet) as advance:
        found = evaluate_paths(engine, task, progress=advance)
    note(*found.notes, *found.fit.notes(), quiet=quiet)
    if output != "-":
        note(f"wrote {output}", quiet=quiet)
    return found


def refuse_in_memory_options(given: Mapping[str, Any]) -> None:
    """Raise an OptionError for options of scoring in memory."""
    if given["-q"]:
        raise OptionError("--engine writes per-topic values to a file; use -o FILE.parquet, not -q")
    for name, value in given.items():
        if value:
            raise OptionError(f"{name} works in memory only; leave out --engine")


def refuse_engine_options(
    master: str | None, scheduler: str | None, partitions: int | None, share: float
) -> None:
    """Raise an OptionError for options that need an engine."""
    given = {
        "--master": master,
        "--scheduler": scheduler,
        "--partitions": partitions,
        "--share": None if share == 1 else share,
    }
    for name, value in given.items():
        if value is not None:
            raise OptionError(f"{name} requires --engine")


def print_totals(
    found: "Evaluated",
    sort: str | None,
    top: int | None,
    output_format: ScoreFormat | None,
    looks: Looks,
    *,
    coverage: bool,
) -> None:
    """Print the summaries of runs; with `coverage`, how runs and judgments fit."""
    totals = found.totals if sort == "input" else found.totals.sorted(sort, top=top)
    chosen = output_format or "table"
    if chosen not in _SUMMARIES:
        known = ", ".join(_SUMMARIES)
        raise OptionError(f"with --engine, the format must be one of {known}, not {chosen}")
    typer.echo(_SUMMARIES[chosen](totals, looks), nl=False)
    if coverage:
        typer.echo(found.fit.table(looks.digits).to_text(), nl=False, err=True)


def _table(totals: "Totals", looks: Looks) -> Table:
    return totals.table(looks.digits).renamed(looks.names)


def _frame(totals: "Totals") -> Any:
    from gradewise.scale.totals import summary_frame

    return summary_frame(totals, totals.t_bounds(0.95))


_SUMMARIES: dict[str, Callable[["Totals", Looks], str]] = {
    "table": lambda totals, looks: _table(totals, looks).to_text(),
    "csv": lambda totals, _: csv_text(_frame(totals)),
    "json": lambda totals, _: _frame(totals).write_json() + "\n",
    "markdown": lambda totals, looks: _table(totals, looks).to_markdown(),
    "latex": lambda totals, looks: _table(totals, looks).to_latex(
        caption=looks.caption, label=looks.label
    ),
    "html": lambda totals, looks: _table(totals, looks).to_html(),
}
