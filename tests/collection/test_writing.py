"""Writing qrels and runs: what is written reads back the same, or nothing is written at all."""

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection import writing
from gradewise.collection.ids import Ids
from gradewise.errors import GradewiseError, InputError
from gradewise.files import open_output, whole_file, write_text

try:
    from compression import zstd  # Python 3.14
except ImportError:
    from backports import zstd

often = settings(max_examples=100, deadline=None, derandomize=True)

QRELS = {"1": {"a": 1, "b": 0, "c": -2}, "2": {"c": 20}}
RUN = {"1": {"a": 0.1, "b": 2.5, "é": 2.5}, "2": {"c": -1e-300}}
RUN_TEXT = "1 Q0 é 1 2.5 mine\n1 Q0 b 2 2.5 mine\n1 Q0 a 3 0.1 mine\n2 Q0 c 1 -1e-300 mine\n"
QRELS_TEXT = "1 0 a 1\n1 0 b 0\n1 0 c -2\n2 0 c 20\n"
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".txt": bytes,
    ".gz": gzip.decompress,
    ".zst": zstd.decompress,
    ".xz": lzma.decompress,
    ".bz2": bz2.decompress,
    ".GZ": gzip.decompress,
    ".txt.gz": gzip.decompress,
}


def bits(table: dict[str, dict[str, float]]) -> dict[str, dict[str, str]]:
    return {
        topic: {document: struct.pack(">d", score).hex() for document, score in inner.items()}
        for topic, inner in table.items()
    }


# Round trips


@pytest.mark.parametrize("ending", UNPACK)
def test_files_hold_trec_text_compressed_by_the_ending_of_their_name(tmp_path, ending):
    run, qrels = tmp_path / f"run{ending}", tmp_path / f"qrels{ending}"
    gw.write_run(gw.read_run(RUN, name="mine"), run)
    gw.write_qrels(gw.read_qrels(QRELS), qrels)
    assert UNPACK[ending](run.read_bytes()).decode() == RUN_TEXT
    assert UNPACK[ending](qrels.read_bytes()).decode() == QRELS_TEXT
    assert gw.read_run(run).to_dict() == RUN
    assert gw.read_qrels(qrels).to_dict() == QRELS


ids = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=20
).filter(lambda text: text[0] not in "#\ufeff")
finite = st.floats(allow_nan=False, allow_infinity=False)


@often
@given(st.dictionaries(ids, st.dictionaries(ids, finite, min_size=1), min_size=1, max_size=5))
def test_a_run_reads_back_to_the_bit(tmp_path_factory, table):
    path = tmp_path_factory.getbasetemp() / "round-trip-run.txt"
    gw.write_run(gw.read_run(table), path)
    assert bits(gw.read_run(path).to_dict()) == bits(table)


@often
@given(
    st.dictionaries(
        ids,
        st.dictionaries(ids, st.integers(-(2**40), 2**40), min_size=1),
        min_size=1,
        max_size=5,
    )
)
def test_qrels_read_back(tmp_path_factory, table):
    path = tmp_path_factory.getbasetemp() / "round-trip-qrels.txt"
    gw.write_qrels(gw.read_qrels(table), path)
    assert gw.read_qrels(path).to_dict() == table


def test_a_run_is_written_best_rank_first_and_topic_by_topic(tmp_path):
    mixed = b"2 Q0 x 1 1 t\n1 Q0 a 1 1 t\n2 Q0 y 1 3 t\n1 Q0 b 1 1 t\n1 Q0 c 1 9 t\n"
    path = tmp_path / "run"
    gw.write_run(gw.read_run(io.BytesIO(mixed)), path, tag="t")
    assert path.read_text() == (
        "2 Q0 y 1 3.0 t\n2 Q0 x 2 1.0 t\n1 Q0 c 1 9.0 t\n1 Q0 b 2 1.0 t\n1 Q0 a 3 1.0 t\n"
    )
    gw.write_run(gw.read_run(io.BytesIO(mixed)), path, tag="t", ties="input")
    assert path.read_text().endswith("1 Q0 c 1 9.0 t\n1 Q0 a 2 1.0 t\n1 Q0 b 3 1.0 t\n")


def test_batches_of_lines_join_without_seam(tmp_path, monkeypatch):
    table = {str(t): {f"d{t}-{n}": float(n) for n in range(t)} for t in range(1, 12)}
    grades = {t: {d: int(n) for d, n in inner.items()} for t, inner in table.items()}
    monkeypatch.setattr(writing, "_BATCH", 7)
    gw.write_run(gw.read_run(table), tmp_path / "run")
    gw.write_qrels(gw.read_qrels(grades), tmp_path / "qrels")
    assert gw.read_run(tmp_path / "run").to_dict() == table
    assert gw.read_qrels(tmp_path / "qrels").to_dict() == grades
    ranks = [line.split()[3] for line in (tmp_path / "run").read_text().splitlines()]
    assert ranks == [str(rank) for t in range(1, 12) for rank in range(1, t + 1)]


