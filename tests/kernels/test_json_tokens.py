"""Tokens, strings and numbers of JSON, against Python's json module."""

import json
import math
from typing import Any

import numpy as np
import pytest
from columns import strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels import json_tokens as jt
from gradewise.kernels.json_values import are_whole, take_numbers, take_strings

often = settings(max_examples=300, deadline=None, derandomize=True)

TEXTS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(['"', "\\", "a\\b", "\n", "\u2028", "\U0001f600", "é", "{", ","]),
)
SCALARS = st.one_of(
    TEXTS, st.integers(-(10**18), 10**18), st.floats(allow_nan=False), st.booleans(), st.none()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def block_of(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)


def rebuilt(text: str) -> list[Any]:
    """Return the values of a text, made of its tokens."""
    block = block_of(text)
    tokens = jt.Tokens()
    tokens.read(block, b"", False)
    assert (tokens.fault, tokens.depth_behind) == (-1, 0)
    begins, ends = tokens.begin[: tokens.count], tokens.end[: tokens.count]
    texts = strings_of(*take_strings(block, begins, ends)[:2])
    kinds = (tokens.kind[: tokens.count] & ~np.uint8(jt.ESCAPED)).tolist()
    depths = tokens.depth[: tokens.count].tolist()
    words = {"true": True, "false": False, "null": None}
    words |= {"Infinity": math.inf, "-Infinity": -math.inf}
    place = 0

    def value() -> Any:
        nonlocal place
        kind, depth, here = kinds[place], depths[place], texts[place]
        place += 1
        if kind == jt.STRING:
            return here
        if kind == jt.NUMBER:
            return json.loads(here)
        if kind == jt.WORD:
            return words[here]
        made: Any = {} if kind == jt.OBJECT else []
        while kinds[place] != jt.END:
            assert depths[place] == depth + 1
            if kind == jt.OBJECT:
                assert kinds[place] == jt.KEY
                key = texts[place]
                place += 1
                made[key] = value()
            else:
                made.append(value())
        assert depths[place] == depth
        place += 1
        return made

    found = []
    while place < len(kinds):
        found.append(value())
    return found


@often
@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_tokens_make_the_value_that_they_are_of(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert rebuilt(text + "\n") == [value]
    assert rebuilt(f"{text}\n{text}\n") == [value, value]  # JSON lines


@often
@given(st.text('{}[],:"\\ \n01e.-truenlfasNI', max_size=12))
def test_what_python_takes_for_json_is_json(text):
    try:
        json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return
    tokens = jt.Tokens()
    tokens.read(block_of(text + "\n"), b"", False)
    assert (tokens.fault, tokens.depth_behind) == (-1, 0)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a" 1}', 5),
        ('{"a": 1,}', 8),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("{1: 2}", 1),
        ('{"a": tru}', 6),
        ("[}", 1),
        ('["open', 1),
        ('["line\nend"]', 1),
        ("]", 0),
        (",", 0),
        ("[-]", 1),
    ],
)
def test_where_it_is_no_json(text, fault):
    tokens = jt.Tokens()
    tokens.read(block_of(text + "\n"), b"", False)
    assert tokens.fault == fault


def test_blocks_inside_containers():
    tokens = jt.Tokens()
    tokens.read(block_of('"b": {"x": 1}}\n'), b"{", True)
    assert (tokens.fault, tokens.depth_behind) == (-1, 0)
    assert tokens.depth[: tokens.count].tolist() == [1, 1, 2, 2, 1, 0]
    tokens.read(block_of("]\n"), b"[", True)  # nothing behind a comma
    assert tokens.fault == 0
    tokens.read(block_of("]\n"), b"[", False)
    assert tokens.fault == -1


@often
@given(
    st.dictionaries(TEXTS, st.dictionaries(TEXTS, st.integers(0, 9)), min_size=1),
    st.integers(0, 200),
)
def test_cuts_behind_the_last_whole_member(table, size):
    text = json.dumps(table).encode()
    members = [json.dumps({key: inner}).encode()[1:-1] for key, inner in table.items()]
    ends, place = [], 1
    for member in members[:-1]:
        place += len(member) + 1
        ends.append(place)
        place += 1  # the space behind a comma
    cut = min(size, len(text))
    found = jt.last_cut(np.frombuffer(text[:cut], np.uint8), 0, 1)
    assert found == max((end for end in ends if end <= cut), default=0)


def test_cuts_between_lines():
    text = b'{"a": "x\\n,"}\n[1,\n2]\n{"b"'
    assert jt.last_cut(np.frombuffer(text, np.uint8), 0, 0) == text.rindex(b"{")


@pytest.mark.parametrize(
    ("text", "is_text"),
    [
        (r"\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t", True),
        (r"\ud800", False),
        (r"\udc00", False),
        (r"\ud800\u0041", False),
        (r"\u12", False),
        (r"\x41", False),
        ("\\", False),
    ],
)
def test_escapes(text, is_text):
    block = block_of(text)
    data, offsets, wrong = take_strings(block, np.array([0]), np.array([len(block)]))
    assert (wrong == -1) == is_text
    assert strings_of(data, offsets) == [json.loads(f'"{text}"') if is_text else ""]


def test_numbers():
    words = ["1", "-2.5", "1e3", "0.1", "x", "", "NaN", "1.", "123456789012345678901"]
    text, begins, ends = "", [], []
    for word in words:
        begins.append(len(text))
        text += word
        ends.append(len(text))
        text += ","
    block, begin, end = block_of(text), np.array(begins), np.array(ends)
    found = take_numbers(block, begin, end).tolist()
    assert [None if math.isnan(value) else value for value in found] == [
        *(1.0, -2.5, 1000.0, 0.1, None, None, None, 1.0, 123456789012345678901.0)
    ]
    assert are_whole(block, begin, end).tolist()[:4] == [True, False, False, False]


def test_positions_outside_a_block_are_refused():
    block = block_of("12")
    for begin, end in ((0, 3), (-1, 1), (2, 1)):
        for take in (take_strings, take_numbers, are_whole):
            with pytest.raises(ValueError, match="outside"):
                take(block, np.array([begin]), np.array([end]))
    with pytest.raises(ValueError, match="too deeply"):
        jt.Tokens().read(block, b"[" * 500, False)
