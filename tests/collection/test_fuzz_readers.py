"""Any bytes at all: the readers refuse with a GradewiseError, or return what the file says."""

import io
from collections.abc import Callable
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection.sources import blocks
from gradewise.errors import GradewiseError
from oracles.reading import Refused, Table, literal_qrels, literal_run

COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh91AY&SY")
fuzz = settings(max_examples=500, deadline=None, derandomize=True)

SEPARATORS = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\v", b"\f"])
NEWLINES = st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n", b" \n", b"\n \t"])
IDS = st.sampled_from(
    [b"1", b"2", b"007", b"7", b"NA", b"1e5", b"d#", "é".encode(), b"x" * 9, b"y" * 17, b"z" * 70]
)
DOCUMENTS = st.one_of(IDS, st.integers(0, 99).map(lambda n: b"doc%d" % n))
GRADES = st.sampled_from([b"0", b"1", b"2", b"-1", b"+3", b"10", b"L0", b"L2", b"L10"])
SCORES = st.one_of(
    st.sampled_from([b"0", b"1.5", b"-2.25", b"1e3", b".5", b"7.", b"123456789.123456789"]),
    st.floats(-1e3, 1e3).map(lambda score: repr(score).encode()),
)
DESCRIPTION = b"<SYSDESC>what the system does</SYSDESC>\n"
NOISE = st.one_of(
    st.binary(min_size=1, max_size=3),
    st.sampled_from([b" ", b"\t", b"\n", b"\r", b"\r\n", b"#", b".", b"-", b"e", b"\x00", b"\xff"]),
    st.sampled_from([b"L", b"L1", b"-L1", b"L-1", b"L1.5", b"<SYSDESC>", b"\n<SYSDESC>\n"]),
    st.sampled_from([b"nan", b"inf", b"\n#\n", b"\n\n", b"\xef\xbb\xbf", b"1_0", b"0x1"]),
)


@st.composite
def valid_files(draw: st.DrawFn, columns: str) -> bytes:
    """Make a file whose lines have the given columns: t(opic), d(ocument), s(core), ..."""
    kinds = {
        "t": IDS,
        "d": DOCUMENTS,
        "s": SCORES,
        "g": GRADES,
        "i": st.just(b"Q0"),
        "r": st.integers(1, 99).map(lambda n: b"%d" % n),
        "n": st.just(b"tag"),
    }
    separator, newline = draw(SEPARATORS), draw(NEWLINES)
    lines = draw(st.lists(st.tuples(*[kinds[kind] for kind in columns]), min_size=1, max_size=8))
    text = newline.join(separator.join(line) for line in lines)
    start = draw(
        st.sampled_from([b"", b"", b"# comment\n", b"\xef\xbb\xbf", b" \n\n", DESCRIPTION])
    )
    return start + text + draw(st.sampled_from([b"", newline, b"\n# end"]))


@st.composite
def mutated(draw: st.DrawFn, files: st.SearchStrategy[bytes]) -> bytes:
    """Damage a file a little: bytes go, come or change, lines come twice, white space moves."""
    content = draw(files)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(content)))
        kind = draw(st.sampled_from(["delete", "insert", "replace", "double", "white"]))
        if kind == "delete":
            content = content[:place] + content[place + draw(st.integers(1, 5)) :]
        elif kind == "insert":
            content = content[:place] + draw(NOISE) + content[place:]
        elif kind == "replace":
            noise = draw(NOISE)
            content = content[:place] + noise + content[place + len(noise) :]
        elif kind == "double":
            lines = content.split(b"\n")
            line = draw(st.integers(0, len(lines) - 1))
            content = b"\n".join([*lines[: line + 1], *lines[line:]])
        else:
            old, new = draw(SEPARATORS), draw(st.one_of(SEPARATORS, NEWLINES))
            content = content.replace(old, new, draw(st.integers(1, 9)))
    return content


def check_reader(
    read: Callable[[io.BytesIO], gw.Qrels | gw.Run],
    literal: Callable[[bytes], Table],
    content: bytes,
    block: int,
) -> None:
    """Read in blocks of a size, and compare with the literal reader."""
    try:
        expected = literal(content)
    except Refused:
        expected = None
    found, told = None, ""
    with patch.object(blocks, "BLOCK", block):
        try:
            found = read(io.BytesIO(content))
        except GradewiseError as error:
            told = str(error)
    if found is None:
        assert expected is None, f"refused although it is clean: {told}"
        assert told.startswith("stream:")
    else:
        assert expected is not None, f"accepted as {found.to_dict()}"
        assert len(found) == sum(map(len, expected.values()))
        # by repr: 0.0 and -0.0 are different numbers, and the order of rows matters
        assert repr(found.to_dict()) == repr(expected)


