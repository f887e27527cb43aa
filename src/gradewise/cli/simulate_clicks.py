"""gradewise simulate-clicks: a click log for judgments and a run, written to a file."""

from typing import Annotated, Literal

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.clicks.models import MODELS, Model

_SHARES = "-g takes shares such as 0.5,0.5"


def simulate_clicks(
    qrels: opt.Qrels,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run shown to users.")],
    output: Annotated[
        str, typer.Argument(metavar="FILE", help="Log to write: .csv, .parquet; - prints CSV.")
    ],
    sessions: Annotated[int, typer.Option(help="Number of sessions.", min=1)] = 1000,
    model: Annotated[Model, typer.Option(help=f"Which users: {list_titles(MODELS)}.")] = "position",
    g: Annotated[
        str | None,
        typer.Option("-g", metavar="X,X,...", help="Shares of users by threshold, for each grade."),
    ] = None,
    click: Annotated[
        float, typer.Option(help="Probability of clicking a relevant document.", min=0, max=1)
    ] = 0.9,
    others: Annotated[
        float, typer.Option(help="Probability of clicking any other document.", min=0, max=1)
    ] = 0.03,
    decay: Annotated[
        float, typer.Option(help="Decay: rank r is examined with probability r^-X.", min=0)
    ] = 0.6,
    shuffle: Annotated[
        Literal["none", "random", "swap"],
        typer.Option(help="Show lists as they are, in random order, or with random swaps."),
    ] = "none",
    depth: Annotated[int, typer.Option(help="Number of documents per list.", min=1)] = 10,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Write a simulated click log for judgments and a run.

    Users follow one of the click models; with -g, they differ in the lowest grade that is
    relevant to them.
    """
    import gradewise as gw
    from gradewise.cli.formats import parquet_bytes
    from gradewise.cli.watching import note
    from gradewise.csv_output import csv_text
    from gradewise.files import file_kind, write_bytes, write_text

    log = gw.simulate.clicks(
        qrels,
        run,
        sessions,
        model=model,
        g=None if g is None else opt.parse_numbers(g, _SHARES),
        click=click,
        others=others,
        decay=decay,
        shuffle=shuffle,
        depth=depth,
        seed=seed,
    )
    if file_kind(output) == "parquet":
        write_bytes(output, parquet_bytes(log.frame))
    else:
        write_text(output, csv_text(log.frame))
    if output != "-":
        note(f"wrote {log}", quiet=quiet)
