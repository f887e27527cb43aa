"""gradewise interleave: two runs in one, and compare-teams: which of them users prefer."""

from typing import Annotated

import typer

from gradewise.cli import options as opt
from gradewise.cli.click_options import ClickColumns, Clicks, Level, read_log


def interleave(
    first: Annotated[str, typer.Argument(metavar="RUN", help="The first run.")],
    second: Annotated[str, typer.Argument(metavar="RUN", help="The second run.")],
    depth: Annotated[int, typer.Option(help="Number of documents per list.", min=1)] = 10,
    draws: Annotated[int, typer.Option(help="Number of lists per topic.", min=1)] = 1,
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
) -> None:
    """Interleave two runs by team draft.

    Prints which run put each document into which list. Show a different draw in each session, and
    keep the team of each document in the click log.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.clicks.interleaving import interleave as make

    made = make(first, second, depth=depth, draws=draws, ties=ties, seed=seed)
    write_frame(made.frame, output_format, output)


def compare_teams(
    clicks: Clicks,
    level: Level = 0.95,
    replicates: opt.Replicates = 2000,
    columns: ClickColumns = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Test which of two interleaved runs users prefer.

    The log must have a column team. A session is won by the team with more clicks. p_sessions is
    from the sign test over sessions, p_topics from the t-test over topics.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.clicks.interleaving import compare_teams as compare

    log = read_log(clicks, columns, quiet=quiet)
    found = compare(log, level=level, replicates=replicates, seed=seed)
    write_frame(found.frame, output_format, output, digits=digits)
