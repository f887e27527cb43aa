"""The application: its commands and its version."""

from typing import Annotated

import typer

from gradewise import __version__
from gradewise.cli.groups import lazy_group

COMMANDS = {
    "eval": ("gradewise.cli.eval:evaluate", "Score runs against judgments."),
    "compare": (
        "gradewise.cli.compare:compare",
        "Test which differences between runs are significant.",
    ),
    "report": (
        "gradewise.cli.report:report",
        "Write an HTML report: leaderboard, significance, topics, judgment coverage.",
    ),
    "measures": ("gradewise.cli.measures:measures", "List all measures, or explain one."),
    "demo": (
        "gradewise.cli.demo:demo",
        "Score a small sample collection, explain the result, and write a report.",
    ),
    "meta": (
        "gradewise.cli.meta:meta",
        "Evaluate the measures themselves: agreement, robustness, informativeness.",
    ),
    "med": (
        "gradewise.cli.med:med",
        "Bound how far runs could differ if the missing judgments were known.",
    ),
    "rbo": (
        "gradewise.cli.rbo:rbo",
        "Measure how similar rankings are by rank-biased overlap (RBO).",
    ),
    "train": (
        "gradewise.cli.train:train",
        "Train a neural net or boosted trees for a measure, on LETOR files.",
    ),
    "rank": (
        "gradewise.cli.rank:rank",
        "Rank documents with a trained model and write a TREC run.",
    ),
    "crossval": (
        "gradewise.cli.crossval:crossval",
        "Cross-validate: train for some measures, test with others.",
    ),
    "simulate": (
        "gradewise.cli.simulate:simulate",
        "Write a simulated collection: graded judgments and runs of varying quality.",
    ),
    "simulate-letor": (
        "gradewise.cli.simulate_letor:simulate_letor",
        "Write simulated LETOR files for training, validation and testing.",
    ),
    "reproduce": (
        "gradewise.cli.reproduce:reproduce",
        "Reproduce tables and figures of the papers, next to the published numbers.",
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
