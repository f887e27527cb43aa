"""gradewise eval: score runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

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


class TieRule(StrEnum):
    """The order of documents with equal scores."""

    trec = "trec"
    input = "input"
    random = "random"


class MissingRule(StrEnum):
    """What a judged topic is worth that a run misses."""

    zero = "zero"
    drop = "drop"


def evaluate(
    qrels: Annotated[str, typer.Argument(help="Judgments: TREC text, parquet, irds:<id>, or - .")],
    runs: Annotated[list[str], typer.Argument(help="Runs: TREC text, parquet, irds:<id>, or - .")],
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
        Format, typer.Option("-f", "--format", help="How to print.")
    ] = Format.table,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write; - is standard output.")
    ] = "-",
    ties: Annotated[
        TieRule, typer.Option(help="Order of equal scores: greater id first (trec), input, random.")
    ] = TieRule.trec,
    seed: Annotated[int, typer.Option(help="Seed of the random order of ties.")] = 0,
    depth: Annotated[
        int | None, typer.Option(help="Use only so many documents of each list.", min=1)
    ] = None,
    judged_only: Annotated[
        bool, typer.Option("--judged-only", help="Drop unjudged documents before scoring.")
    ] = False,
    missing: Annotated[
        MissingRule,
        typer.Option(
            help="A judged topic that a run misses: counts 0 (zero) or is left out (drop)."
        ),
    ] = MissingRule.zero,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Also print, on standard error, how well runs and judgments fit."
        ),
    ] = False,
    digits: Annotated[int, typer.Option(help="Digits behind the point.", min=0, max=17)] = 4,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes, no progress.")] = False,
) -> None:
    """Score runs against judgments.

    Topics that a run misses count 0. How many there are, and how many topics were not judged, is
    told on standard error. See `gradewise measures` for what there is.
    """
    from gradewise.cli.formats import render, write_scores
    from gradewise.cli.watching import note, progress_bar
    from gradewise.measures.evaluate import evaluate as score

    with progress_bar("reading runs", len(runs), quiet=quiet) as advance:
        scores = score(
            qrels,
            _named(runs),
            measure or DEFAULT_MEASURES,
            ties=ties.value,
            seed=seed,
            depth=depth,
            judged_only=judged_only,
            missing=missing.value,
            progress=None if advance is None else lambda _: advance(1),
        )
    for sentence in scores.notes:
        note(sentence, quiet=quiet)
    if output_format is Format.parquet:
        if output == "-":
            raise typer.BadParameter("parquet needs a file: give -o FILE")
        scores.to_parquet(output)
    else:
        text = render(scores, output_format.value, per_topic=per_topic, digits=digits)
        write_scores(output, text)
    if coverage and scores.coverage is not None:
        typer.echo(scores.coverage.table(digits).to_text(), nl=False, err=True)


def _named(runs: list[str]) -> dict[str, str]:
    """Name runs by their files, or by their paths where two files have the same name."""
    from gradewise.collection.reading import run_name

    names = [run_name(run) for run in runs]
    chosen = [
        name if names.count(name) == 1 else str(Path(run))
        for name, run in zip(names, runs, strict=True)
    ]
    if len(set(chosen)) < len(chosen):
        raise typer.BadParameter("a run is given twice")
    return dict(zip(chosen, runs, strict=True))
