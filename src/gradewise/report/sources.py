"""Where a report's input came from: paths, sizes and digests of files."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradewise.parallel import thread_map


@dataclass(frozen=True)
class Source:
    """One input: what it is called, where it came from, and its SHA-256 if it is a file."""

    name: str
    place: str
    size: int | None = None
    digest: str | None = None


def describe_sources(named: list[tuple[str, Any]]) -> list[Source]:
    """Describe inputs given as (name, source), as `read_run` and `read_qrels` take them."""
    return thread_map(_describe, named)


def _describe(item: tuple[str, Any]) -> Source:
    name, source = item
    if not isinstance(source, (str, os.PathLike)):
        return Source(name, f"in memory ({type(source).__name__})")
    if not Path(source).is_file():
        return Source(name, "standard input" if str(source) == "-" else str(source))
    with Path(source).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(name, str(source), Path(source).stat().st_size, digest)
