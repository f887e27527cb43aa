"""Scores for commands: of runs, or saved earlier; of all topics, or of sets of topics."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli import options as opt
from gradewise.errors import InputError, OptionError, counted
from gradewise.files import file_kind, is_file

if TYPE_CHECKING:
    from gradewise.measures.scores import Scores

_NAMED = re.compile(r"([A-Za-z_][\w.-]*)=(.+)", re.DOTALL)
# Rules that only runs can follow, and their defaults.
_OF_RUNS = {
    "ties": "trec",
    "depth": None,
    "judged_only": False,
    "missing": "zero",
    "residual": None,
    "columns": None,
    "names": "file",
}

Topics = Annotated[
    list[str] | None,
    typer.Option(
        "--topics",
        metavar="[NAME=]TOPICS",
        help="Topics to use: a file, comma-separated ids, a regular expression, or a rule such as "
        "'R(2) > 0'. Give names and repeat for several sets, as in hard=hard.txt.",
    ),
]


def topic_sets(given: Sequence[str] | None) -> dict[str, str]:
    """Return {name: topics}; a single set without a name is called "".

    Examples
    --------
    >>> topic_sets(["hard=hard.txt", "^4[0-9]$"])
    {'hard': 'hard.txt', '^4[0-9]$': '^4[0-9]$'}
    >>> topic_sets(["401,402"])
    {'': '401,402'}
    """
    sets: dict[str, str] = {}
    for text in given or ():
        named = None if is_file(text) else _NAMED.fullmatch(text)
        alone = len(given or ()) == 1
        name, topics = named.groups() if named else ("" if alone else text, text)
        if name in sets:
            raise typer.BadParameter(f"two sets of topics are named {name!r}")
        sets[name] = topics
    return sets


def find_scores(
    qrels: Any,
    runs: Sequence[str] | None,
    measures: Sequence[str] | None,
    *,
    default: Sequence[str],
    topics: Sequence[str] | None = None,
    quiet: bool = False,
    **rules: Any,
) -> "dict[str, Scores]":
    """Score runs, or read saved scores given in place of judgments; by sets of topics.

    Notes say what was assumed and how many topics were kept.
    """
    from gradewise.cli.watching import note

    sets = topic_sets(topics)
    saved = saved_scores(qrels, runs, measures, **rules)
    if saved is None:
        needed = needed_runs(runs)
        wanted = list(measures or default)
        whole = opt.score_runs(
            qrels, needed, wanted, quiet=quiet, **rules, topics=sets.pop("", None)
        )
        if not sets:
            return {"": whole}
    else:
        whole = saved
    found = whole.by_topics(sets) if sets else {"": whole}
    for name, scores in found.items():
        told = scores.told[len(whole.told) :]
        note(*[f"{name}: {each}" if name else each for each in told], quiet=quiet)
    return found


def saved_scores(
    qrels: Any, runs: Sequence[str] | None, measures: Sequence[str] | None, **rules: Any
) -> "Scores | None":
    """Read scores that are given in place of judgments and runs; None if these are given."""
    from gradewise.measures.evaluate import as_measures
    from gradewise.measures.saved_scores import find_scores, merge_scores, read_scores

    paths = [qrels, *(runs or ())]
    if not (isinstance(qrels, str) and find_scores(qrels)):
        for path in paths[1:]:
            if file_kind(path) in ("csv", "json", "parquet") and find_scores(path):
                raise InputError(f"{path}: contains saved scores, not a run; give it alone")
        return None
    others = [path for path in paths if not find_scores(path)]
    if others:
        raise InputError(f"{others[0]}: expected saved scores, like {qrels}")
    given = [name for name, usual in _OF_RUNS.items() if rules.get(name, usual) != usual]
    if given:
        option = "drop-judged" if given[0] == "residual" else given[0].replace("_", "-")
        raise OptionError(f"--{option} applies to runs, but {qrels} contains saved scores")
    scores = merge_scores([read_scores(path) for path in paths])
    return scores if not measures else scores.of_measures(as_measures(measures))


def check_defined(sets: "Mapping[str, Scores]") -> None:
    """Say which measures have no value for a run, undefined on all topics; exit with 1 then."""
    import numpy as np

    from gradewise.cli.watching import note

    problems = []
    for name, scores in sets.items():
        lacking = np.isnan(scores.summary()).sum(axis=0)
        for measure, number in zip(scores.measures, lacking.tolist(), strict=True):
            if number:
                runs = counted(number, "run")
                of_set = f" of {name}" if name else ""
                problems.append(f"{measure} is undefined on every topic{of_set} for {runs}")
    if problems:
        note("; ".join(problems))
        raise typer.Exit(1)


def needed_runs(runs: Sequence[str] | None) -> list[str]:
    """Return the runs that were given, or say that there are none."""
    if not runs:
        raise missing_argument("RUN...")
    return list(runs)


def missing_argument(name: str) -> Exception:
    """Return the error of an argument that is missing, in the words of all commands."""
    usage_error: Any = typer.BadParameter.__base__  # which typer does not export
    found: Exception = usage_error(f"Missing argument '{name}'.")
    return found
