"""Commands in forks of one process, which end with `kill -9` before a file event if asked to.

Run as a script: reads requests and writes answers, a line of JSON each. Libraries are imported
once, before any of them starts a thread, so that a command takes as long as its work does.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, NoReturn

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.truncate"}
_LIBRARIES = ("polars", "altair", "vl_convert", "torch", "lightgbm", "scipy.stats", "rich.progress")


class Forks:
    """The process, seen from tests."""

    def __init__(self) -> None:
        command = [sys.executable, __file__]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder: Path, *arguments: object, kill: int = -1) -> tuple[int, int, str]:
        """Run a command; return its exit code, how many file events it had, and what it said."""
        asked = {"folder": str(folder), "arguments": [*map(str, arguments)], "kill": kill}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        code, events, said = json.loads(self.process.stdout.readline())
        return code, events, said

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def _watch(folder: str, kill: int) -> list[str]:
    """Note events that change files in a folder, and end the process before one of them."""
    seen: list[str] = []

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event not in _CHANGES and not (event == "open" and (given[2] or 0) & 3):
            return
        if not isinstance(given[0], (str, bytes, os.PathLike)):
            return
        path = os.path.abspath(os.fsdecode(given[0]))  # noqa: PTH100 - no events of its own
        if path.startswith(folder):
            if len(seen) == kill:
                os.kill(os.getpid(), signal.SIGKILL)
            seen.append(event)

    sys.addaudithook(hook)
    return seen


def _run_command(asked: dict[str, Any], told: int) -> NoReturn:
    from gradewise.cli import main

    os.chdir(asked["folder"])
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 1)
    os.dup2(told, 2)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, closefd=False) for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.argv = ["gradewise", *asked["arguments"]]
    seen = _watch(asked["folder"], asked["kill"])
    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    except BaseException as error:
        traceback.print_exception(error)
        code = 70
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(told, f"\0{len(seen)}".encode())
    os._exit(int(str(code or 0)))


def _answer(asked: dict[str, Any]) -> tuple[int, int, str]:
    with tempfile.TemporaryFile() as told:  # no pipe, which others could keep open
        process = os.fork()
        if process == 0:
            os.setsid()
            _run_command(asked, told.fileno())
        _, status = os.waitpid(process, 0)
        with contextlib.suppress(ProcessLookupError):  # processes that it may have started
            os.killpg(process, signal.SIGKILL)
        told.seek(0)
        said, _, events = told.read().rpartition(b"\0")
    return os.waitstatus_to_exitcode(status), int(events or -1), said.decode("utf-8", "replace")


def _serve() -> None:
    from importlib import import_module, util

    from gradewise.cli.app import COMMANDS

    for name in _LIBRARIES:
        if util.find_spec(name.partition(".")[0]) is not None:
            import_module(name)
    for place, _ in COMMANDS.values():
        import_module(place.partition(":")[0])
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)
    os._exit(0)  # libraries take long to say goodbye


if __name__ == "__main__":
    _serve()
