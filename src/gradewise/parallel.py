"""Threads for work that spends its time in NumPy, which lets other threads run meanwhile."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Result = TypeVar("Result")

_inside = threading.local()

# glibc gives freed memory back to the system until a large block has been freed once, and then
# asks for it again page by page; one such block, never touched, makes reading a third faster.
np.empty(31 << 20, np.uint8)


def thread_count() -> int:
    """Return how many threads to use: the cores this process may run on, at most 8."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        cores = os.cpu_count() or 1
    return min(cores, 8)


def thread_map(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Apply `function` to every item, in threads, and return the results in order.

    If some fail, the error of the first of them is raised. A call from inside another
    `thread_map` runs in its own thread only, so that work on many files with many blocks does not
    start threads in threads. (concurrent.futures would do, but takes longer to import.)
    """
    work = list(items)
    threads = min(thread_count(), len(work))
    if threads <= 1 or getattr(_inside, "busy", False):
        return [function(item) for item in work]

    waiting = deque(enumerate(work))
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}

    def run() -> None:
        _inside.busy = True
        while waiting and not errors:
            try:
                index, item = waiting.popleft()
            except IndexError:  # another thread was quicker
                return
            try:
                results[index] = function(item)
            except BaseException as error:
                errors[index] = error

    pool = [threading.Thread(target=run) for _ in range(threads)]
    for thread in pool:
        thread.start()
    try:
        for thread in pool:
            thread.join()
    finally:
        waiting.clear()  # when the user interrupts, nothing more is begun
    if errors:
        raise errors[min(errors)]
    return [results[index] for index in range(len(work))]
