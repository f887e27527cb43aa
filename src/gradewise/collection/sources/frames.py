"""Frames of polars and pandas, tables of any library that speaks Arrow, and parquet files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.collection.sources.arrow import ArrowSource
from gradewise.collection.sources.columns import Columns, find_columns
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.panics import damaged, read_by_polars
from gradewise.collection.sources.rows import ColumnsSource
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError

PARQUET_ENDINGS = (".parquet", ".pq")
_PARQUET = b"PAR1"
_CHUNK = 1 << 18  # rows that are taken from a query at a time
_SLICE = 1 << 20  # rows that are taken from a file at a time


def is_frame(source: Any) -> bool:
    """Tell whether an object is a frame or a table, without importing any library."""
    if hasattr(source, "__arrow_c_stream__"):
        return True
    library = type(source).__module__.partition(".")[0]
    return library in ("polars", "pandas") and type(source).__name__ in ("DataFrame", "LazyFrame")


def frame_source(frame: Any, name: str, *, grades: bool, given: Given | None = None) -> Source:
    """Return the rows of a frame or table, by the names of its columns."""
    columns = find_columns(column_names(frame), name, grades=grades, given=given)
    library = type(frame).__module__.partition(".")[0]
    if type(frame).__name__ == "LazyFrame":
        query = frame.select(_wanted(columns))
        return ArrowSource(name, lambda: _collected(query), columns, grades=grades)
    if library == "pandas" or not hasattr(frame, "__arrow_c_stream__"):
        return _pandas_source(frame, name, columns, grades=grades)
    if not _can_be_read_again(frame):
        import polars as pl

        frame = pl.DataFrame(frame)
    chosen = frame.select(_wanted(columns)) if library in ("polars", "pyarrow") else frame
    return ArrowSource(name, lambda: iter([chosen]), columns, grades=grades)


def column_names(frame: Any) -> list[str]:
    """Return the names of the columns, as the stream gives them."""
    if type(frame).__name__ == "LazyFrame":
        return list(frame.collect_schema().names())
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" or not hasattr(frame, "__arrow_c_stream__"):
        return [str(column) for column in frame.columns]
    for attribute in ("column_names", "columns"):  # of pyarrow, of polars and DuckDB
        names = getattr(frame, attribute, None)
        if isinstance(names, list) and all(isinstance(each, str) for each in names):
            return list(names)
    import nanoarrow

    return [child.name for child in nanoarrow.c_array_stream(frame).get_schema().children]


def _wanted(columns: Columns) -> list[str]:
    """Return the names of the columns that are wanted, each once."""
    places = (columns.topic, columns.doc, columns.number, columns.intent, columns.run)
    return list(dict.fromkeys(columns.names[place] for place in places if place is not None))


def _can_be_read_again(table: Any) -> bool:
    return hasattr(table, "num_rows") or hasattr(table, "__len__")


def _collected(query: Any) -> Iterator[Any]:
    """Run a query of polars, and give its result in frames, so that it need not fit in memory."""
    if hasattr(query, "collect_batches"):  # new in 1.34, and not yet stable
        yield from query.collect_batches(chunk_size=_CHUNK, maintain_order=True)
    else:
        yield query.collect()


def _pandas_source(frame: Any, name: str, columns: Columns, *, grades: bool) -> Source:
    """Return the rows of a frame of pandas, or of one that can do no more than hold columns."""
    number: Any = None if columns.number is None else frame[columns.names[columns.number]]
    numbers = number.to_numpy() if hasattr(number, "to_numpy") else np.empty(0, object)
    if number is None or numbers.dtype.kind in "fiu":
        try:  # a missing number is NaN here, and null in a stream
            wanted = [each for each in _wanted(columns) if each != columns.name(columns.number)]
            ids = frame[wanted]
            ids.__arrow_c_stream__()
        except (ImportError, TypeError, ValueError, AttributeError):
            pass  # pandas needs pyarrow for a stream, and pyarrow columns of one type
        else:
            apart = None if number is None else numbers
            return ArrowSource(name, lambda: iter([ids]), columns, grades=grades, numbers=apart)
    return ColumnsSource(name, lambda each: _listed(frame[each]), columns, grades=grades)


def _listed(column: Any) -> list[Any]:
    values: list[Any] = column.to_list() if hasattr(column, "to_list") else column.tolist()
    return values


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Tell parquet by both ends of a file, or by the first and its name."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            if file.read(4) != _PARQUET:
                return False
            file.seek(-min(4, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return file.read() == _PARQUET or Path(path).suffix.lower() == ".parquet"
    except (OSError, ValueError):
        return False


def parquet_files(path: str | os.PathLike[str]) -> list[Path]:
    """Return the files of a folder that is called like a parquet file, as clusters write them.

    There are none if it is called otherwise. Files and folders whose names begin with a dot or an
    underscore hold no rows.
    """
    folder = Path(path)
    if folder.suffix.lower() not in PARQUET_ENDINGS or not folder.is_dir():
        return []
    found = [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix.lower() in PARQUET_ENDINGS
        and file.is_file()
        and all(part[0] not in "._" for part in file.relative_to(folder).parts)
    ]
    if not found:
        raise InputError(f"{path}: contains no parquet files")
    return found


def parquet_source(
    path: str | os.PathLike[str] | list[Path], *, grades: bool, given: Given | None = None
) -> Source:
    """Return the rows of parquet files, which are read some row groups at a time.

    Folders called `run=bm25`, between a folder of files and the files, are a column `run`.
    """
    import polars as pl

    paths = path if isinstance(path, list) else [Path(path)]
    name = str(paths[0])
    with read_by_polars(name):
        in_folders = any("=" in file.parent.name for file in paths)
        query = pl.scan_parquet(paths, glob=False, hive_partitioning=in_folders)
        available = query.collect_schema().names()
    columns = find_columns(available, name, grades=grades, given=given)
    return ArrowSource(
        name, lambda: _slices(query.select(_wanted(columns)), name), columns, grades=grades
    )


def _slices(query: Any, name: str) -> Iterator[Any]:
    """Give the rows of parquet files some at a time, and see that there are as many as they say."""
    import polars as pl

    with read_by_polars(name):
        rows = int(query.select(pl.len()).collect().item())
    for low in range(0, rows, _SLICE):
        with read_by_polars(name):
            frame = query.slice(low, _SLICE).collect()
        if len(frame) != min(_SLICE, rows - low):
            raise damaged(name)
        yield frame
