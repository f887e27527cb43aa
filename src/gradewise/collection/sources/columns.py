"""Which columns of a source hold what, told by their names or by the user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gradewise.collection.sources.given import Given
from gradewise.collection.sources.names import ITERATION, KNOWN, NUMBERS, TITLES, plain
from gradewise.errors import InputError, OptionError, did_you_mean


@dataclass(frozen=True)
class Columns:
    """Which columns of a source hold what, by number.

    `kind` is what the number is: a grade, a score, a rank, or "order" if no column holds one and
    the first row of a topic is the best. `assumed` is False if the user has said all of it, or if
    the columns have gradewise's own names; `named`, if columns have no names of their own.
    """

    names: tuple[str, ...]
    topic: int
    doc: int
    number: int | None
    kind: str
    intent: int | None = None
    run: int | None = None
    assumed: bool = True
    named: bool = True

    @property
    def places(self) -> tuple[int, int, int]:
        """The columns of the topic, the document and the number; -1 if there is no number."""
        return self.topic, self.doc, -1 if self.number is None else self.number

    @property
    def ranks(self) -> bool:
        """Whether the lowest number is the best."""
        return self.kind == "rank"

    @property
    def says_intents(self) -> bool:
        """Whether a column is called by a name that stands for nothing but intents."""
        return self.intent is not None and plain(self.names[self.intent]) != ITERATION

    def name(self, place: int | None) -> str | None:
        """Return what a column is called."""
        return None if place is None else self.names[place]

    def with_intents(self) -> "Columns":
        """Return the same columns, with the intent in place of the topic."""
        assert self.intent is not None
        return replace(self, topic=self.intent)

    def told(self) -> str:
        """Say which columns hold what."""
        if not self.named:
            return f"values as {', '.join(self.names)}"
        parts = [("topic", self.topic), ("document", self.doc), (self.kind, self.number)]
        parts.append(("run", self.run))
        return ", ".join(
            f"{role} from {self.names[place]!r}" for role, place in parts if place is not None
        )


def find_columns(
    available: Sequence[str], name: str, *, grades: bool, given: Given | None = None
) -> Columns:
    """Return which of the named columns hold what; an InputError names those that are missing."""
    if given is not None:
        return _given_columns(available, name, given, grades=grades)
    names = [plain(column) for column in available]
    roles = ("grade", "score") if grades else ("score", "rank")
    number = next((role for role in roles if _place(names, role) is not None), None)
    topic, doc = _place(names, "topic"), _place(names, "doc")
    if topic is None or doc is None or number is None:
        wanted = "topic" if topic is None else "doc" if doc is None else roles[0]
        other = "rank" if grades else "grade"
        is_swapped = wanted in NUMBERS and _place(names, other) is not None
        raise _no_column(available, name, wanted, roles, is_swapped=is_swapped)
    place = _place(names, number)
    kind = "grade" if grades else number
    return Columns(
        tuple(available),
        topic,
        doc,
        place,
        kind,
        intent=_place(names, "intent") if grades else None,
        run=None if grades else _place(names, "run"),
        assumed=[available[i] for i in (topic, doc, place or 0)] != ["topic", "doc", kind],
    )


# Roles of columns without names, by how many there are.
_QRELS_PLACES = {3: ("topic", "doc", "grade"), 4: ("topic", "intent", "doc", "grade")}
_RUN_PLACES = {3: ("topic", "doc", "score"), 6: ("topic", "", "doc", "rank", "score", "")}


def place_columns(width: int, name: str, *, grades: bool, given: Given | None = None) -> Columns:
    """Return what the columns of rows without names hold, by how many there are."""
    known = _QRELS_PLACES if grades else _RUN_PLACES
    if given is None and width not in known:
        widths = " or ".join(map(str, known))
        raise InputError(f"{name}: expected {widths} values in a row, found {width}; set columns")
    places = known[width] if given is None else given.places
    if len(places) != width:
        raise InputError(f"{name}: columns {given} do not fit rows of {width} values without names")
    found = {role: place for place, role in enumerate(places) if role}
    names = tuple(TITLES.get(role, role or "_") for role in places)
    columns = columns_of(names, found, Given(places=places), grades=grades)
    return replace(columns, assumed=given is None, named=False)


def looks_named(names: Sequence[str], *, grades: bool) -> bool:
    """Tell whether a line names columns: the topic, the document and the number, each once."""
    known = [plain(name) for name in names]
    if len(set(known)) < len(known):
        return False
    roles = ("grade", "score") if grades else ("score", "rank")
    return (
        _place(known, "topic") is not None
        and _place(known, "doc") is not None
        and any(_place(known, role) is not None for role in roles)
    )


def names_some(names: Sequence[str]) -> bool:
    """Tell whether a line names a topic and a document, if perhaps no number that is known."""
    known = [plain(name) for name in names]
    return _place(known, "topic") is not None and _place(known, "doc") is not None


def _place(names: Sequence[str], role: str) -> int | None:
    """Return where the first known name of a role stands."""
    return next((names.index(known) for known in KNOWN[role] if known in names), None)


def _no_column(
    available: Sequence[str], name: str, role: str, roles: tuple[str, str], *, is_swapped: bool
) -> InputError:
    known = KNOWN[role]
    if role in NUMBERS:
        known = (*KNOWN[roles[0]], *KNOWN[roles[1]])
    shown = ", ".join(known[:8])
    hint = "; are qrels and runs swapped?" if is_swapped else ""
    return InputError(
        f"{name}: no column contains the {TITLES.get(role, role)}; name it with columns, or rename "
        f"it to {shown}, ...; found {', '.join(available) or 'no columns'}{hint}"
    )


def _given_columns(available: Sequence[str], name: str, given: Given, *, grades: bool) -> Columns:
    """Return the columns that a user has named, or whose roles are given in order."""
    if given.places and len(given.places) != len(available):
        raise InputError(
            f"{name}: columns {given} name {len(given.places)} columns, but there are "
            f"{len(available)}: {', '.join(available)}"
        )
    if given.places:
        found = {role: place for place, role in enumerate(given.places) if role}
    else:
        wanted = ("topic", "doc", *(("grade", "intent") if grades else ("score", "rank", "run")))
        named = [(role, column) for role, column in given.names if role in wanted]
        found = {role: _exact(available, column, name) for role, column in named}
    return columns_of(tuple(available), found, given, grades=grades)


def columns_of(
    names: tuple[str, ...], found: Mapping[str, int], given: Given, *, grades: bool
) -> Columns:
    """Return columns whose places are given by role."""
    roles = ("grade",) if grades else ("score", "rank")
    number = next((role for role in roles if role in found), None)
    if number is None and (grades or "grade" in found):
        raise OptionError(f"columns {given}: which one is the {'grade' if grades else 'score'}?")
    return Columns(
        names,
        found["topic"],
        found["doc"],
        None if number is None else found[number],
        number or "order",
        intent=found.get("intent") if grades else None,
        run=None if grades else found.get("run"),
        assumed=False,
    )


def _exact(available: Sequence[str], column: str, name: str) -> int:
    if column in available:
        return list(available).index(column)
    alike = [place for place, other in enumerate(available) if plain(other) == plain(column)]
    if len(alike) == 1:
        return alike[0]
    raise InputError(
        f"{name}: there is no column {column!r}{did_you_mean(column, available)}; found "
        f"{', '.join(available) or 'no columns'}"
    )
