"""gradewise fuse: several runs combined into one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.errors import OptionError
from gradewise.fusion.methods import METHODS, Method
from gradewise.fusion.normalizations import NORMALIZATIONS, Normalize

_WEIGHTS = "--weights takes numbers such as 1,0.5,2"

if TYPE_CHECKING:
    from gradewise.collection.qrels import Qrels
    from gradewise.collection.run import Run


def fuse(
    runs: opt.Runs,
    output: opt.Output = "-",
    method: Annotated[Method, typer.Option(help=f"Fusion method: {list_titles(METHODS)}.")] = "rrf",
    normalize: Annotated[
        Normalize | None,
        typer.Option(
            help=f"How to make scores comparable: {list_titles(NORMALIZATIONS)}. "
            "Default: min-max, for methods that use scores."
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="X,X,...", help="Weight of each run, in their order. Default: all 1."),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "-p", "--parameter", metavar="NAME=X", help="Parameter of the method, such as k=60."
        ),
    ] = None,
    tune: Annotated[
        str | None,
        typer.Option(metavar="QRELS", help="Choose the weights by cross-validation on judgments."),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option("-m", "--measure", help="Measure to tune for. Default: nDCG@10."),
    ] = None,
    folds: Annotated[
        int | None, typer.Option(help="Number of folds for tuning. Default: 5.", min=2)
    ] = None,
    depth: opt.Depth = None,
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    tag: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the fused run. Default: the method."),
    ] = None,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Combine several runs into one.

    The fused run is written in TREC format and has the topics of all runs; a topic missing from a
    run counts as an empty list. With --tune, also prints how the tuned fusion does on topics that
    it was not tuned on.
    """
    from gradewise.cli.watching import note
    from gradewise.collection.reading import read_qrels
    from gradewise.collection.writing import write_run
    from gradewise.fusion.fuse import fuse as combine

    named = opt.named_runs(runs, columns, names)
    given: dict[str, Any] = dict(METHODS[method].settle(method, _parameters(parameter or [])))
    given |= {"method": method, "normalize": normalize, "depth": depth, "ties": ties, "seed": seed}
    if tune is not None:
        if weights is not None:
            raise OptionError("--tune chooses the weights; leave out --weights")
        judged = read_qrels(opt.judgments(tune, columns))
        note(*judged.notes, quiet=quiet)
        fused = _tuned(named, judged, measure, folds, tag, given, output, quiet)
    elif measure is not None or folds is not None:
        raise OptionError("--measure and --folds are for tuning; give --tune QRELS")
    else:
        chosen = None if weights is None else opt.parse_numbers(weights, _WEIGHTS)
        fused = combine(named, weights=chosen, name=tag, **given)
    note(*fused.notes, quiet=quiet)
    write_run(fused, output)


def _tuned(
    runs: dict[str, Any],
    qrels: "Qrels",
    measure: str | None,
    folds: int | None,
    tag: str | None,
    given: dict[str, Any],
    output: str,
    quiet: bool,
) -> "Run":
    """Tune, print what was found where it does not mix with the run, and fuse."""
    from gradewise.cli.watching import progress_bar
    from gradewise.collection.reading import read_run
    from gradewise.fusion.tuning import tune

    read = {name: read_run(source, name) for name, source in runs.items()}
    with progress_bar("settings", None, quiet=quiet) as advance:
        found = tune(
            qrels,
            read,
            measure or "nDCG@10",
            folds=folds or 5,
            progress=None if advance is None else lambda _: advance(1),
            **given,
        )
    if output != "-" or not quiet:
        typer.echo(str(found), err=output == "-")
    return found.fuse(read, name=tag)


def _parameters(given: list[str]) -> dict[str, float]:
    found = {}
    for item in given:
        name, _, value = item.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            raise typer.BadParameter(f"--parameter takes NAME=NUMBER, not {item!r}") from None
    return found
