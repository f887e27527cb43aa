"""DaskTreeRanker on two workers: the trees of one machine, whole lists, lost workers, refusals."""

import contextlib
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError

for _name in ("lightgbm", "sklearn", "dask.dataframe", "distributed"):
    pytest.importorskip(_name, reason=f"{_name} is not installed")

# Workers estimate the rows of a leaf from Hessians, hence no least number of them; and bins agree
# only if every worker sees all values of a feature.
SHARED = {"n_estimators": 10, "num_leaves": 7, "min_child_samples": 1, "min_data_in_bin": 1}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from dask.distributed import Client, LocalCluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            yield client


@pytest.fixture(scope="module")
def rows() -> tuple[Any, Any, Any, Any]:
    """Features of few values, grades, topics of uneven size, and their sizes."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(3, 60, 60)
    x = np.clip(np.rint(2 * rng.normal(size=(sizes.sum(), 5))) + 4, 1, 7)
    y = np.digitize(x[:, 0] + 0.5 * x[:, 1] + rng.normal(size=len(x)), [4, 7, 9])
    return x, y, np.arange(60).repeat(sizes), sizes


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_two_workers_grow_the_trees_of_one(client: Any, rows: Any, tmp_path: Path) -> None:
    import dask.array as da

    x, y, qid, _ = rows
    weight = np.linspace(0.5, 2.0, len(y))
    local = gw.learn.TreeRanker("GAP", n_jobs=1, **SHARED)
    expected = local.fit(x, y, qid=qid, sample_weight=weight).predict(x)
    part = len(y) // 3  # which splits topics
    given = [da.from_array(each, chunks=part) for each in (y, qid, weight)]
    features = da.from_array(x, chunks=(part, 5))
    ranker = gw.learn.DaskTreeRanker("GAP", client=client, **SHARED)
    ranker.fit(features, given[0], qid=given[1], sample_weight=given[2])
    assert np.abs(ranker.predict(x) - expected).max() < 1e-6
    assert np.abs(ranker.predict(features).compute() - expected).max() < 1e-6
    assert ranker.scale_.tolist() == [1, 2, 3]
    ranker.save(tmp_path / "model.txt")
    copy = gw.learn.load_ranker(tmp_path / "model.txt")
    assert copy.predict(x).tolist() == ranker.predict(x).tolist()
    assert copy.score(x, y, qid=qid) == pytest.approx(local.score(x, y, qid=qid))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_arrays_in_memory_and_frames(client: Any, rows: Any) -> None:
    import dask.dataframe as dd
    import pandas as pd

    x, y, qid, sizes = rows
    ranker = gw.learn.DaskTreeRanker("nDCG", client=client, **SHARED).fit(x, y, group=sizes)
    local = gw.learn.TreeRanker("nDCG", n_jobs=1, **SHARED).fit(x, y, group=sizes)
    assert np.abs(ranker.predict(x) - local.predict(x)).max() < 1e-6
    frame = dd.from_pandas(
        pd.DataFrame({**{f"f{n}": x[:, n] for n in range(5)}, "y": y, "q": qid}),
        npartitions=3,
        sort=False,
    )
    features = frame[[f"f{n}" for n in range(5)]]
    again = gw.learn.DaskTreeRanker("nDCG", client=client, **SHARED)
    again.fit(features, frame["y"], qid=frame["q"])
    assert np.abs(again.predict(features).compute() - local.predict(x)).max() < 1e-6


@pytest.fixture
def _in_this_process() -> Iterator[None]:
    """Compute what Dask is asked for here: hundreds of small tasks need no cluster."""
    import dask

    with dask.config.set(scheduler="sync"):
        yield


@pytest.mark.usefixtures("_in_this_process")
def test_lists_are_kept_whole(rows: Any) -> None:
    import dask
    import dask.array as da

    from gradewise.learn.trees.dask_lists import whole_lists

    x, y, qid, sizes = rows
    for topics in (qid, np.array([f"topic {number}" for number in qid])):
        for chunk in (7, 150, 700, len(y)):
            found = whole_lists(
                da.from_array(x, chunks=(chunk, 2)),
                da.from_array(y, chunks=400),
                da.from_array(topics, chunks=chunk),
                None,
                None,
                2,
            )
            parts = dask.compute(*found.parts)
            assert np.concatenate([part.sizes for part in parts]).tolist() == sizes.tolist()
            assert [int(part.sizes.sum()) for part in parts] == list(found.x.chunks[0])
            assert found.x.chunks[0] == found.grades.chunks[0]
            assert found.x.numblocks[1] == 1
            assert found.x.numblocks[0] >= 2
            assert (np.concatenate([part.x for part in parts]) == x).all()


@pytest.mark.usefixtures("_in_this_process")
def test_the_client_gathers_no_topics(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the client computes does not grow with the number of topics."""
    import pickle

    import dask
    import dask.array as da

    from gradewise.learn.trees import dask_lists

    gathered: list[int] = []

    def compute(*given: Any) -> Any:
        found = dask.compute(*given)
        gathered.append(len(pickle.dumps(found)))
        return found

    class Library:
        delayed = staticmethod(dask.delayed)

    Library.compute = staticmethod(compute)  # type: ignore[attr-defined]
    monkeypatch.setattr(dask_lists, "library", Library)
    totals = []
    for topics in (40, 4000):
        gathered.clear()
        qid = np.arange(topics).repeat(3)
        size = len(qid) // 4 + 1
        x, y = np.zeros((len(qid), 1)), np.zeros(len(qid))
        dask_lists.whole_lists(
            *(da.from_array(each, chunks=size) for each in (x, y, qid)), None, None, 2
        )
        totals.append(sum(gathered))
    assert totals[1] < 1.1 * totals[0] < 20_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
