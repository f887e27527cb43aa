"""The application: its commands and its version."""

from typing import Annotated

import typer

from gradewise import __version__
from gradewise.cli.groups import lazy_group

COMMANDS = {
    "eval": ("gradewise.cli.eval:evaluate", "Score runs against judgments."),
    "compare": ("gradewise.cli.compare:compare", "Tell which differences between runs are real."),
    "report": (
        "gradewise.cli.report:report",
        "Make a page about runs: who is best, is it real, where, under which view.",
    ),
    "measures": ("gradewise.cli.measures:measures", "List all measures, or explain one."),
    "demo": (
        "gradewise.cli.demo:demo",
        "Score a small sample collection, say what it means, and make a report.",
    ),
    "meta": (
        "gradewise.cli.meta:meta",
        "Evaluate the measures themselves: agreement, robustness, informativeness.",
    ),
    "med": (
        "gradewise.cli.med:med",
        "Tell how far apart runs could be under any completion of the judgments.",
    ),
    "rbo": ("gradewise.cli.rbo:rbo", "Tell how much rankings have in common: rank-biased overlap."),
    "train": (
        "gradewise.cli.train:train",
        "Train a net or trees for a measure, on documents with features and grades.",
    ),
    "rank": ("gradewise.cli.rank:rank", "Rank documents by a trained model, and write a TREC run."),
    "crossval": (
        "gradewise.cli.crossval:crossval",
        "Train for some measures and test with others, over folds and seeds.",
    ),
    "simulate": (
        "gradewise.cli.simulate:simulate",
        "Write a simulated collection: graded judgments, and runs of different quality.",
    ),
    "simulate-letor": (
        "gradewise.cli.simulate_letor:simulate_letor",
        "Write LETOR files to train, validate and test on: 5 grades, features of mixed quality.",
    ),
    "reproduce": (
        "gradewise.cli.reproduce:reproduce",
        "Reproduce tables and figures of papers, next to the published numbers.",
    ),
    "trec-eval": (
        "gradewise.cli.trec_eval:described",
        "Print what trec_eval 10 prints, for the same options and files.",
    ),
}

app = typer.Typer(
    name="gradewise",
    cls=lazy_group(COMMANDS),
    help="Score, compare and train rankings that are judged on more than two grades.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
