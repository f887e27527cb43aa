"""How far long work has come: shown in notebooks without being asked for.

The command line has bars of its own, and scripts stay silent unless they pass `progress`.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

_PATIENCE = 1.0  # seconds of silence
_PAUSE = 0.2  # seconds between two looks

Given = ParamSpec("Given")
Result = TypeVar("Result")
Item = TypeVar("Item")


def watched(things: str) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Let a function that takes `progress` show in notebooks how many things it has done."""

    def decorate(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(function)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            if kwargs.get("progress") is not None or not in_notebook():
                return function(*args, **kwargs)
            with notebook_counter(things) as advance:
                kwargs["progress"] = advance
                return function(*args, **kwargs)

        return call

    return decorate


def go_through(items: Iterable[Item], progress: Callable[[int], None] | None) -> Iterator[Item]:
    """Give items, and tell after each that it is done."""
    for item in items:
        yield item
        if progress is not None:
            progress(1)


def in_notebook() -> bool:
    """Tell whether the code runs in a kernel of Jupyter."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return hasattr(running, "kernel")


@contextmanager
def notebook_counter(things: str) -> Iterator[Callable[[Any], None]]:
    """Give a function to be called with the amount of work done, or with what was done."""
    begin = shown = time.monotonic()
    lock, done, line = Lock(), 0, None

    def advance(amount: Any = 1) -> None:
        nonlocal done, line, shown
        with lock:
            done += amount if isinstance(amount, int) else 1
            now = time.monotonic()
            if now - begin > _PATIENCE and now - shown > _PAUSE:
                shown, line = now, show_line(f"{things}: {done:,} in {now - begin:.0f} s", line)

    try:
        yield advance
    finally:
        if line is not None:
            show_line("", line)


def show_line(text: str, line: Any = None) -> Any:
    """Write a line in a notebook, or write over it."""
    from IPython.display import HTML, display

    content = HTML(f"<small>{text}</small>" if text else "")
    if line is None:
        return display(content, display_id=True)
    line.update(content)
    return line
