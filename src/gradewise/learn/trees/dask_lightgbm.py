"""LightGBM on Dask: every worker grows the same trees from its rows, in step with the others."""

import socket
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlparse

from gradewise.errors import InputError
from gradewise.learn.trees.booster import Rows, Watch
from gradewise.learn.trees.dask_lists import WholeLists, join_rows, library
from gradewise.learn.trees.dask_workers import Attempt
from gradewise.learn.trees.lightgbm_booster import LightGBM
from gradewise.learn.trees.metric import Metric
from gradewise.learn.trees.objective import Objective

History = list[list[list[float]]]


class Grown(NamedTuple):
    """A model in the library's own format, and the values on evaluation sets after each tree."""

    content: bytes
    history: History


class Plan(NamedTuple):
    """What workers need to know besides their rows."""

    objective: Objective | str
    parameters: Mapping[str, Any]
    iterations: int
    metrics: Sequence[Metric]
    patience: int | None


def grow(
    client: Any, rows: WholeLists, held: Sequence[WholeLists], plan: Plan, attempt: Attempt
) -> Grown:
    """Train on the workers that hold the rows.

    Every worker has all rows of the evaluation sets, so that all of them see the same values after
    each tree and stop at the same one.
    """
    parts = client.compute(rows.parts)
    shared = client.compute([library.delayed(join_rows)(each.parts) for each in held])
    attempt.futures += [*parts, *shared]
    _wait_for([*parts, *shared])
    by_worker = _places(client, parts)
    attempt.members = set(by_worker)
    ports = client.gather({worker: _submit(client, worker, _free_port) for worker in by_worker})
    machines = ",".join(f"{urlparse(worker).hostname}:{ports[worker]}" for worker in by_worker)
    threads = client.nthreads()
    network = {
        "machines": machines,
        "num_machines": len(by_worker),
        "tree_learner": "data",
        "pre_partition": True,
    }
    grown = []
    for worker, own in by_worker.items():
        here = {"local_listen_port": ports[worker], "num_threads": threads[worker]}
        given = (own, shared, plan, {**network, **here})
        grown.append(_submit(client, worker, _grow_on_worker, *given))
    attempt.futures += grown
    found: list[Grown] = client.gather(grown)
    return found[0]


def _places(client: Any, parts: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the partitions, in their order, by the worker that holds them."""
    holders = client.who_has(parts)
    found: dict[str, list[Any]] = {}
    for part in parts:
        if not holders.get(part.key):
            raise InputError("rows were lost before training, because their worker is gone")
        found.setdefault(min(holders[part.key]), []).append(part)
    return found


def _submit(client: Any, worker: str, *call: Any) -> Any:
    return client.submit(*call, workers=[worker], allow_other_workers=False, pure=False, retries=0)


def _wait_for(futures: Sequence[Any]) -> None:
    """Wait for futures, and raise what one of them has raised."""
    from dask.distributed import wait

    waiting: Any = wait
    waiting(list(futures))
    for future in futures:
        if future.status == "error":
            future.result()


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as found:
        found.bind(("", 0))
        return int(found.getsockname()[1])


def _grow_on_worker(
    parts: Sequence[Rows], held: Sequence[Rows], plan: Plan, network: Mapping[str, Any]
) -> Grown:
    """Train on the rows of this worker; all workers return the same model."""
    booster = LightGBM()
    alone = network["num_machines"] == 1
    usual = {name: network[name] for name in ("num_threads",)} if alone else dict(network)
    watch = Watch(plan.metrics, held, plan.patience)
    parameters = {name: value for name, value in plan.parameters.items() if name != "nthread"}
    model = booster.train(
        join_rows(parts), plan.objective, {**parameters, **usual}, plan.iterations, watch
    )
    if not alone:
        model.free_network()
    return Grown(model.model_to_string(num_iteration=-1).encode(), watch.history)
