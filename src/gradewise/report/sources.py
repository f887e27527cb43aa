"""Where a report came from: paths, sizes and digests of files, and versions of libraries."""

import hashlib
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gradewise import __version__
from gradewise.collection.run_join import RunJoin
from gradewise.collection.sources.source import Source as Rows
from gradewise.parallel import thread_map

_LIBRARIES = ("numpy", "scipy", "polars")


@dataclass(frozen=True)
class Source:
    """One input: what it is called, where it came from, and its SHA-256 if it is a file."""

    name: str
    place: str
    size: int | None = None
    digest: str | None = None


def describe_sources(
    qrels: tuple[str, Any], runs: Sequence[tuple[str, Any]], joins: Sequence[RunJoin]
) -> list[Source]:
    """Describe inputs given as (name, source), and the runs as they were joined."""
    digests = [_digest_of(join) for join in joins]
    named = zip([qrels, *runs], [None, *digests], strict=True)
    return thread_map(lambda item: _describe(*item[0], item[1]), named)


def _digest_of(join: RunJoin) -> str | None:
    """Return what the digest was found to be while a run was read."""
    stream = join.source.stream
    return None if stream is None else stream.digest


def _describe(name: str, source: Any, digest: str | None) -> Source:
    if isinstance(source, Rows):
        source = source.origin
    if not isinstance(source, (str, os.PathLike)):
        return Source(name, f"in memory ({type(source).__name__})")
    if not Path(source).is_file():
        return Source(name, "standard input" if str(source) == "-" else str(source))
    if digest is None:
        with Path(source).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(name, str(source), Path(source).stat().st_size, digest)


def describe_files(paths: Sequence[str]) -> list[Source]:
    """Describe files that were read whole."""
    return [_describe(Path(path).name, path, None) for path in paths]


def find_versions() -> dict[str, str]:
    """Return the versions of what made the numbers."""
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"gradewise": __version__, "Python": platform.python_version(), **libraries}
