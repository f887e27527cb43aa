"""What functions accept as judgments and as runs."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run


@runtime_checkable
class ArrowTable(Protocol):
    """A frame or table: polars, pandas, pyarrow, DuckDB, or any library that exports Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as a stream."""


@runtime_checkable
class BinaryFile(Protocol):
    """An open binary file."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""


# A path (or "-", or "irds:<id>"), an open file, a frame or table.
Readable: TypeAlias = str | os.PathLike[str] | BinaryFile | ArrowTable
# Judgments: also a dictionary {topic: {document: grade}}.
QrelsLike: TypeAlias = Qrels | Readable | Mapping[Any, Mapping[Any, int]]
# A run: also a dictionary {topic: {document: score}}.
RunLike: TypeAlias = Run | Readable | Mapping[Any, Mapping[Any, float]]
# Runs: one, several, or a dictionary {name: run}.
RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]
