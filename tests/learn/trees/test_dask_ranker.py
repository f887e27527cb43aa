"""DaskTreeRanker on two workers: the trees of one machine, whole lists, and clear refusals."""

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


@pytest.mark.slow
def test_lists_are_kept_whole(rows: Any) -> None:
    import dask.array as da

    from gradewise.learn.trees.dask_ranker import _whole_lists

    x, y, qid, sizes = rows
    for chunk in (150, 700, len(y)):
        found = _whole_lists(
            da.from_array(x, chunks=(chunk, 2)),
            da.from_array(y, chunks=400),
            da.from_array(qid, chunks=chunk),
            None,
            None,
            2,
        )
        assert np.concatenate(found.sizes).tolist() == sizes.tolist()
        assert [int(part.sum()) for part in found.sizes] == list(found.x.chunks[0])
        assert found.x.chunks[0] == found.grades.chunks[0]
        assert found.x.numblocks[1] == 1
        assert found.x.numblocks[0] >= 2
        assert (found.x.compute() == x).all()


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
def test_what_cannot_be_repaired_is_refused(rows: Any, arguments: Any, message: str) -> None:
    from gradewise.learn.trees.dask_ranker import _whole_lists

    x, y, qid, _ = rows
    given = {"X": None, "y": None, "qid": None, "group": None, **arguments(x, y, qid)}
    with pytest.raises(GradewiseError) as caught:
        _whole_lists(given["X"], given["y"], given["qid"], given["group"], None, 2)
    assert message in str(caught.value)


def test_only_lightgbm_without_stopping(rows: Any) -> None:
    x, y, qid, _ = rows
    for options in ({"booster": "xgboost"}, {"early_stopping_rounds": 3}):
        with pytest.raises(GradewiseError, match="supports LightGBM only"):
            gw.learn.DaskTreeRanker("GAP", **options).fit(x, y, qid=qid)
