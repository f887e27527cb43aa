"""What a user says of columns: roles in their order, or names by role."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gradewise.collection.sources.names import KNOWN, NO_ROLE
from gradewise.errors import OptionError, did_you_mean


@dataclass(frozen=True)
class Given:
    """What a user says of columns: their names by role, or the role of each in order.

    Rows that have to be `complete` are refused if they lack a number.
    """

    names: tuple[tuple[str, str], ...] = ()
    places: tuple[str, ...] = ()
    complete: bool = False

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that columns have."""
        return tuple(dict(self.names)) or tuple(role for role in self.places if role)

    def serves(self, *, grades: bool) -> bool:
        """Tell whether this is said of judgments or, else, of runs."""
        if grades:
            return "grade" in self.roles
        return "grade" not in self.roles or "score" in self.roles or "rank" in self.roles

    def __str__(self) -> str:
        by_name = ",".join(f"{role}={name}" for role, name in self.names)
        return by_name or ",".join(role or "_" for role in self.places)


# What a user says of columns: roles in their order, or names by role; several, if parsed.
ColumnsLike: TypeAlias = str | Sequence[str] | Mapping[str, str] | tuple[Given, ...]


def parse_columns(
    given: ColumnsLike,
    *,
    known: Collection[str] = KNOWN,
    needed: Sequence[str] = ("topic", "doc"),
) -> Given:
    """Return what a user says of columns, as a string, a sequence or a dictionary.

    `known` are the roles that columns may have, and `needed` those that one of them must have.

    Examples
    --------
    >>> parse_columns("topic,_,doc,grade").places
    ('topic', '', 'doc', 'grade')
    >>> parse_columns("topic=Query Text,doc=Doc ID,rank=Doc Position").names
    (('topic', 'Query Text'), ('doc', 'Doc ID'), ('rank', 'Doc Position'))
    >>> parse_columns({"topic": "q", "doc": "d", "score": "s"}).roles
    ('topic', 'doc', 'score')
    """
    if isinstance(given, Mapping):
        found = Given(names=tuple((str(role), str(name)) for role, name in given.items()))
    else:
        parts = given.split(",") if isinstance(given, str) else [str(part) for part in given]
        found = _parse_parts([part.strip() for part in parts])
    _check_roles(found, known, needed)
    return found


def _parse_parts(parts: list[str]) -> Given:
    if not any("=" in part for part in parts):
        return Given(places=tuple("" if part in NO_ROLE else part for part in parts))
    pairs = [part.partition("=") for part in parts]
    wrong = [role for role, equals, name in pairs if not (equals and name.strip())]
    if wrong:
        raise OptionError(f"columns: {wrong[0]!r} has no name; write role=name for every column")
    return Given(names=tuple((role.strip(), name.strip()) for role, _, name in pairs))


def _check_roles(given: Given, known: Collection[str], needed: Sequence[str]) -> None:
    for role in given.roles:
        if role not in known:
            raise OptionError(
                f"columns: there is no role {role!r}{did_you_mean(role, known)}; "
                f"roles are {', '.join(known)}, and _ for a column that is not used"
            )
    named = [role for role in given.places if role] or [role for role, _ in given.names]
    twice = sorted({role for role in named if named.count(role) > 1})
    missing = [role for role in needed if role not in named]
    if twice or missing:
        what = f"{twice[0]} is given twice" if twice else f"which one is the {missing[0]}?"
        raise OptionError(f"columns {given}: {what}")


def columns_for(given: ColumnsLike | None, *, grades: bool) -> Given | None:
    """Return what is said of judgments (`grades`) or of runs; None if nothing is.

    What names a grade is said of judgments; what names a score, a rank or neither, of runs.
    """
    if given is None:
        return None
    parsed = tuple(item for item in given if isinstance(item, Given))
    if not parsed:
        parsed = (parse_columns(given),)
    chosen = [item for item in parsed if item.serves(grades=grades)]
    if len(chosen) > 1:
        what = "judgments" if grades else "runs"
        raise OptionError(f"columns {chosen[0]} and {chosen[1]} are both for {what}; give one")
    return chosen[0] if chosen else None