def test_evaluation_sets_and_early_stopping(client: Any, rows: Any, booster: str) -> None:
    """Both stop at the tree at which one machine stops, with the same values before."""
    import dask.array as da

    pytest.importorskip(booster, reason=f"{booster} is not installed")
    x, y, qid, _ = rows
    cut = int(np.flatnonzero(qid == 40)[0])
    own = {"learning_rate": 0.5, "n_estimators": 60, "early_stopping_rounds": 5}
    own |= {"num_leaves": 7, "min_child_samples": 1, "min_data_in_bin": 1}
    if booster == "xgboost":
        own = {"eta": 0.5, "n_estimators": 60, "early_stopping_rounds": 5, "max_depth": 3}
        own |= {"tree_method": "hist", "min_child_weight": 0.0}
    measures = ["nDCG@10", "AP"]
    local = gw.learn.TreeRanker("GAP", booster, eval_measure=measures, n_jobs=1, **own)
    held = {"eval_set": [(x[cut:], y[cut:])], "eval_qid": [qid[cut:]]}
    local.fit(x[:cut], y[:cut], qid=qid[:cut], **held)
    part = cut // 3
    spread = [da.from_array(each[:cut], chunks=part) for each in (y, qid)]
    features = da.from_array(x[:cut], chunks=(part, 5))
    ranker = gw.learn.DaskTreeRanker("GAP", booster, client=client, eval_measure=measures, **own)
    in_parts = {
        "eval_set": [(da.from_array(x[cut:], chunks=(200, 5)), da.from_array(y[cut:], chunks=200))],
        "eval_qid": [da.from_array(qid[cut:], chunks=200)],
    }
    ranker.fit(features, spread[0], qid=spread[1], **in_parts)
    assert ranker.best_iteration_ == local.best_iteration_
    assert ranker.best_iteration_ < 55
    for name in measures:
        found, expected = (each.evals_result_["validation_0"][name] for each in (ranker, local))
        assert found == pytest.approx(expected, abs=1e-9)
    assert np.abs(ranker.predict(x) - local.predict(x)).max() < 1e-5
    assert ranker.notes_ == local.notes_


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
def test_a_worker_may_hold_no_row_to_train_on(client: Any, rows: Any, booster: str) -> None:
    """One worker has all the training rows, the other all those of the evaluation set."""
    import dask.array as da
    from dask.distributed import wait

    pytest.importorskip(booster, reason=f"{booster} is not installed")
    x, y, qid, _ = rows
    cut = int(np.flatnonzero(qid == 40)[0])
    here, there = sorted(client.scheduler_info(n_workers=-1)["workers"])

    def placed(each: Any, worker: str) -> Any:
        found = client.persist(da.from_array(each, chunks=-1), workers=[worker])
        wait(found)
        return found

    own = {"max_depth": 3} if booster == "xgboost" else SHARED
    own = {**own, "n_estimators": 10, "eval_measure": "AP"}
    training = [placed(each[:cut], here) for each in (x, y, qid)]
    held = [placed(each[cut:], there) for each in (x, y, qid)]
    ranker = gw.learn.DaskTreeRanker("GAP", booster, client=client, **own)
    ranker.fit(*training[:2], qid=training[2], eval_set=[tuple(held[:2])], eval_qid=[held[2]])
    local = gw.learn.TreeRanker("GAP", booster, n_jobs=1, **own)
    local.fit(x[:cut], y[:cut], qid=qid[:cut], eval_set=[(x[cut:], y[cut:])], eval_qid=[qid[cut:]])
    found, expected = (each.evals_result_["validation_0"]["AP"] for each in (ranker, local))
    assert found == pytest.approx(expected, abs=1e-9)
    assert np.abs(ranker.predict(x) - local.predict(x)).max() < 1e-5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
