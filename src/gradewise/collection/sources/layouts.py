"""Layouts of lines: which column holds what, told by the first line of a text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gradewise.errors import InputError

# What people call columns; the first that a source has is taken.
TOPIC_NAMES = ("topic", "qid", "query_id", "query-id", "topic_id", "q_id", "query")
DOC_NAMES = ("doc", "docno", "doc_id", "docid", "document", "corpus-id", "document_id")
GRADE_NAMES = ("grade", "relevance", "rel", "label")
SCORE_NAMES = ("score",)
RANK_NAMES = ("rank",)


@dataclass(frozen=True)
class Layout:
    """How many columns a line has, which of them are wanted, and whether more may follow.

    The wanted `columns` are the topic, the document and a number: a grade, score or rank. `sure`
    is False if what the number is was guessed.
    """

    width: int
    columns: tuple[int, int, int]
    more: bool
    number: str
    shape: str  # for messages
    sure: bool = True

    @property
    def whole(self) -> bool:
        """Whether the number must be written whole."""
        return self.number == "grade"

    def as_scores(self) -> "Layout":
        """Return the same columns, with a score for the number."""
        return replace(self, number="score", shape=self.shape.replace("rank", "score"))


QRELS_LAYOUTS = (
    Layout(4, (0, 2, 3), False, "grade", "4 columns (topic 0 document grade)"),
    Layout(3, (0, 1, 2), False, "grade", "3 columns (topic document grade)"),
)
RUN_LAYOUTS = (
    Layout(6, (0, 2, 4), True, "score", "6 columns (topic Q0 document rank score tag)"),
    Layout(3, (0, 1, 2), False, "rank", "3 columns (topic document rank)", sure=False),
)


def layout_of(columns: Sequence[str], layouts: Sequence[Layout]) -> Layout | None:
    """Return the layout of a line with these columns, if there is one."""
    for layout in layouts:
        if len(columns) == layout.width or (len(columns) > layout.width and layout.more):
            return layout
    return None


def header_layout(columns: Sequence[str], *, grades: bool) -> Layout | None:
    """Return the layout that a header names; None if the line is no header.

    A header names the topic, the document and the number, each once.
    """
    names = [column.lower() for column in columns]
    numbers = (*GRADE_NAMES, *SCORE_NAMES) if grades else (*SCORE_NAMES, *RANK_NAMES)
    found = [first_name(names, known) for known in (TOPIC_NAMES, DOC_NAMES, numbers)]
    topic, doc, number = (None if name is None else names.index(name) for name in found)
    if topic is None or doc is None or number is None or len(set(names)) < len(names):
        return None
    kind = "grade" if grades else names[number]
    shape = f"{len(names)} columns ({' '.join(columns)})"
    return Layout(len(names), (topic, doc, number), False, kind, shape)


def first_name(available: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the first known name that is available."""
    return next((name for name in known if name in available), None)


def pick_column(available: Sequence[str], known: Sequence[str], what: str, name: str) -> str:
    """Return the column that is called by one of the known names, in any case."""
    by_lower = {column.lower(): column for column in available}
    found = first_name(list(by_lower), known)
    if found is None:
        raise InputError(
            f"{name}: no column holds the {what}; it may be called {', '.join(known)}, and there "
            f"are {', '.join(available) or 'no columns'}"
        )
    return by_lower[found]
