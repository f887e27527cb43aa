"""gradewise eval: score runs."""

from typing import Annotated

import typer

from gradewise.cli.formats import ScoreFormat, write_scores
from gradewise.cli.options import (
    Depth,
    Digits,
    JudgedOnly,
    Missing,
    Output,
    Qrels,
    Quiet,
    Runs,
    Ties,
    score_runs,
)

DEFAULT_MEASURES = ["AP", "nDCG@10", "P@10", "RR", "GAP"]


def evaluate(
    qrels: Qrels,
    runs: Runs,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="A measure, such as nDCG@10 or 'GAP(g=[0.5,0.5])'; repeat for more. "
            f"Default: {' '.join(DEFAULT_MEASURES)}.",
        ),
    ] = None,
    per_topic: Annotated[
        bool, typer.Option("-q", "--per-topic", help="Also print the value of every topic.")
    ] = False,
    output_format: Annotated[
        ScoreFormat, typer.Option("-f", "--format", help="Output format.")
    ] = "table",
    output: Output = "-",
    ties: Ties = "trec",
    seed: Annotated[int, typer.Option(help="Seed of the random order of ties.")] = 0,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = "zero",
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Also print, on standard error, how well runs and judgments fit."
        ),
    ] = False,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Score runs against judgments.

    Topics that a run misses count 0. How many there are, and how many topics were not judged, is
    told on standard error. See `gradewise measures` for what there is.
    """
    scores = score_runs(
        qrels,
        runs,
        measure or DEFAULT_MEASURES,
        ties=ties,
        seed=seed,
        depth=depth,
        judged_only=judged_only,
        missing=missing,
        quiet=quiet,
    )
    write_scores(scores, output_format, output, per_topic=per_topic, digits=digits)
    if coverage and scores.coverage is not None:
        typer.echo(scores.coverage.table(digits).to_text(), nl=False, err=True)
