"""Saved scores of one release after the other, from the files of a folder."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from gradewise.collection.reading import run_name
from gradewise.errors import InputError, counted
from gradewise.measures.saved_scores import find_scores, read_scores
from gradewise.measures.scores import Scores

# A folder of saved scores, or {release: scores or a path}, oldest first.
ReleasesLike: TypeAlias = str | os.PathLike[str] | Mapping[str, Scores | str | os.PathLike[str]]

_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)"
)
_NUMBER = re.compile(r"(\d+)")
ONE_SYSTEM: Final = "system"  # what the only run of each release is called


class Releases(NamedTuple):
    """Scores by the name of a release, oldest first, and what was assumed, in sentences."""

    scores: dict[str, Scores]
    notes: tuple[str, ...]


def read_releases(source: ReleasesLike) -> Releases:
    """Read the saved scores of releases, oldest first.

    Parameters
    ----------
    source
        A folder with a file of saved scores for each release, as `gradewise eval -o` and
        `Scores.save` write them; or {release: scores or a path} in order. Files are ordered by the
        dates in their names (2024-05-31, 20240531 or 2024-05) if all have one, otherwise by name,
        with numbers in numerical order. If every release has one run, under different names, these
        are treated as versions of one system.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels, good, bad = {"t": {"a": 1}}, {"t": {"a": 1.0}}, {"t": {"x": 2.0, "a": 1.0}}
    >>> scores = {name: gw.evaluate(qrels, {"bm25": run}, "AP") for name, run in
    ...           {"v1": bad, "v2": good}.items()}
    >>> {name: each["bm25", "AP"] for name, each in gw.read_releases(scores).scores.items()}
    {'v1': 0.5, 'v2': 1.0}
    """
    notes: list[str] = []
    if isinstance(source, Mapping):
        read = {str(name): read_scores(given) for name, given in source.items()}
    else:
        read = _read_folder(Path(source), notes)
    if len(read) < 2:
        raise InputError(
            f"{_named(source)}: a history needs the saved scores of at least 2 releases, but there "
            f"{'is' if len(read) == 1 else 'are'} {len(read)}"
        )
    return Releases(_one_system(read, notes), tuple(notes))


def _named(source: object) -> str:
    return "history" if isinstance(source, Mapping) else str(source)


def _read_folder(folder: Path, notes: list[str]) -> dict[str, Scores]:
    names, held = _files_of(folder, notes)
    return {name: read_scores(path) for name, path in zip(names, held, strict=True)}


def newest_release(folder: str | os.PathLike[str]) -> str:
    """Return the path of the newest saved scores of a folder."""
    _, paths = _files_of(Path(folder), [])
    if not paths:
        raise InputError(f"{folder}: this folder contains no saved scores")
    return str(paths[-1])


def _files_of(folder: Path, notes: list[str]) -> tuple[list[str], list[Path]]:
    """Return the names of releases and their files, oldest first."""
    try:
        paths = [path for path in sorted(folder.iterdir()) if path.name[0] not in "._"]
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"{folder}: expected a folder of saved scores ({reason})") from None
    held = [path for path in paths if path.suffix == ".parquet" or find_scores(path)]
    others = len(paths) - len(held)
    if others:
        notes.append(f"{folder}: left out {counted(others, 'file')} without scores")
    names = [run_name(path) for path in held]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{folder}: two files contain the scores of {twice!r}")
    places, told = release_order(names)
    notes.append(f"{folder}: {counted(len(held), 'release')}, ordered by {told}")
    return [names[place] for place in places], [held[place] for place in places]


def release_order(names: Sequence[str]) -> tuple[list[int], str]:
    """Return the order of releases by their names, oldest first, and what it goes by.

    Examples
    --------
    >>> release_order(["v10", "v2"])
    ([1, 0], 'name')
    >>> release_order(["main-2024-06", "hotfix-20240501"])
    ([1, 0], 'date')
    """
    dates = [_DATE.search(name) for name in names]
    if names and all(dates):
        keys = [
            (found.groups("") if found else (), name)
            for found, name in zip(dates, names, strict=True)
        ]
        return sorted(range(len(names)), key=keys.__getitem__), "date"
    parts = [_natural(name) for name in names]
    return sorted(range(len(names)), key=parts.__getitem__), "name"


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a key by which v2 comes before v10."""
    pieces = _NUMBER.split(name)
    return [(int(piece), "") if place % 2 else (-1, piece) for place, piece in enumerate(pieces)]


def _one_system(read: dict[str, Scores], notes: list[str]) -> dict[str, Scores]:
    """Call the only run of every release the same, unless it is."""
    if any(len(scores.runs) > 1 for scores in read.values()):
        return read
    if len({scores.runs for scores in read.values()}) == 1:
        return read
    notes.append("every release has one run; they are treated as versions of one system")
    return {name: replace(scores, runs=(ONE_SYSTEM,)) for name, scores in read.items()}
