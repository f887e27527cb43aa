"""Records between delimiters, against Python's csv module."""

import csv
import io
from typing import Any

import numpy as np
import pytest
from columns import strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels import lines
from gradewise.kernels.lines import Rows
from gradewise.kernels.records import last_record_end

often = settings(max_examples=300, deadline=None, derandomize=True)


def read(
    text: str,
    columns: Any,
    width: int,
    delimiter: str,
    *,
    whole: bool = False,
    more: bool = False,
    complete: bool = False,
) -> Rows:
    rows = Rows(20)
    block = np.frombuffer(text.encode(), np.uint8)
    rows.read(block, columns, width, more, whole, ord(delimiter), complete)
    return rows


def table_of(rows: Rows) -> list[tuple[str, str, float]]:
    docs = strings_of(rows.docs, rows.doc_offsets[: rows.count + 1])
    topics = strings_of(rows.topics, rows.topic_offsets[: rows.topic_count + 1])
    heads = [*rows.heads[: rows.topic_count].tolist(), rows.count]
    names = [topic for n, topic in enumerate(topics) for _ in range(heads[n], heads[n + 1])]
    return list(zip(names, docs, rows.numbers[: rows.count].tolist(), strict=True))


def kinds_of(rows: Rows) -> list[int]:
    return rows.fault_kind[: rows.faults].tolist()


FIELDS = st.sampled_from(
    [
        *(
            "a",
            "b",
            "q 1",
            "#x",
            'say "hi"',
            "a,b",
            "a;b",
            "two\nlines",
            "crlf\r\nhere",
            "é",
            "x" * 30,
        )
    ]
)
ROWS = st.lists(st.tuples(FIELDS, FIELDS, st.integers(-5, 99), FIELDS), min_size=1, max_size=8)
ENDS = st.sampled_from(["\n", "\r\n"])


def written(rows: list[tuple[Any, ...]], delimiter: str, end: str, *, quote_all: bool) -> str:
    made = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(made, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return made.getvalue()


@often
@given(ROWS, ENDS, st.sampled_from(",;|"), st.booleans())
def test_what_python_writes_is_read(rows, end, delimiter, quote_all):
    text = written(rows, delimiter, end, quote_all=quote_all)
    found = read(text, (1, 3, 2), 4, delimiter)
    assert table_of(found) == [(doc, other, float(number)) for _, doc, number, other in rows]
    assert (found.faults, found.skipped) == (0, 0)
    endings = text.count("\n") + text.count("\r") - text.count("\r\n")
    assert found.lines == endings
    starts = found.starts[: found.count].tolist()
    for start, row in zip(starts, rows, strict=True):  # where a row is said to begin, it does
        assert (
            next(
                csv.reader(
                    io.StringIO(text.encode()[start:].decode(), newline=""), delimiter=delimiter
                )
            )[0]
            == row[0]
        )


@often
@given(ROWS, ENDS, st.integers(0, 300))
def test_the_last_whole_record_is_where_python_says(rows, end, cut):
    text = written(rows, ",", end, quote_all=False).encode()
    ends, whole = [0], b""
    for row in rows:
        whole += written([row], ",", end, quote_all=False).encode()
        ends.append(len(whole))
    assert whole == text
    cut = min(cut, len(text))
    found = last_record_end(np.frombuffer(text[:cut], np.uint8), ord(","))
    expected = max(place for place in ends if place <= cut)
    assert found == expected


def test_between_tabs_quotes_hold_no_line_ends():
    text = 'a "b" c\td\t1\n"all of it"\td\t2\n"open\td\t3\n"x" y\td\t4\n'
    found = read(text, (0, 1, 2), 3, "\t")
    topics = ['a "b" c', "all of it", '"open', '"x" y']
    assert table_of(found) == [(topic, "d", n) for n, topic in enumerate(topics, 1)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a,b,1\na,b\n", [lines.COLUMNS]),
        ("a,b,1\na,b,1,2\n", [lines.COLUMNS]),
        (",b,1\n", [lines.NO_TOPIC]),
        ("a,,1\n", [lines.NO_DOC]),
        ("a,b,x\n", [lines.NOT_A_NUMBER]),
        ('a,b,"1""2"\n', [lines.NOT_A_NUMBER]),
        ('"a"b,c,1\n', [lines.QUOTE]),
        ('"a,c,1\nb,c,1\n', [lines.QUOTE]),
        ("a,b,\n", [lines.NOT_A_NUMBER]),
        ("a\n", [lines.COLUMNS]),
    ],
)
def test_what_is_wrong_with_a_record(text, kinds):
    assert kinds_of(read(text, (0, 1, 2), 3, ",")) == kinds


