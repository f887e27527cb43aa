"""gradewise meta: the evaluation of measures, one file a command."""

import typer

from gradewise.cli.groups import lazy_group

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
    "informativeness": (
        "gradewise.cli.meta.informativeness:informativeness",
        "Informativeness: how well a measure's value describes the ranked list.",
    ),
    "sensitivity": (
        "gradewise.cli.meta.sensitivity:sensitivity",
        "Sensitivity: how measures change when one document changes its grade.",
    ),
    "judgment-noise": (
        "gradewise.cli.meta.judgment_noise:judgment_noise",
        "Judgment noise: variance of scores under repeated, noisy judgments.",
    ),
}

meta = typer.Typer(
    cls=lazy_group(COMMANDS),
    help="Evaluate the measures themselves: agreement, robustness, informativeness.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@meta.callback()
def choose() -> None:
    """Evaluate the measures themselves: agreement, robustness, informativeness."""
