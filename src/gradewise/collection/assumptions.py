"""What was assumed about inputs, in as few notes as possible."""

from collections.abc import Iterable, Iterator, Sequence

_NAMED = 3  # runs that are named in a note


def tell_once(notes: Sequence[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """Give the notes of runs, (name, notes) each; what holds for many of them is told once.

    Examples
    --------
    >>> list(tell_once([("a", ["read as CSV"]), ("b", [])]))
    ['a: read as CSV']
    >>> list(tell_once([(name, ["read as CSV"]) for name in "abcd"]))
    ['all 4 runs, such as a: read as CSV']
    """
    names: dict[str, list[str]] = {}
    for name, told in notes:
        for note in told:
            names.setdefault(note, []).append(name)
    for note, mine in names.items():
        if len(mine) > _NAMED:
            who = f"all {len(mine)} runs" if len(mine) == len(notes) else f"{len(mine)} runs"
            yield f"{who}, such as {mine[0]}: {note}"
        else:
            yield from (f"{name}: {note}" for name in mine)
