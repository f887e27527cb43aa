"""Work that needs all workers at once: if one is lost, the others are freed and it starts again."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from gradewise.errors import GradewiseError

Result = TypeVar("Result")

_LOOK = 0.5  # seconds between two looks at the workers
_GRACE = 5.0  # seconds in which work may end by itself when a worker is lost
_PATIENCE = 60  # seconds for workers to come back


class LostWorkerError(GradewiseError):
    """A worker was lost while others were waiting for it."""


def workers_of(client: Any) -> dict[str, Any]:
    """Return the workers of a cluster by address."""
    found: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return found


@dataclass
class Attempt:
    """What is known of work while it is done: the workers that take part, and what to cancel."""

    members: set[str]
    futures: list[Any] = field(default_factory=list)


def run_guarded(client: Any, work: Callable[[Attempt], Result], *, attempts: int = 2) -> Result:
    """Return what work gives; if a worker is lost meanwhile, free the others and do it again.

    Trees are grown by all workers in step. One that is lost leaves the others waiting in the
    booster, where nothing can interrupt them, so their processes are restarted.
    """
    lost: LostWorkerError | None = None
    for _ in range(attempts):
        try:
            return _watched(client, work)
        except LostWorkerError as error:
            lost = error
        except GradewiseError:
            raise
        except Exception as error:
            if lost is None:
                raise
            raise LostWorkerError(
                f"{lost}, and training could not be restarted ({error!r}); data that only a lost "
                "worker had cannot be recomputed"
            ) from None
    raise LostWorkerError(
        f"{lost}; training was started {attempts} times, and a worker was lost each time; give "
        "workers more memory, or fewer rows each"
    )


def _watched(client: Any, work: Callable[[Attempt], Result]) -> Result:
    """Do work in a thread, and watch the workers that take part."""
    attempt = Attempt(set(workers_of(client)))
    done: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with client.as_current():
                done.append(work(attempt))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_LOOK)
        if thread.is_alive() and _lost(client, attempt):
            thread.join(_GRACE)
            if not done:
                _give_up(client, attempt)
    if done:
        return done[0]
    deadline = time.monotonic() + _GRACE
    while time.monotonic() < deadline:  # the scheduler may hear of a lost worker late
        if _lost(client, attempt):
            _give_up(client, attempt)
        time.sleep(_LOOK)
    raise failed[0]


def _lost(client: Any, attempt: Attempt) -> set[str]:
    return attempt.members - set(workers_of(client))


def _give_up(client: Any, attempt: Attempt) -> NoReturn:
    """Free the workers that wait for one that is lost, and tell of it."""
    lost = _lost(client, attempt)
    client.cancel(attempt.futures, force=True)
    _free(client, attempt.members - lost)
    raise LostWorkerError(f"the Dask worker {', '.join(sorted(lost))} was lost during training")


def _free(client: Any, waiting: Iterable[str]) -> None:
    """Restart workers that wait for one that is lost."""
    chosen = [address for address in waiting if address in workers_of(client)]
    if not chosen:
        _wait_for_one(client)
        return
    try:
        client.restart_workers(chosen, timeout=_PATIENCE)
    except Exception as error:  # what Dask raises depends on how workers were started
        raise GradewiseError(
            "a Dask worker was lost during training, and the others, which are waiting for it, "
            f"cannot be restarted ({error}); restart the cluster, with a nanny for each worker"
        ) from None
    _wait_for_one(client)


def _wait_for_one(client: Any) -> None:
    with contextlib.suppress(TimeoutError):
        client.wait_for_workers(1, timeout=_PATIENCE)
    if not workers_of(client):
        raise GradewiseError("all Dask workers were lost during training")
