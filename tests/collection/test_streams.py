"""Bytes as they come: compressed, in members, through pipes, in blocks; memory stays flat."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import textwrap
import threading
from itertools import pairwise
from pathlib import Path

import pytest

import gradewise as gw
from gradewise.collection.sources import streams
from gradewise.collection.sources.blocks import BUFFERS, read_blocks
from gradewise.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FIRST, SECOND = b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n", b"2 Q0 a 1 0.5 t\n"
ROWS = {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 0.5}}
COMPRESS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstandard": zstd.compress,
}


def read(content: bytes) -> dict[str, dict[str, float]]:
    return gw.read_run(io.BytesIO(content)).to_dict()


# Members


@pytest.mark.parametrize("kind", COMPRESS)
def test_members_one_behind_the_other(kind):
    pack = COMPRESS[kind]
    assert read(pack(FIRST) + pack(SECOND)) == ROWS
    assert read(pack(FIRST) + pack(b"") + pack(SECOND)) == ROWS


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("size", [1, 2, 5, 12, 30])
def test_a_second_member_that_is_cut_is_an_error(kind, size):
    """Python's own functions drop it in silence for bz2 and xz."""
    pack = COMPRESS[kind]
    with pytest.raises(InputError, match=f"damaged {kind} data"):
        read(pack(FIRST) + pack(SECOND * 20)[:size])


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("garbage", [b"x", b"garbage behind the end", b"\xff" * 40])
def test_what_is_no_member_behind_a_member_is_an_error(kind, garbage):
    with pytest.raises(InputError, match=f"damaged {kind} data"):
        read(COMPRESS[kind](FIRST) + garbage)


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])  # zstd has a checksum only if asked for
def test_a_damaged_second_member_is_an_error(kind):
    pack = COMPRESS[kind]
    second = bytearray(pack(SECOND * 20))
    second[len(second) // 2] ^= 0x20
    with pytest.raises(InputError, match=f"damaged {kind} data"):
        read(pack(FIRST) + bytes(second))


@pytest.mark.parametrize("kind", ["gzip", "xz"])
@pytest.mark.parametrize("zeros", [4, 4096])
def test_zeros_may_pad_members(kind, zeros):
    pack = COMPRESS[kind]
    assert read(pack(FIRST) + bytes(zeros)) == {"1": ROWS["1"]}
    assert read(pack(FIRST) + bytes(zeros) + pack(SECOND)) == ROWS


# Pipes


def through_a_pipe(content: bytes) -> io.BufferedReader:
    """Return the reading end of a pipe that someone writes to."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(content)

    threading.Thread(target=write, daemon=True).start()
    return os.fdopen(reading, "rb")


@pytest.mark.parametrize("in_memory", [1 << 26, 1000])
@pytest.mark.parametrize("scattered", [True, False])
def test_a_pipe_can_be_read_again_where_that_is_needed(monkeypatch, in_memory, scattered):
    monkeypatch.setattr(streams, "_IN_MEMORY", in_memory)
    rows = [(topic, number) for topic in range(30) for number in range(40)]
    if scattered:
        rows.sort(key=lambda row: row[1])
    text = "".join(f"{t} Q0 d{n} 0 {40 - n} x\n" for t, n in rows).encode()
    qrels = {str(topic): {"d3": 1} for topic in range(30)}
    for content in (text, gzip.compress(text)):
        with through_a_pipe(content) as pipe:
            scores = gw.evaluate(qrels, {"piped": pipe}, "RR")
        assert scores.summary().tolist() == [[0.25]]
        assert scores.notes == (
            ["piped: the rows of a topic are not contiguous, so the whole run was kept in memory"]
            if scattered
            else []
        )


def test_what_is_wrong_in_a_pipe_is_named_by_its_line():
    with through_a_pipe(FIRST + FIRST) as pipe, pytest.raises(InputError) as caught:
        gw.evaluate({"1": {"a": 1}}, {"piped": pipe}, "AP")
    place = "document a appears twice for topic 1, first at"
    assert f":3: {place}" in str(caught.value)
    assert str(caught.value).splitlines()[0].endswith("1 Q0 a 1 2.5 t")


def test_where_nothing_can_be_written_a_pipe_is_kept_in_memory(monkeypatch):
    def refused(*_: object, **__: object) -> None:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(streams, "_IN_MEMORY", 10)
    monkeypatch.setattr(streams.tempfile, "TemporaryFile", refused)
    with through_a_pipe(SECOND + FIRST + b"2 Q0 z 2 0.25 t\n") as pipe:
        assert gw.read_run(pipe).to_dict() == {"2": {"a": 0.5, "z": 0.25}, "1": ROWS["1"]}


# Blocks


@pytest.mark.parametrize("block", [1, 2, 3, 7, 16, 1000])
@pytest.mark.parametrize(
    "text",
    [
        b"one\ntwo\nthree\n",
        b"one\r\ntwo\r\n",
        b"one\rtwo\rthree",
        b"a line that is longer than most blocks\nx\n",
        b"\r\n\r\n\n\r\r",
        b"x",
        b"",
    ],
)
def test_blocks_end_where_lines_end(monkeypatch, block, text):
    monkeypatch.setattr("gradewise.collection.sources.blocks.BLOCK", block)
    monkeypatch.setattr(BUFFERS, "waiting", [])
    parts = []
    for buffer, size, _ in read_blocks("text", io.BytesIO(text)):
        parts.append(buffer[:size].tobytes())
        BUFFERS.put(buffer)
    whole = b"".join(parts)
    assert whole == text + (b"" if not text or text.endswith((b"\n", b"\r")) else b"\n")
    for part, following in pairwise(parts):
        assert part.endswith((b"\n", b"\r"))
        assert not (part.endswith(b"\r") and following.startswith(b"\n"))


MEMORY = """
    import sys
    import gradewise as gw
    scores = gw.evaluate(sys.argv[1], {"run": sys.argv[2]}, "AP")
    lines = open("/proc/self/status").read().splitlines()
    print(scores.summary()[0, 0], *[line.split()[1] for line in lines if line.startswith("VmHWM")])
"""


# A row of a run with 1000 documents for each topic, what stands before and behind all rows, and
# before, between and behind the rows of a topic.
FORMS = {
    "plain": ("{0} Q0 d{1} {1} {2} tag\n", "", ""),
    "csv": ("{0},d{1},{2},some more text\n", "qid,docid,score,title\n", ""),
    "several": ("r{3},{0},d{1},{2},some more\n", "run,qid,docid,score,title\n", ""),
    "jsonl": ('{{"qid": {0}, "docid": "d{1}", "score": {2}}}\n', "", ""),
    "json": ('"d{1}":            {2}, ', "{", '"": {"x": 1}}'),
}


def written(kind: str, topics: range) -> str:
    """Return a run in a form, the same lists whatever it is."""
    row, before, behind = FORMS.get(kind, FORMS["plain"])
    parts = [before]
    for topic in topics:
        # of several runs, the first has the topics that are judged
        rows = "".join(row.format(topic, n, 1000 - n / 8, int(topic >= 50)) for n in range(1000))
        parts.append(f'"{topic}": {{{rows[:-2]}}}, ' if kind == "json" else rows)
    return "".join([*parts, behind.replace('""', '"last"')])


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the system does not tell the peak of memory so"
)
@pytest.mark.parametrize("kind", ["plain", "gzip", "csv", "jsonl", "json", "several"])
def test_memory_does_not_grow_with_the_run(tmp_path: Path, kind):
    """Three times the lists, with as many hits."""
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 d7 1\n" for topic in range(50)))
    peaks = []
    for factor in (8, 24):
        text = written(kind, range(50 * factor)).encode()
        path = tmp_path / f"run{factor}"
        path.write_bytes(gzip.compress(text, 1) if kind == "gzip" else text)
        command = [sys.executable, "-c", textwrap.dedent(MEMORY), tmp_path / "qrels", path]
        # What is freed goes back to the system, so that the peak is of what was in use.
        environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        value, peak = done.stdout.split()
        assert float(value) == 0.125
        peaks.append(int(peak) / 1024)
    assert len(text) > 30 << 20
    assert peaks[1] - peaks[0] < 8, peaks  # megabytes; the text is 20 MB longer


# What was assumed


@pytest.mark.parametrize(
    ("text", "ranking", "note"),
    [
        ("1 a 1\n1 b 2\n1 c 3\n", "abc", "read the third column as ranks"),
        ("1 a 0.5\n1 b 0.93\n1 c 1\n", "cba", "read the third column as scores, because it has"),
        ("1 a 1\n1 b 2\n1 c 2.5\n", "cba", "read the third column as scores, because it has"),
        ("topic doc score\n1 a 1\n1 b 2\n", "ba", None),
        ("topic doc rank\n1 a 1\n1 b 2\n", "ab", None),
        ("doc rank topic\na 1 1\nb 2 1\n", "ab", None),
        (
            "corpus-id query-id score\na 1 0.25\nb 1 0.75\n",
            "ba",
            "read topic from 'query-id', document from 'corpus-id', score from 'score'",
        ),
        ("1 a -1\n1 b -2\n", "ab", "read the third column as scores, because it has"),
    ],
)
@pytest.mark.parametrize("block", [1 << 20, 8])
def test_what_a_third_column_is_taken_for(monkeypatch, text, ranking, note, block):
    """A fraction may come late; then what was read as ranks is read again, as scores."""
    monkeypatch.setattr("gradewise.collection.sources.blocks.BLOCK", block)
    run = gw.read_run(io.BytesIO(text.encode()), name="r")
    assert "".join(run.ranking("1")) == ranking
    best = ranking[0]
    for source in (run, io.BytesIO(text.encode())):
        scores = gw.evaluate({"1": {best: 1}}, {"r": source}, "RR")
        assert scores.summary().tolist() == [[1.0]]
        assert [told.startswith(f"r: {note}") for told in scores.notes] == ([True] if note else [])


def test_a_header_names_the_columns_of_qrels():
    for text in ("query-id corpus-id score\n1 a 2\n", "corpus-id\tscore\tquery-id\na\t2\t1\n"):
        assert gw.read_qrels(io.BytesIO(text.encode())).to_dict() == {"1": {"a": 2}}
