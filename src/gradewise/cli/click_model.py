"""gradewise click-model: fit a click model to a log, test it, and write grades."""

import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.click_options import ClickColumns, Clicks, read_log
from gradewise.clicks.models import MODELS, Model

if TYPE_CHECKING:
    import polars as pl

    from gradewise.clicks.model import ClickModel


def click_model(
    clicks: Clicks,
    model: Annotated[Model, typer.Option(help=f"Which model: {list_titles(MODELS)}.")] = "position",
    held_out: Annotated[
        float, typer.Option(help="Share of sessions to test on; 0 fits all.", min=0, max=0.9)
    ] = 0.2,
    iterations: Annotated[int, typer.Option(help="Maximum number of EM iterations.", min=1)] = 200,
    tolerance: Annotated[
        float, typer.Option(help="Stop when parameters change by less than this.", min=0)
    ] = 1e-4,
    prior: Annotated[
        float, typer.Option(help="Prior successes, and failures, of each parameter.", min=0)
    ] = 1.0,
    qrels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write grades derived from relevance, as qrels."),
    ] = None,
    grades: Annotated[
        str,
        typer.Option(
            metavar="N|X,X,...",
            help="Number of positive grades, or the lowest relevance of each, such as 0.1,0.4.",
        ),
    ] = "4",
    min_shown: Annotated[
        int,
        typer.Option(help="Grade only documents shown at least this many times.", min=1),
    ] = 1,
    documents: Annotated[
        bool, typer.Option("--documents", help="Print the relevance of documents instead.")
    ] = False,
    columns: ClickColumns = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Fit a click model to a log, and test it on held-out sessions.

    Prints, for each rank, how often documents were clicked, the perplexity on held-out sessions
    (1 is perfect, 2 is a coin flip) and, in the position-based model, the examination relative to
    the first rank.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note
    from gradewise.clicks.models import fit
    from gradewise.collection.writing import write_qrels

    log = read_log(clicks, columns, quiet=quiet)
    training, test = log.split(held_out, seed=seed) if held_out else (log, None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = fit(training, model, iterations=iterations, tolerance=tolerance, prior=prior)
    note(*(str(warning.message) for warning in caught), quiet=quiet)
    frame = fitted.frame if documents else _by_rank(fitted)
    if test is not None:
        predicted = fitted.test(test)
        note(
            f"held-out sessions: log-likelihood {predicted.log_likelihood:.4f} per session, "
            f"perplexity {predicted.perplexity:.4f}",
            quiet=quiet,
        )
        if not documents:
            frame = frame.join(predicted.by_rank.drop("rows"), on="rank", how="left")
    if qrels is not None:
        write_qrels(fitted.qrels(_grades(grades), min_shown=min_shown), qrels)
        note(f"wrote {qrels}", quiet=quiet)
    write_frame(frame, output_format, output, digits=digits)


def _by_rank(model: "ClickModel") -> "pl.DataFrame":
    import polars as pl

    frame = model.log.rates()
    if model.name == "position":
        ranks = frame["rank"].to_numpy() - 1
        frame = frame.with_columns(pl.Series("examination", model.examination[ranks]))
    return frame


def _grades(text: str) -> int | list[float]:
    try:
        return int(text) if text.isdigit() else [float(edge) for edge in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--grades takes a number or edges such as 0.1,0.4, not {text!r}"
        ) from None
