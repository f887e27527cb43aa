"""make_judging_page: from a list of documents to one HTML page to judge them in."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from gradewise.errors import SHOWN_PROBLEMS, InputError, OptionError, Problem, counted
from gradewise.files import write_text
from gradewise.report.judging_page import judging_html
from gradewise.report.packing import script_json
from gradewise.report.texts import Text, TextsLike, read_texts
from gradewise.showing import Shown

# Topics and documents in order, or a path to a file of them.
ListLike: TypeAlias = str | os.PathLike[str] | Sequence[tuple[str, str]]

GRADES: dict[int, tuple[str, str]] = {
    0: ("Not relevant", "It does not help with the topic, even if it shares words with it."),
    1: ("Related", "It is about the topic, but does not answer it."),
    2: ("Relevant", "It answers the topic, in part or among other things."),
    3: ("Highly relevant", "It is about the topic and answers it completely."),
}


@dataclass(frozen=True, eq=False)
class JudgingPage(Shown):
    """A self-contained HTML page for judging documents; it needs no network.

    Judgments are kept in the browser's storage under `digest`, the SHA-256 of the list and of the
    grades, so a page made again from the same list continues where the last one stopped.
    """

    title: str
    documents: int
    digest: str
    notes: tuple[str, ...]
    content: dict[str, Any] = field(repr=False)

    @property
    def html(self) -> str:
        """The page."""
        return judging_html(self.title, script_json(self.content))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all."""
        write_text(path, self.html)


def make_judging_page(
    documents: ListLike,
    *,
    queries: TextsLike,
    docs: TextsLike,
    grades: Mapping[int, str | tuple[str, str]] | None = None,
    title: str = "Relevance judgments",
) -> JudgingPage:
    """Make a page for judging documents by keyboard, offline, with qrels export.

    Parameters
    ----------
    documents
        The documents to judge: (topic, document) in order, or a path to lines of topic, 0 and
        document, as `gradewise judges --next` writes them, or of topic and document.
    queries, docs
        The texts of topics and of documents; see `gw.report.read_texts`.
    grades
        {grade: name} or {grade: (name, definition)}; by default four grades, from 0 for not
        relevant to 3 for highly relevant.
    title
        Page title.

    Examples
    --------
    >>> import gradewise as gw
    >>> page = gw.report.make_judging_page(
    ...     [("t1", "d1"), ("t1", "d2")],
    ...     queries={"t1": "what is a pivot"},
    ...     docs={"d1": "A pivot is a point on which something turns."},
    ... )
    >>> page.documents, page.notes
    (2, ('1 document has no text',))
    >>> page.save("judge.html")  # doctest: +SKIP
    """
    pairs = _read_list(documents)
    meanings = _meanings(GRADES if grades is None else grades)
    named = {topic for topic, _ in pairs}
    asked = read_texts(queries, named)
    held = read_texts(docs, {document for _, document in pairs})
    digest = hashlib.sha256(
        json.dumps([pairs, [entry["grade"] for entry in meanings]]).encode("utf-8")
    ).hexdigest()
    content = {
        "digest": digest,
        "name": f"judgments-{digest[:8]}",
        "grades": meanings,
        "topics": {topic: _shown(asked[topic]) for topic in sorted(named) if topic in asked},
        "items": [
            {"topic": topic, "document": document, "text": _shown(held.get(document))}
            for topic, document in pairs
        ],
    }
    lacking = [document for _, document in pairs if document not in held]
    notes = [
        f"{counted(number, kind)} {'has' if number == 1 else 'have'} no text"
        for kind, number in (("topic", len(named - asked.keys())), ("document", len(lacking)))
        if number
    ]
    return JudgingPage(title, len(pairs), digest, tuple(notes), content)


def _shown(text: Text | None) -> dict[str, str] | None:
    return None if text is None else {"title": text.title, "text": text.text}


def _meanings(grades: Mapping[int, str | tuple[str, str]]) -> list[dict[str, Any]]:
    if len(grades) < 2:
        raise OptionError(f"{counted(len(grades), 'grade')} given; judging needs at least 2")
    found = []
    for grade, told in sorted(grades.items()):
        name, meaning = (told, "") if isinstance(told, str) else told
        found.append({"grade": int(grade), "name": name, "meaning": meaning})
    return found


def _read_list(documents: ListLike) -> list[tuple[str, str]]:
    if not isinstance(documents, (str, os.PathLike)):
        pairs = [(str(topic), str(document)) for topic, document in documents]
        places = [f"item {number}" for number in range(1, len(pairs) + 1)]
    else:
        pairs, places = _parse_list(documents)
    seen: dict[tuple[str, str], str] = {}
    problems = []
    for pair, place in zip(pairs, places, strict=True):
        if pair in seen:
            told = f"document {pair[1]} of topic {pair[0]} is listed twice, first at {seen[pair]}"
            problems.append(Problem(place, told))
        seen.setdefault(pair, place)
    if problems:
        raise InputError(problems[:SHOWN_PROBLEMS], len(problems))
    if not pairs:
        raise InputError("the list has no documents to judge")
    return pairs


def _parse_list(path: str | os.PathLike[str]) -> tuple[list[tuple[str, str]], list[str]]:
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(f"{path}: cannot be read ({str(reason).lower()})") from None
    pairs, places, problems = [], [], []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) not in (2, 3):
            reason = "expected topic and document, or topic, 0 and document"
            problems.append(Problem(f"{path}:{number}", reason, line))
            continue
        pairs.append((words[0], words[-1]))
        places.append(f"{path}:{number}")
    if problems:
        raise InputError(problems[:SHOWN_PROBLEMS], len(problems))
    return pairs, places
