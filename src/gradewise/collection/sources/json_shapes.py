"""What a JSON text holds, told by its first tokens: rows, tables, lists, or a document of its own.

    rows    {"qid": "1", "docid": "a", "score": 0.5}   one to a line, or all in one list
            ["1", "a", 0.5]                            the same without names
    table   {"1": {"a": 0.5, "b": 0.25}, "2": ...}     as ranx and BEIR write qrels and runs
    lists   {"1": ["a", "b"], "2": ...}                the best document first

Anything else is read whole, and looked at as a Python object: see `documents`.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from gradewise.arrays import Bytes
from gradewise.collection.sources.columns import (
    Columns,
    find_columns,
    looks_named,
    names_some,
    place_columns,
)
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.rows import IN_ORDER
from gradewise.errors import InputError
from gradewise.kernels import json_tokens as jt
from gradewise.kernels import json_values

Kind = Literal["rows", "table", "lists", "document"]
_OPENINGS = {b"{": b'"}', b"[": b'{["]'}  # what may follow where a text is JSON
_SPACES = b" \t\r\n"
_SCALARS = (jt.STRING, jt.NUMBER, jt.WORD)


@dataclass(frozen=True)
class Shape:
    """What a JSON text holds.

    Members that stand inside `containers` are rows, or topics with what belongs to them. Rows have
    `columns`.
    """

    kind: Kind
    containers: bytes = b""
    columns: Columns | None = None
    note: str = ""

    @property
    def depth(self) -> int:
        """How many containers are around a member."""
        return len(self.containers)


def looks_like_json(head: Bytes) -> bool:
    """Tell JSON by its first two characters that are no white space."""
    text = head[: 1 << 12].tobytes().lstrip(_SPACES)
    behind = text[1:].lstrip(_SPACES)
    return text[:1] in _OPENINGS and (not behind or behind[:1] in _OPENINGS[text[:1]])


def shape_of(head: Bytes, name: str, *, grades: bool, given: Given | None) -> Shape:
    """Tell what a JSON text holds by its first lines, which may end anywhere."""
    tokens = jt.Tokens()
    tokens.read(head, b"", False)
    kinds = (tokens.kind[: tokens.count] & ~np.uint8(jt.ESCAPED)).tolist()
    depths = tokens.depth[: tokens.count].tolist()
    inside = [kind for kind, depth in zip(kinds, depths, strict=True) if depth == 1]
    if inside[:1] in ([], [jt.END]):
        raise InputError(f"{name}: there are no rows")
    if kinds[0] == jt.LIST:
        containers = b"[" if inside[0] in (jt.OBJECT, jt.LIST) else b""
        return _rows(head, tokens, containers, name, grades=grades, given=given)
    keys = _keys(head, tokens, 1)
    values = [kind for before, kind in pairwise(inside) if before == jt.KEY]
    is_named = looks_named(keys, grades=grades) or names_some(keys) or given is not None
    if is_named and any(kind in _SCALARS for kind in values):
        return _rows(head, tokens, b"", name, grades=grades, given=given)
    within = [kind for kind, depth in zip(kinds, depths, strict=True) if depth == 2]
    within = [kind for kind in within if kind not in (jt.KEY, jt.END)]
    is_flat = bool(within) and all(kind in _SCALARS for kind in within)
    if is_flat and values[0] == jt.OBJECT and jt.LIST not in values:
        what = "grade" if grades else "score"
        return Shape("table", b"{", note=f"read as JSON: {{topic: {{document: {what}}}}}")
    if is_flat and not grades and values[0] == jt.LIST and jt.OBJECT not in values:
        return Shape("lists", b"{", note=f"read as JSON: {{topic: [documents]}}; {IN_ORDER}")
    return Shape("document")


def _rows(
    head: Bytes,
    tokens: jt.Tokens,
    containers: bytes,
    name: str,
    *,
    grades: bool,
    given: Given | None,
) -> Shape:
    """Return rows, by the names that their first ones have, or by their places."""
    kind = "JSON" if containers else "JSON lines"
    depth = len(containers)
    first = next(
        each
        for each, level in zip(tokens.kind.tolist(), tokens.depth.tolist(), strict=True)
        if level == depth
    )
    if first == jt.OBJECT:
        names = _keys(head, tokens, depth + 1)
        columns = find_columns(names, name, grades=grades, given=given)
        told = f": {columns.told()}" if columns.assumed else ""
        note = f"read as {kind}{told}"
        return Shape("rows", containers, columns, note="" if given else note)
    width = _first_width(tokens, depth)
    columns = place_columns(width, name, grades=grades, given=given)
    note = "" if given else f"read as {kind}: {columns.told()}"
    return Shape("rows", containers, columns, note=note)


def _keys(head: Bytes, tokens: jt.Tokens, depth: int) -> list[str]:
    """Return the names of members at a depth, each once."""
    kind = tokens.kind[: tokens.count] & ~np.uint8(jt.ESCAPED)
    place = np.flatnonzero((kind == jt.KEY) & (tokens.depth[: tokens.count] == depth))[:10000]
    data, offsets, _ = json_values.take_strings(head, tokens.begin[place], tokens.end[place])
    text = data.tobytes()
    ends = offsets.tolist()
    names = (text[a:b].decode("utf-8", "replace") for a, b in pairwise(ends))
    return list(dict.fromkeys(names))


def _first_width(tokens: jt.Tokens, depth: int) -> int:
    """Return how many values the first list at a depth has."""
    kind, level = tokens.kind[: tokens.count], tokens.depth[: tokens.count]
    ends = np.flatnonzero((kind == jt.END) & (level == depth))
    last = int(ends[0]) if len(ends) else tokens.count
    within = (level[:last] == depth + 1) & (kind[:last] != jt.END)
    return int(within.sum())
