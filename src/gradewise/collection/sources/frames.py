"""Frames of polars and pandas, tables of any library that speaks Arrow, and parquet files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.collection.sources.arrow import ArrowSource, ColumnNames
from gradewise.collection.sources.rows import RowsSource
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError

_PARQUET = b"PAR1"
_CHUNK = 1 << 18  # rows that are taken from a query at a time


def is_frame(source: Any) -> bool:
    """Tell whether an object is a frame or a table, without importing any library."""
    if hasattr(source, "__arrow_c_stream__"):
        return True
    library = type(source).__module__.partition(".")[0]
    return library in ("polars", "pandas") and type(source).__name__ in ("DataFrame", "LazyFrame")


def frame_source(frame: Any, name: str, *, grades: bool) -> Source:
    """Return the rows of a frame or table, by the names of its columns."""
    library = type(frame).__module__.partition(".")[0]
    if type(frame).__name__ == "LazyFrame":
        return _lazy_source(frame, name, grades=grades)
    if library == "pandas" or not hasattr(frame, "__arrow_c_stream__"):
        return _pandas_source(frame, name, grades=grades)
    if not _can_be_read_again(frame):
        import polars as pl

        frame = pl.DataFrame(frame)
    names = ColumnNames(_column_names(frame), name, grades=grades)
    chosen = frame.select(list(names)) if library in ("polars", "pyarrow") else frame
    return ArrowSource(name, lambda: iter([chosen]), names, grades=grades)


def _can_be_read_again(table: Any) -> bool:
    return hasattr(table, "num_rows") or hasattr(table, "__len__")


def _column_names(frame: Any) -> list[str]:
    """Return the names of the columns, as the stream gives them."""
    import nanoarrow

    return [child.name for child in nanoarrow.c_array_stream(frame).get_schema().children]


def _lazy_source(query: Any, name: str, *, grades: bool) -> Source:
    names = ColumnNames(query.collect_schema().names(), name, grades=grades)
    return ArrowSource(name, lambda: _collected(query.select(list(names))), names, grades=grades)


def _collected(query: Any) -> Iterator[Any]:
    """Run a query of polars, and give its result in frames, so that it need not fit in memory."""
    if hasattr(query, "collect_batches"):  # new in 1.34, and not yet stable
        yield from query.collect_batches(chunk_size=_CHUNK, maintain_order=True)
    else:
        yield query.collect()


def _pandas_source(frame: Any, name: str, *, grades: bool) -> Source:
    """Return the rows of a frame of pandas, or of one that can do no more than hold columns."""
    names = ColumnNames([str(column) for column in frame.columns], name, grades=grades)
    columns = [frame[column] for column in names]
    numbers = columns[2].to_numpy() if hasattr(columns[2], "to_numpy") else np.empty(0, object)
    if numbers.dtype.kind in "fiu":  # a missing number is NaN here, and null in a stream
        try:
            ids = frame[[names.topic, names.doc]]
            ids.__arrow_c_stream__()
        except (ImportError, TypeError, ValueError, AttributeError):
            pass  # pandas needs pyarrow for a stream, and pyarrow columns of one type
        else:
            return ArrowSource(name, lambda: iter([ids]), names, grades=grades, numbers=numbers)
    topics, docs, values = (
        column.to_list() if hasattr(column, "to_list") else column.tolist() for column in columns
    )
    return RowsSource(name, (topics, docs, values), grades=grades, ranks=names.ranks)


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


def parquet_source(path: str | os.PathLike[str], *, grades: bool) -> Source:
    """Return the rows of a parquet file, which is read some row groups at a time."""
    import polars as pl

    def told(error: Exception) -> InputError:
        return InputError(f"{path}: cannot be read as parquet ({str(error).splitlines()[0]})")

    def tables() -> Iterator[Any]:
        try:
            yield from _collected(query.select(list(names)))
        except (OSError, pl.exceptions.PolarsError) as error:
            raise told(error) from None

    try:
        query = pl.scan_parquet(Path(path), glob=False)
        available = query.collect_schema().names()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise told(error) from None
    names = ColumnNames(available, str(path), grades=grades)
    return ArrowSource(str(path), tables, names, grades=grades)
