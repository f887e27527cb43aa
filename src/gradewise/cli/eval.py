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
            help="Measure, such as nDCG@10 or 'GAP(g=[0.5,0.5])'. Repeat for more than one. "
            f"Default: {' '.join(DEFAULT_MEASURES)}.",
        ),
    ] = None,
    per_topic: Annotated[
        bool, typer.Option("-q", "--per-topic", help="Also print the score of every topic.")
    ] = False,
    output_format: Annotated[
        ScoreFormat, typer.Option("-f", "--format", help="Output format.")
    ] = "table",
    output: Output = "-",
    ties: Ties = "trec",
    seed: Annotated[int, typer.Option(help="Random seed for --ties random.")] = 0,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = "zero",
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage",
            help="Also report missing, extra and unjudged topics and documents, on standard error.",
        ),
    ] = False,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Score runs against judgments.

    A judged topic that a run misses scores 0. Missing and extra topics are reported on standard
    error. `gradewise measures` lists the measures.
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
