"""Long work in parts: in processes, and kept in a folder so that it can be taken up again."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError
from gradewise.files import make_folder, whole_file

Result = dict[str, Floats]
Tell = Callable[[int], None]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_LOOK_SECONDS = 0.1  # how often processes are asked how far they have come
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
    if jobs < 1:
        raise OptionError(f"jobs must be at least 1, not {jobs}")
    folder = None if keep is None else make_folder(keep)
    names = [None if folder is None else f"{item.name(shared)}.npz" for item in work]
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
            with whole_file(folder / name) as temporary, temporary.open("wb") as file:
                np.savez(file, **result)  # type: ignore[arg-type]
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
    size, told = min(jobs, len(work)), context.SimpleQueue()
    with (
        _one_thread_each(),
        ProcessPoolExecutor(size, context, initializer=_share, initargs=(shared, told.put)) as pool,
    ):
        places = {pool.submit(_do, item): index for index, item in enumerate(work)}
        left = set(places)
        while left:
            found, left = wait(left, _LOOK_SECONDS, FIRST_COMPLETED)
            while not told.empty():
                tell(told.get())
            for future in found:
                yield places[future], future.result()


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
    if folder is None or name is None or not (folder / name).exists():
        return None
    with np.load(folder / name, allow_pickle=False) as stored:
        return {key: stored[key] for key in stored.files}
