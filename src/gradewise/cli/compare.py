"""gradewise compare: which differences between runs are real."""

from enum import StrEnum
from typing import Annotated

import typer

from gradewise.cli.options import (
    Depth,
    Digits,
    Figure,
    JudgedOnly,
    Measures,
    Missing,
    MissingRule,
    Output,
    Qrels,
    Quiet,
    Replicates,
    Runs,
    Seed,
    TieRule,
    Ties,
    check_figure,
    score_runs,
)

DEFAULT_MEASURES = ["AP", "nDCG@10", "GAP"]


class Test(StrEnum):
    """The paired tests."""

    t = "t"
    wilcoxon = "wilcoxon"
    sign = "sign"
    strict = "strict"
    bootstrap = "bootstrap"
    randomization = "randomization"
    tukey = "tukey"


class Correction(StrEnum):
    """The corrections for many tests."""

    holm = "holm"
    bonferroni = "bonferroni"
    bh = "bh"
    none = "none"


class Interval(StrEnum):
    """The kinds of intervals."""

    t = "t"
    bootstrap = "bootstrap"


class Format(StrEnum):
    """How a comparison is printed."""

    table = "table"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"


def compare(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    baseline: Annotated[
        str | None,
        typer.Option("-b", "--baseline", help="The run to compare with; otherwise all pairs."),
    ] = None,
    test: Annotated[
        Test, typer.Option(help="The test; strict means t, Wilcoxon and sign test agree.")
    ] = Test.t,
    correction: Annotated[
        Correction, typer.Option(help="The correction for testing many pairs.")
    ] = Correction.holm,
    alpha: Annotated[float, typer.Option(help="A corrected p up to this is significant.")] = 0.05,
    level: Annotated[float, typer.Option(help="Confidence level of intervals.")] = 0.95,
    interval: Annotated[Interval, typer.Option(help="Kind of intervals.")] = Interval.t,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also print every pair of runs.")] = False,
    output_format: Annotated[
        Format, typer.Option("-f", "--format", help="How to print.")
    ] = Format.table,
    output: Output = "-",
    figure: Figure = None,
    replicates: Replicates = 10_000,
    seed: Seed = 0,
    ties: Ties = TieRule.trec,
    depth: Depth = None,
    judged_only: JudgedOnly = False,
    missing: Missing = MissingRule.zero,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Tell which differences between runs are real.

    Means with intervals, paired tests, and groups of runs that cannot be told apart.
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
        test=test.value,
        correction=correction.value,
        alpha=alpha,
        level=level,
        interval=interval.value,
        replicates=replicates,
        seed=seed,
    )
    for sentence in comparison.notes:
        note(sentence, quiet=quiet)
    texts = {
        Format.table: lambda: comparison.to_text(digits=digits, pairs=pairs),
        Format.markdown: lambda: comparison.to_markdown(digits=digits),
        Format.latex: lambda: comparison.to_latex(digits=digits),
        Format.csv: lambda: comparison.to_csv(pairs=pairs),
    }
    write_text(output, texts[output_format]())
    if figure is not None:
        from gradewise.report.figures.leaderboard import leaderboard
        from gradewise.report.figures.theme import save_figure

        save_figure(leaderboard(comparison), figure)
