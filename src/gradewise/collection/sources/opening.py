"""open_source: whatever qrels or a run are given as, a source of rows."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gradewise.collection.sources.given import Given
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError

# Bytes by which the form of a file is told; qrels also tell whether they name intents.
_QRELS_HEAD, _RUN_HEAD = 1 << 16, 1 << 13


def open_source(
    source: Any, *, grades: bool, hashed: bool = False, given: Given | None = None
) -> Source:
    """Return the rows of qrels (`grades`) or of a run; nothing is read yet but what tells its kind.

    With `hashed`, a text keeps the digest of its file when it is read; `given` is what a user says
    of columns. Each kind is imported when it is met: a command that reads text needs no more than
    text.
    """
    if isinstance(source, Source):
        if source.stream is not None:
            source.stream.hashed |= hashed
        return source
    if isinstance(source, (str, os.PathLike)):
        opened = _open_path(source, grades=grades, hashed=hashed, given=given)
    else:
        opened = _open_object(source, grades=grades, hashed=hashed, given=given)
    opened.origin = source
    return opened


def _open_object(source: Any, *, grades: bool, hashed: bool, given: Given | None) -> Source:
    what = "qrels" if grades else "run"
    if type(source) is dict or (isinstance(source, Mapping) and not hasattr(source, "with_format")):
        from gradewise.collection.sources.rows import DictSource

        return DictSource(what, source, grades=grades)
    if hasattr(source, "read") and not hasattr(source, "__arrow_c_stream__"):
        return _open_stream(source, grades=grades, hashed=hashed, given=given)
    from gradewise.collection.sources.frames import frame_source, is_frame
    from gradewise.collection.sources.iterables import IterableSource, dataset_source, is_dataset

    if is_dataset(source):
        return dataset_source(source, what, grades=grades, given=given)
    if is_frame(source):
        return frame_source(source, what, grades=grades, given=given)
    from gradewise.collection.sources.ranx import RanxSource, is_ranx

    if is_ranx(source):
        return RanxSource(source, grades=grades)
    if isinstance(source, Iterable) and not isinstance(source, (bytes, set, frozenset)):
        return IterableSource(what, source, grades=grades, given=given)
    raise InputError(
        f"{what}: expected a path, an open binary file, a dictionary or a frame, "
        f"not {type(source).__name__}"
    )


def _open_path(
    path: str | os.PathLike[str], *, grades: bool, hashed: bool, given: Given | None
) -> Source:
    if str(path).startswith("irds:"):
        from gradewise.collection.sources.irds import DatasetSource

        return DatasetSource(str(path).removeprefix("irds:"), grades=grades)
    if "://" in str(path):
        raise InputError(
            f"{path}: is not on this machine; gw.scale and gradewise eval --engine read remote "
            "paths, and a file opened with fsspec.open can be passed here"
        )
    from gradewise.collection.sources.frames import is_parquet, parquet_files, parquet_source

    is_folder = _is_folder(path)
    if is_folder and (files := parquet_files(path)):
        return parquet_source(files, grades=grades, given=given)
    if grades and is_folder:
        from gradewise.collection.sources.folders import folder_source

        return folder_source(Path(path), hashed=hashed, given=given)
    if is_parquet(path):
        return parquet_source(path, grades=grades, given=given)
    return _open_stream(path, grades=grades, hashed=hashed, given=given)


def _is_folder(path: str | os.PathLike[str]) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _open_stream(source: Any, *, grades: bool, hashed: bool, given: Given | None) -> Source:
    """Return the rows of a text, which its first lines tell to be JSON or lines of columns."""
    from gradewise.collection.sources.streams import Stream
    from gradewise.collection.sources.text import TextSource

    stream = Stream(source, hashed=hashed)
    head = stream.head(_QRELS_HEAD if grades else _RUN_HEAD)
    if head[:1].tobytes() in b"{[ \t\r\n":
        from gradewise.collection.sources.json_shapes import looks_like_json

        if looks_like_json(head):
            return _open_json(stream, head, grades=grades, given=given)
    text = TextSource(stream, grades=grades, given=given)
    text.peek(head)
    return text


def _open_json(stream: Any, head: Any, *, grades: bool, given: Given | None) -> Source:
    from gradewise.collection.sources.json_shapes import shape_of
    from gradewise.collection.sources.json_text import JsonSource

    shape = shape_of(head, stream.name, grades=grades, given=given)
    if shape.kind == "document":
        from gradewise.collection.sources.documents import document_source

        return document_source(stream, grades=grades, given=given)
    return JsonSource(stream, shape, grades=grades)
