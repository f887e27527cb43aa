"""What functions accept as judgments and as runs."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.sources.source import Source


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


@runtime_checkable
class RanxTable(Protocol):
    """ranx's Qrels or Run."""

    def get_query_ids(self) -> list[str]:
        """Return the topics."""

    def get_doc_ids_and_scores(self) -> list[Any]:
        """Return the documents of each topic with their numbers."""


# A path (or "-", or "irds:<id>"), an open file, a frame or table, an object of ranx, a source that
# was opened.
Readable: TypeAlias = str | os.PathLike[str] | BinaryFile | ArrowTable | RanxTable | Source
# Rows come one by one: tuples, named tuples or dictionaries.
Row: TypeAlias = tuple[Any, ...] | Mapping[str, Any]
# Judgments: also {topic: {document: grade}}, or {topic: {intent: {document: grade}}}.
Grades: TypeAlias = Mapping[Any, int]
QrelsLike: TypeAlias = (
    Qrels | Readable | Iterable[Row] | Mapping[Any, Grades | Mapping[Any, Grades]]
)
# A run: also {topic: {document: score}}, or {topic: [document, ...]} with the best one first.
OneRun: TypeAlias = Run | Readable | Mapping[Any, Mapping[Any, float] | Sequence[Any]]
RunLike: TypeAlias = OneRun | Iterable[Row]
# Runs: one, several, or a dictionary {name: run}.
RunsLike: TypeAlias = OneRun | Iterable[OneRun | Row | Iterable[Row]] | Mapping[str, RunLike]
