"""gradewise report: runs compared in one self-contained HTML file."""

import shlex
import sys
from typing import Annotated

import typer

from gradewise.cli.options import (
    Depth,
    JudgedOnly,
    Missing,
    Qrels,
    Quiet,
    Runs,
    Ties,
    named_runs,
)


def report(
    qrels: Qrels,
    runs: Runs,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Output file; - is standard output.")
    ] = "report.html",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="Measure, such as nDCG@10; repeat for more. The report opens with the first.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Report title.")] = "Runs and judgments",
    ties: Ties = "trec",
    seed: Annotated[int, typer.Option(help="Random seed of --ties random.", min=0)] = 0,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = "zero",
    distances: Annotated[
        bool,
        typer.Option(
            "--distances/--no-distances",
            help="Bound how far more judgments could change the lead of the best run.",
        ),
    ] = True,
    quiet: Quiet = False,
) -> None:
    """Write an HTML report: leaderboard, significance, topics, judgment coverage.

    The report is one self-contained file. Its sliders set the share of users for whom each grade
    is the threshold between relevant and not relevant.
    """
    from gradewise.cli.watching import note, progress_bar
    from gradewise.report.make import DEFAULT_MEASURES, STEPS, make_report

    with progress_bar("writing the report", len(runs) + STEPS, quiet=quiet) as advance:
        made = make_report(
            qrels,
            named_runs(runs),
            measure or DEFAULT_MEASURES,
            title=title,
            ties=ties,
            seed=seed,
            depth=depth,
            judged_only=judged_only,
            missing=missing,
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
