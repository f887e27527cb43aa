"""Texts in TREC's markup: topics, older and newer, and documents."""

import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape

_TOPIC = re.compile(
    r"<top>(?P<old>.*?)</top>|<topic\b(?P<marks>[^>]*)>(?P<new>.*?)</topic>", re.S | re.I
)
_OLD_FIELD = re.compile(r"<(num|title|desc|narr)>([^<]*)", re.I)
_NEW_FIELD = re.compile(r"<(title|query|question|desc\w*|narr\w*)>(.*?)</\1>", re.S | re.I)
_NUMBER = re.compile(r"""\b(?:number|id|qid|num)\s*=\s*["']([^"']+)""", re.I)
_LABEL = re.compile(r"^\s*(number|topic|description|narrative)\s*:", re.I)
_NAME = re.compile(rb"<docno>\s*(.*?)\s*</docno>", re.S | re.I)
_HEAD = re.compile(r"<(title|headline|ttl|hl)>(.*?)</\1>", re.S | re.I)
_BODY = re.compile(r"<(text|body|abstract)>(.*?)</\1>", re.S | re.I)
_MARK = re.compile(r"<[^>]*>")


def read_topics(content: str) -> Iterator[tuple[str, str, str]]:
    """Give the number, the title and the rest of each topic."""
    for found in _TOPIC.finditer(content):
        old = found["old"]
        if old is not None:
            fields = _OLD_FIELD.findall(old)
            number = next((text for name, text in fields if name.lower() == "num"), "")
        else:
            fields = _NEW_FIELD.findall(found["new"])
            marked = _NUMBER.search(found["marks"])
            number = marked[1] if marked else ""
        texts = [_plain(_LABEL.sub("", text)) for name, text in fields if name.lower() != "num"]
        told = [text for text in texts if text]
        yield _plain(_LABEL.sub("", number)), told[0] if told else "", "\n\n".join(told[1:])


def read_documents(
    lines: Iterable[bytes], wanted: Collection[bytes]
) -> Iterator[tuple[str, str, str]]:
    """Give the id, the title and the text of the documents that are wanted."""
    kept: list[bytes] = []
    for line in lines:
        kept.append(line)
        if b"</DOC>" in line or b"</doc>" in line:
            document = b"".join(kept)
            kept = []
            name = _NAME.search(document)
            if name is not None and name[1] in wanted:
                yield name[1].decode("utf-8", "replace"), *_parts(document)


def _parts(document: bytes) -> tuple[str, str]:
    text = _NAME.sub(b"", document).decode("utf-8", "replace")
    head, body = _HEAD.search(text), _BODY.search(text)
    title = _plain(head[2]) if head else ""
    return title, _plain(body[2] if body else _HEAD.sub("", text))


def _plain(text: str) -> str:
    return unescape(_MARK.sub(" ", text)).strip()