def test_grades_may_be_missing_or_written_with_a_fraction_of_zero():
    text = "a,b,2.0\ntopic,,\na,c,\na,d,L3\na,e,1.5\n,,\n \na,f,\n"
    found = read(text, (0, 1, 2), 3, ",", whole=True)
    assert table_of(found) == [("a", "b", 2.0), ("a", "d", 3.0)]
    assert found.skipped == 3  # the line of commas holds no topic
    assert kinds_of(found) == [lines.NOT_WHOLE]


def test_a_topic_without_documents_ends_early():
    """As in Quepid's export of a case, where a query has no results."""
    text = "team,case,8,dog,d1,1\nteam,case,8,cat\nteam,case,8,bird,,\nteam,case,8,fox,d9\n"
    found = read(text, (3, 4, 5), 6, ",")
    assert table_of(found) == [("dog", "d1", 1.0)]
    assert (found.skipped, kinds_of(found)) == (2, [lines.COLUMNS])


def test_comments_and_rows_that_look_like_them():
    text = "# a comment\n#topic,d,1\n# one, more\na,d,2\n"
    assert table_of(read(text, (0, 1, 2), 3, ",")) == [("#topic", "d", 1.0), ("a", "d", 2.0)]


def test_rows_without_a_number_are_numbered_by_their_places():
    found = read("a,x\nb,y\n", (0, 1, -1), 2, ",")
    assert table_of(found) == [("a", "x", -0.0), ("b", "y", -4.0)]


def test_neighbors_that_are_written_otherwise_are_the_same_topic():
    found = read('"a""b",x,1\n"a""b",y,2\n"c",z,3\nc,w,4\n', (0, 1, 2), 3, ",")
    assert found.topic_count == 2
    assert [row[0] for row in table_of(found)] == ['a"b', 'a"b', "c", "c"]


def test_numbers_that_can_be_no_ranks_are_noticed():
    assert not read("a,b,1\n", (0, 1, 2), 3, ",").unranked
    assert read("a,b,-1\n", (0, 1, 2), 3, ",").unranked
    assert read("a,b,0.5\n", (0, 1, 2), 3, ",").unranked


def test_rows_that_have_to_be_complete_are_not_passed_over():
    text = "a,d,1\nb,,\nc\n,,\n"  # the last line is blank
    passed = read(text, (0, 1, 2), 3, ",")
    assert (table_of(passed), passed.skipped) == ([("a", "d", 1.0)], 1)
    assert kinds_of(passed) == [lines.COLUMNS]
    faulty = read(text, (0, 1, 2), 3, ",", complete=True)
    assert (table_of(faulty), faulty.skipped) == ([("a", "d", 1.0)], 0)
    assert kinds_of(faulty) == [lines.NO_DOC, lines.COLUMNS]


def test_a_line_with_the_columns_of_a_row_is_no_comment():
    text = "#a,d,1\n# two, columns\n#b,d,2,more\n"
    assert table_of(read(text, (0, 1, 2), 3, ",")) == [("#a", "d", 1.0)]
    found = table_of(read(text, (0, 1, 2), 3, ",", more=True))
    assert found == [("#a", "d", 1.0), ("#b", "d", 2.0)]
