"""Regular text is split as any other text is, only quicker."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gradewise.collection import tokens
from gradewise.collection.layout import Fields, Layout
from gradewise.collection.regular import regular_fields
from gradewise.collection.text import Text, text_from_bytes

LAYOUTS = {
    3: Layout(3, (0, 1, 2), False, "rank", "3 columns"),
    4: Layout(4, (0, 2, 3), False, "grade", "4 columns"),
    6: Layout(6, (0, 2, 4), True, "score", "6 columns"),
}
WIDTHS = st.sampled_from(sorted(LAYOUTS))


def rows_of(text: Text, fields: Fields) -> list[tuple[bytes, ...]]:
    """Return topic, document and number of every row, as they stand in the text."""
    topics = [text.data[a:b].tobytes() for a, b in zip(*fields.topics, strict=True)]
    stretches = np.diff(fields.heads, append=len(fields.docs[0]))
    others = [
        [text.data[a:b].tobytes() for a, b in zip(*spans, strict=True)]
        for spans in (fields.docs, fields.numbers)
    ]
    names = [t for t, count in zip(topics, stretches, strict=True) for _ in range(count)]
    return list(zip(names, *others, strict=True))


def split(content: bytes, width: int) -> list[tuple[bytes, ...]] | None:
    """Return the rows of regular text; None if it is not."""
    text = text_from_bytes("text", content)
    fields = regular_fields(text.data, 0, text.size, LAYOUTS[width])
    return None if fields is None else rows_of(text, fields)


def split_by_hand(content: bytes, width: int) -> list[tuple[bytes, ...]] | None:
    """Return the rows of text whose columns are separated one by one; None if it has others."""
    wanted = LAYOUTS[width].wanted
    lines = content.split(b"\n")[:-1]
    separator = b"\t" if b"\t" in content else b" "
    rows = [line.split(separator) for line in lines]
    clean = [len(row) == width and all(word.split() == [word] for word in row) for row in rows]
    if not all(clean):
        return None
    return [tuple(row[column] for column in wanted) for row in rows]


WORDS = st.text("ab1", min_size=1, max_size=3)
LONG_WORDS = st.one_of(WORDS, st.integers(0, 80).map(lambda n: "x" * n + "y"))


@st.composite
def regular(draw, width: int) -> bytes:
    """Lines of as many columns, of which some are alike."""
    separator = draw(st.sampled_from(" \t"))
    words = draw(st.sampled_from([WORDS, LONG_WORDS]))
    first = draw(st.lists(words, min_size=width, max_size=width))
    lines = []
    for _ in range(draw(st.integers(1, 12))):
        kept = draw(st.lists(st.booleans(), min_size=width, max_size=width))
        lines.append(
            [word if keep else draw(words) for word, keep in zip(first, kept, strict=True)]
        )
    return "".join(separator.join(line) + "\n" for line in lines).encode()


@given(WIDTHS.flatmap(lambda width: st.tuples(regular(width), st.just(width))))
@example((b"1 0 d 1 1 t\n" * 3 + b"1 0 d 111 1.5 t\n" * 9, 6))
def test_the_columns_of_regular_text(case: tuple[bytes, int]):
    content, width = case
    expected = split_by_hand(content, width)
    assert expected is not None
    found = split(content, width)
    if max(map(len, content.split())) < 31:
        assert found == expected
    else:  # columns so long may be left to the slower way
        assert found in (expected, None)


@given(st.text("a1. \t\n\r", min_size=1, max_size=60), WIDTHS)
@example("a  b c\na  b c\n", 4)
@example("a b c \na b c \n", 4)
@example(" a b c\n a b c\n", 4)
@example("a b c d  \n", 6)
@example("a b\tc d\n", 4)
@example("a b c\nd e f g h\n", 4)
def test_text_that_is_not_regular_is_left_to_others(content: str, width: int):
    encoded = content.encode() + b"\n"
    assert split(encoded, width) in (split_by_hand(encoded, width), None)


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_blocks_begin_anywhere(separator):
    lines = [f"{n // 40 + 98} Q0 d{n} {n % 40 + 1} {50 - n / 7:.3f} tag\n" for n in range(200)]
    content = "".join(lines).replace(" ", separator).encode()
    text = text_from_bytes("text", content)
    low, high = len("".join(lines[:33])), len("".join(lines[:180]))
    fields = regular_fields(text.data, low, high, LAYOUTS[6])
    assert fields is not None
    expected = split_by_hand(content, 6)
    assert expected is not None
    assert rows_of(text, fields) == expected[33:180]


def test_comments_among_regular_lines():
    content = b"1 0 a 1\n# 0 b 1\n1 0 c 1\n"
    text = text_from_bytes("text", content)
    fields = tokens.find_fields(text, 0, text.size, LAYOUTS[4])
    assert rows_of(text, fields) == [(b"1", b"a", b"1"), (b"1", b"c", b"1")]
