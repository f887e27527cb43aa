"""Long work: what it will take is told before it starts, and refused where it would not end.

Estimates come from how often the innermost loops run, and from how quick they are on one core of an
ordinary machine; they may be off by a factor of two or three.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gradewise.errors import OptionError
from gradewise.progress import in_notebook, show_line

HOURS = "GRADEWISE_HOURS"  # how many hours a single piece of work may take
_MOST_HOURS = 24.0
_LONG = 20.0  # seconds; work that takes less is not worth a word
_MUCH = 1e9  # bytes
_UNITS = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second"))
_GROUPS = "/sys/fs/cgroup/memory.max"


@dataclass(frozen=True)
class Effort:
    """What work will take: its name, seconds, bytes, and how to make it less."""

    what: str
    seconds: float
    memory: float = 0.0
    advice: str = ""

    def __str__(self) -> str:
        memory = f" and {shown_bytes(self.memory)} of memory" if self.memory >= _MUCH else ""
        return f"{self.what} will take about {shown_time(self.seconds)}{memory}"


class Watcher(Protocol):
    """Who wants to know of long work."""

    def begin(self, effort: Effort) -> None:
        """Hear what is about to start."""

    def advance(self, seconds: float) -> None:
        """Hear that work which was estimated to take so long has been done."""


_watchers: list[Watcher] = []


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Tell a watcher of long work that is done inside."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def begin(effort: Effort) -> None:
    """Refuse work that would not end, or would not fit; tell who watches if it will take long."""
    _check(effort)
    if effort.seconds < _LONG and effort.memory < _MUCH:
        return
    for watcher in _watchers:
        watcher.begin(effort)
    if not _watchers and in_notebook():
        show_line(str(effort))


def advance(seconds: float) -> None:
    """Tell who watches that work which was estimated to take so long has been done."""
    for watcher in _watchers:
        watcher.advance(seconds)


def _check(effort: Effort) -> None:
    most = _allowed_hours()
    advice = f"{effort.advice}, or " if effort.advice else ""
    if effort.seconds > most * 3600:
        raise OptionError(
            f"{effort.what} would take about {shown_time(effort.seconds)}, over the limit of "
            f"{most:g} hours; {advice}set {HOURS} to a larger number"
        )
    there = find_memory()
    if there is not None and effort.memory > there:
        raise OptionError(
            f"{effort.what} would need about {shown_bytes(effort.memory)} of memory, but only "
            f"{shown_bytes(there)} is available; {effort.advice or 'use fewer or shorter lists'}"
        )


def _allowed_hours() -> float:
    text = os.environ.get(HOURS, "")
    if not text:
        return _MOST_HOURS
    try:
        hours = float(text)
    except ValueError:
        hours = float("nan")
    if not hours > 0:
        raise OptionError(f"{HOURS} must be a number above 0, not {text!r}")
    return hours


def find_memory() -> float | None:
    """Return how many bytes this process may use: of the machine, of its group, of its limits."""
    found: list[float] = []
    with suppress(AttributeError, OSError, ValueError):  # Windows
        found.append(float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):
        found.append(float(Path(_GROUPS).read_text("ascii")))
    with suppress(ImportError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            found.append(float(limit))
    return min(found, default=None)


def shown_time(seconds: float) -> str:
    """Return a time in the largest unit of which there are two or more.

    Examples
    --------
    >>> shown_time(95), shown_time(7200), shown_time(0.2), shown_time(1e12)
    ('95 seconds', '2 hours', '1 second', '11,574,074 days')
    """
    for size, unit in _UNITS:
        if seconds >= 2 * size or unit == "second":
            number = max(round(seconds / size), 1)
            return f"{number:,} {unit}" + ("" if number == 1 else "s")
    raise AssertionError


def shown_bytes(number: float) -> str:
    """Return a number of bytes in GB, or in MB if it is less.

    Examples
    --------
    >>> shown_bytes(1.44e9), shown_bytes(3e7), shown_bytes(1.2e11)
    ('1.4 GB', '30 MB', '120 GB')
    """
    if number < 1e9:
        return f"{number / 1e6:,.0f} MB"
    return f"{number / 1e9:,.1f} GB" if number < 1e10 else f"{number / 1e9:,.0f} GB"
