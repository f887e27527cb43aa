"""Which runs are meant, and what they are called: by the user, or by their sources."""

import glob
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from gradewise.collection.accepted import RunsLike
from gradewise.collection.reading import read_run, run_name
from gradewise.collection.run import Run
from gradewise.collection.run_names import NAMES, Names
from gradewise.collection.sources.frames import column_names, is_frame, parquet_files
from gradewise.collection.sources.given import ColumnsLike, Given, columns_for
from gradewise.collection.sources.iterables import is_dataset, is_row
from gradewise.collection.sources.names import KNOWN, plain
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.ranx import is_ranx
from gradewise.collection.sources.several import Shared
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError, check_choice


class _Named(NamedTuple):
    """A run with its name and, where it comes from a file, what else tells it from others."""

    name: str
    source: Any
    path: str = ""
    by_path: bool = False  # whether the path alone is name enough


def name_runs(
    runs: RunsLike, *, columns: ColumnsLike | None = None, names: Names = "file"
) -> list[tuple[str, Any]]:
    """Return (name, source) for one run, a list of runs, or a dictionary {name: run}.

    A source that holds several runs stands for all of them.
    """
    check_choice("names", names, NAMES)
    given = columns_for(columns, grades=False)
    found: list[_Named] = []
    if isinstance(runs, Mapping) and not _is_one(runs):
        for name, source in runs.items():
            opened = _opened(source, given)
            parts = _parts_of(opened)
            if len(parts) > 1:
                found += [_Named(f"{name}/{part.run}", part) for part in parts]
            else:
                found.append(_Named(str(name), parts[0] if parts else opened))
    else:
        for source in expand_paths(_listed(runs)):
            found += _named(_opened(source, given), names)
    if not found:
        raise InputError("no runs were given")
    return _told_apart(found)


def name_sources(runs: RunsLike) -> list[tuple[str, Any]]:
    """Return (name, source) without opening any source; one that holds several runs stays one."""
    if isinstance(runs, Mapping) and not _is_one(runs):
        found = [_Named(str(name), source) for name, source in runs.items()]
    else:
        found = [
            _Named(run_name(source), source, str(source) if is_path(source) else "", by_path=True)
            for source in expand_paths(_listed(runs))
        ]
    if not found:
        raise InputError("no runs were given")
    return _told_apart(found)


def is_path(source: Any) -> bool:
    """Tell whether a source is given as a path."""
    return isinstance(source, (str, os.PathLike))


def read_runs(
    runs: RunsLike, *, columns: ColumnsLike | None = None, names: Names = "file"
) -> dict[str, Run]:
    """Read several runs into memory, as {name: run}.

    Parameters
    ----------
    runs
        One source, a list, a folder, a pattern such as "runs/*.gz", or a dictionary {name: source};
        each anything that `read_run` takes. A source that names a run in each row gives all of
        its runs, by these names.
    columns
        What the columns contain; see `read_run`.
    names
        What runs are called: "file" for the name of the file without its extension, or "tag" for
        the tag in the last column of a TREC run. Files with the same name are distinguished by
        their paths.

    Examples
    --------
    >>> import gradewise as gw
    >>> rows = [{"run": "a", "qid": "1", "docid": "x", "score": 2.5},
    ...         {"run": "b", "qid": "1", "docid": "y", "score": 1.5}]
    >>> gw.read_runs(rows)
    {'a': Run('a', 1 topic, 1 document), 'b': Run('b', 1 topic, 1 document)}
    """
    named = name_runs(runs, columns=columns, names=names)
    return {name: read_run(source, name) for name, source in named}


def expand_paths(sources: Iterable[Any]) -> list[Any]:
    """Return the sources, with the files of folders and of patterns such as `runs/*.gz`.

    A folder that is called like a parquet file, as clusters write them, is one source. Places that
    are not on this machine, such as s3://bucket/runs, stay as they are.
    """
    found: list[Any] = []
    for source in sources:
        is_local = is_path(source) and "://" not in str(source)
        if is_local and parquet_files(source):
            found.append(source)
        elif is_local and Path(source).is_dir():
            visible = (path for path in Path(source).iterdir() if path.name[0] != ".")
            found += _files_of(source, map(str, visible))
        elif is_local and glob.has_magic(str(source)) and not Path(source).exists():
            matching = glob.glob(str(source))  # noqa: PTH207 - Path.glob needs a folder
            found += _files_of(source, matching)
        else:
            found.append(source)
    return found