@pytest.mark.parametrize(
    ("given_tag", "own_tag", "name", "written"),
    [
        ("asked", "own", "name", "asked"),
        (None, "own", "name", "own"),
        (None, None, "name", "name"),
        ("two words", None, "name", "two_words"),
        (None, None, " ", "run"),
    ],
)
def test_the_tag(tmp_path, given_tag, own_tag, name, written):
    content = f"1 Q0 a 1 1 {own_tag}\n" if own_tag else "1 a 1\n"
    run = gw.read_run(io.BytesIO(content.encode()), name=name)
    gw.write_run(run, tmp_path / "out", tag=given_tag)
    assert (tmp_path / "out").read_text().split()[5:] == [written]


# Parquet


def test_runs_in_parquet_round_trip(tmp_path):
    table = RUN | {"a topic": {"a document": 0.1}, "#2": {" c ": 5e-324}}
    gw.write_run(gw.read_run(table), tmp_path / "run.PARQUET")
    assert bits(gw.read_run(tmp_path / "run.PARQUET").to_dict()) == bits(table)


def test_qrels_in_parquet_round_trip(tmp_path):
    table = QRELS | {"a topic": {"x y": 2}, "#2": {"z": 3}}
    gw.write_qrels(gw.read_qrels(table), tmp_path / "qrels.parquet")
    assert gw.read_qrels(tmp_path / "qrels.parquet").to_dict() == table


def test_parquet_has_named_columns_in_rank_order(tmp_path):
    gw.write_run(gw.read_run(RUN), tmp_path / "run.parquet")
    assert pl.read_parquet(tmp_path / "run.parquet").to_dict(as_series=False) == {
        "topic": ["1", "1", "1", "2"],
        "doc": ["é", "b", "a", "c"],
        "rank": [1, 2, 3, 1],
        "score": [2.5, 2.5, 0.1, -1e-300],
    }
    gw.write_qrels(gw.read_qrels(QRELS), tmp_path / "qrels.parquet")
    assert pl.read_parquet(tmp_path / "qrels.parquet").to_dict(as_series=False) == {
        "topic": ["1", "1", "1", "2"],
        "doc": ["a", "b", "c", "c"],
        "grade": [1, 0, -2, 20],
    }


# The same bytes


@pytest.mark.parametrize("ending", [*UNPACK, ".parquet"])
def test_the_same_content_gives_the_same_bytes(tmp_path, monkeypatch, ending):
    written = []
    for name, now in (("first", 1e9), ("second-name", 1.5e9)):
        monkeypatch.setattr("time.time", lambda now=now: now)
        gw.write_run(gw.read_run(RUN, name="mine"), tmp_path / f"{name}{ending}")
        written.append((tmp_path / f"{name}{ending}").read_bytes())
    assert written[0] == written[1]


# Ids that TREC text cannot hold


@pytest.mark.parametrize(
    "odd", ["a b", "a\tb", "a\nb", "a\rb", " a", "a ", "a\n", "\ta", "a\vb", "a\f", "a\x00", "\x01"]
)
@pytest.mark.parametrize("place", ["topic", "document"])
def test_ids_that_would_not_read_back_are_refused(tmp_path, odd, place):
    path = tmp_path / "file"
    topic, document = (odd, "d") if place == "topic" else ("t", odd)
    with pytest.raises(GradewiseError) as caught:
        gw.write_qrels(gw.read_qrels({topic: {document: 1}}), path)
    assert repr(odd) in str(caught.value)
    with pytest.raises(GradewiseError):
        gw.write_run(gw.read_run({topic: {document: 1}}), path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("topic", ["#1", "#", "\ufeff1", "\ufeff"])
def test_a_topic_that_would_read_back_as_another_thing_is_refused_or_kept(tmp_path, topic):
    table = {topic: {"a": 1}, "2": {"b": 1}}
    path = tmp_path / "qrels"
    try:
        gw.write_qrels(gw.read_qrels(table), path)
    except GradewiseError:
        assert not path.exists()
    else:
        assert gw.read_qrels(path).to_dict() == table


@pytest.mark.parametrize("odd", ["a\u00a0b", "\u2003a", "a\u3000", "a\u0085b", "a\u2028b"])
def test_what_can_be_read_can_be_written(tmp_path, odd):
    """Only ASCII white space separates columns, so other white space is part of an id."""
    content = f"1 0 {odd} 1\n".encode()
    gw.write_qrels(gw.read_qrels(io.BytesIO(content)), tmp_path / "qrels")
    assert (tmp_path / "qrels").read_bytes() == content


# Whole or not at all


class Broken(Exception):
    """What goes wrong half way."""


def write_half(path: Path) -> None:
    with open_output(path) as file:
        file.write(b"half " * 100_000)
        raise Broken


@pytest.mark.parametrize("ending", UNPACK)
@pytest.mark.parametrize("existing", [None, b"precious"])
def test_an_exception_half_way_leaves_no_trace(tmp_path, ending, existing):
    path = tmp_path / f"run{ending}"
    if existing is not None:
        path.write_bytes(existing)
    with pytest.raises(Broken):
        write_half(path)
    assert [file.name for file in tmp_path.iterdir()] == ([] if existing is None else [path.name])
    assert existing is None or path.read_bytes() == existing


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt, MemoryError])
def test_writing_a_run_that_breaks_off_leaves_no_trace(tmp_path, monkeypatch, error):
    run = gw.read_run({"1": {f"d{n}": float(n) for n in range(10)}})
    path = tmp_path / "run.gz"
    path.write_bytes(b"precious")
    monkeypatch.setattr(writing, "_BATCH", 4)
    really_take, taken = Ids.take, []

    def take(self: Ids, rows: Any) -> Ids:
        taken.append(len(rows))
        if taken[-2:] == [4, 4]:  # the second batch of lines
            raise error
        return really_take(self, rows)

    monkeypatch.setattr(Ids, "take", take)
    with pytest.raises(error):
        gw.write_run(run, path)
    assert taken[-2:] == [4, 4]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"run.gz": b"precious"}