def test_a_killed_worker_is_survived(client: Any, rows: Any, booster: str, tmp_path: Path) -> None:
    """A worker is killed while it evaluates a tree; trees are grown once more."""
    pytest.importorskip(booster, reason=f"{booster} is not installed")
    folder = str(tmp_path)

    def waiting(rank: Any, gain: Any, total: Any) -> Any:
        """Be a user who tells who is at work, and takes a while on the first time."""
        if not any(Path(folder).iterdir()):
            Path(folder, str(os.getpid())).touch()
            time.sleep(20)
        return np.full(rank.shape, 0.5)

    x, y, qid, _ = rows
    user = gw.CWL(user=waiting, cutoff=5)
    own = {"max_depth": 3} if booster == "xgboost" else SHARED
    own = {**own, "n_estimators": 10}
    held = {"eval_set": [(x, y)], "eval_qid": [qid]}
    expected = gw.learn.TreeRanker("GAP", booster, n_jobs=1, **own).fit(x, y, qid=qid)
    ranker = gw.learn.DaskTreeRanker("GAP", booster, client=client, eval_measure=user, **own)
    thread = threading.Thread(target=lambda: ranker.fit(x, y, qid=qid, **held))
    workers = set(client.run(os.getpid).values())
    thread.start()
    deadline = time.monotonic() + 120
    while not (marks := list(tmp_path.iterdir())):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    victim = int(marks[0].name)
    assert victim in workers
    os.kill(victim, signal.SIGKILL)
    thread.join(300)
    assert not thread.is_alive()
    assert len(ranker.evals_result_["validation_0"][str(user)]) == 10
    assert np.corrcoef(ranker.predict(x), expected.predict(x))[0, 1] > 0.99


class _Cluster:
    """A cluster of two workers, of which one can be lost."""

    def __init__(self) -> None:
        self.workers = {"a", "b"}
        self.restarted: list[list[str]] = []

    def as_current(self) -> Any:
        return contextlib.nullcontext()

    def scheduler_info(self, n_workers: int) -> dict[str, dict[str, int]]:
        return {"workers": dict.fromkeys(self.workers, 1)}

    def cancel(self, futures: list[Any], force: bool) -> None:
        pass

    def restart_workers(self, workers: list[str], timeout: int) -> None:
        self.restarted.append(workers)
        self.workers = {"a", "b"}

    def wait_for_workers(self, number: int, timeout: int) -> None:
        pass


