"""gradewise compare: which differences between runs are significant."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.comparison_formats import (
    COMPARISON_FORMATS,
    ComparisonFormat,
    write_comparisons,
)
from gradewise.cli.formats import check_format
from gradewise.cli.group_formats import compare_on_groups, refuse_for_groups
from gradewise.cli.scoring import Topics, find_scores
from gradewise.errors import told_of
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.intervals import INTERVALS, IntervalKind
from gradewise.stats.tests import TESTS, Test
from gradewise.stats.tiers import GROUPS, Groups

DEFAULT_MEASURES = ["AP", "nDCG@10", "GAP"]


def compare(
    qrels: opt.Qrels,
    runs: opt.SomeRuns = None,
    measure: opt.Measures = None,
    topics: Topics = None,
    baseline: Annotated[
        str | None,
        typer.Option("-b", "--baseline", help="Run to compare with. Default: all pairs."),
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
    groups: Annotated[
        Groups,
        typer.Option(help=f"How to show which runs differ: {list_titles(GROUPS)}."),
    ] = "auto",
    pairs: Annotated[bool, typer.Option("--pairs", help="Also print every pair of runs.")] = False,
    attributes: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Compare on groups of topics: a CSV, TSV or parquet file with a column of topics "
            "and one for each attribute, such as intent or length; or `found`, for groups derived "
            "from scores and judgments.",
        ),
    ] = None,
    output_format: Annotated[
        ComparisonFormat | None, typer.Option("-f", "--format", help=opt.FORMAT_HELP)
    ] = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    replicates: Annotated[
        int | None,
        typer.Option(
            help="Number of bootstrap or random samples; by default 10,000, or more if a test "
            "needs more for the number of pairs.",
            min=1,
        ),
    ] = None,
    seed: opt.Seed = 0,
    ties: opt.Ties = "trec",
    depth: opt.Depth = None,
    judged_only: opt.JudgedOnly = False,
    intent_weights: opt.IntentWeights = None,
    missing: opt.Missing = "zero",
    digits: opt.Digits = 4,
    rename: opt.Rename = None,
    caption: opt.Caption = None,
    label: opt.Label = None,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Test which differences between runs are significant.

    Prints means with confidence intervals, and letters: runs that share a letter do not differ
    significantly. More than 20 runs are shown in tiers. With a baseline, prints every run against
    it; if the baseline is the best run, p-values are corrected for all pairs, as in the report.
    With --attributes, prints which run is best on each group of topics, the difference between the
    best run (or the baseline) and the next on each group, and whether it depends on the group.
    Scores saved by `gradewise eval -q -o scores.csv` can take the place of judgments and runs.
    """
    from gradewise.cli.watching import note, progress_bar
    from gradewise.stats.compare import compare as compare_scores

    opt.check_figure(figure)
    if attributes is not None:
        refuse_for_groups(
            test=test != "t",
            correction=correction != "holm",
            interval=interval != "t",
            groups=groups != "auto",
            rename=rename,
            caption=caption,
            label=label,
        )
    chosen = check_format(output_format, output, COMPARISON_FORMATS)
    sets = find_scores(
        opt.weigh_intents(qrels, intent_weights),
        runs,
        measure,
        default=DEFAULT_MEASURES,
        topics=topics,
        columns=columns,
        names=names,
        quiet=quiet,
        ties=ties,
        seed=seed,
        depth=depth,
        judged_only=judged_only,
        missing=missing,
    )
    if attributes is not None:
        looks = opt.looks_of(digits, rename, caption, label, output)
        rules = {"baseline": baseline, "alpha": alpha, "level": level}
        compare_on_groups(sets, attributes, rules, chosen, output, pairs, looks, figure, quiet)
        return
    found = {}
    for name, scores in sets.items():
        with told_of(name), progress_bar("comparing", 1, quiet=quiet):
            found[name] = compare_scores(
                scores,
                baseline,
                test=test,
                correction=correction,
                alpha=alpha,
                level=level,
                interval=interval,
                groups=groups,
                replicates=replicates,
                seed=seed,
            )
    for name, comparison in found.items():
        note(*[f"{name}: {told}" if name else told for told in comparison.notes], quiet=quiet)
    looks = opt.looks_of(digits, rename, caption, label, output)
    write_comparisons(found, chosen, output, pairs, opt.check_names(looks, *sets.values()))
    opt.draw(figure, lambda figures: figures.leaderboard(found))
