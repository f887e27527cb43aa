"""Lines of LETOR text, against a literal reader."""

import re

import numpy as np
import pytest
from columns import strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels import letor
from gradewise.kernels.letor import Cells

often = settings(max_examples=300, deadline=None, derandomize=True)

DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def literal(text: str):
    """Return (grade, topic, document, {feature: value}) of each good line, and bad lines."""
    rows, wrong = [], []
    for number, line in enumerate(re.split("\r\n|\r|\n", text)[:-1]):
        before, _, comment = line.partition("#")
        words = before.split()
        if not words:
            continue
        try:
            cells = {}
            assert re.fullmatch("[+-]?[0-9]+", words[0])
            assert re.fullmatch("qid:.+", words[1])
            for word in words[2:]:
                name, value = re.fullmatch(f"([0-9]+):({DECIMAL}|null|NULL)", word).groups()
                assert 1 <= int(name) <= 100_000
                assert int(name) not in cells
                cells[int(name)] = np.nan if value.lower() == "null" else float(value)
        except (AssertionError, AttributeError, IndexError, ValueError):
            wrong.append(number)
            continue
        named = re.search(r"\bdocid\s*=\s*(\S+)", comment, re.ASCII)
        document = named[1] if named else (comment.split() or [""])[0]
        rows.append((float(words[0]), words[1][4:], document, cells))
    return rows, wrong


def read(text: str, kept: int = 50):
    cells = Cells(np.frombuffer(text.encode(), np.uint8), kept)
    used = slice(0, cells.cells)
    table: list[dict[int, float]] = [{} for _ in range(cells.count)]
    for row, column, value in zip(
        cells.row[used], cells.column[used], cells.value[used], strict=True
    ):
        table[row][column + 1] = value
    ids = [
        strings_of(data, np.asarray(offsets)[: cells.count + 1])
        for data, offsets in (
            (cells.topics, cells.topic_offsets),
            (cells.docs, cells.doc_offsets),
        )
    ]
    return list(zip(cells.grades[: cells.count], *ids, table, strict=True)), cells


GRADES = st.sampled_from(["0", "1", "-2", "x", "1.5", ""])
TOPICS = st.sampled_from(["qid:1", "qid:1", "qid:2", "qid:", "1", "qid:é"])
CELLS = st.sampled_from(
    ["1:0.5", "2:1", "3:-1e3", "3:NULL", "1:2:3", "0:1", "4:", ":4", "x:1", "5:nan", "9:null"]
)
COMMENTS = st.sampled_from(
    ["", "#", "# ", "#a b", "# docid = d7 x", "#docid=é", "#xdocid = a", "# docid", "# docid =",
     "#docid = 1 docid = 2", "# docid docid = z"]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 8))):
        words = [draw(GRADES), draw(TOPICS), *draw(st.lists(CELLS, max_size=4))]
        gap = draw(st.sampled_from([" ", "\t", "  "]))
        parts += [gap.join(words), draw(st.sampled_from(["", " "])), draw(COMMENTS), draw(ENDS)]
    return "".join(parts)


@often
@given(texts())
def test_rows_are_those_of_a_literal_reader(text):
    expected, wrong = literal(text)
    found, cells = read(text)
    assert repr(found) == repr(expected)  # NaN equals NaN as text
    places = np.asarray(cells.fault_at)[: cells.faults].tolist()
    before = [text.encode()[:place].decode("utf-8", "ignore") for place in places]
    lines = [len(re.split("\r\n|\r|\n", part)) - 1 for part in before]
    assert sorted(set(lines)) == wrong
    assert cells.lines == len(re.split("\r\n|\r|\n", text)) - 1


@pytest.mark.parametrize(
    ("line", "kind", "shown"),
    [
        ("x qid:1 1:2", letor.GRADE, "x"),
        ("1e99 qid:1 1:2", letor.GRADE, "1e99"),
        ("1 1:2", letor.TOPIC, ""),
        ("1", letor.TOPIC, ""),
        ("1 qid:1 3", letor.CELL, "3"),
        ("1 qid:1 100001:2", letor.FEATURE, "100001"),
        ("1 qid:1 1.0:2", letor.FEATURE, "1.0"),
        ("1 qid:1 1:1e39", letor.VALUE, "1e39"),
        ("1 qid:1 7:1 07:2", letor.REPEATED, "07"),
    ],
)
def test_what_is_wrong_is_shown(line, kind, shown):
    _, cells = read(line + "\n")
    assert (cells.faults, cells.fault_kind[0]) == (1, kind)
    at = cells.fault_at[0]
    assert line[at : at + cells.fault_detail[0]] == shown


def test_a_text_of_no_bytes_has_no_rows():
    assert Cells(np.empty(0, np.uint8), 5).count == 0
    with pytest.raises(ValueError, match="line ends"):
        Cells(np.frombuffer(b"1 qid:1", np.uint8), 5)
