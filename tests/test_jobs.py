"""Long work in parts: it is told as it goes, and ends with whoever asked for it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from gradewise.jobs import Result, Tell, do_all

ENDLESS = """
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from gradewise.jobs import do_all


@dataclass(frozen=True)
class Endless:
    amount: int = 1

    def do(self, shared, tell):
        (Path(shared) / str(os.getpid())).touch()
        while True:
            time.sleep(0.05)
            tell(1)


if __name__ == "__main__":
    do_all([Endless(), Endless()], sys.argv[1], jobs=2)
"""


@dataclass(frozen=True)
class Part:
    """Counts to its amount, and tells what it is asked to."""

    amount: int
    told: tuple[int, ...]

    def name(self, shared: int) -> str:
        return f"{self.amount}-{shared}"

    def do(self, shared: int, tell: Tell) -> Result:
        for amount in self.told:
            tell(amount)
        return {"sum": np.array([float(self.amount + shared)])}


PARTS = [Part(5, (2, 1)), Part(3, ()), Part(4, (1, 1, 1, 1))]


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_all_amounts_are_told_and_results_keep_their_places(jobs: int) -> None:
    told: list[int] = []
    found = do_all(PARTS, 10, jobs=jobs, progress=told.append)
    assert [float(each["sum"][0]) for each in found] == [15, 13, 14]
    assert sorted(told) == [1, 1, 1, 1, 1, 2, 2, 3]


def test_what_is_kept_is_told_at_once(tmp_path: Path) -> None:
    do_all(PARTS, 10, keep=tmp_path)
    told: list[int] = []
    do_all(PARTS, 10, keep=tmp_path, progress=told.append)
    assert told == [12]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    script, seen = tmp_path / "endless.py", tmp_path / "seen"
    script.write_text(ENDLESS)
    seen.mkdir()
    parent = subprocess.Popen([sys.executable, str(script), str(seen)])
    try:
        _wait_for(lambda: len(list(seen.iterdir())) == 2)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    workers = [int(path.name) for path in seen.iterdir()]
    _wait_for(lambda: not any(_runs(worker) for worker in workers))


def _wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def _runs(process: int) -> bool:
    """Return whether a process runs; one that only waits for its parent to look does not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
