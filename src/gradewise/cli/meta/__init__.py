"""gradewise meta: the evaluation of measures, one file a command."""

import typer

from gradewise.cli.groups import lazy_group
from gradewise.cli.help import examples_of

COMMANDS = {
    "correlation": (
        "gradewise.cli.meta.correlation:correlation",
        "Rank correlations between measures over runs, with confidence intervals.",
    ),
    "incompleteness": (
        "gradewise.cli.meta.incompleteness:incompleteness",
        "Robustness: how the ranking of runs changes as judgments are removed.",
    ),
    "pool-bias": (
        "gradewise.cli.meta.pool_bias:pool_bias",
        "Fairness to new runs: score each run without its unique contributions.",
    ),
    "discrimination": (
        "gradewise.cli.meta.discrimination:discrimination",
        "Discriminative power: share of pairs of runs that differ significantly.",
    ),
    "prediction": (
        "gradewise.cli.meta.prediction:prediction",
        "Predictive power: how well a measure's ranking predicts another's on other topics.",
    ),
    "informativeness": (
        "gradewise.cli.meta.informativeness:informativeness",
        "Informativeness: how well a measure's value describes the ranked list.",
    ),
    "sensitivity": (
        "gradewise.cli.meta.sensitivity:sensitivity",
        "Sensitivity: how measures change when one document changes its grade.",
    ),
    "flips": (
        "gradewise.cli.meta.flips:flips",
        "Flips: share of swaps of two documents that a measure ignores.",
    ),
    "experiment": (
        "gradewise.cli.meta.experiment:experiment",
        "Random experiments: repeat the experiment that defines AP, GAP, xGAP or eGAP.",
    ),
    "judgment-noise": (
        "gradewise.cli.meta.judgment_noise:judgment_noise",
        "Judgment noise: variance of scores under repeated, noisy judgments.",
    ),
}

meta = typer.Typer(
    cls=lazy_group(COMMANDS),
    help="Evaluate the measures themselves: agreement, robustness, informativeness.",
    epilog=examples_of("meta"),
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@meta.callback()
def choose() -> None:
    """Evaluate the measures themselves: agreement, robustness, informativeness."""
