"""Threads for work that spends its time in NumPy and kernels, which let other threads run."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2  # how many items each thread may be ahead of who takes the results
_PATIENCE = 0.5  # seconds; a thread may be waiting for a pipe that nobody writes to
_inside = threading.local()


def thread_count() -> int:
    """Return how many threads to use: the cores this process may run on, at most 8."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        cores = os.cpu_count() or 1
    return min(cores, 8)


def thread_map(
    function: Callable[[Item], Result], items: Iterable[Item], *, threads: int | None = None
) -> list[Result]:
    """Apply `function` to every item, in threads, and return the results in order.

    If some fail, the error of the first of them is raised. By default, `thread_count` says how
    many threads there are.
    """
    work = list(items)
    if len(work) < 2:
        return [function(item) for item in work]
    return list(stream_map(function, work, threads=threads))


def stream_map(
    function: Callable[[Item], Result], items: Iterable[Item], *, threads: int | None = None
) -> Iterator[Result]:
    """Apply `function` to items as they come, in threads, and give the results in order.

    Items are drawn one at a time, by whichever thread is free, and only a few before their results
    are taken, so that a stream of any length needs little memory. A call from inside another one
    runs in its own thread only: no threads in threads. (concurrent.futures draws all items at
    once, and takes longer to import.)
    """
    threads = thread_count() if threads is None else threads
    if threads <= 1 or getattr(_inside, "busy", False):
        yield from map(function, items)
        return
    yield from _Stream(function, iter(items), threads)


class _Stream:
    """Threads that draw items and leave results, and who takes them."""

    def __init__(self, function: Callable[[Any], Any], items: Iterator[Any], threads: int):
        self.function, self.items, self.threads = function, items, threads
        self.drawing = threading.Lock()
        self.room = threading.Semaphore(_AHEAD * threads)
        self.news = threading.Condition()
        self.results: dict[int, tuple[Any, BaseException | None]] = {}
        self.drawn = 0
        self.over = False  # there is nothing more to draw

    def __iter__(self) -> Iterator[Any]:
        pool = [threading.Thread(target=self._work, daemon=True) for _ in range(self.threads)]
        for thread in pool:
            thread.start()
        try:
            taken = 0
            while self._wait_for(taken):
                result, error = self.results.pop(taken)
                if error is not None:
                    raise error
                yield result
                taken += 1
                self.room.release()
        finally:
            self.over = True  # also when the user interrupts: nothing more is begun
            self.room.release(self.threads)
            for thread in pool:
                thread.join(_PATIENCE)

    def _wait_for(self, index: int) -> bool:
        """Wait for a result; False if there is none to come."""
        with self.news:
            while index not in self.results:
                if self.over and index >= self.drawn:
                    return False
                self.news.wait()
        return True

    def _work(self) -> None:
        _inside.busy = True
        while True:
            self.room.acquire()
            index, item, error = self._draw()
            if index is None:
                return
            result = None
            if error is None:
                try:
                    result = self.function(item)
                except BaseException as raised:
                    error = raised
            with self.news:
                self.results[index] = result, error
                self.news.notify_all()

    def _draw(self) -> tuple[int | None, Any, BaseException | None]:
        with self.drawing:
            item, error = None, None
            if not self.over:
                try:
                    item = next(self.items)
                except StopIteration:
                    self.over = True
                except BaseException as raised:
                    self.over, error = True, raised
            if self.over and error is None:
                with self.news:
                    self.news.notify_all()
                self.room.release()  # another thread may be waiting to hear the same
                return None, None, None
            self.drawn += 1
            return self.drawn - 1, item, error
