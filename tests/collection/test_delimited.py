"""CSV and TSV, with and without a header, in any order of columns; each with its note."""

import csv
import gzip
import io
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection.sources import blocks
from gradewise.errors import InputError

often = settings(max_examples=150, deadline=None, derandomize=True)


def read(kind: str, text: str, **options: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a text holds, and what was assumed about it."""
    content = io.BytesIO(text.encode())
    if kind == "qrels":
        qrels = gw.read_qrels(content, **options)
        return qrels.to_dict(), qrels.assumed
    run = gw.read_run(content, **options)
    return run.to_dict(), run.notes


def refused(kind: str, text: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(kind, text, **options)
    return str(caught.value)


NAMED = "topic from 'query', document from 'docid', grade from 'rating'"
GUESS = (
    "read the third column as ranks (1 is best); if it contains scores, set columns to "
    "topic,doc,score"
)
SCORES = "read the third column as scores, because it has numbers that cannot be ranks"


@pytest.mark.parametrize(
    ("kind", "text", "table", "note"),
    [
        (
            "qrels",
            'query,docid,rating\n"star wars, original",d1,3\nboots,d2,0\n',
            {"star wars, original": {"d1": 3}, "boots": {"d2": 0}},
            f"read as CSV: {NAMED}",
        ),
        (
            "qrels",
            "rating;docid;query\n3;d1;star wars\n2.0;d2;boots\n",
            {"star wars": {"d1": 3}, "boots": {"d2": 2}},
            f"read as CSV with semicolons: {NAMED}",
        ),
        (
            "qrels",
            "query|docid|rating\nstar wars|d1|3",
            {"star wars": {"d1": 3}},
            f"read as CSV with bars: {NAMED}",
        ),
        (
            "qrels",
            "docid\tquery\trating\r\nd1\tstar wars\t3\r\n",
            {"star wars": {"d1": 3}},
            f"read as TSV: {NAMED}",
        ),
        (
            "qrels",
            "\ufeff# exported\nQuery,DocID,Rating\nstar wars,d1,L2\n",
            {"star wars": {"d1": 2}},
            "read as CSV: topic from 'Query', document from 'DocID', grade from 'Rating'",
        ),
        (
            "qrels",
            "q1,d1,2\nq1,d2,0\n",
            {"q1": {"d1": 2, "d2": 0}},
            "read as CSV with 3 columns (topic document grade)",
        ),
        (
            "qrels",
            "q1,0,d1,2\nq1,0,d2,0\n",
            {"q1": {"d1": 2, "d2": 0}},
            "read as CSV with 4 columns (topic 0 document grade)",
        ),
        (
            "qrels",
            "star wars\td1\t2\nboots\td2\t0\n",
            {"star wars": {"d1": 2}, "boots": {"d2": 0}},
            "read as TSV with 3 columns (topic document grade)",
        ),
        ("qrels", "topic,doc,grade\n1,a,1\n", {"1": {"a": 1}}, "read as CSV"),
        ("qrels", "topic\tdoc\tgrade\n1\ta\t1\n", {"1": {"a": 1}}, "read as TSV"),
        ("qrels", "topic doc grade\n1 a 1\n", {"1": {"a": 1}}, None),
        (
            "qrels",
            'query, "doc id" , rating\nq, "a, b" , 1\n',
            {"q": {"a, b": 1}},
            "read as CSV: topic from 'query', document from 'doc id', grade from 'rating'",
        ),
        ("qrels", "1 a 1\n", {"1": {"a": 1}}, "read 3 columns as topic, document, grade"),
        ("qrels", "1\t0\ta\t1\n", {"1": {"a": 1}}, None),  # TREC's own layout
        (
            "run",
            "pid,qid,similarity\nd1,1,0.25\nd2,1,0.75\n",
            {"1": {"d1": 0.25, "d2": 0.75}},
            "read as CSV: topic from 'qid', document from 'pid', score from 'similarity'",
        ),
        (
            "run",
            "Query Text,Doc ID,Position\nstar wars,d1,1\nstar wars,d2,2\n",
            {"star wars": {"d1": -1, "d2": -2}},
            "read as CSV: topic from 'Query Text', document from 'Doc ID', rank from 'Position'",
        ),
        ("run", "q1,d1,0.93\nq1,d2,1\n", {"q1": {"d1": 0.93, "d2": 1}}, f"read as CSV; {SCORES}"),
        ("run", "q1,d1,-1\nq1,d2,-2\n", {"q1": {"d1": -1, "d2": -2}}, f"read as CSV; {SCORES}"),
        ("run", "q1,d1,1\nq1,d2,2\n", {"q1": {"d1": -1, "d2": -2}}, f"read as CSV; {GUESS}"),
        ("run", "q1 d1 0.93\nq1 d2 1\n", {"q1": {"d1": 0.93, "d2": 1}}, SCORES),
        ("run", "q1 d1 1\nq1 d2 2\n", {"q1": {"d1": -1, "d2": -2}}, GUESS),
        (
            "run",
            "red shoes\td1\t0.5\n",
            {"red shoes": {"d1": 0.5}},
            f"read as TSV; {SCORES}",
        ),
        (
            "run",
            "1,Q0,d1,1,2.5,tag\n",
            {"1": {"d1": 2.5}},
            "read as CSV with 6 columns (topic Q0 document rank score tag)",
        ),
        ("run", "1\tQ0\td1\t1\t2.5\tmy own tag\n", {"1": {"d1": 2.5}}, None),
        (  # a blank line, and blanks around fields
            "run",
            "1\tQ0\td1\t1\t2.5\t\n\v\n1\t\fQ0\td2\v\t2\t1.5 \t\n",
            {"1": {"d1": 2.5, "d2": 1.5}},
            "read as TSV with 6 columns (topic Q0 document rank score tag)",
        ),
        # U+2028 is no white space of a text file, so all columns are between white space here
        ("qrels", "\u2028d\t0\ta\t3\nq 0 b 1\n", {"\u2028d": {"a": 3}, "q": {"b": 1}}, None),
    ],
)
def test_files_as_they_are(kind, text, table, note):
    assert read(kind, text) == (table, () if note is None else (note,))


def test_qrels_and_runs_of_one_file_and_the_notes_of_scores(tmp_path):
    path = tmp_path / "case.csv"
    path.write_text("Query Text,Doc ID,Doc Position,Rating\nq,a,1,2\nq,b,2,\nq,c,3,0\n")
    scores = gw.evaluate(path, path, ["AP", "NumRet"])
    assert scores.summary().tolist() == [[1.0, 3.0]]
    assert scores.notes == [
        "qrels: read as CSV: topic from 'Query Text', document from 'Doc ID', grade from 'Rating'; "
        "skipped 1 row without a grade",
        "case: read as CSV: topic from 'Query Text', document from 'Doc ID', rank from "
        "'Doc Position'",
    ]


@pytest.mark.parametrize("block", [1 << 22, 64, 1])
@pytest.mark.parametrize("packed", [False, True])
def test_fields_in_quotes_hold_commas_quotes_and_line_ends(monkeypatch, tmp_path, block, packed):
    monkeypatch.setattr(blocks, "BLOCK", block)
    topics = ['say "hi", twice', "two\nlines", "three\r\nmore\r\nlines", "plain"]
    made = io.StringIO(newline="")
    csv.writer(made).writerows([("query", "note", "docid", "rating"), *[
        (topic, "long, \n" * 9, f"d{n}", n) for n, topic in enumerate(topics)
    ]])  # fmt: skip
    path = tmp_path / "qrels.csv.gz"
    text = made.getvalue().encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    qrels = gw.read_qrels(path)
    assert qrels.to_dict() == {topic: {f"d{n}": n} for n, topic in enumerate(topics)}
    assert qrels.assumed == (f"read as CSV: {NAMED}",)


@pytest.mark.parametrize("block", [1 << 22, 40])
@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("qrels", 'query,docid,rating\n"a\nb",d,1\nc,d,x\n', "stream:4: the grade 'x' is not a"),
        ("qrels", "query,docid,rating\nq,d,1.5\n", "stream:2: the grade '1.5' is not a whole"),
        ("qrels", "query,docid,rating\n\nq,,1\n", "stream:3: the document id is empty: q,,1"),
        ("qrels", "query,docid,rating\n,d,1\n", "stream:2: the topic id is empty: ,d,1"),
        ("qrels", "query,docid,rating\nq,d\n", "stream:2: expected 3 columns (query docid rating)"),
        (
            "qrels",
            'query,docid,rating\n"q,d,1\nr,d,1\n',
            "stream:2: a quote is opened here and not",
        ),
        ("qrels", "query,docid,rating\nq,d,1\nq,d,1\n", "stream:3: document d appears twice for"),
        ("run", "qid,docid,score\nq,d,\n", "stream:2: the score is empty: q,d,"),
        ("run", "q1,d1,0.5\nq1,d2,x\n", "stream:2: the score 'x' is not a finite number"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(monkeypatch, block, kind, text, told):
    monkeypatch.setattr(blocks, "BLOCK", block)
    assert refused(kind, text).startswith(told)


ROW = {"q 1": {"d": 0.5}}


@pytest.mark.parametrize("block", [blocks.BLOCK, 48, 1])
@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("#topic\tdoc\tscore\nq 1\td\t0.5\n", ROW),  # a header that is commented out
        ("#topic,doc,score\n\nq 1,d,0.5\n", ROW),
        ("#a\tb\t3\ntopic\tdoc\tscore\nq 1\td\t0.5\n", ROW),  # above a header
        ("# by hand, in May\nq 1,d,0.5\n# the end\n", ROW),
        ("#tag,d,1.5\nq 1,d,0.5\n", {"#tag": {"d": 1.5}} | ROW),  # a query, with its row
        ("q 1,d,0.5\n#tag,d,1.5\n", ROW | {"#tag": {"d": 1.5}}),
        (
            "q 1\tQ0\td\t1\t0.5\tt\tmore\n#tag\tQ0\td\t1\t1.5\tt\tmore\n",
            ROW | {"#tag": {"d": 1.5}},
        ),
    ],
)
def test_comments_and_queries_that_begin_alike(monkeypatch, block, text, table):
    monkeypatch.setattr(blocks, "BLOCK", block)
    assert read("run", text)[0] == table


@pytest.mark.parametrize("block", [blocks.BLOCK, 48, 1])
@pytest.mark.parametrize(
    "above", ["# one\n#two\n\n", "#topic,doc,score\n", "#a,b,3\r\n", "# c\ntopic,doc,score\n"]
)
def test_lines_are_counted_below_comments(monkeypatch, block, above):
    monkeypatch.setattr(blocks, "BLOCK", block)
    line = above.count("\n") + 2
    told = f"stream:{line}: the score 'x' is not a finite number: q,e,x"
    assert refused("run", f"{above}q,d,0.5\nq,e,x\n") == told


@pytest.mark.parametrize("block", [blocks.BLOCK, 48, 1])
@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["q,d1,1,a", "q,d2,2,", "q,d3,3,b"], ["stream:3: the run is empty: q,d2,2,"]),
        (["q,d1,1,"], ["stream:2: the run is empty: q,d1,1,"]),
        ([",d1,1,a", "q,d2,2,a"], ["stream:2: the topic id is empty: ,d1,1,a"]),
        ([",d1,1,a"], ["stream:2: the topic id is empty: ,d1,1,a"]),
        (["q,d1,1,a", ",d2,2,b"], ["stream:3: the topic id is empty: ,d2,2,b"]),
        (
            ["q,d,1,", ",d,1,a", "q,d,x,b"],
            [
                "stream:2: the run is empty: q,d,1,",
                "stream:3: the topic id is empty: ,d,1,a",
                "stream:4: the score 'x' is not a finite number: q,d,x,b",
            ],
        ),
    ],
)
def test_rows_without_a_run_or_a_topic_are_refused(monkeypatch, block, rows, told):
    monkeypatch.setattr(blocks, "BLOCK", block)
    text = "\n".join(["topic,doc,score,run", *rows, ""])
    with pytest.raises(InputError) as caught:
        gw.read_runs(io.BytesIO(text.encode()))
    assert str(caught.value).splitlines() == told
    with pytest.raises(InputError) as caught:
        gw.evaluate({"q": {"d1": 1}}, io.BytesIO(text.encode()), "AP")
    assert str(caught.value).splitlines() == told


def test_rows_without_an_intent_are_refused():
    text = "topic,doc,grade,intent\nq,d1,1,1\nq,d2,1,\nq,d3,1,2\n"
    assert refused("qrels", text) == "stream:3: the intent is empty: q,d2,1,"


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (
            "run",
            "query,docid,rating\nq,d,1\n",
            "no column contains the score; name it with columns, or rename it to score, "
            "similarity, sim, relevance_score, rsv, prediction, rank, position, ...; found query, "
            "docid, rating; are qrels and runs swapped?",
        ),
        (
            "qrels",
            "query,docid,rank\nq,d,1\n",
            "no column contains the grade; name it with columns, or rename it to grade, relevance, "
            "rel, label, rating, judgment, judgement, gain, ...; found query, docid, rank; "
            "are qrels and runs swapped?",
        ),
    ],
)
def test_a_header_without_a_number(kind, text, told):
    assert refused(kind, text) == f"stream: {told}"


def test_a_header_of_unknown_names():
    told = refused("run", "frage;dokument;punkte\nq;d;1\n")
    assert "as CSV with semicolons it has 3 columns (frage, dokument, punkte); set columns" in told


def test_rows_that_name_only_a_topic_are_passed_over():
    """Quepid exports queries without ratings, and without results, as such rows."""
    text = "query,docid,rating\ntwo,,\none,d1,3\nthree,d2,\n"
    table, notes = read("qrels", text)
    assert table == {"one": {"d1": 3}}
    assert notes == (f"read as CSV: {NAMED}; skipped 2 rows without a grade",)
    text = "Query Text,Doc ID,Doc Position,Title\none,d1,1,x\ntwo,,,\nthree,d2,2,y\n"
    table, notes = read("run", text)
    assert table == {"one": {"d1": -1}, "three": {"d2": -2}}
    assert notes[0].endswith("rank from 'Doc Position'; skipped 1 row without a document")


def test_intents_in_a_column():
    text = "query,subtopic,docid,rating\nq,1,a,1\nq,2,a,2\nq,2,b,0\n"
    qrels = gw.read_qrels(io.BytesIO(text.encode()))
    assert qrels.to_dict() == {"q": {"a": 2, "b": 0}}
    assert qrels.intents is not None
    assert qrels.assumed == (f"read as CSV: {NAMED}",)


# What the user says


@pytest.mark.parametrize(
    ("kind", "text", "columns", "table"),
    [
        ("run", "q1 d1 12\nq1 d2 7\n", "topic,doc,score", {"q1": {"d1": 12, "d2": 7}}),
        ("run", "q1 d1 12\nq1 d2 7\n", ("topic", "doc", "rank"), {"q1": {"d1": -12, "d2": -7}}),
        (
            "run",
            "d1,q1\nd2,q1\nd1,q2\n",
            "doc,topic",
            {"q1": {"d1": -1, "d2": -2}, "q2": {"d1": -1}},
        ),
        ("run", "1 Q0 d1 3 9 t\n", "topic,_,doc,rank,_,_", {"1": {"d1": -3}}),
        (
            "run",
            "a;b;c\nd1;q 1;0.5\n",
            {"doc": "a", "topic": "b", "score": "c"},
            {"q 1": {"d1": 0.5}},
        ),
        ("run", "Q Id,D,S\nq,d,1\n", "topic=q-id,doc=D,score=S", {"q": {"d": 1}}),
        ("qrels", "2 d1 q1\n", "grade,doc,topic", {"q1": {"d1": 2}}),
        ("qrels", "q1\td 1\t2\n", "topic,doc,grade", {"q1": {"d 1": 2}}),
        ("qrels", "q1,x,d1,2\n", "topic,-,doc,grade", {"q1": {"d1": 2}}),
    ],
)
def test_columns_settle_what_is_read_and_nothing_is_assumed(kind, text, columns, table):
    assert read(kind, text, columns=columns) == (table, ())


def test_a_header_that_columns_do_not_name_is_passed_over_with_a_note():
    table, notes = read("run", "a,b,c\nd1,q1,0.5\n", columns="doc,topic,score")
    assert (table, notes) == ({"q1": {"d1": 0.5}}, ("read the first line as a header: a,b,c",))


@pytest.mark.parametrize(
    ("kind", "columns", "told"),
    [
        ("run", "topic,doc,scores", "there is no role 'scores'; did you mean score"),
        ("run", "topic,score", "columns topic,score: which one is the doc?"),
        ("run", "topic,doc,doc", "columns topic,doc,doc: doc is given twice"),
        ("run", "topic,doc,grade", "columns topic,doc,grade: which one is the score?"),
        ("qrels", "topic,doc,score", "columns topic,doc,score: which one is the grade?"),
        ("run", "topic=a,topic=b,doc=c", "topic is given twice"),
        ("run", "topic=a,doc", "'doc' has no name; write role=name for every column"),
        ("run", "topic,doc,score,run", "name 4 columns, but the first line has 3: a b 1"),
        ("run", "topic=a,doc=b,score=x", "there is no column 'x'; found a, b, 1"),
    ],
)
def test_columns_that_make_no_sense(kind, columns, told):
    with pytest.raises(gw.GradewiseError) as caught:
        read(kind, "a b 1\n", columns=columns)
    assert told in str(caught.value)


def test_columns_of_evaluate_are_for_judgments_or_for_runs(tmp_path):
    qrels, run = tmp_path / "qrels.csv", tmp_path / "run.csv"
    qrels.write_text("frage,dok,note\nq,a,2\nq,b,0\n")
    run.write_text("frage,dok,punkte\nq,b,9\nq,a,8\n")
    both = {"topic": "frage", "doc": "dok", "grade": "note", "score": "punkte"}
    scores = gw.evaluate(qrels, run, "RR", columns=both)
    assert (scores.summary().tolist(), scores.notes) == ([[0.5]], [])
    plain = tmp_path / "plain"
    plain.write_text("q 0 a 2\n")
    scores = gw.evaluate(plain, run, "RR", columns="topic=frage,doc=dok,score=punkte")
    assert (scores.summary().tolist(), scores.notes) == ([[0.5]], [])


# Whatever Python's csv module writes

CELLS = st.text('ab #,;"\t\n\r|é', min_size=1, max_size=6).filter(lambda cell: cell.strip() == cell)
WIDTHS = st.permutations([0, 1, 2, 3])


@often
@given(
    st.lists(st.tuples(CELLS, st.integers(0, 30), CELLS), min_size=1, max_size=12),
    st.sampled_from(",;|"),
    WIDTHS,
    st.booleans(),
    st.sampled_from([blocks.BLOCK, 50, 1]),
)
def test_what_python_writes_reads_back(rows, delimiter, places, header, block):
    cells = [(topic, f"d{n}", str(grade), other) for n, (topic, grade, other) in enumerate(rows)]
    names = ("query", "docid", "rating", "note")
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    lines = [names, *cells] if header else cells
    writer.writerows([tuple(row[place] for place in places) for row in lines])
    roles = ["topic", "doc", "grade", "_"]
    columns = None if header else ",".join(roles[place] for place in places)
    expected: dict[str, dict[str, int]] = {}
    for topic, doc, grade, _ in cells:
        expected.setdefault(topic, {})[doc] = int(grade)
    with patch.object(blocks, "BLOCK", block):
        qrels = gw.read_qrels(io.BytesIO(made.getvalue().encode()), columns=columns)
    assert qrels.to_dict() == expected
    assert len(qrels.assumed) == int(header)


def test_a_first_row_with_much_text():
    text = "qid,text,docid,score\n" + "".join(f"1,{'x ' * 100_000},d{n},{n}\n" for n in range(3))
    told = "read as CSV: topic from 'qid', document from 'docid', score from 'score'"
    assert read("run", text) == ({"1": {"d0": 0, "d1": 1, "d2": 2}}, (told,))
    text = "".join(f'"{"x" * 100_000}",d{n},{n}.5\n' for n in range(3))
    table, notes = read("run", text)
    assert table == {"x" * 100_000: {"d0": 0.5, "d1": 1.5, "d2": 2.5}}
    assert notes == (f"read as CSV; {SCORES}",)
