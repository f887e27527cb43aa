"""Runs in parquet files, read in small batches so that memory stays flat."""

import os
import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from gradewise.collection.sources.arrow import ArrowSource
from gradewise.collection.sources.columns import find_columns
from gradewise.collection.sources.frames import parquet_files
from gradewise.errors import InputError
from gradewise.scale.arrays import pa
from gradewise.scale.columns import run_column
from gradewise.scale.remote import is_remote, open_remote, parquet_paths

_ROWS = 1 << 14  # rows of a batch
_BUFFER = 1 << 20  # bytes that are read at a time

Path = str | os.PathLike[str]


def parquet_runs(path: Path) -> list[tuple[str | None, ArrowSource]]:
    """Return the runs of a file, or of a folder of files, or one without a name.

    A column names them, or folders such as `run=bm25`.
    """
    found = parquet_paths(str(path)) if is_remote(path) else parquet_files(path)
    files: list[Path] = [*found] or [path]
    with _named(path):
        available = _open(files[0]).schema_arrow.names
    column = run_column(available)
    if column is not None:
        runs = sorted(_distinct(path, files, column))
        return [(run, _source(path, files, available, column, run)) for run in runs]
    by_run: dict[str | None, list[Path]] = {}
    for file in files:
        by_run.setdefault(_folder_run(file), []).append(file)
    return [(run, _source(path, own, available, None, None)) for run, own in by_run.items()]


def _distinct(path: Path, files: Sequence[Path], column: str) -> set[str]:
    found: set[str] = set()
    with _named(path):
        for file in files:
            for batch in _open(file).iter_batches(_ROWS, columns=[column], use_threads=False):
                found |= {str(name) for name in batch[0].unique().to_pylist() if name is not None}
    return found


def _folder_run(file: Path) -> str | None:
    """Return the run that a folder above a file names."""
    for part in reversed(pathlib.Path(file).parts[:-1]):
        key, mark, value = part.partition("=")
        if mark and run_column([key]) is not None:
            return unquote(value)
    return None


class _named:  # noqa: N801 - used as a function
    """Turn what pyarrow says into a sentence about a path."""

    def __init__(self, path: Path):
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, (OSError, pa.ArrowException)):
            reason = str(error).splitlines()[0]
            raise InputError(f"{self.path}: cannot be read as parquet ({reason})") from None


def _open(path: Path) -> Any:
    from pyarrow.parquet import ParquetFile

    file = open_remote(str(path)) if is_remote(path) else path
    return ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)


def _source(
    path: Path, files: Sequence[Path], available: list[str], column: str | None, run: str | None
) -> ArrowSource:
    names = replace(find_columns(available, str(path), grades=False), run=None)
    wanted = [*(available[place] for place in names.places), *([] if column is None else [column])]

    def tables() -> Iterator[Any]:
        with _named(path):
            for opened in map(_open, files):
                groups = [
                    number
                    for number in range(opened.num_row_groups)
                    if column is None
                    or _may_hold(opened.metadata.row_group(number), column, str(run))
                ]
                for batch in opened.iter_batches(
                    _ROWS, row_groups=groups, columns=wanted, use_threads=False
                ):
                    yield _Rows(batch if column is None else _only(batch, column, str(run)))

    return ArrowSource(str(path), tables, names, grades=False)


class _Rows:
    """A batch as a stream."""

    def __init__(self, batch: Any):
        self.batch = batch

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return pa.Table.from_batches([self.batch]).__arrow_c_stream__(requested_schema)


def _may_hold(group: Any, column: str, run: str) -> bool:
    """Tell by its statistics whether a row group may hold rows of a run."""
    for number in range(group.num_columns):
        chunk = group.column(number)
        if chunk.path_in_schema == column and chunk.is_stats_set and chunk.statistics.has_min_max:
            low, high = chunk.statistics.min, chunk.statistics.max
            return not isinstance(low, str) or low <= run <= high
    return True


def _only(batch: Any, column: str, run: str) -> Any:
    import pyarrow.compute as pc

    names = batch[column] if pa.types.is_string(batch[column].type) else batch[column].cast("str")
    return batch.filter(pc.equal(names, run))
