"""Layouts of lines: how many columns a line has, and which of them holds what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gradewise.collection.sources.columns import Columns


@dataclass(frozen=True)
class Layout:
    """How many columns a line has, which of them are wanted, and whether more may follow.

    The wanted `columns` are the topic, the document and a number: a grade, score or rank; a number
    of -1 means that the order of lines tells the ranks. `delimiter` keeps them apart; white space
    does if it is empty. `sure` is False if what the number is was guessed. `intent` is the column
    that may hold an intent, and `run` one that names the run. `sampling` names further columns,
    with a number each, that tell how documents of a pool were drawn. `assumed` says what was
    assumed about the columns, if something was. Rows that have to be `complete` are not passed over
    if they lack a number.
    """

    width: int
    columns: tuple[int, int, int]
    more: bool
    number: str
    shape: str  # for messages
    sure: bool = True
    intent: int | None = None
    sampling: tuple[tuple[str, int], ...] = ()
    delimiter: str = ""
    run: int | None = None
    assumed: str = ""
    complete: bool = False
    first: str = "topic id"  # what stands in the place of the topic, for messages

    @property
    def whole(self) -> bool:
        """Whether the number must be written whole."""
        return self.number in ("grade", "stratum", "method", "preference")

    def with_number(self, number: str, column: int) -> "Layout":
        """Return the same topics and documents, with the number of another column."""
        topic, doc, _ = self.columns
        return replace(self, columns=(topic, doc, column), number=number)

    def with_documents(self, column: int) -> "Layout":
        """Return the same topics and numbers, with the documents of another column."""
        topic, _, number = self.columns
        return replace(self, columns=(topic, column, number))

    def with_first(self, first: str, column: int | None) -> "Layout":
        """Return the same documents and numbers, with another column in place of the topic."""
        assert column is not None
        return replace(self, columns=(column, *self.columns[1:]), first=first)

    def as_scores(self) -> "Layout":
        """Return the same columns, with a score for the number."""
        return replace(self, number="score", shape=self.shape.replace("rank", "score"))


QRELS_LAYOUTS = (
    Layout(4, (0, 2, 3), False, "grade", "4 columns (topic 0 document grade)", intent=1),
    Layout(
        3,
        (0, 1, 2),
        False,
        "grade",
        "3 columns (topic document grade)",
        assumed="read 3 columns as topic, document, grade",
    ),
)
# Five columns are judgments of a sampled pool, in either layout: see `sampled_layout`.
STRATA = Layout(
    5,
    (0, 2, 4),
    False,
    "grade",
    "5 columns (topic 0 document stratum grade)",
    sampling=(("stratum", 3),),
)
PROBABILITIES = Layout(
    5,
    (0, 1, 2),
    False,
    "grade",
    "5 columns (topic document grade method probability)",
    sampling=(("method", 3), ("probability", 4)),
)
PREFERENCES = Layout(
    4, (0, 1, 3), False, "preference", "4 columns (topic document document preference)"
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


def columns_layout(columns: Columns, delimiter: str, assumed: str) -> Layout:
    """Return the layout of lines whose columns are known."""
    return Layout(
        len(columns.names),
        columns.places,
        False,
        columns.kind,
        f"{len(columns.names)} columns ({' '.join(columns.names)})",
        intent=columns.intent,
        delimiter=delimiter,
        run=columns.run,
        assumed=assumed,
    )
