"""The application: its commands and its version."""

from typing import Annotated

import typer

from gradewise import __version__
from gradewise.cli.groups import lazy_group
from gradewise.cli.help import examples_of

COMMANDS = {
    "eval": ("gradewise.cli.eval:evaluate", "Score runs against judgments."),
    "compare": (
        "gradewise.cli.compare:compare",
        "Test which differences between runs are significant.",
    ),
    "check": (
        "gradewise.cli.check:check",
        "Decide whether a new run may replace an old one.",
    ),
    "report": (
        "gradewise.cli.report:report",
        "Write an HTML report: verdict, leaderboard, topics, rankings, judgment coverage.",
    ),
    "history": (
        "gradewise.cli.history:history",
        "Show how runs changed from release to release, from a folder of saved scores.",
    ),
    "measures": (
        "gradewise.cli.measures:measures",
        "List all measures and presets, or explain one.",
    ),
    "demo": (
        "gradewise.cli.demo:demo",
        "Score a small sample collection, explain the result, and write a report.",
    ),
    "meta": (
        "gradewise.cli.meta:meta",
        "Evaluate the measures themselves: agreement, robustness, informativeness.",
    ),
    "judges": (
        "gradewise.cli.judges:judges",
        "Compare judges (people or models) and show what their labels can support.",
    ),
    "judge-page": (
        "gradewise.cli.judge_page:judge_page",
        "Write an HTML page for judging documents by keyboard, offline, with qrels export.",
    ),
    "med": (
        "gradewise.cli.med:med",
        "Bound how far runs could differ if the missing judgments were known.",
    ),
    "rbo": (
        "gradewise.cli.rbo:rbo",
        "Measure how similar rankings are by rank-biased overlap (RBO).",
    ),
    "coverage": (
        "gradewise.cli.coverage:coverage",
        "Measure what share of a catalog runs show among their top documents.",
    ),
    "fuse": (
        "gradewise.cli.fuse:fuse",
        "Combine several runs into one.",
    ),
    "click-model": (
        "gradewise.cli.click_model:click_model",
        "Fit a click model to a log, and test it on held-out sessions.",
    ),
    "thresholds": (
        "gradewise.cli.thresholds:thresholds",
        "Estimate from clicks where users draw the line between relevant and not.",
    ),
    "propensities": (
        "gradewise.cli.propensities:propensities",
        "Estimate how much attention each rank gets, relative to the first.",
    ),
    "counterfactual": (
        "gradewise.cli.counterfactual:counterfactual",
        "Estimate from a click log how well other runs would serve its users.",
    ),
    "interleave": (
        "gradewise.cli.interleave:interleave",
        "Interleave two runs by team draft.",
    ),
    "compare-teams": (
        "gradewise.cli.interleave:compare_teams",
        "Test which of two interleaved runs users prefer.",
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
    "simulate-runs": (
        "gradewise.cli.simulate_runs:simulate_runs",
        "Write simulated runs for given judgments.",
    ),
    "simulate-judges": (
        "gradewise.cli.simulate_judges:simulate_judges",
        "Write simulated judgments of the same documents by other judges.",
    ),
    "simulate-clicks": (
        "gradewise.cli.simulate_clicks:simulate_clicks",
        "Write a simulated click log for judgments and a run.",
    ),
    "simulate-letor": (
        "gradewise.cli.simulate_letor:simulate_letor",
        "Write simulated LETOR files for training, validation and testing.",
    ),
    "reproduce": (
        "gradewise.cli.reproduce:reproduce",
        "Reproduce tables and figures from papers, next to the published numbers.",
    ),
    "trec-eval": (
        "gradewise.cli.trec_eval:described",
        "Print what trec_eval 10 prints, for the same options and files.",
    ),
    "ir-measures": (
        "gradewise.cli.ir_measures:described",
        "Run ir_measures' own command, with gradewise's measures beside its own.",
    ),
}

app = typer.Typer(
    name="gradewise",
    cls=lazy_group(COMMANDS),
    help="Score, compare and train rankings that are judged on more than two grades.",
    epilog=examples_of("gradewise"),
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
