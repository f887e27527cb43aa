"""Telling a person at the terminal how far long work has come; silent in pipes."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gradewise.effort import Effort, watched_by
from gradewise.inert import printable

if TYPE_CHECKING:
    from rich.progress import Progress


class _Teller:
    """Says what long work will take, for who does not see a bar."""

    def begin(self, effort: Effort) -> None:
        """Say it in a line."""
        note(str(effort))

    def advance(self, seconds: float) -> None:
        """Say nothing."""


class _Bar(_Teller):
    """A bar that counts things or, as soon as long work begins, the seconds that it may take."""

    def __init__(self, bar: "Progress", label: str, total: int | None) -> None:
        self.bar, self.lock, self.estimated = bar, threading.Lock(), False
        shown = total is None or total > 1
        self.task = bar.add_task(label, total=total, visible=shown)

    def begin(self, effort: Effort) -> None:
        """Say what work will take, and count seconds of it."""
        super().begin(effort)
        with self.lock:
            self.estimated = True
            self.bar.reset(
                self.task, total=round(effort.seconds), description="seconds", visible=True
            )

    def advance(self, seconds: float) -> None:
        """Go on by a part of the work."""
        with self.lock:
            if self.estimated:
                self.bar.advance(self.task, seconds)

    def count(self, amount: int) -> None:
        """Go on by things that are done, unless seconds are counted."""
        with self.lock:
            if not self.estimated:
                self.bar.advance(self.task, amount)


@contextlib.contextmanager
def progress_bar(
    label: str, total: int | None, *, quiet: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Give a function to be called with the amount of work done, or None if nobody watches.

    Without a total, the bar tells only that there is progress. What long work will take is said
    before it starts, also where nobody sees a bar; from then on the bar counts estimated seconds.

    The bar appears only when the work takes longer than a moment.
    """
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        with watched_by(_Teller()):
            yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    described = TextColumn("{task.description}", markup=False)
    columns = (described, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = _Bar(bar, label, total)
        with watched_by(shown):
            yield shown.count


def note(*sentences: str, quiet: bool = False) -> None:
    """Tell something on standard error, a line each."""
    for sentence in () if quiet else sentences:
        print(f"gradewise: {printable(sentence)}", file=sys.stderr)