def test_parquet_that_breaks_off_leaves_no_trace(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    path.write_bytes(b"precious")

    def fail(self: pl.DataFrame, file: Path) -> None:
        Path(file).write_bytes(b"half")
        raise Broken

    monkeypatch.setattr(pl.DataFrame, "write_parquet", fail)
    with pytest.raises(Broken):
        gw.write_run(gw.read_run(RUN), path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {path.name: b"precious"}


def test_the_target_changes_only_when_all_is_written(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with open_output(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with whole_file(path) as temporary:
        temporary.write_bytes(b"newer")
        assert path.read_bytes() == b"new"
        assert temporary.parent == path.parent
    assert path.read_bytes() == b"newer"
    assert list(tmp_path.iterdir()) == [path]


def test_files_have_the_usual_permissions(tmp_path):
    previous = os.umask(0o027)
    try:
        write_text(tmp_path / "file", "x")
    finally:
        os.umask(previous)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@pytest.mark.parametrize("ending", ["", ".gz", ".parquet"])
def test_places_that_cannot_be_written(tmp_path, ending):
    nowhere = tmp_path / "missing" / f"run{ending}"
    with pytest.raises(GradewiseError) as caught:
        gw.write_run(gw.read_run(RUN), nowhere)
    assert str(caught.value) == f"{nowhere}: cannot be written (no such file or directory)"
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    with pytest.raises(GradewiseError) as caught:
        gw.write_run(gw.read_run(RUN), folder)
    assert str(caught.value).startswith(f"{folder}: cannot be written (")
    assert list(tmp_path.iterdir()) == [folder]


def test_a_path_is_named_as_the_user_gave_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GradewiseError) as caught:
        gw.write_run(gw.read_run(RUN), "missing/run.txt")
    assert str(caught.value) == "missing/run.txt: cannot be written (no such file or directory)"


def test_paths_that_lead_nowhere(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (loop, tmp_path / "a\0b"):
        with pytest.raises(GradewiseError, match="cannot be written"):
            gw.write_run(gw.read_run(RUN), path)
    assert list(tmp_path.iterdir()) == [loop]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_or_device_is_written_to_and_not_replaced(tmp_path):
    """As /dev/null and /dev/stdout: who may write to the folder must not lose the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        gw.write_qrels(gw.read_qrels(QRELS), pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert os.read(reader, 10_000).decode() == QRELS_TEXT
    finally:
        os.close(reader)


def test_a_link_is_followed_and_not_replaced(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    gw.write_qrels(gw.read_qrels(QRELS), link)
    assert link.is_symlink()
    assert real.read_text() == QRELS_TEXT


# Standard output


def test_standard_output(tmp_path, monkeypatch, capfdbinary):
    monkeypatch.chdir(tmp_path)
    gw.write_run(gw.read_run(RUN, name="mine"), "-")
    assert capfdbinary.readouterr().out.decode() == RUN_TEXT
    gw.write_qrels(gw.read_qrels(QRELS), "-")
    assert capfdbinary.readouterr().out.decode() == QRELS_TEXT
    assert list(tmp_path.iterdir()) == []


def test_what_was_damaged_afterwards_is_noticed(tmp_path):
    path = tmp_path / "run.gz"
    gw.write_run(gw.read_run(RUN), path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match="damaged gzip data"):
        gw.read_run(path)
