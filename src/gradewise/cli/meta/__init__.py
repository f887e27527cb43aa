"""gradewise meta: measures on trial, one file a command."""

import typer

from gradewise.cli.groups import lazy_group

COMMANDS = {
    "correlation": (
        "gradewise.cli.meta.correlation:correlation",
        "Rank correlations between measures over runs, with intervals over topics.",
    ),
    "incompleteness": (
        "gradewise.cli.meta.incompleteness:incompleteness",
        "Correlation with the whole pool's ranking of runs, as judgments are taken away.",
    ),
    "pool-bias": (
        "gradewise.cli.meta.pool_bias:pool_bias",
        "Show what runs lose when the documents that only their group found were never judged.",
    ),
    "discrimination": (
        "gradewise.cli.meta.discrimination:discrimination",
        "Share of pairs of runs that each measure tells apart, and the difference it needs.",
    ),
    "informativeness": (
        "gradewise.cli.meta.informativeness:informativeness",
        "Infer lists from the value of a measure alone, and tell how wrong that is.",
    ),
    "sensitivity": (
        "gradewise.cli.meta.sensitivity:sensitivity",
        "Print how measures change when the document at a rank gets another grade.",
    ),
    "judgment-noise": (
        "gradewise.cli.meta.judgment_noise:judgment_noise",
        "Judge a collection again and again, and take the variance of each run's values apart.",
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
    """Evaluate the measures themselves."""
