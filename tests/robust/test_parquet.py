"""Damaged parquet files: one sentence and nothing else, and never fewer rows than there are."""

import os
import random
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from command import Call
from gradewise.collection.sources.panics import damaged, read_by_polars

ROWS = 400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    frame = pl.DataFrame(
        {
            "topic": [f"t{n // 50}" for n in range(ROWS)],
            "doc": [f"d{n % 90}" for n in range(ROWS)],
            "score": [n / 7 for n in range(ROWS)],
        }
    )
    path = tmp_path / "run.parquet"
    frame.write_parquet(path, row_group_size=100)  # those behind a damaged one must not be lost
    return path


# Reads files with some damage, from a number on; says each number, and ends if Rust does.
READER = """
import pathlib, random, sys
import gradewise as gw
path, first = pathlib.Path(sys.argv[1]), int(sys.argv[2])
content = path.with_suffix(".whole").read_bytes()
for number in range(first, 200):
    print(number, flush=True)
    rng, damaged = random.Random(number), bytearray(content)
    for _ in range(rng.randrange(1, 4)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    path.write_bytes(damaged)
    for read in (gw.read_run, gw.read_scores):
        try:
            found = read(path)
        except gw.GradewiseError as error:
            assert str(error).startswith(str(path))
            print("refused")
        else:
            assert len(found) == 400
"""


@pytest.mark.slow
def test_damaged_files_are_refused_or_whole(path: Path) -> None:
    path.with_suffix(".whole").write_bytes(path.read_bytes())
    number, refused = -1, 0
    while number < 199:
        done = subprocess.run(
            [sys.executable, "-c", READER, path, str(number + 1)],
            capture_output=True,
            text=True,
            check=False,
        )
        answers = done.stdout.split()
        number = int([word for word in answers if word != "refused"][-1])
        refused += answers.count("refused")
        told = "" if done.returncode == 0 else f"gradewise: {damaged(str(path))}\n"
        assert done.stderr == told
    assert refused > 200


def test_a_process_that_is_aborted_says_why() -> None:
    code = (
        "import os\nfrom gradewise.collection.sources.panics import damaged, read_by_polars\n"
        "with read_by_polars('whole'): pass\n"
        "with read_by_polars('x.parquet'): os.write(2, b'memory allocation of'); os.abort()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == f"gradewise: {damaged('x.parquet')}\n"
    assert done.returncode == 1


def test_a_panic_is_one_sentence_of_a_command(
    path: Path, run: Call, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("t0 0 d0 1\n")
    content, rng, panics = path.read_bytes(), random.Random(5), 0
    while panics < 3:
        place = rng.randrange(len(content))
        path.write_bytes(content[:place] + rng.randbytes(3) + content[place + 3 :])
        done = run("eval", qrels, path, "-m", "AP")
        if "the file is damaged" in done.err:
            panics += 1
            assert done.code == 1
            assert [line for line in done.err.splitlines() if line.startswith("gradewise: ")]
            assert len(done.err.splitlines()) == 1
    assert capfd.readouterr().err == ""


def test_other_words_on_standard_error_are_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with read_by_polars("file"):
        os.write(2, b"of another library\n")
        with read_by_polars("file"):
            print("of Python", file=sys.__stderr__)
    assert capfd.readouterr().err == "of another library\nof Python\n"
    with read_by_polars("file"):
        os.write(2, b"before\nthread 'x' panicked at y:1:\nmessage\nnote: and so on\n")
    assert capfd.readouterr().err == "before\n"
