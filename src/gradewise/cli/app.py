"""The application: its commands and its version."""

from typing import Annotated

import typer

from gradewise import __version__
from gradewise.cli.compare import compare
from gradewise.cli.crossval import crossval
from gradewise.cli.demo import demo
from gradewise.cli.eval import evaluate
from gradewise.cli.measures import measures
from gradewise.cli.meta import meta
from gradewise.cli.rank import rank
from gradewise.cli.reproduce import reproduce
from gradewise.cli.simulate import simulate
from gradewise.cli.simulate_letor import simulate_letor
from gradewise.cli.train import train

app = typer.Typer(
    name="gradewise",
    help="Score, compare and train rankings that are judged on more than two grades.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("eval")(evaluate)
app.command("compare")(compare)
app.command("measures")(measures)
app.command("demo")(demo)
app.add_typer(meta, name="meta")
app.command("train")(train)
app.command("rank")(rank)
app.command("crossval")(crossval)
app.command("simulate")(simulate)
app.command("simulate-letor")(simulate_letor)
app.command("reproduce")(reproduce)


@app.command("trec-eval", add_help_option=False)
def trec_eval() -> None:
    """Print what trec_eval 10 prints, for the same options and files."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gradewise {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Score rankings that are judged on more than two grades."""
