"""Temporary files beside outputs: moved into place alone or together, and never left for long.

A process that is killed leaves them behind. Their names say who wrote them, so that the next one
that writes the same output removes them; they begin with a dot and end in .partial, so that nobody
takes them for results.
"""

import contextlib
import os
import platform
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

_ENDING = ".partial"
_LONGEST = 180  # bytes of an output's name in the name of its temporary file
_open: set[Path] = set()  # which are being written
_waiting: list[list[tuple[Path, Path]]] = []  # temporary files and where they belong


def make_temporary(target: Path) -> Path:
    """Make an empty temporary file beside an output, and remove what killed processes left."""
    start = _start_of(target)
    _remove_stale(target.parent, start)
    prefix = f"{start}{_machine()}-{os.getpid()}-"
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=_ENDING, dir=target.parent)
    os.close(handle)
    _open.add(Path(name))
    return Path(name)


def forget(temporary: Path) -> None:
    """Stop to care for a temporary file."""
    _open.discard(temporary)


def defer(temporary: Path, target: Path) -> bool:
    """Let a temporary file wait for the others; False if there are no others."""
    if not _waiting:
        return False
    _waiting[-1].append((temporary, target))
    return True


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Let all files that are written inside appear at the end, or none if something fails."""
    waiting: list[tuple[Path, Path]] = []
    _waiting.append(waiting)
    try:
        yield
        while waiting:
            temporary, target = waiting[0]
            temporary.replace(target)
            del waiting[0]
    finally:
        _waiting.remove(waiting)
        for temporary, _ in waiting:
            temporary.unlink(missing_ok=True)


def remove_temporaries() -> None:
    """Remove all temporary files of this process, which is about to end."""
    deferred = [temporary for waiting in _waiting for temporary, _ in waiting]
    for temporary in [*_open, *deferred]:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _start_of(target: Path) -> str:
    name = os.fsdecode(os.fsencode(target.name)[:_LONGEST])
    return f".{name}."


def _machine() -> str:
    """Return a word for this machine: processes of others cannot be looked for."""
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _remove_stale(folder: Path, start: str) -> None:
    """Remove what processes of this machine that have ended left of the same output."""
    ours = re.compile(rf"{re.escape(start + _machine())}-(\d+)-\w+{re.escape(_ENDING)}")
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:  # said when the file is written
        return
    for name in names:
        found = ours.fullmatch(name)
        if found is not None and not _is_running(int(found[1])):
            with contextlib.suppress(OSError):
                (folder / name).unlink()


def _is_running(process: int) -> bool:
    if os.name == "nt":  # where asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
