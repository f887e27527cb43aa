"""What a page needs to show why two runs differ on a topic: documents, texts and terms.

It is compressed, and read by the page only when somebody asks.
"""

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from gradewise.collection.judged import Judged
from gradewise.collection.topic_subsets import keep_topics
from gradewise.measures.measure import Measure
from gradewise.report.contributions import find_terms, terms_content
from gradewise.report.rankings import Rankings
from gradewise.report.shown import chosen
from gradewise.report.texts import Text

_MOST_BYTES: Final = 650_000  # of titles, compressed
_LENGTHS: Final = (200, 140, 100, 70, 50, 30)  # letters of a title, the first that fits
_QUERY: Final = 600  # letters of what a query says besides its title


def drill_content(
    rankings: Rankings,
    judged: Judged,
    measures: Sequence[Measure],
    *,
    condensed: bool,
    queries: Mapping[str, Text],
    docs: Mapping[str, Text],
) -> dict[str, Any]:
    """Return documents of lists, what they add to measures, and texts, as what JSON can hold."""
    lists = keep_topics(judged, chosen(rankings.places, len(judged.topics)))
    known = lists.condensed if condensed else lists
    used = rankings.used_ranks()
    return {
        "topics": list(rankings.topics),
        "runs": rankings.runs.tolist(),
        "deep": [] if condensed else rankings.deep.tolist(),  # whose ranks are those of the run
        "depth": rankings.docs.shape[2],
        "condensed": condensed,
        "docs": np.moveaxis(rankings.docs, 0, 1).ravel().tolist(),  # topic, run, rank
        "first": rankings.first.tolist(),
        "document": rankings.document.tolist(),
        "level": rankings.level.tolist(),
        "names": rankings.names,
        "below": rankings.below.ravel().tolist(),
        **_shared_terms([terms_content(find_terms(each, known), used) for each in measures]),
        "queries": [_query(queries.get(topic)) for topic in rankings.topics],
        "titles": _titles(rankings.names, docs),
    }


def deflate(content: Any) -> str:
    """Return content as JSON, compressed (raw deflate) and in base 64."""
    return base64.b64encode(_compressed(content)).decode("ascii")


def _compressed(content: Any) -> bytes:
    text = json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(text) + packer.flush()


def _shared_terms(terms: list[dict[str, Any] | None]) -> dict[str, Any]:
    """Return terms with each discount once."""
    discounts: list[list[list[float]]] = []
    for each in terms:
        if each is not None:
            if each["discount"] not in discounts:
                discounts.append(each["discount"])
            each["discount"] = discounts.index(each["discount"])
    return {"terms": terms, "discounts": discounts}


def _query(text: Text | None) -> list[str] | None:
    if text is None:
        return None
    title, body = (re.sub(r"\s+", " ", part).strip() for part in (text.title, text.text))
    return [_clip(title or body, _QUERY), _clip(body, _QUERY) if title else ""]


def _titles(names: Sequence[str], docs: Mapping[str, Text]) -> list[str] | None:
    """Return titles, or how texts begin, as long as all of them fit."""
    if not docs:
        return None
    found = [docs.get(name) for name in names]
    lines = ["" if text is None else text.title or text.text for text in found]
    plain = [re.sub(r"\s+", " ", line[: 4 * _LENGTHS[0]]).strip() for line in lines]
    for length in _LENGTHS:
        titles = [_clip(line, length) for line in plain]
        if len(_compressed(titles)) <= _MOST_BYTES:
            return titles
    return None


def _clip(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
