"""gradewise eval: score runs."""

from enum import StrEnum
from typing import Annotated

import typer

from gradewise.cli.options import (
    Depth,
    Digits,
    JudgedOnly,
    Missing,
    MissingRule,
    Output,
    Qrels,
    Quiet,
    Runs,
    TieRule,
    Ties,
    score_runs,
)

DEFAULT_MEASURES = ["AP", "nDCG@10", "P@10", "RR", "GAP"]


class Format(StrEnum):
    """How scores are printed."""

    table = "table"
    trec = "trec"
    csv = "csv"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    parquet = "parquet"


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
        Format, typer.Option("-f", "--format", help="Output format.")
    ] = Format.table,
    output: Output = "-",
    ties: Ties = TieRule.trec,
    seed: Annotated[int, typer.Option(help="Random seed for --ties random.")] = 0,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = MissingRule.zero,
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
    from gradewise.cli.formats import render, write_scores

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
    if output_format is Format.parquet:
        if output == "-":
            raise typer.BadParameter("parquet output needs a file; add -o FILE")
        scores.to_parquet(output)
    else:
        text = render(scores, output_format.value, per_topic=per_topic, digits=digits)
        write_scores(output, text)
    if coverage and scores.coverage is not None:
        typer.echo(scores.coverage.table(digits).to_text(), nl=False, err=True)
