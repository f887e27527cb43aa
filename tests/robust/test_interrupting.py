"""Ctrl-C and SIGTERM end every command soon, with one line, its exit code and no file."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Call
from gradewise.errors import GradewiseError
from gradewise.files import whole_file, write_text
from gradewise.temporary import together
from robust.commands import LONG, RUNS, start, write_sample

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def children_of(process: int) -> list[int]:
    told = subprocess.run(
        ["pgrep", "-g", str(process)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in told.stdout.split()]


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.3, 4.0])  # while libraries are imported, and at work
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", LONG)
def test_commands_end_soon(name: str, number: int, wait: float, sample: Path) -> None:
    before = {*sample.rglob("*")}
    process = start(sample, *LONG[name])
    time.sleep(wait)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: children get it, too
    else:
        process.send_signal(number)
    begin = time.monotonic()
    _, told = process.communicate(timeout=20)
    took = time.monotonic() - begin
    if wait > 1:
        word = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}[number]
        assert process.returncode == 128 + number, told
        notes = ("judged topic", "will take about")
        lines = [line for line in told.splitlines() if not any(note in line for note in notes)]
        assert lines == [f"gradewise: {word}"]
    assert "Traceback" not in told or wait < 1
    assert took < 3  # 0.1 s on a quiet machine; 0.5 s at most where a kernel is at work
    while children_of(process.pid) and time.monotonic() < begin + 10:  # on a busy machine
        time.sleep(0.1)
    assert children_of(process.pid) == []
    made = {path for path in {*sample.rglob("*")} - before if path.is_file()}
    assert [path for path in made if path.parent.name != "kept"] == []


def test_what_killed_processes_left_is_removed(sample: Path) -> None:
    process = start(sample, "simulate", "big", "--topics", 10**6, "--runs", 2)
    folder = sample / "big"
    for _ in range(200):
        time.sleep(0.1)
        if folder.is_dir() and len(list(folder.glob(".*.partial"))) == 3:
            break
    process.kill()
    process.communicate()
    assert len(list(folder.glob(".*.partial"))) == 3
    assert [path for path in folder.iterdir() if not path.name.startswith(".")] == []
    done = start(sample, "eval", "qrels.txt", "big")  # they are not taken for runs
    assert "big" in done.communicate()[1]
    assert done.returncode == 1
    done = start(sample, "simulate", "big", "--topics", 10, "--runs", 2)
    done.communicate()
    assert done.returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["qrels.txt", "run1.txt", "run2.txt"]


def test_files_of_running_processes_are_left_alone(tmp_path: Path) -> None:
    with whole_file(tmp_path / "out") as first:
        write_text(tmp_path / "out", "of another")
        assert first.exists()
        first.write_text("last")
    assert (tmp_path / "out").read_text() == "last"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_names_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 127)
    write_text(path, "whole")
    assert path.read_text() == "whole"
    with pytest.raises(GradewiseError, match=re.escape("cannot be written")):
        write_text(tmp_path / ("x" * 300), "none")


def test_outputs_appear_together_or_not_at_all(run: Call, sample: Path, tmp_path: Path) -> None:
    given = [sample / "qrels.txt", *(sample / name for name in RUNS[:2])]
    table, figure = tmp_path / "table.csv", tmp_path / "none" / "figure.svg"
    done = run("compare", *given, "-m", "AP", "-o", table, "--figure", figure)
    assert done.code == 1
    assert [*tmp_path.iterdir()] == []
    done = run("compare", *given, "-m", "AP", "-o", table, "--figure", tmp_path / "figure.svg")
    assert done.code == 0, done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.svg", "table.csv"]


def test_nothing_is_left_if_the_last_of_several_fails(tmp_path: Path) -> None:
    with contextlib.suppress(RuntimeError), together():
        write_text(tmp_path / "first", "1")
        assert not (tmp_path / "first").exists()
        with whole_file(tmp_path / "kept", at_once=True) as temporary:
            temporary.write_text("2")
        assert (tmp_path / "kept").read_text() == "2"
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
