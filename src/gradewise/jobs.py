"""Long work in parts: in processes, and kept in a folder so that it can be taken up again."""

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Protocol

from gradewise.errors import check_least
from gradewise.files import make_folder
from gradewise.keeping import Result, kept_name, read_kept, write_kept

Tell = Callable[[int], None]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_LOOK_SECONDS = 0.1  # how often processes are asked how far they have come
# What Python's own process that removes semaphores says if a signal has ended this one first.
_QUIET = "ignore::UserWarning:multiprocessing.resource_tracker"
_shared: list[Any] = []  # in a process: what all parts of the work need, and whom to tell


class Job(Protocol):
    """A part of the work."""

    @property
    def amount(self) -> int:
        """How much work it is, for whoever watches."""

    def name(self, shared: Any) -> str:
        """Return a name that changes with everything that the result depends on."""

    def do(self, shared: Any, tell: Tell) -> Result:
        """Do the work; `shared` is what all parts need.

        Long work calls `tell` with each amount that is done; what it leaves untold is told for it.
        """


def do_all(
    work: Sequence[Job],
    shared: Any = None,
    *,
    jobs: int = 1,
    keep: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Result]:
    """Return the results of all parts: from the folder `keep`, or done now and kept there.

    With more than one process, `shared` is sent to each of them once. `progress` is called with
    amounts of work as they are done, also from within a part.
    """
    check_least(1, jobs=jobs)
    folder = None if keep is None else make_folder(keep)
    names = [None if folder is None else kept_name(item.name(shared)) for item in work]
    done = [_stored(folder, name) for name in names]
    open_ones = [index for index, result in enumerate(done) if result is None]
    told = sum(item.amount for item, result in zip(work, done, strict=True) if result is not None)
    tell = progress or _to_nobody
    if told:
        tell(told)
    for index, result in _results([work[index] for index in open_ones], shared, jobs, tell):
        place = open_ones[index]
        done[place] = result
        name = names[place]
        if folder is not None and name is not None:
            write_kept(folder / name, result)
    return [result for result in done if result is not None]


def _results(
    work: Sequence[Job], shared: Any, jobs: int, tell: Tell
) -> Iterator[tuple[int, Result]]:
    """Give the place and the result of each part, as they are found."""
    if jobs == 1 or len(work) < 2:
        for index, item in enumerate(work):
            yield index, _done(item, shared, tell)
        return
    context = multiprocessing.get_context("spawn")  # a fork may inherit locks
    if _QUIET not in sys.warnoptions:  # which processes inherit
        sys.warnoptions.append(_QUIET)
    size, told = min(jobs, len(work)), context.SimpleQueue()
    before = {*multiprocessing.active_children()}
    with (
        _one_thread_each(),
        ProcessPoolExecutor(size, context, initializer=_share, initargs=(shared, told.put)) as pool,
    ):
        with _deaf_children():
            places = {pool.submit(_do, item): index for index, item in enumerate(work)}
        left = set(places)
        try:
            while left:
                found, left = wait(left, _LOOK_SECONDS, FIRST_COMPLETED)
                while not told.empty():
                    tell(told.get())
                for future in found:
                    yield places[future], future.result()
        except BaseException:  # nobody wants the other results
            for child in {*multiprocessing.active_children()} - before:
                child.kill()
            raise


def _done(item: Job, shared: Any, tell: Tell) -> Result:
    """Do a part, and tell the whole of its amount."""
    left = item.amount

    def counted(amount: int) -> None:
        nonlocal left
        if amount:
            left -= amount
            tell(amount)

    result = item.do(shared, counted)
    if left:
        tell(left)
    return result


def _to_nobody(amount: int) -> None:
    pass


def _share(shared: Any, tell: Tell) -> None:
    def told(amount: int) -> None:
        parent = multiprocessing.parent_process()
        if parent is not None and not parent.is_alive():  # killed; nobody wants the result
            os._exit(1)
        tell(amount)

    _shared[:] = [shared, told]


def _do(item: Job) -> Result:
    return _done(item, *_shared)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Let processes that are started now leave Ctrl-C to this one, which ends them.

    They inherit that the signal is blocked; here it waits until it is not.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that are started now use one thread each in linear algebra."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update({name: "1" for name in _THREADS if before[name] is None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)


def _stored(folder: Path | None, name: str | None) -> Result | None:
    return None if folder is None or name is None else read_kept(folder / name)
