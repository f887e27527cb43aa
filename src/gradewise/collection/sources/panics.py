"""Damaged parquet files over which polars panics: an error like others, and nothing else.

A panic writes its message to the file descriptor of standard error, from any thread, before Python
hears of it. So standard error goes to a temporary file while polars reads, and comes back behind
it, without what a panic has said. Where a damaged file asks for more memory than there can be, Rust
ends the process; all that can be done then is to say why.
"""

import contextlib
import ctypes
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO

from gradewise.errors import InputError
from gradewise.temporary import remove_temporaries

_STDERR = 2
_PANICS = (b"panicked at", b"memory allocation of")


@contextlib.contextmanager
def read_by_polars(name: str) -> Iterator[None]:
    """Turn what polars says of a parquet file into an InputError; keep its panics off the screen.

    Nothing is to be read outside of it: a query that is still running may panic at any time.
    """
    import polars as pl

    _aside.begin(name)
    try:
        yield
    except pl.exceptions.PanicException:
        raise damaged(name) from None
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{name}: cannot be read as parquet ({reason})") from None
    finally:
        _aside.end(name)


def damaged(name: str) -> InputError:
    """Return the error for a file that is not what it says."""
    return InputError(f"{name}: cannot be read as parquet (the file is damaged)")


def give_back_stderr() -> None:
    """Let standard error be what it was, though files are being read: the process is to end."""
    _aside.give_back()


class _Aside:
    """Standard error, put aside while there are readers, in any thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.names: list[str] = []  # of files that are being read
        self.aborting: Any = None
        self.kept: list[tuple[int, BinaryIO]] = []  # standard error, and what stands in for it

    def begin(self, name: str) -> None:
        with self.lock:
            self.names.append(name)
            if len(self.names) > 1:
                return
            # Without standard error, or without room for a file, it stays as it is.
            with contextlib.suppress(OSError, ValueError, AttributeError):
                sys.stderr.flush()
                file = tempfile.TemporaryFile()
                self.kept.append((os.dup(_STDERR), file))
                os.dup2(file.fileno(), _STDERR)
            self.aborting = _handle_abort(_handler)

    def end(self, name: str) -> None:
        with self.lock:
            self.names.remove(name)
            if not self.names:
                _handle_abort(self.aborting)
                self.give_back()

    def give_back(self) -> None:
        """Let standard error be what it was, and write what else has been said meanwhile."""
        if not self.kept:
            return
        screen, file = self.kept.pop()
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        with contextlib.suppress(OSError), file:
            os.dup2(screen, _STDERR)
            file.seek(0)
            os.write(screen, _without_panics(file.read()))
        os.close(screen)


def _without_panics(said: bytes) -> bytes:
    """Leave out a panic, with the empty line before it and all behind it."""
    found = min((place for mark in _PANICS if (place := said.find(mark)) >= 0), default=None)
    if found is None:
        return said
    before = said[: said.rfind(b"\n", 0, found) + 1]
    return before[:-1] if before == b"\n" or before.endswith(b"\n\n") else before


def _handle_abort(handler: Any) -> Any:
    """Set what is called when the process is aborted, from any thread; return what it was."""
    if os.name == "nt" or handler is None:
        return None
    library = ctypes.CDLL(None)
    library.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    library.signal.restype = ctypes.c_void_p
    return library.signal(signal.SIGABRT, handler) or ctypes.c_void_p(0)


def _end(number: int) -> None:
    """End the process, which Rust is about to do, with a sentence."""
    _aside.give_back()
    remove_temporaries()
    name = " or ".join(dict.fromkeys(_aside.names))
    os.write(_STDERR, f"gradewise: {damaged(name)}\n".encode("utf-8", "backslashreplace"))
    os._exit(1)


_aside = _Aside()
_ended = ctypes.CFUNCTYPE(None, ctypes.c_int)(_end)
_handler = ctypes.cast(_ended, ctypes.c_void_p)
