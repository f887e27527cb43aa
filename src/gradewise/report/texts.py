"""Texts of topics and documents by id: tab-separated, JSON lines, TREC's markup, ir_datasets."""

import io
import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from gradewise.collection.sources.compression import Reader
from gradewise.collection.sources.irds import load_dataset
from gradewise.collection.sources.streams import Stream
from gradewise.errors import InputError, Problem
from gradewise.report.marked_texts import read_documents, read_topics

# A path, or {id: text}, or {id: {"title": ..., "text": ...}}.
TextsLike: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]

_IDS = (
    "id",
    "_id",
    "docno",
    "docid",
    "doc_id",
    "document",
    "pid",
    "qid",
    "query_id",
    "topic",
    "num",
)
_TITLES = ("title", "headline", "url")
_TEXTS = ("text", "contents", "body", "passage", "query", "description", "narrative", "abstract")


@dataclass(frozen=True)
class Text:
    """A text, and its title if it has one."""

    text: str
    title: str = ""


def read_texts(source: TextsLike, wanted: Collection[str]) -> dict[str, Text]:
    """Return the texts of some ids; a file is read line by line, until all are found.

    Parameters
    ----------
    source
        {id: text}, {id: {"title": ..., "text": ...}}, or a path, compressed or not, to lines of
        tab-separated id and text (further columns are further lines of text), to JSON lines with
        fields such as id, title and text, or to topics or documents as TREC publishes them; or
        irds: and the id of an ir_datasets dataset.
    wanted
        The ids. Those missing from the source are not in the result.

    Examples
    --------
    >>> read_texts({"d1": "A text.", "d2": {"title": "T", "text": "Another."}}, ["d2"])
    {'d2': Text(text='Another.', title='T')}
    """
    if isinstance(source, Mapping):
        return {
            identifier: _as_text(source[identifier])
            for identifier in wanted
            if identifier in source
        }
    if str(source).startswith("irds:"):
        return _of_dataset(str(source).removeprefix("irds:"), set(wanted))
    stream, missing = Stream(source), set(wanted)
    found: dict[str, Text] = {}
    with stream.open() as reader, _lines(reader) as lines:
        first = lines.readline().removeprefix(b"\xef\xbb\xbf")
        if not first.strip():
            raise InputError(f"{source}: the first line is empty")
        if first.lstrip()[:5].lower() == b"<doc>":
            return _of_documents(_chain(first, lines), missing)
        if first.lstrip()[:1] == b"<":
            return _of_topics((first + lines.read()).decode("utf-8", "replace"), missing)
        parse = _of_json if first.lstrip()[:1] == b"{" else _of_columns
        for number, line in enumerate(_chain(first, lines), 1):
            if not missing:
                break
            row = parse(line, str(source), number)
            if row is not None and row[0] in missing:
                found[row[0]] = row[1]
                missing.discard(row[0])
    return found


class _Raw(io.RawIOBase):
    """A reader as a file of Python's own kind."""

    def __init__(self, reader: Reader):
        self.reader = reader

    def readable(self) -> bool:
        return True

    def readinto(self, view: Any, /) -> int | None:
        return self.reader.readinto(memoryview(view).cast("B"))


@contextmanager
def _lines(reader: Reader) -> Iterator["io.BufferedReader[_Raw]"]:
    with io.BufferedReader(_Raw(reader), 1 << 20) as lines:
        yield lines


def _chain(first: bytes, lines: "io.BufferedReader[_Raw]") -> Iterator[bytes]:
    yield first
    yield from lines


def _as_text(value: Any) -> Text:
    if isinstance(value, Mapping):
        return Text(_first(value, _TEXTS), _first(value, _TITLES))
    return Text(str(value))


def _first(fields: Mapping[str, Any], names: Collection[str]) -> str:
    return next((str(fields[name]) for name in names if fields.get(name)), "")


def _of_columns(line: bytes, name: str, number: int) -> tuple[str, Text] | None:
    identifier, tab, rest = line.rstrip(b"\r\n").partition(b"\t")
    if not line.strip():
        return None
    if not tab:
        shown = line.decode("utf-8", "replace").strip()
        reason = "expected an id and a text, separated by a tab"
        raise InputError(Problem(f"{name}:{number}", reason, shown))
    text = rest.decode("utf-8", "replace").replace("\t", "\n")
    return identifier.decode("utf-8", "replace"), Text(text)


def _of_json(line: bytes, name: str, number: int) -> tuple[str, Text] | None:
    if not line.strip():
        return None
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    identifier = _first(fields, _IDS) if isinstance(fields, dict) else ""
    if not identifier:
        shown = line.decode("utf-8", "replace").strip()
        reason = f"expected JSON with a field such as {', '.join(_IDS[:4])}"
        raise InputError(Problem(f"{name}:{number}", reason, shown))
    return identifier, _as_text(fields)


def _of_topics(content: str, wanted: Collection[str]) -> dict[str, Text]:
    return {
        number: Text(rest, title)
        for number, title, rest in read_topics(content)
        if number in wanted
    }


def _of_documents(lines: Iterator[bytes], wanted: Collection[str]) -> dict[str, Text]:
    names = {name.encode("utf-8", "replace") for name in wanted}
    return {name: Text(text, title) for name, title, text in read_documents(lines, names)}


def _of_dataset(dataset_id: str, wanted: Collection[str]) -> dict[str, Text]:
    """Read queries and documents of a dataset of ir_datasets."""
    dataset, found = load_dataset(dataset_id), dict[str, Text]()
    if dataset.has_queries():
        for query in dataset.queries_iter():
            if query.query_id in wanted:
                found[query.query_id] = _as_text(query._asdict())
    missing = [name for name in wanted if name not in found]
    if missing and dataset.has_docs():
        for document in dataset.docs_store().get_many_iter(missing):
            found[document.doc_id] = _as_text(document._asdict())
    return found
