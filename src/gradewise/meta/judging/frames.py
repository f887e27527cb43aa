"""Rows of results as frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def frame_of(rows: Sequence[tuple[Any, ...]], columns: str) -> "pl.DataFrame":
    """Return rows as a frame, columns named in one string; what is undefined is missing."""
    import polars as pl

    names = columns.split()
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None).fill_nan(None)
