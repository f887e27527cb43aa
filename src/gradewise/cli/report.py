"""gradewise report: a page about runs, in one HTML file."""

import shlex
import sys
from typing import Annotated

import typer

from gradewise.cli.options import (
    Depth,
    JudgedOnly,
    Missing,
    MissingRule,
    Qrels,
    Quiet,
    Runs,
    TieRule,
    Ties,
    named_runs,
)


def report(
    qrels: Qrels,
    runs: Runs,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write; - is standard output.")
    ] = "report.html",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="A measure, such as nDCG@10; repeat for more. The page begins with the first.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="What stands on top.")] = "Runs and judgments",
    ties: Ties = TieRule.trec,
    seed: Annotated[int, typer.Option(help="Seed of the random order of ties.", min=0)] = 0,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = MissingRule.zero,
    distances: Annotated[
        bool,
        typer.Option(
            "--distances/--no-distances",
            help="Find what judging the rest could change among the best runs.",
        ),
    ] = True,
    quiet: Quiet = False,
) -> None:
    """Make a page about runs: who is best, is it real, where, under which view.

    One HTML file that needs no network, with sliders for where users draw the line between
    relevant and not.
    """
    from gradewise.cli.watching import note, progress_bar
    from gradewise.report.make import DEFAULT_MEASURES, STEPS, make_report

    with progress_bar("making the report", len(runs) + STEPS, quiet=quiet) as advance:
        made = make_report(
            qrels,
            named_runs(runs),
            measure or DEFAULT_MEASURES,
            title=title,
            ties=ties.value,
            seed=seed,
            depth=depth,
            judged_only=judged_only,
            missing=missing.value,
            distances=distances,
            command=shlex.join(["gradewise", *sys.argv[1:]]),
            progress=None if advance is None else lambda _: advance(1),
        )
    for sentence in made.notes:
        note(sentence, quiet=quiet)
    made.save(output)
    if output != "-":
        typer.echo("\n".join(made.summary))
        note(f"wrote {output}; open it in a browser", quiet=quiet)
