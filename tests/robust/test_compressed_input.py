"""Compressed files: damage anywhere is noticed, and little data cannot become very much."""

import bz2
import contextlib
import gzip
import lzma
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gradewise as gw
from command import Call
from gradewise.collection.sources import compression
from gradewise.files import write_bytes

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK: dict[str, Callable[[bytes], bytes]] = {
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "gz": gzip.compress,
    "zst": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
}


def lines(first: int, last: int) -> bytes:
    return b"".join(b"t%d Q0 d%d 1 %d r\n" % (n, n, n) for n in range(first, last))


@pytest.mark.parametrize("kind", PACK)
def test_damage_in_a_later_member_is_noticed(kind: str, tmp_path: Path) -> None:
    first, second = PACK[kind](lines(0, 500)), PACK[kind](lines(500, 1000))
    path = tmp_path / f"run.{kind}"
    path.write_bytes(first + second)
    whole = gw.read_run(path).to_dict()
    assert len(whole) == 1000
    rng = random.Random(kind)
    damaged = [first + second[:-3], first + b"x" + second[1:], first + b"and what not"]
    for _ in range(60):
        place, bit = rng.randrange(len(second)), 1 << rng.randrange(8)
        damaged.append(first + second[:place] + bytes([second[place] ^ bit]) + second[place + 1 :])
    for data in damaged:
        path.write_bytes(data)
        with contextlib.suppress(gw.InputError):
            # A time stamp and the like may change, which say nothing of the content.
            assert gw.read_run(path).to_dict() == whole, data


def test_zstandard_files_have_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "run.txt.zst"
    write_bytes(path, lines(0, 500))
    assert path.read_bytes()[4] & 4  # the flag, RFC 8878, section 3.1.1.1.1
    assert zstd.decompress(path.read_bytes()) == lines(0, 500)


@pytest.mark.parametrize("kind", ["bz2", "gz"])
def test_little_data_cannot_become_very_much(
    kind: str, run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "_LITTLE", 1 << 20)
    path, qrels = tmp_path / f"run.{kind}", tmp_path / "qrels.txt"
    qrels.write_text("t0 0 d0 1\n")
    same = b"t0 Q0 d0 1 1 r\n" + b" \n" * (1 << 22)
    path.write_bytes(PACK[kind](same))
    done = run("eval", qrels, path, "-m", "AP")
    assert done.code == 1
    assert "grows to more than 200 times its size" in done.err
    assert done.err.count("\n") == 1
    monkeypatch.setenv("GRADEWISE_EXPANSION", "1e9")
    assert run("eval", qrels, path, "-m", "AP").code == 0
    monkeypatch.setenv("GRADEWISE_EXPANSION", "much")
    done = run("eval", qrels, path, "-m", "AP")
    assert done.code == 1
    assert "GRADEWISE_EXPANSION must be a number" in done.err


def test_a_line_without_end_is_refused(run: Call, tmp_path: Path) -> None:
    path, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    qrels.write_text("t0 0 d0 1\n")
    path.write_bytes(b"0" * (1 << 27))
    done = run("eval", qrels, path, "-m", "AP")
    assert done.code == 1
    assert "a line is longer than 64 MB" in done.err
