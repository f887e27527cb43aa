"""JSON documents of other tools, read whole: Elasticsearch's rank evaluation, Quepid, MTEB.

Each kind is one entry of `DOCUMENTS`: how it is told, and how its rows are found. A row is (topic,
document, number, place), the place being the path inside the document.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gradewise.collection.sources.columns import find_columns
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.rows import (
    IN_ORDER,
    ColumnsSource,
    DictSource,
    RowsSource,
)
from gradewise.collection.sources.source import Source
from gradewise.collection.sources.streams import Stream
from gradewise.errors import InputError, counted

Row = tuple[Any, Any, Any, str]


@dataclass(frozen=True)
class Kind:
    """A kind of document: what it holds, how it is told, and its rows for qrels and for runs."""

    title: str
    matches: Callable[[Any], bool]
    qrels: Callable[[Any], Iterator[Row]] | None
    run: Callable[[Any], Iterator[Row]] | None
    run_note: str = ""


class _SeveralError(Exception):
    """A document holds several runs, of which none is the one that is meant."""


class DocumentSource(RowsSource):
    """The rows of a document, with their places inside it."""

    def __init__(self, name: str, rows: list[Row], *, grades: bool, note: str):
        self.paths = [row[3] for row in rows]
        columns = ([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])
        super().__init__(name, columns, grades=grades)
        self.notes = (note,)

    def place(self, number: int) -> str:
        """Name a row by its path inside the document."""
        return f"{self.name}: {self.paths[number]}"


def document_source(stream: Stream, *, grades: bool, given: Given | None) -> Source:
    """Return the rows of a JSON document, whatever tool it is of."""
    content = _loaded(stream)
    for kind in DOCUMENTS:
        if kind.matches(content):
            return _of_kind(kind, content, stream.name, grades=grades)
    if _is_hits(content):
        return _hits_source(content, stream.name, grades=grades, given=given)
    if _is_nested(content, grades=grades):
        return _nested_source(content, stream.name, grades=grades)
    keys = f" with the keys {', '.join(map(str, content))[:100]}" if _is_map(content) else ""
    raise InputError(
        f"{stream.name}: this JSON{keys} contains no {'judgments' if grades else 'run'} in a known "
        f"form; known forms are rows, {{topic: {{document: {_what(grades)}}}}} and "
        + ", ".join(kind.title for kind in DOCUMENTS)
    )


def _what(grades: bool) -> str:
    return "grade" if grades else "score"


def _loaded(stream: Stream) -> Any:
    """Return the whole content of a stream as Python objects."""
    parts = []
    with stream.open() as reader:
        view = memoryview(bytearray(1 << 20))
        while count := reader.readinto(view):
            parts.append(bytes(view[:count]))
    try:
        return json.loads(b"".join(parts).decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"{stream.name}: this is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        reason = f"this is not JSON ({error.msg})"
        raise InputError(f"{stream.name}:{error.lineno}: {reason}") from None
    except RecursionError:
        raise InputError(f"{stream.name}: this JSON is nested too deeply") from None


def _of_kind(kind: Kind, content: Any, name: str, *, grades: bool) -> Source:
    read = kind.qrels if grades else kind.run
    if read is None:
        wanted = "judgments" if grades else "a run"
        raise InputError(
            f"{name}: found {kind.title}, expected {wanted}; are qrels and runs swapped?"
        )
    try:
        rows = list(read(content))
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(
            f"{name}: incomplete {kind.title.removeprefix('a ')} ({error!r})"
        ) from None
    except _SeveralError as error:
        raise InputError(f"{name}: {error}") from None
    judged = [row for row in rows if not (grades and row[2] is None)]
    note = f"read as {kind.title}" + (kind.run_note if not grades else "")
    if skipped := len(rows) - len(judged):
        note += f"; skipped {counted(skipped, 'document')} without a rating"
    return DocumentSource(name, judged, grades=grades, note=note)


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping)


# Elasticsearch and OpenSearch: requests with ratings, responses with hits.


def _is_request(content: Any) -> bool:
    requests = content.get("requests") if _is_map(content) else None
    return isinstance(requests, list) and all(_is_map(each) for each in requests)


def _request_ratings(content: Any) -> Iterator[Row]:
    for number, request in enumerate(content["requests"]):
        for place, rating in enumerate(request.get("ratings") or ()):
            path = f"requests[{number}].ratings[{place}]"
            yield request["id"], rating["_id"], rating["rating"], path


def _response(content: Any) -> Any:
    """Return a response without what older versions and clients put around it."""
    inner: Any = content.get("rank_eval", content) if _is_map(content) else None
    details: Any = inner.get("details") if _is_map(inner) else None
    is_known = _is_map(details) and all(
        _is_map(each) and "hits" in each for each in details.values()
    )
    return inner if is_known else None


def _hits(content: Any) -> Iterator[tuple[str, int, Any, str]]:
    for topic, detail in _response(content)["details"].items():
        for place, hit in enumerate(detail["hits"]):
            yield topic, place, hit, f"details[{topic!r}].hits[{place}]"


def _response_ratings(content: Any) -> Iterator[Row]:
    return (
        (topic, hit["hit"]["_id"], hit.get("rating"), path)
        for topic, _, hit, path in _hits(content)
    )


def _response_hits(content: Any) -> Iterator[Row]:
    return (
        (topic, hit["hit"]["_id"], -place - 1, path) for topic, place, hit, path in _hits(content)
    )


# Quepid: the ratings of a case, in its own form and in that of the Rated Ranking Evaluator.


def _is_quepid(content: Any) -> bool:
    queries = content.get("queries") if _is_map(content) else None
    return isinstance(queries, list) and all(
        _is_map(each) and _is_map(each.get("ratings", {})) and "query" in each for each in queries
    )


def _quepid_ratings(content: Any) -> Iterator[Row]:
    for number, query in enumerate(content["queries"]):
        for document, rating in query.get("ratings", {}).items():
            yield query["query"], document, rating, f"queries[{number}].ratings[{document!r}]"


def _is_rre(content: Any) -> bool:
    queries = content.get("queries") if _is_map(content) else None
    return isinstance(queries, list) and all(
        _is_map(each) and _is_map(each.get("placeholders")) and "relevant_documents" in each
        for each in queries
    )


def _rre_ratings(content: Any) -> Iterator[Row]:
    for number, query in enumerate(content["queries"]):
        topic = query["placeholders"]["$query"]
        for document, judged in query["relevant_documents"].items():
            path = f"queries[{number}].relevant_documents[{document!r}]"
            yield topic, document, judged["gain"], path


# MTEB: predictions of a task by subset and split.

_META = "mteb_model_meta"


def _predictions(content: Any) -> list[tuple[str, Any]]:
    """Return the tables of predictions, by subset and split."""
    return [
        (f"{subset}/{split}", table)
        for subset, splits in content.items()
        if subset != _META
        for split, table in splits.items()
    ]


def _is_mteb(content: Any) -> bool:
    return _is_map(content) and _META in content


def _mteb_run(content: Any) -> Iterator[Row]:
    tables = _predictions(content)
    if len(tables) != 1:
        names = ", ".join(name for name, _ in tables) or "nothing"
        raise _SeveralError(f"predictions for {names}; keep one subset and split of them")
    path, table = tables[0]
    for topic, scores in table.items():
        for document, score in scores.items():
            yield topic, document, score, f"{path}[{topic!r}][{document!r}]"


# Lists of hits for each topic, with names: {topic: [{"docid": ..., "score": ...}, ...]}.


def _is_hits(content: Any) -> bool:
    if not _is_map(content) or not any(content.values()):
        return False
    lists = content.values()
    return all(isinstance(hits, list) and all(_is_map(hit) for hit in hits) for hits in lists)


def _hits_source(content: Any, name: str, *, grades: bool, given: Given | None) -> Source:
    rows = [(topic, hit) for topic, hits in content.items() for hit in hits]
    names = list(dict.fromkeys(["topic", *(key for _, hit in rows for key in hit)]))
    columns = find_columns(names, name, grades=grades, given=given)

    def listed(column: str) -> list[Any]:
        if column == "topic":
            return [topic for topic, _ in rows]
        return [hit.get(column) for _, hit in rows]

    source = ColumnsSource(name, listed, columns, grades=grades)
    source.notes = (f"read as JSON: {{topic: [documents]}}; {columns.told()}",)
    return source


# Judgments by intent, and lists of documents with their scores, as Python's dictionaries have them.


def _is_nested(content: Any, *, grades: bool) -> bool:
    inner = Mapping if grades else (Mapping, list)
    return (
        _is_map(content) and bool(content) and all(isinstance(v, inner) for v in content.values())
    )


def _nested_source(content: Any, name: str, *, grades: bool) -> Source:
    source = DictSource(name, content, grades=grades)
    inner = "{intent: {document: grade}}" if grades else "[[document, score], ...]"
    if IN_ORDER in source.notes:
        inner = "[documents]"
    source.notes = ("; ".join([f"read as JSON: {{topic: {inner}}}", *source.notes]),)
    return source


DOCUMENTS = (
    Kind("a _rank_eval request", _is_request, _request_ratings, None),
    Kind(
        "a _rank_eval response",
        lambda content: _response(content) is not None,
        _response_ratings,
        _response_hits,
        run_note=f"; {IN_ORDER}",
    ),
    Kind("ratings of Quepid", _is_quepid, _quepid_ratings, None),
    Kind("ratings of the Rated Ranking Evaluator", _is_rre, _rre_ratings, None),
    Kind("predictions of MTEB", _is_mteb, None, _mteb_run),
)
