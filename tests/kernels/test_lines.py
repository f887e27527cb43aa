"""Lines into columns, against Python's own splitting."""

import re

import numpy as np
import pytest
from columns import strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels import lines
from gradewise.kernels.lines import Rows, is_ascii

often = settings(max_examples=300, deadline=None, derandomize=True)


def read(text: bytes, columns, width, *, more=False, whole=False, rows=None) -> Rows:
    rows = Rows(20) if rows is None else rows
    rows.read(np.frombuffer(text, np.uint8), columns, width, more, whole)
    return rows


def table_of(rows: Rows) -> list[tuple[str, str, float]]:
    docs = strings_of(rows.docs, rows.doc_offsets[: rows.count + 1])
    topics = strings_of(rows.topics, rows.topic_offsets[: rows.topic_count + 1])
    heads = [*rows.heads[: rows.topic_count].tolist(), rows.count]
    names = [topic for n, topic in enumerate(topics) for _ in range(heads[n], heads[n + 1])]
    return list(zip(names, docs, rows.numbers[: rows.count].tolist(), strict=True))


def literal(text: bytes, columns, width, more):
    """Return rows, the starts of their lines, and (kind, place) of what is wrong."""
    table, starts, faults, count = [], [], [], 0
    for line in re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)", text):
        count += 1
        words = list(re.finditer(rb"[^ \t\v\f\r\n]+", line.group()))
        control = list(re.finditer(rb"[\x00-\x08\x0e-\x1f]", line.group()))
        if control:
            faults.append((lines.CONTROL, line.start() + control[-1].start()))
        elif words and not words[0].group().startswith(b"#"):
            start = line.start() + words[0].start()
            if len(words) < width or (len(words) > width and not more):
                faults.append((lines.COLUMNS, start))
                continue
            topic, doc, number = (words[column] for column in columns)
            if not re.fullmatch(rb"[0-9]+", number.group()):
                faults.append((lines.NOT_A_NUMBER, line.start() + number.start()))
                continue
            table.append((topic.group().decode(), doc.group().decode(), float(number.group())))
            starts.append(start)
    return table, starts, faults, count


WORDS = st.sampled_from(["1", "2", "12", "x", "a#b", "#", "#x", "é", "long" * 9, "7\x01", "\x02"])
GAPS = st.sampled_from([" ", "\t", "  ", " \t", "\v", "\f"])
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n", "\r\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    parts = []
    for _ in range(draw(st.integers(1, 8))):
        words = draw(st.lists(WORDS, max_size=6))
        parts += [draw(st.sampled_from(["", " ", "\t"])), draw(GAPS).join(words), draw(ENDS)]
    return "".join(parts).encode()


@often
@given(
    texts(),
    st.sampled_from([((0, 1, 2), 3), ((2, 0, 1), 3), ((0, 2, 3), 4), ((3, 1, 0), 5)]),
    st.booleans(),
)
def test_rows_and_faults_are_those_of_a_literal_reader(text, shape, more):
    columns, width = shape
    table, starts, faults, count = literal(text, columns, width, more)
    rows = read(text, columns, width, more=more)
    assert table_of(rows) == table
    assert rows.starts[: rows.count].tolist() == starts
    assert rows.lines == count
    kept = slice(0, min(rows.faults, 20))
    told = zip(rows.fault_kind[kept].tolist(), rows.fault_at[kept].tolist(), strict=True)
    assert (rows.faults, list(told)) == (len(faults), faults)


def test_memory_is_used_again():
    rows = Rows(20)
    for text in (b"1 a 1\n", b"2 b 2\n" * 50, b"3 c 3\n"):
        read(text, (0, 1, 2), 3, rows=rows)
        assert len(table_of(rows)) == text.count(b"\n")
    assert table_of(rows) == [("3", "c", 3.0)]


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (b"1", 0),
        (b"-7", 0),
        (b"1.0", lines.NOT_WHOLE),
        (b"1e3", lines.NOT_WHOLE),
        (b"x", lines.NOT_A_NUMBER),
        (b"9007199254740991", 0),
        (b"9007199254740992", lines.TOO_LARGE),
        (b"-9007199254740993", lines.TOO_LARGE),
        (b"L0", 0),
        (b"L12", 0),
        (b"L", lines.NOT_A_NUMBER),
        (b"l2", lines.NOT_A_NUMBER),
        (b"L-2", lines.NOT_A_NUMBER),
        (b"L+2", lines.NOT_A_NUMBER),
        (b"-L2", lines.NOT_A_NUMBER),
        (b"LL2", lines.NOT_A_NUMBER),
        (b"L2x", lines.NOT_A_NUMBER),
        (b"L.5", lines.NOT_A_NUMBER),
        (b"L2.5", lines.NOT_WHOLE),
        (b"L9007199254740992", lines.TOO_LARGE),
    ],
)
def test_whole_numbers(number, kind):
    rows = read(b"1 a " + number + b"\n", (0, 1, 2), 3, whole=True)
    assert rows.count == (kind == 0)
    assert rows.fault_kind[: rows.faults].tolist() == ([kind] if kind else [])


def test_levels_are_grades_and_no_scores():
    text = b"1 a L0\n1 b L3\n1 c 2\n"
    assert table_of(read(text, (0, 1, 2), 3, whole=True)) == [
        ("1", "a", 0.0),
        ("1", "b", 3.0),
        ("1", "c", 2.0),
    ]
    assert read(text, (0, 1, 2), 3).faults == 2


def test_fractions_are_noticed():
    assert not read(b"1 a 1\n1 b 2.0\n", (0, 1, 2), 3).unranked
    assert read(b"1 a 1\n1 b 2.5\n", (0, 1, 2), 3).unranked


def test_only_the_first_faults_are_kept_and_all_are_counted():
    rows = Rows(3)
    read(b"1 a x\n" * 9, (0, 1, 2), 3, rows=rows)
    assert rows.faults == 9
    assert rows.fault_at.tolist() == [4, 10, 16]


@pytest.mark.parametrize("text", [b"", b"1 a 1", b"1 a 1\n2"])
def test_a_block_ends_where_a_line_ends(text):
    with pytest.raises(ValueError, match="line ends"):
        read(text, (0, 1, 2), 3)


@pytest.mark.parametrize("columns", [(0, 1, 3), (-1, 0, 1), (0, 0, 1)])
def test_columns_that_there_are_not(columns):
    with pytest.raises(ValueError, match="no such columns"):
        read(b"1 a 1\n", columns, 3)


def test_ascii():
    assert is_ascii(np.frombuffer(b"plain\n", np.uint8))
    assert is_ascii(np.empty(0, np.uint8))
    assert not is_ascii(np.frombuffer("é".encode(), np.uint8))
