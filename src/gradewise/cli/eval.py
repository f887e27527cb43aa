"""gradewise eval: score runs."""

from typing import Annotated, Any

import typer

from gradewise.cli import options as opt
from gradewise.cli.engines import (
    Engine,
    Master,
    Partitions,
    Scheduler,
    Share,
    evaluate_on_engine,
    print_totals,
    refuse_engine_options,
    refuse_in_memory_options,
)
from gradewise.cli.formats import check_format
from gradewise.cli.score_formats import SCORE_FORMATS, ScoreFormat, write_scores
from gradewise.cli.scoring import Topics, check_defined, find_scores, needed_runs
from gradewise.errors import OptionError

DEFAULT_MEASURES = ["AP", "nDCG@10", "P@10", "RR", "GAP"]
DEFAULT_OF_PREFERENCES = ["ppref", "rpref", "nwpref", "APpref"]


def evaluate(
    qrels: opt.Qrels,
    runs: opt.SomeRuns = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="Measure, such as nDCG@10 or 'GAP(g=[0.5,0.5])', or preset, such as @beir. Repeat "
            "for more than one. "
            f"Default: {' '.join(DEFAULT_MEASURES)}.",
        ),
    ] = None,
    per_topic: Annotated[
        bool, typer.Option("-q", "--per-topic", help="Also print the score of every topic.")
    ] = False,
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="Sort runs by this measure, best first; input keeps the order of the command "
            "line. Default: the first measure.",
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(help="Print only the best N runs.", min=1)] = None,
    topics: Topics = None,
    output_format: Annotated[
        ScoreFormat | None, typer.Option("-f", "--format", help=opt.FORMAT_HELP)
    ] = None,
    output: opt.Output = "-",
    ties: opt.Ties = "trec",
    seed: Annotated[int, typer.Option(help="Random seed for --ties random.")] = 0,
    depth: opt.Depth = None,
    judged_only: opt.JudgedOnly = False,
    drop_judged: opt.DropJudged = None,
    intent_weights: opt.IntentWeights = None,
    preferences: Annotated[
        bool,
        typer.Option(
            "--preferences",
            help="Judgments are pairs: topic, document, other document, preference (-1: the first "
            "is better, 1: the second).",
        ),
    ] = False,
    missing: opt.Missing = "zero",
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage",
            help="Also report missing, extra and unjudged topics and documents, on standard error.",
        ),
    ] = False,
    engine: Engine = None,
    master: Master = None,
    scheduler: Scheduler = None,
    partitions: Partitions = None,
    share: Share = 1.0,
    digits: opt.Digits = 4,
    rename: opt.Rename = None,
    caption: opt.Caption = None,
    label: opt.Label = None,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Score runs against judgments.

    A judged topic that a run misses scores 0. Missing and extra topics are reported on standard
    error. `gradewise measures` lists the measures. Scores saved with -q or as parquet can take the
    place of judgments and runs.
    """
    if sort == "input" and top is not None:
        raise OptionError("--top needs a measure to sort by; give one with --sort")
    looks = opt.looks_of(digits, rename, caption, label, output)
    rules: dict[str, Any] = {
        "ties": ties,
        "seed": seed,
        "depth": depth,
        "judged_only": judged_only,
        "missing": missing,
    }
    if engine is not None:
        refuse_in_memory_options(
            {
                "-q": per_topic,
                "--drop-judged": drop_judged,
                "--topics": topics,
                "--columns": columns,
                "--names": names != "file",
                "--intent-weights": intent_weights,
                "--preferences": preferences,
            }
        )
        found = evaluate_on_engine(
            engine,
            qrels,
            needed_runs(runs),
            measure or DEFAULT_MEASURES,
            output,
            master=master,
            scheduler=scheduler,
            partitions=partitions,
            quiet=quiet,
            share=share,
            **rules,
        )
        print_totals(found, sort, top, output_format, looks, coverage=coverage)
        return
    refuse_engine_options(master, scheduler, partitions, share)
    chosen = check_format(output_format, output, SCORE_FORMATS)
    judgments: Any = qrels
    if preferences:
        from gradewise.collection.preference_files import read_preferences

        judgments = read_preferences(qrels)
    sets = find_scores(
        opt.weigh_intents(judgments, intent_weights),
        runs,
        measure,
        default=DEFAULT_OF_PREFERENCES if preferences else DEFAULT_MEASURES,
        topics=topics,
        columns=columns,
        names=names,
        quiet=quiet,
        residual=None if drop_judged is None else opt.judgments(drop_judged, columns),
        **rules,
    )
    if sort != "input":
        sets = {name: scores.sorted(sort, top=top) for name, scores in sets.items()}
    write_scores(sets, chosen, output, per_topic, opt.check_names(looks, *sets.values()))
    for scores in sets.values() if coverage else ():
        if scores.coverage is not None:
            typer.echo(scores.coverage.table(digits).to_text(), nl=False, err=True)
    check_defined(sets)
