"""Columns of Arrow tables as the arrays that joins and kernels take."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.ids import Ids
from gradewise.errors import InputError, MissingDependencyError
from gradewise.kernels import strings

try:
    import pyarrow
except ImportError:
    raise MissingDependencyError("pyarrow", "scale", "gradewise.scale") from None

pa: Any = pyarrow  # it is not annotated


def as_table(source: Any) -> Any:
    """Return batches, a table, or whatever exports an Arrow stream, as a table of pyarrow."""
    if isinstance(source, pa.Table):
        return source
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source])
    if hasattr(source, "__arrow_c_stream__"):
        return pa.table(source)
    batches = [batch for part in source for batch in _batches_of(part)]
    if not batches:
        raise InputError("there are no Arrow batches, not even an empty one with a schema")
    return pa.Table.from_batches(batches)


def _batches_of(part: Any) -> Iterator[Any]:
    yield from as_table(part).to_batches() or [_empty(part.schema)]


def _empty(schema: Any) -> Any:
    return pa.RecordBatch.from_pylist([], schema)


def to_ids(column: Any, name: str) -> Ids:
    """Return a column of text, or of whole numbers, as ids; there must be no missing value."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
        raise InputError(f"the column {name} has type {kind}; ids must be text or whole numbers")
    array = column.cast(pa.large_string())
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    _, offsets, data = array.buffers()
    size, start = len(array), array.offset
    if not size:
        return Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    edges = np.frombuffer(offsets, np.int64)[start : start + size + 1]
    return Ids(np.frombuffer(data, np.uint8) if data else np.zeros(0, np.uint8), edges)


def is_text(kind: Any) -> bool:
    """Tell whether a type of Arrow is text."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def to_floats(column: Any, name: str) -> Floats:
    """Return a column of numbers as doubles, NaN where a value is missing."""
    kind = column.type
    if not (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_null(kind)
    ):
        raise InputError(f"the column {name} has type {kind}; it must contain numbers")
    found = column.cast(pa.float64(), safe=False)
    if isinstance(found, pa.ChunkedArray):
        found = found.combine_chunks()
    return np.asarray(found.to_numpy(zero_copy_only=False), np.float64)


def missing_ids(column: Any, ids: Ids) -> Bools:
    """Tell which rows of a column of ids have no id, or a blank one."""
    gone: Bools = np.asarray(column.is_null().to_numpy(), np.bool_)
    if strings.find_blank(ids.data, ids.offsets) >= 0:
        gone = gone | np.array([not name.strip() for name in ids.to_list()], np.bool_)
    return gone


def from_numbers(values: Floats | Ints) -> Any:
    """Return numbers as an Arrow array; pyarrow's own way loads pandas, which takes 50 MB."""
    own = np.ascontiguousarray(values)
    return pa.Array.from_buffers(_TYPES[own.dtype.name], len(own), [None, pa.py_buffer(own)])


_TYPES = {"float64": pa.float64(), "int64": pa.int64(), "int32": pa.int32(), "int8": pa.int8()}


def from_strings(names: Iterable[str]) -> Any:
    """Return text as an Arrow array, without pandas."""
    return to_arrow(Ids.from_strings(names)).cast(pa.string())


def to_arrow(column: Ids) -> Any:
    """Return ids as an Arrow array of text."""
    own = column.copied()
    buffers = [None, pa.py_buffer(own.offsets), pa.py_buffer(own.data)]
    return pa.Array.from_buffers(pa.large_string(), len(own), buffers)
