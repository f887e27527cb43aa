"""open_source: whatever qrels or a run are given as, a source of rows."""

import os
from collections.abc import Mapping
from typing import Any

from gradewise.collection.sources.source import Source
from gradewise.errors import InputError


def open_source(source: Any, *, grades: bool, hashed: bool = False) -> Source:
    """Return the rows of qrels (`grades`) or of a run; nothing is read yet but what tells its kind.

    With `hashed`, a text keeps the digest of its file when it is read. Each kind is imported when
    it is met: a command that reads text needs no more than text.
    """
    what = "qrels" if grades else "run"
    if isinstance(source, Mapping):
        from gradewise.collection.sources.rows import DictSource

        return DictSource(what, source, grades=grades)
    if isinstance(source, (str, os.PathLike)):
        return _open_path(source, grades=grades, hashed=hashed)
    from gradewise.collection.sources.frames import frame_source, is_frame

    if is_frame(source):
        return frame_source(source, what, grades=grades)
    if not hasattr(source, "read"):
        raise InputError(
            f"{what}: expected a path, an open binary file, a dictionary or a frame, "
            f"not {type(source).__name__}"
        )
    return _text(source, grades=grades, hashed=hashed)


def _open_path(path: str | os.PathLike[str], *, grades: bool, hashed: bool) -> Source:
    if str(path).startswith("irds:"):
        from gradewise.collection.sources.irds import DatasetSource

        return DatasetSource(str(path).removeprefix("irds:"), grades=grades)
    from gradewise.collection.sources.frames import is_parquet, parquet_source

    if is_parquet(path):
        return parquet_source(path, grades=grades)
    return _text(path, grades=grades, hashed=hashed)


def _text(source: Any, *, grades: bool, hashed: bool) -> Source:
    from gradewise.collection.sources.streams import Stream
    from gradewise.collection.sources.text import TextSource

    return TextSource(Stream(source, hashed=hashed), grades=grades)
