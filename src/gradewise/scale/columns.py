"""Which columns of a frame hold what, whatever they are called, and what workers call them."""

from collections.abc import Sequence
from dataclasses import dataclass

from gradewise.collection.sources.columns import Columns, find_columns
from gradewise.collection.sources.names import KNOWN, plain
from gradewise.collection.ties import Ties
from gradewise.errors import InputError

_ORDER_NAMES = ("order", "position", "rank")
_FURTHER = {"stratum": ("stratum",), "probability": ("probability", "inclusion_probability")}
# What workers call the columns: `number` is a grade, or a score.
RUN, TOPIC, DOC, NUMBER, ORDER = "run", "topic", "doc", "number", "order"
INTENT, STRATUM, PROBABILITY = "intent", "stratum", "probability"
TEXT = (RUN, TOPIC, DOC, INTENT)


@dataclass(frozen=True)
class Chosen:
    """The columns of a frame by what workers call them; `negated` if the number is a rank."""

    columns: dict[str, str]
    negated: bool = False


def judgment_columns(available: Sequence[str], name: str = "judgments") -> Chosen:
    """Return the columns of judgments: topic, doc, grade; intent and how they were drawn, if any.

    Examples
    --------
    >>> judgment_columns(["query_id", "docno", "rel"]).columns
    {'topic': 'query_id', 'doc': 'docno', 'number': 'rel'}
    """
    found = find_columns(available, name, grades=True)
    columns = _usual(found)
    if found.intent is not None and found.says_intents:
        columns[INTENT] = available[found.intent]
    for own, known in _FURTHER.items():
        further = _first(available, known)
        if further is not None:
            columns[own] = further
    if {STRATUM, PROBABILITY} <= columns.keys():
        raise InputError(
            f"{name}: there are both strata and probabilities; keep the column that says how "
            "documents were sampled"
        )
    return Chosen(columns)


def row_columns(available: Sequence[str], ties: Ties, name: str, *, run: bool) -> Chosen:
    """Return the columns of the rows of runs: topic, doc, a score or else a rank; run; order.

    Examples
    --------
    >>> row_columns(["run", "qid", "docno", "score"], "trec", "runs", run=True).columns
    {'topic': 'qid', 'doc': 'docno', 'number': 'score', 'run': 'run'}
    """
    found = find_columns(available, name, grades=False)
    columns = _usual(found)
    if run:
        named = run_column(available)
        if named is None:
            known = ", ".join(KNOWN["run"][:4])
            raise InputError(
                f"{name}: no column contains the run; name it {known}, ...; found "
                f"{', '.join(available)}"
            )
        columns[RUN] = named
    if ties == "input":
        others = [column for column in available if column != columns[NUMBER]]
        order = _first(others, _ORDER_NAMES)
        if order is None:
            raise InputError(
                f"{name}: ties='input' needs a column with the order of the input, because rows "
                f"arrive in any order here; name it {', '.join(_ORDER_NAMES[:-1])} or "
                f"{_ORDER_NAMES[-1]}"
            )
        columns[ORDER] = order
    return Chosen(columns, found.ranks)


def run_column(available: Sequence[str]) -> str | None:
    """Return the column that names runs, if there is one.

    Examples
    --------
    >>> run_column(["qid", "Run-Name"])
    'Run-Name'
    """
    return _first(available, KNOWN["run"])


def _usual(found: Columns) -> dict[str, str]:
    topic, doc, number = (found.names[place] for place in found.places)
    return {TOPIC: topic, DOC: doc, NUMBER: number}


def _first(available: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the column with the first known name that is there."""
    names = {plain(column): column for column in reversed(available)}
    return next((names[each] for each in known if each in names), None)
