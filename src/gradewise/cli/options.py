"""Arguments and options that several commands share."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.choices import list_titles
from gradewise.cli.formats import FrameFormat, Looks
from gradewise.collection.run_names import NAMES
from gradewise.collection.run_names import Names as NameRule
from gradewise.collection.ties import TIES
from gradewise.collection.ties import Ties as TieRule
from gradewise.measures.missing import MISSING
from gradewise.measures.missing import Missing as MissingRule

if TYPE_CHECKING:
    from gradewise.collection.accepted import QrelsLike
    from gradewise.collection.judged import Judged
    from gradewise.collection.sources.given import Given
    from gradewise.measures.scores import Scores


def _expand(runs: list[str]) -> list[str]:
    from gradewise.collection.naming import expand_paths

    return expand_paths(runs)


Qrels = Annotated[
    str,
    typer.Argument(
        help="Judgments: TREC, CSV, TSV, JSON, parquet, a BEIR folder, irds:ID, or - for standard "
        "input."
    ),
]
Runs = Annotated[
    list[str],
    typer.Argument(
        help="Runs: TREC, CSV, TSV, JSON, parquet, a folder of files, irds:ID, or - for standard "
        "input.",
        callback=_expand,
    ),
]
SomeRuns = Annotated[
    list[str] | None,
    typer.Argument(
        help="Runs: TREC, CSV, TSV, JSON, parquet, a folder of files, irds:ID, or - for standard "
        "input. Omit if QRELS is a file of saved scores.",
        callback=lambda runs: _expand(runs or []),
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROLES",
        help="What the columns contain, if their names do not say: topic,doc,score in order (_: "
        "not used), or topic=NAME,doc=NAME,score=NAME. For judgments: topic,doc,grade; repeat for "
        "both.",
    ),
]
RunNames = Annotated[NameRule, typer.Option(help=f"Names of runs: {list_titles(NAMES)}.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", help="Measures, such as AP,nDCG@10; or repeat the option."),
]
Output = Annotated[str, typer.Option("-o", "--output", help="Output file; - is standard output.")]
Figure = Annotated[
    str | None, typer.Option(help="Also save a figure: a .svg, .png, .pdf, .html or .json file.")
]
FORMAT_HELP = "Output format. Default: by the extension of the output file, else a table."
Printed = Annotated[FrameFormat | None, typer.Option("-f", "--format", help=FORMAT_HELP)]
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
DropJudged = Annotated[
    str | None,
    typer.Option(
        metavar="QRELS",
        help="Remove the documents of earlier judgments from runs and judgments before scoring "
        "(residual collection).",
    ),
]
IntentWeights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Weights of intents: lines of topic, intent and weight, as in NTCIR's Iprob files. "
        "Default: equal weights.",
    ),
]
Missing = Annotated[
    MissingRule,
    typer.Option(help=f"A judged topic missing from a run: {list_titles(MISSING)}."),
]
Rename = Annotated[
    list[str] | None,
    typer.Option(metavar="OLD=NEW", help="Rename a run or measure in the table; repeat for more."),
]
Caption = Annotated[str | None, typer.Option(help="Caption of a LaTeX, Markdown or HTML table.")]
Label = Annotated[
    str | None,
    typer.Option(help="Label of a LaTeX table, such as tab:results; elsewhere an anchor."),
]
Jobs = Annotated[int, typer.Option(help="Number of processes.", min=1)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Suppress notes and progress bars.")]


def named_runs(
    runs: list[str], columns: list[str] | None = None, names: NameRule = "file"
) -> dict[str, Any]:
    """Name runs by their files or tags; files that hold several runs give all of them."""
    from gradewise.collection.naming import name_runs

    if len({str(Path(run)) for run in runs}) < len(runs):
        raise typer.BadParameter("the same run was given twice")
    return dict(name_runs(runs, columns=_parsed(columns), names=names))


def judgments(qrels: str, columns: list[str] | None = None) -> "QrelsLike":
    """Return judgments as they are given, with what is said of their columns."""
    from gradewise.collection.sources.given import columns_for
    from gradewise.collection.sources.opening import open_source

    given = columns_for(_parsed(columns), grades=True)
    return qrels if given is None else open_source(qrels, grades=True, given=given)


def _parsed(columns: list[str] | None) -> "tuple[Given, ...] | None":
    from gradewise.collection.sources.given import parse_columns

    return tuple(map(parse_columns, columns)) if columns else None


def tell_inputs(qrels: Any, runs: dict[str, Any], *, quiet: bool) -> None:
    """Note what was assumed about judgments and runs, after they have been read."""
    from gradewise.cli.watching import note
    from gradewise.collection.assumptions import tell_once

    named = [(name, _assumed(run)) for name, run in runs.items()]
    note(*(() if qrels is None else qrels.notes), *tell_once(named), quiet=quiet)


def _assumed(run: Any) -> tuple[str, ...]:
    return run.assumptions() if hasattr(run, "assumptions") else getattr(run, "notes", ())


def name_and_path(text: str) -> tuple[str, str]:
    """Read NAME=FILE; a file alone has its own name, without usual endings."""
    from gradewise.collection.reading import run_name

    name, equals, path = text.partition("=")
    return (run_name(text), text) if not equals or Path(text).exists() else (name, path)


def looks_of(
    digits: int,
    rename: list[str] | None,
    caption: str | None,
    label: str | None,
    output: str = "-",
) -> Looks:
    """Return how a table is to be printed; text is folded at the width of a terminal."""
    names = {}
    for item in rename or []:
        old, _, new = item.rpartition("=")
        if not old or not new:
            raise typer.BadParameter(f"--rename takes OLD=NEW, not {item!r}")
        names[old] = new
    at_terminal = output == "-" and sys.stdout.isatty()
    width = get_terminal_size().columns if at_terminal else None
    return Looks(digits, names, caption, label, width)


def check_names(looks: Looks, *sets: "Scores") -> Looks:
    """Return the looks with the names of measures as tables write them; refuse unknown ones."""
    from gradewise.errors import GradewiseError, OptionError, did_you_mean
    from gradewise.measures.grammar import parse_measure

    known = [name for scores in sets for name in (*scores.runs, *map(str, scores.measures))]
    known += ["run", "topic", "topics", "tier"]
    names = {}
    for old, new in looks.names.items():
        name = old
        if old not in known:
            with suppress(GradewiseError):
                name = str(parse_measure(old))
        if name not in known:
            raise OptionError(
                f"--rename: there is no run or measure {old!r}{did_you_mean(old, known)}"
            )
        names[name] = new
    return replace(looks, names=names)


def weigh_intents(qrels: "QrelsLike", weights: str | None) -> "QrelsLike":
    """Return judgments with the weights of a file for their intents, if one is given."""
    if weights is None:
        return qrels
    from gradewise.collection.intent_weights import read_intent_weights
    from gradewise.collection.reading import read_qrels

    return read_qrels(qrels).weigh_intents(read_intent_weights(weights))


def score_runs(
    qrels: "QrelsLike",
    runs: list[str],
    measures: list[str],
    *,
    columns: list[str] | None = None,
    names: NameRule = "file",
    quiet: bool = False,
    **rules: Any,
) -> "Scores":
    """Score runs by the rules of `evaluate`, with a progress bar; note how topics fit."""
    from gradewise.cli.watching import note
    from gradewise.measures.evaluate import evaluate

    judged = judgments(qrels, columns) if isinstance(qrels, str) else qrels
    named = named_runs(runs, columns, names)
    with _reading(named, quiet) as progress:
        scores = evaluate(judged, named, measures, **rules, progress=progress)
    note(*scores.notes, quiet=quiet)
    return scores


def join_runs(
    qrels: str,
    runs: "list[str] | dict[str, Any]",
    measures: list[str],
    *,
    columns: list[str] | None = None,
    names: NameRule = "file",
    quiet: bool = False,
    **rules: Any,
) -> "Judged":
    """Join runs with judgments for some measures, with a progress bar; note how topics fit."""
    from gradewise.cli.watching import note
    from gradewise.collection.coverage import coverage
    from gradewise.collection.join import judge
    from gradewise.measures.evaluate import as_measures
    from gradewise.measures.scores import notes_for

    parsed = as_measures(measures)
    needs: dict[str, Any] = {
        "scores": any(measure.uses_scores for measure in parsed),
        "sessions": any(measure.uses_sessions for measure in parsed),
    }
    named = runs if isinstance(runs, dict) else named_runs(runs, columns, names)
    with _reading(named, quiet) as progress:
        judged = judge(judgments(qrels, columns), named, **needs, **rules, progress=progress)
    note(*notes_for(parsed, coverage(judged)), quiet=quiet)
    return judged


@contextmanager
def _reading(runs: dict[str, Any], quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Show how many runs have been read."""
    from gradewise.cli.watching import progress_bar

    with progress_bar("reading runs", len(runs), quiet=quiet) as advance:
        yield None if advance is None else lambda _: advance(1)


def parse_numbers(text: str, takes: str) -> list[float]:
    """Return numbers between commas; `takes` says what the option takes if they are none."""
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{takes}, not {text!r}") from None


def check_figure(figure: str | None) -> None:
    """Reject a figure's file name before the work, not after it."""
    if figure is not None:
        from gradewise.report.figures.theme import check_figure_path

        check_figure_path(figure)


def draw(figure: str | None, chart: Callable[[Any], Any]) -> None:
    """Save a figure if one was asked for; only then is the library that draws loaded."""
    if figure is not None:
        from gradewise.report import figures

        figures.save_figure(chart(figures), figure)
