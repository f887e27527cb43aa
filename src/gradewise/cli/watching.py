"""Telling a person at the terminal how far long work has come; silent in pipes."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_bar(
    label: str, total: int | None, *, quiet: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Give a function to be called with the amount of work done, or None if nobody watches.

    Without a total, the bar tells only that there is progress.

    The bar appears only when the work takes longer than a moment.
    """
    if quiet or (total is not None and total < 2) or not sys.stderr.isatty():
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

    lock = threading.Lock()
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)

        def advance(amount: int) -> None:
            with lock:
                bar.advance(task, amount)

        yield advance


def note(text: str, *, quiet: bool = False) -> None:
    """Tell something on standard error."""
    if not quiet:
        print(f"gradewise: {text}", file=sys.stderr)