BLOCKS = st.sampled_from([blocks.BLOCK, blocks.BLOCK, 48, 1])


@fuzz
@given(st.binary(max_size=200).filter(lambda content: not content.startswith(COMPRESSED)), BLOCKS)
@example(b"", 1)
@example(b"\xef\xbb\xbf", 1)
@example(b"\n", 1)
@example(b"#", 1)
@example(b"\r", 1)
@example(b"1 2 3", 1)
@example(b"\x00", 1)
def test_arbitrary_bytes(content: bytes, block: int):
    check_reader(gw.read_qrels, literal_qrels, content, block)
    check_reader(gw.read_run, literal_run, content, block)


@fuzz
@given(
    st.binary(max_size=100).filter(lambda content: not content.startswith(COMPRESSED)),
    st.sampled_from(COMPRESSED),
)
def test_arbitrary_bytes_after_the_mark_of_a_compression(content: bytes, mark: bytes):
    for read in (gw.read_qrels, gw.read_run):
        with pytest.raises(GradewiseError, match="damaged"):
            read(io.BytesIO(mark + content))


@fuzz
@given(st.text("0123456789abc .\t\n\r#-+e", max_size=60), BLOCKS)
def test_arbitrary_text_of_few_characters(text: str, block: int):
    check_reader(gw.read_qrels, literal_qrels, text.encode(), block)
    check_reader(gw.read_run, literal_run, text.encode(), block)


@pytest.mark.slow
@fuzz
@given(mutated(st.one_of(valid_files("tidg"), valid_files("tdg"))), BLOCKS)
def test_mutated_qrels(content: bytes, block: int):
    check_reader(gw.read_qrels, literal_qrels, content, block)


@pytest.mark.slow
@fuzz
@given(
    mutated(st.one_of(valid_files("tidrsn"), valid_files("tidrsnn"), valid_files("tdr"))), BLOCKS
)
def test_mutated_runs(content: bytes, block: int):
    check_reader(gw.read_run, literal_run, content, block)


@settings(fuzz, max_examples=200)
@given(
    mutated(valid_files("tdg").map(lambda content: b"query-id\tcorpus-id\tscore\n" + content)),
    BLOCKS,
)
@example(b"query-id\tcorpus-id\tscore\r1\td\t1\r", 1)
@example(b"# query-id and so on\nquery-id corpus-id score\n1 d 1\n", 1)
def test_mutated_qrels_with_a_header(content: bytes, block: int):
    check_reader(gw.read_qrels, literal_qrels, content, block)


OTHERS = st.sampled_from(
    [
        b'{"1": {"a": 0.5, "b": 2}, "2": {"c": 1}}',
        b'{"qid": "1", "docid": "a", "score": 1}\n{"qid": "2", "docid": "b", "score": 2}\n',
        b'[{"query-id": 1, "corpus-id": "a", "score": 1, "run": "x"},\n{"query-id": 2}]',
        b'{"1": ["a", "b"], "2": ["c"]}',
        b'{"requests": [{"id": "q", "ratings": [{"_id": "d", "rating": 1}]}], "metric": {}}',
        b'{"rank_eval": {"details": {"q": {"hits": [{"hit": {"_id": "d"}, "rating": 1}]}}}}',
        b'{"queries": [{"query": "q", "ratings": {"d": 1}}]}',
        b'query,docid,rating,run\n"a, b",d1,3,x\n"two\nlines",d2,0,y\n,,\n',
        b"Snapshot Name;Query Text;Doc ID;Doc Position\ns;q 1;d;1\n",
        b"star wars\td1\t0.5\nstar wars\td2\t0.25\n",
    ]
)
MORE_NOISE = st.one_of(
    NOISE, st.sampled_from([b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\u", b"null", b";"])
)


@pytest.mark.slow
@settings(fuzz, max_examples=1500)
@given(mutated(OTHERS), st.lists(st.tuples(st.integers(0, 200), MORE_NOISE), max_size=3), BLOCKS)
def test_mutated_files_of_other_tools(
    content: bytes, noise: list[tuple[int, bytes]], block: int
) -> None:
    """They are read or refused with a GradewiseError; blocks make no difference."""
    for place, more in noise:
        content = (
            content[: place % (len(content) + 1)] + more + content[place % (len(content) + 1) :]
        )
    if content.startswith(COMPRESSED):
        return
    for read in (gw.read_qrels, gw.read_runs):
        found = []
        for size in (blocks.BLOCK, block):
            with patch.object(blocks, "BLOCK", size):
                try:
                    made = read(io.BytesIO(content))
                except GradewiseError:
                    found.append("refused")
                    continue
            tables = made.values() if isinstance(made, dict) else [made]
            found.append(repr([table.to_dict() for table in tables]))
        assert found[0] == found[1]