def test_a_worker_that_is_lost_each_time_is_one_error() -> None:
    from gradewise.learn.trees import dask_workers

    cluster = _Cluster()

    def work(attempt: Any) -> None:
        cluster.workers = {"b"}
        raise OSError("the connection was reset")

    with pytest.raises(dask_workers.LostWorkerError) as caught:
        dask_workers.run_guarded(cluster, work)
    assert "the Dask worker a was lost during training" in str(caught.value)
    assert "2 times" in str(caught.value)
    assert cluster.restarted == [["b"], ["b"]]


def test_data_that_is_lost_with_a_worker_is_one_error() -> None:
    from gradewise.learn.trees import dask_workers

    cluster = _Cluster()

    def work(attempt: Any) -> None:
        if cluster.restarted:
            raise KeyError("rows")
        cluster.workers = {"b"}
        raise OSError("the connection was reset")

    with pytest.raises(
        dask_workers.LostWorkerError, match="training could not be restarted"
    ) as caught:
        dask_workers.run_guarded(cluster, work)
    assert "KeyError('rows')" in str(caught.value)


def test_a_worker_that_takes_no_part_may_leave() -> None:
    from gradewise.learn.trees import dask_workers

    cluster = _Cluster()

    def work(attempt: Any) -> str:
        attempt.members = {"b"}
        cluster.workers = {"b"}
        time.sleep(1.5)
        return "trees"

    assert dask_workers.run_guarded(cluster, work) == "trees"
    assert cluster.restarted == []


def _scattered(x: Any, y: Any, qid: Any) -> dict[str, Any]:
    import dask.array as da

    mixed = np.where(qid == 59, 0, qid)
    return {"X": da.from_array(x, chunks=(300, 5)), "y": y, "qid": da.from_array(mixed, chunks=300)}


def _group_in_parts(x: Any, y: Any, qid: Any) -> dict[str, Any]:
    import dask.array as da

    group = da.from_array(np.bincount(qid), chunks=20)
    ends = len(x) // 3
    return {"X": da.from_array(x, chunks=(ends + 1, 5)), "y": y, "group": group}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (_scattered, "topic 0 is in partitions 0 and"),
        (_group_in_parts, "a topic is split, and group does not say which; give qid"),
        (lambda x, y, qid: {"X": x, "y": y, "group": [3]}, "the sizes in group sum to 3"),
        (lambda x, y, qid: {"X": x, "y": y}, "give either group"),
        (lambda x, y, qid: {"X": x, "qid": qid}, "give the grades y"),
        (lambda x, y, qid: {"X": x, "y": y[:-1], "qid": qid}, "rows of features but"),
    ],
)
@pytest.mark.usefixtures("_in_this_process")
def test_what_cannot_be_repaired_is_refused(rows: Any, arguments: Any, message: str) -> None:
    from gradewise.learn.trees.dask_lists import whole_lists

    x, y, qid, _ = rows
    given = {"X": None, "y": None, "qid": None, "group": None, **arguments(x, y, qid)}
    with pytest.raises(GradewiseError) as caught:
        whole_lists(given["X"], given["y"], given["qid"], given["group"], None, 2)
    assert message in str(caught.value)


def test_what_boosters_cannot_do_on_dask_is_refused(client: Any, rows: Any) -> None:
    pytest.importorskip("xgboost", reason="xgboost is not installed")
    x, y, qid, _ = rows
    ranker = gw.learn.DaskTreeRanker("GAP", "xgboost", client=client)
    with pytest.raises(GradewiseError, match="XGBoost takes no sample_weight on Dask"):
        ranker.fit(x, y, qid=qid, sample_weight=np.ones(len(y)))
    with pytest.raises(GradewiseError, match="eval_qid describes 1 sets"):
        ranker.fit(x, y, qid=qid, eval_qid=[qid])