def _files_of(source: str | os.PathLike[str], paths: Iterable[str]) -> list[str]:
    files = [path for path in paths if Path(path).is_file() or parquet_files(path)]
    if not files:
        what = "contains no files" if Path(source).is_dir() else "matches no files"
        raise InputError(f"{source}: {what}")
    return sorted(files)


def _is_one(runs: Any) -> bool:
    """Tell a single run from several."""
    if isinstance(runs, Mapping):
        return _is_single_dict(runs)
    is_source = isinstance(runs, (Run, Source, str, os.PathLike)) or hasattr(runs, "read")
    return is_source or is_frame(runs) or is_dataset(runs) or is_ranx(runs)


def _listed(runs: Any) -> list[Any]:
    """Return the sources that are given; rows one by one are a single one."""
    if _is_one(runs):
        return [runs]
    if isinstance(runs, (list, tuple)):
        return [runs] if runs and is_row(runs[0]) else list(runs)
    iterator: Iterator[Any] = iter(cast(Iterable[Any], runs))
    first = list(islice(iterator, 1))
    rest = chain(first, iterator)
    return [rest] if first and is_row(first[0]) else list(rest)


def _is_single_dict(runs: Mapping[Any, Any]) -> bool:
    """Tell a run {topic: {document: score}} or {topic: [document]} from runs {name: run}."""
    values = list(runs.values())
    if any(isinstance(value, (list, tuple)) for value in values):
        return all(
            isinstance(value, Mapping) or (isinstance(value, (list, tuple)) and _is_list(value))
            for value in values
        )
    inner = [value for value in values if isinstance(value, Mapping)]
    deeper = any(
        isinstance(value, (Mapping, list, tuple)) for mapping in inner for value in mapping.values()
    )
    return bool(inner) and len(inner) == len(runs) and not deeper and any(inner)


def _is_list(value: list[Any] | tuple[Any, ...]) -> bool:
    """Tell whether a list holds documents, or documents with scores, and no rows."""
    return all(not isinstance(item, (Mapping, tuple, list)) or len(item) == 2 for item in value)


def _opened(source: Any, given: Given | None) -> Any:
    """Return a source of rows, if it has to be looked at to be named; else what was given."""
    if isinstance(source, (Run, Source)):
        return source
    if isinstance(source, Mapping) and not is_dataset(source):
        return source
    if is_frame(source) and not is_dataset(source) and given is None:
        known = {plain(name) for name in column_names(source)}
        return open_source(source, grades=False) if known & set(KNOWN["run"]) else source
    return open_source(source, grades=False, given=given)


def _parts_of(opened: Any) -> list[Any]:
    """Return the runs of a source that holds several; none if it does not tell."""
    holds = isinstance(opened, Source) and opened.holds_runs
    return Shared(opened).runs() if holds else []


def _named(opened: Any, names: Names) -> list[_Named]:
    """Name the runs of a source."""
    origin = opened.origin if isinstance(opened, Source) else opened
    path = str(Path(origin)) if is_path(origin) else ""
    parts = _parts_of(opened)
    if len(parts) > 1 or (parts and names == "tag"):
        return [_Named(part.run, part, path) for part in parts]
    source = parts[0] if parts else opened
    tag = opened.first_tag() if names == "tag" and isinstance(opened, Source) else None
    return [_Named(tag or run_name(opened), source, path, by_path=tag is None)]


def _told_apart(found: list[_Named]) -> list[tuple[str, Any]]:
    """Give names that are the same their paths; raise an InputError if they stay the same."""
    times = Counter(item.name for item in found)
    chosen = []
    for item in found:
        name = item.name
        if times[name] > 1 and item.path:
            name = item.path if item.by_path else f"{name} ({item.path})"
        chosen.append((name, item.source))
    twice = [name for name, count in Counter(name for name, _ in chosen).items() if count > 1]
    if twice:
        raise InputError(
            f"two runs are named {twice[0]!r}; give each its own name, as in {{'first': run, ...}}"
        )
    return chosen
