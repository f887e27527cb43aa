"""Values of topics, written as they come; the file is there when all of them are."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gradewise.errors import OptionError
from gradewise.files import whole_file
from gradewise.scale.arrays import pa
from gradewise.scale.outcome import long_schema
from gradewise.scale.remote import is_remote, uploaded

_ROWS = 1 << 16  # rows of a row group

Write = Callable[[Any], None]


@contextlib.contextmanager
def value_writer(output: str | os.PathLike[str] | None) -> Iterator[Write]:
    """Give a function that takes batches of values; they go to a file, or nowhere."""
    if output is None:
        yield lambda batch: None
        return
    suffix = Path(output).suffix.lower()
    if suffix not in (".parquet", ".csv"):
        raise OptionError(f"{output}: per-topic values are written as .parquet or .csv")
    writer = _parquet_writer if suffix == ".parquet" else _csv_writer
    place = uploaded(str(output)) if is_remote(output) else whole_file(output)
    with place as temporary, writer(temporary) as write:
        yield write


@contextlib.contextmanager
def _parquet_writer(path: Path) -> Iterator[Write]:
    from pyarrow.parquet import ParquetWriter

    waiting: list[Any] = []
    with ParquetWriter(path, long_schema(), compression="zstd") as writer:

        def flush() -> None:
            if waiting:
                writer.write_table(pa.Table.from_batches(waiting))
                waiting.clear()

        def write(batch: Any) -> None:
            waiting.append(batch)
            if sum(each.num_rows for each in waiting) >= _ROWS:
                flush()

        yield write
        flush()


@contextlib.contextmanager
def _csv_writer(path: Path) -> Iterator[Write]:
    from pyarrow.csv import CSVWriter

    with path.open("wb") as file, CSVWriter(file, long_schema()) as writer:
        yield writer.write_batch
