"""gradewise report: runs compared in one self-contained HTML file."""

import shlex
import sys
from typing import Annotated, Any

import typer

from gradewise.cli import options as opt
from gradewise.cli.scoring import Topics, missing_argument, needed_runs, saved_scores, topic_sets


def report(
    qrels: Annotated[
        str | None,
        typer.Argument(
            help="Judgments: TREC, CSV, TSV, JSON, parquet, a BEIR folder, irds:ID, or - for "
            "standard input; or saved scores. With --history alone, the newest release is shown."
        ),
    ] = None,
    runs: opt.SomeRuns = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Output file; - is standard output.")
    ] = "report.html",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="Measure, such as nDCG@10; repeat for more. The report opens with the first.",
        ),
    ] = None,
    topics: Topics = None,
    title: Annotated[
        str | None, typer.Option(help="Report title. Default: the runs and topics compared.")
    ] = None,
    ties: opt.Ties = "trec",
    seed: Annotated[int, typer.Option(help="Random seed for --ties random.", min=0)] = 0,
    depth: opt.Depth = None,
    judged_only: opt.JudgedOnly = False,
    missing: opt.Missing = "zero",
    attributes: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Attributes of topics, such as intent or length: a CSV, TSV or parquet file with "
            "a column of topics and one for each attribute. Adds their groups to the report.",
        ),
    ] = None,
    history: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Saved scores of earlier releases, one file per release. Adds a section on how "
            "runs changed from release to release.",
        ),
    ] = None,
    distances: Annotated[
        bool,
        typer.Option(
            "--distances/--no-distances",
            help="Bound how far more judgments could change the lead of the best run.",
        ),
    ] = True,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=QRELS",
            help="Judgments of another judge, person or model, of the same documents; repeat for "
            "more. Adds a section on judges.",
        ),
    ] = None,
    queries: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Texts of topics, shown beside rankings: tab-separated id and text, JSON lines, "
            "TREC topics, or irds:ID.",
        ),
    ] = None,
    docs: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Titles or texts of documents, shown in rankings: tab-separated id and text, JSON "
            "lines, TREC documents, or irds:ID.",
        ),
    ] = None,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Write an HTML report: verdict, leaderboard, topics, rankings, judgment coverage.

    The report is one self-contained file. It opens with a verdict: which run is best, whether that
    is certain, and what to do next. Clicking a topic shows what two runs retrieved, and which
    documents make the difference. Sliders set the share of users for whom each grade is the
    threshold between relevant and not relevant. With several sets of topics, the page switches
    between them. From saved scores, whatever needs judgments is left out.
    """
    from gradewise.cli.watching import note, progress_bar
    from gradewise.errors import OptionError
    from gradewise.report.make import DEFAULT_MEASURES, STEPS, make_report
    from gradewise.report.of_scores import report_scores
    from gradewise.report.sources import describe_files

    rules: dict[str, Any] = {
        "ties": ties,
        "seed": seed,
        "depth": depth,
        "judged_only": judged_only,
        "missing": missing,
    }
    told: dict[str, Any] = {
        "title": title,
        "topics": topic_sets(topics) or None,
        "command": shlex.join(["gradewise", *sys.argv[1:]]),
        "attributes": attributes,
        "history": history,
    }
    if qrels is None:
        qrels = _newest(history)
    saved = saved_scores(qrels, runs, measure, columns=columns, names=names, **rules)
    if saved is not None:
        if queries is not None or docs is not None:
            raise OptionError("--queries and --docs need rankings, which saved scores do not have")
        made = report_scores(saved, sources=describe_files([qrels, *(runs or ())]), **told)
    else:
        named = opt.named_runs(needed_runs(runs), columns, names)
        with progress_bar("writing the report", len(named) + STEPS, quiet=quiet) as advance:
            made = make_report(
                opt.judgments(qrels, columns),
                named,
                measure or DEFAULT_MEASURES,
                distances=distances,
                judges=_named_judges(judge),
                queries=queries,
                docs=docs,
                progress=None if advance is None else lambda _: advance(1),
                **rules,
                **told,
            )
    note(*made.notes, quiet=quiet)
    made.save(output)
    if output != "-":
        typer.echo("\n".join(made.summary))
        note(f"wrote {output}; open it in a browser", quiet=quiet)


def _newest(history: str | None) -> str:
    """Return the newest saved scores of a folder, to report on without judgments and runs."""
    from gradewise.measures.releases import newest_release

    if history is None:
        raise missing_argument("QRELS")
    return newest_release(history)


def _named_judges(texts: list[str] | None) -> dict[str, str] | None:
    """Read gpt4=qrels.txt; a file alone is named as a run would be."""
    if not texts:
        return None
    named: dict[str, str] = {}
    for text in texts:
        name, path = opt.name_and_path(text)
        if name in named:
            raise typer.BadParameter(
                f"two judges are named {name!r}; give each its own name, as in NAME=QRELS"
            )
        named[name] = path
    return named
