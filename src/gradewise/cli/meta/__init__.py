"""gradewise meta: measures on trial, one file a command."""

import typer

from gradewise.cli.meta.correlation import correlation
from gradewise.cli.meta.discrimination import discrimination
from gradewise.cli.meta.incompleteness import incompleteness
from gradewise.cli.meta.informativeness import informativeness
from gradewise.cli.meta.judgment_noise import judgment_noise
from gradewise.cli.meta.pool_bias import pool_bias
from gradewise.cli.meta.sensitivity import sensitivity

meta = typer.Typer(
    help="Put measures on trial: do they agree, last, tell?",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
meta.command("correlation")(correlation)
meta.command("incompleteness")(incompleteness)
meta.command("pool-bias")(pool_bias)
meta.command("discrimination")(discrimination)
meta.command("informativeness")(informativeness)
meta.command("sensitivity")(sensitivity)
meta.command("judgment-noise")(judgment_noise)
