"""Ctrl-C and SIGTERM: a command ends within a second, says so in one line and leaves nothing."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 0.5  # seconds that the command has to end by itself
_told: list[int] = []


class Interrupted(BaseException):
    """A signal asks the command to end; no handler of errors may stop it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise Interrupted at a signal, and end the process if that does not end it soon.

    Python runs handlers only between two steps of the main thread, which may be in the middle of
    a long computation; so another thread is told of the signal, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = {number: signal.signal(number, _raise) for number in _SIGNALS}
    told = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(reading,), daemon=True)
    watcher.start()
    interrupted = False
    try:
        yield
    except Interrupted:
        interrupted = True
        raise
    finally:
        signal.set_wakeup_fd(told)
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if interrupted else handler)
        if not interrupted:  # else the watcher stays, in case that something holds up the end
            os.close(writing)


def tell_end(number: int) -> int:
    """Say once that a signal ends the command; return the exit code."""
    if not _told:
        _told.append(number)
        word = "interrupted" if number == signal.SIGINT else "terminated"
        reading = sys.modules.get("gradewise.collection.sources.panics")
        if reading is not None:  # parquet files, with standard error put aside
            reading.give_back_stderr()
        with contextlib.suppress(Exception):
            print(f"gradewise: {word}", file=sys.stderr, flush=True)
    return 128 + number


def _end_now(number: int) -> None:
    """End the process from any thread, and leave neither files nor processes."""
    from gradewise.temporary import remove_temporaries

    _end_children()
    remove_temporaries()
    os._exit(tell_end(number))


def _raise(number: int, frame: Any) -> None:
    raise Interrupted(number)


def _watch(reading: int) -> None:
    told = os.read(reading, 1)
    if told and told[0] in _SIGNALS:
        time.sleep(_PATIENCE)
        _end_now(told[0])
    os.close(reading)


def _end_children() -> None:
    parallel = sys.modules.get("multiprocessing")
    for child in parallel.active_children() if parallel is not None else ():
        with contextlib.suppress(Exception):
            child.kill()
