"""Arguments and options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli.formats import FrameFormat
from gradewise.collection.ties import TIES
from gradewise.collection.ties import Ties as TieRule
from gradewise.measures.missing import MISSING
from gradewise.measures.missing import Missing as MissingRule

if TYPE_CHECKING:
    from gradewise.collection.judged import Judged
    from gradewise.measures.scores import Scores


Qrels = Annotated[
    str, typer.Argument(help="Judgments: TREC qrels, parquet, irds:ID, or - for standard input.")
]
Runs = Annotated[
    list[str],
    typer.Argument(help="Runs: TREC run files, parquet, irds:ID, or - for standard input."),
]
Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", help="Measure, such as nDCG@10. Repeat for more than one."),
]
Output = Annotated[str, typer.Option("-o", "--output", help="Output file; - is standard output.")]
Figure = Annotated[
    str | None, typer.Option(help="Also save a figure: a .svg, .png, .pdf, .html or .json file.")
]
Printed = Annotated[FrameFormat, typer.Option("-f", "--format", help="Output format.")]
Digits = Annotated[int, typer.Option(help="Decimal places.", min=0, max=17)]
Seed = Annotated[
    int, typer.Option(help="Random seed; the same seed gives the same results.", min=0)
]
Replicates = Annotated[int, typer.Option(help="Number of bootstrap or random samples.", min=1)]
Ties = Annotated[
    TieRule,
    typer.Option(help=f"Order of documents with equal scores: {list_titles(TIES)}."),
]
Depth = Annotated[
    int | None, typer.Option(help="Use only the top N documents of each list.", min=1)
]
JudgedOnly = Annotated[
    bool,
    typer.Option(
        "--judged-only", help="Remove unjudged documents before scoring (condensed lists)."
    ),
]
Missing = Annotated[
    MissingRule,
    typer.Option(help=f"A judged topic missing from a run: {list_titles(MISSING)}."),
]
Jobs = Annotated[int, typer.Option(help="Number of processes.", min=1)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Suppress notes and progress bars.")]


def named_runs(runs: list[str]) -> dict[str, str]:
    """Name runs by their files, or by their paths where two files have the same name."""
    from gradewise.collection.reading import run_name

    names = [run_name(run) for run in runs]
    chosen = [
        name if names.count(name) == 1 else str(Path(run))
        for name, run in zip(names, runs, strict=True)
    ]
    if len(set(chosen)) < len(chosen):
        raise typer.BadParameter("the same run is given twice")
    return dict(zip(chosen, runs, strict=True))


def score_runs(
    qrels: str,
    runs: list[str],
    measures: list[str],
    *,
    ties: TieRule = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: MissingRule = "zero",
    quiet: bool = False,
) -> "Scores":
    """Score runs with a progress bar, and note topics that are missing or unjudged."""
    from gradewise.cli.watching import note, progress_bar
    from gradewise.measures.evaluate import evaluate

    with progress_bar("reading runs", len(runs), quiet=quiet) as advance:
        scores = evaluate(
            qrels,
            named_runs(runs),
            measures,
            ties=ties,
            seed=seed,
            depth=depth,
            judged_only=judged_only,
            missing=missing,
            progress=None if advance is None else lambda _: advance(1),
        )
    for sentence in scores.notes:
        note(sentence, quiet=quiet)
    return scores


def check_figure(figure: str | None) -> None:
    """Reject a figure's file name before the work, not after it."""
    if figure is not None:
        from gradewise.report.figures.theme import check_figure_path

        check_figure_path(figure)


def join_runs(
    qrels: str,
    runs: list[str],
    measures: list[str],
    *,
    ties: TieRule = "trec",
    seed: int = 0,
    quiet: bool = False,
) -> "Judged":
    """Join runs with judgments for some measures, with a progress bar; note how they fit."""
    from gradewise.cli.watching import note, progress_bar
    from gradewise.collection.coverage import coverage
    from gradewise.collection.join import judge
    from gradewise.measures.evaluate import as_measures

    scores = any(measure.uses_scores for measure in as_measures(measures))
    with progress_bar("reading runs", len(runs), quiet=quiet) as advance:
        judged = judge(
            qrels,
            named_runs(runs),
            ties=ties,
            seed=seed,
            scores=scores,
            progress=None if advance is None else lambda _: advance(1),
        )
    for sentence in coverage(judged).notes():
        note(sentence, quiet=quiet)
    return judged


def run_names(runs: list[str]) -> list[str]:
    """Return the names that runs go by."""
    return list(named_runs(runs))
