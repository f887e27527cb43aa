"""gradewise check: whether a new run may replace an old one."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gradewise.cli import options as opt
from gradewise.cli.scoring import Topics, missing_argument, saved_scores, topic_sets
from gradewise.errors import InputError

if TYPE_CHECKING:
    from gradewise.measures.scores import Scores
    from gradewise.stats.check import Check

DEFAULT_MEASURES = ["nDCG@10"]
CheckFormat = Literal["table", "markdown", "junit", "csv", "json"]


def check(
    qrels: opt.Qrels,
    base: Annotated[
        str | None, typer.Argument(help="Run in use, such as the one of the main branch.")
    ] = None,
    new: Annotated[str | None, typer.Argument(help="Run that may replace it.")] = None,
    measure: opt.Measures = None,
    topics: Topics = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option("--fail-if-worse", help="Exit with code 1 if the new run does not pass."),
    ] = False,
    by: Annotated[
        float, typer.Option(help="Loss to tolerate, in units of the measure.", min=0)
    ] = 0.0,
    confidence: Annotated[
        float, typer.Option(help="Joint confidence level of the intervals of all measures.")
    ] = 0.95,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Pass only if a loss larger than --by is ruled out, not merely unseen."
        ),
    ] = False,
    output_format: Annotated[
        CheckFormat | None,
        typer.Option(
            "-f",
            "--format",
            help="Output format. Default: by file extension (.md, .xml for JUnit, .csv, .json), "
            "else a table.",
        ),
    ] = None,
    output: opt.Output = "-",
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    depth: opt.Depth = None,
    judged_only: opt.JudgedOnly = False,
    missing: opt.Missing = "zero",
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Decide whether a new run may replace an old one.

    The new run is worse if the confidence interval of its mean change lies below zero, or below
    the loss that --by tolerates. With --fail-if-worse, the exit code is then 1, and 0 otherwise.
    With several sets of topics, it has to pass on each. Saved scores may be given instead of
    judgments: one file and the names of two of its runs, or two files with one run each.
    """
    from gradewise.cli.formats import check_format
    from gradewise.cli.watching import note
    from gradewise.files import write_text
    from gradewise.stats.check import check as decide

    chosen = check_format(output_format, output, CHECK_FORMATS)
    rules: dict[str, Any] = {
        "ties": ties,
        "seed": seed,
        "depth": depth,
        "judged_only": judged_only,
        "missing": missing,
        "columns": columns,
        "names": names,
    }
    scores = _saved_pair(qrels, base, new, measure, rules)
    if scores is None:
        pair = [_needed(base, "BASE"), _needed(new, "NEW")]
        scores = opt.score_runs(qrels, pair, measure or DEFAULT_MEASURES, quiet=quiet, **rules)
    if len(scores.runs) != 2:
        raise InputError("a file contains several runs; BASE and NEW must be one run each")
    found = decide(
        scores,
        *scores.runs,
        by=by,
        confidence=confidence,
        strict=strict,
        topics=topic_sets(topics) or None,
    )
    note(*found.notes, quiet=quiet)
    write_text(output, CHECK_FORMATS[chosen](found, digits))
    if output != "-":
        typer.echo(found.verdict())
    if fail_if_worse and not found.passed:
        raise typer.Exit(1)


def _needed(argument: str | None, name: str) -> str:
    if argument is None:
        raise missing_argument(name)
    return argument


def _saved_pair(
    qrels: str,
    base: str | None,
    new: str | None,
    measures: list[str] | None,
    rules: dict[str, Any],
) -> "Scores | None":
    """Return the saved scores of two runs, the old one first; None if judgments are given."""
    from gradewise.measures.saved_scores import find_scores

    if not find_scores(qrels):
        return saved_scores(qrels, [run for run in (base, new) if run], measures, **rules)
    if new is not None:
        scores = saved_scores(qrels, None, measures, **rules)
        return scores and scores.of_runs([_needed(base, "BASE"), new])
    paths = [qrels, _needed(base, "BASE")]
    parts = [saved_scores(path, None, measures, **rules) for path in paths]
    return _one_each(dict(zip(paths, parts, strict=True)))


def _one_each(files: "dict[str, Scores | None]") -> "Scores":
    """Put two files with a run each together; runs of the same name are named by their files."""
    from dataclasses import replace

    from gradewise.collection.reading import run_name
    from gradewise.measures.saved_scores import merge_scores

    parts = [scores for scores in files.values() if scores is not None]
    for path, scores in files.items():
        if scores is None:
            raise InputError(f"{path}: expected saved scores, like {next(iter(files))}")
    for path, scores in zip(files, parts, strict=True):
        if len(scores.runs) != 1:
            raise InputError(
                f"{path}: this file contains {len(scores.runs)} runs; name two of them, as in "
                f"gradewise check {path} BASE NEW"
            )
    if parts[0].runs == parts[1].runs:
        parts = [
            replace(scores, runs=(run_name(path),))
            for path, scores in zip(files, parts, strict=True)
        ]
    return merge_scores(parts)


CHECK_FORMATS: dict[CheckFormat, Callable[["Check", int], str]] = {
    "table": lambda found, digits: found.to_text(digits=digits),
    "markdown": lambda found, digits: found.to_markdown(digits=digits),
    "junit": lambda found, digits: found.to_junit(digits=digits),
    "csv": lambda found, _: found.to_csv(),
    "json": lambda found, _: found.to_json(),
}
