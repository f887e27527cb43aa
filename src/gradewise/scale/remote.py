"""Files in other places than this machine, such as s3://bucket/run.parquet, through fsspec.

fsspec knows many places; libraries of their own (s3fs, gcsfs, adlfs, ...) bring them in. What these
raise follows no common rule, so that anything that goes wrong is one sentence with the path.
"""

import contextlib
import glob
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gradewise.collection.naming import is_path
from gradewise.collection.reading import run_name
from gradewise.collection.sources.frames import PARQUET_ENDINGS
from gradewise.errors import GradewiseError, InputError, MissingDependencyError


def is_remote(source: Any) -> bool:
    """Tell whether a source is a path that is not on this machine.

    Examples
    --------
    >>> is_remote("s3://lake/run.parquet"), is_remote("run.parquet")
    (True, False)
    """
    return is_path(source) and "://" in str(source)


def is_parquet_path(path: str) -> bool:
    """Tell parquet by the end of a path, which may be a folder."""
    return path.rstrip("/").lower().endswith(PARQUET_ENDINGS)


def open_remote(path: str) -> Any:
    """Return a binary file that can be read and sought in."""
    with _explained(path):
        file = _fsspec().open(str(path), "rb").open()
    with contextlib.suppress(AttributeError):
        file.name = str(path)  # for messages
    return file


def reachable(source: Any) -> Any:
    """Return what qrels or a run are given as; from another place, an open text or a table."""
    if not is_remote(source):
        return source
    return read_table(str(source)) if is_parquet_path(str(source)) else open_remote(str(source))


def read_table(path: str) -> Any:
    """Return the rows of parquet files in another place as a table of pyarrow."""
    from pyarrow import concat_tables, parquet

    files = parquet_paths(path)
    with _explained(path):
        return concat_tables([parquet.read_table(open_remote(file)) for file in files])


def expand_remote(named: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return sources by name, with the files that patterns stand for in other places."""
    found: dict[str, Any] = {}
    for name, source in named:
        own = [(name, source)]
        if is_remote(source) and glob.has_magic(str(source)):
            own = [(run_name(path), path) for path in _matching(str(source))]
        for each, path in own:
            if each in found:
                raise InputError(f"two runs are named {each!r}: {found[each]} and {path}")
            found[each] = path
    return found


def _matching(pattern: str) -> list[str]:
    with _explained(pattern):
        places, inside = _fsspec().core.url_to_fs(pattern)
        paths = sorted(places.unstrip_protocol(path) for path in places.glob(inside))
    if not paths:
        raise InputError(f"{pattern}: matches no files")
    return paths


def parquet_paths(path: str) -> list[str]:
    """Return the files of a folder in another place, or the path itself if it is a file.

    Files and folders whose names begin with a dot or an underscore hold no rows.
    """
    with _explained(path):
        places, inside = _fsspec().core.url_to_fs(str(path))
        if not places.isdir(inside):
            return [str(path)]
        files = [
            file
            for file in sorted(places.find(inside))
            if is_parquet_path(file)
            and all(part[0] not in "._" for part in file[len(inside) :].split("/") if part)
        ]
        found = [places.unstrip_protocol(file) for file in files]
    if not found:
        raise InputError(f"{path}: contains no parquet files")
    return found


@contextlib.contextmanager
def uploaded(path: str) -> Iterator[Path]:
    """Give a temporary file on this machine, which is copied to another place if all went well."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder, "output")
        yield temporary
        with _explained(path):
            places, inside = _fsspec().core.url_to_fs(str(path))
            places.put_file(str(temporary), inside)


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError:
        raise MissingDependencyError("fsspec", "scale", "using remote paths") from None
    return fsspec


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except GradewiseError:
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise InputError(f"{path}: cannot be reached ({reason[0]})") from None
