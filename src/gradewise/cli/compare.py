"""gradewise compare: which differences between runs are significant."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli.formats import COMPARISON_FORMATS, ComparisonFormat
from gradewise.cli.options import (
    Depth,
    Digits,
    Figure,
    JudgedOnly,
    Measures,
    Missing,
    Output,
    Qrels,
    Quiet,
    Replicates,
    Runs,
    Seed,
    Ties,
    check_figure,
    score_runs,
)
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.intervals import INTERVALS, IntervalKind
from gradewise.stats.tests import TESTS, Test

DEFAULT_MEASURES = ["AP", "nDCG@10", "GAP"]


def compare(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    baseline: Annotated[
        str | None,
        typer.Option("-b", "--baseline", help="Run to compare with; without it, all pairs."),
    ] = None,
    test: Annotated[Test, typer.Option(help=f"Significance test: {list_titles(TESTS)}.")] = "t",
    correction: Annotated[
        Correction,
        typer.Option(help=f"Correction for multiple comparisons: {list_titles(CORRECTIONS)}."),
    ] = "holm",
    alpha: Annotated[float, typer.Option(help="Significance level of corrected p-values.")] = 0.05,
    level: Annotated[float, typer.Option(help="Confidence level of intervals.")] = 0.95,
    interval: Annotated[
        IntervalKind, typer.Option(help=f"Confidence interval: {list_titles(INTERVALS)}.")
    ] = "t",
    pairs: Annotated[bool, typer.Option("--pairs", help="Also print every pair of runs.")] = False,
    output_format: Annotated[
        ComparisonFormat, typer.Option("-f", "--format", help="Output format.")
    ] = "table",
    output: Output = "-",
    figure: Figure = None,
    replicates: Replicates = 10_000,
    seed: Seed = 0,
    ties: Ties = "trec",
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = "zero",
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Test which differences between runs are significant.

    Prints means with confidence intervals and letters: runs that share a letter do not differ
    significantly. With a baseline, prints every run against it.
    """
    from gradewise.cli.watching import note
    from gradewise.files import write_text
    from gradewise.stats.compare import compare as compare_scores

    check_figure(figure)
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
    comparison = compare_scores(
        scores,
        baseline,
        test=test,
        correction=correction,
        alpha=alpha,
        level=level,
        interval=interval,
        replicates=replicates,
        seed=seed,
    )
    for sentence in comparison.notes:
        note(sentence, quiet=quiet)
    write_text(output, COMPARISON_FORMATS[output_format](comparison, pairs, digits))
    if figure is not None:
        from gradewise.report.figures.leaderboard import leaderboard
        from gradewise.report.figures.theme import save_figure

        save_figure(leaderboard(comparison), figure)
