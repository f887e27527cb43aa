"""Dask, on two worker processes: the bits of one process, lazily, also when a worker is killed."""

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from scale import contract
from scale.cases import (
    KINDS,
    Case,
    expected_values,
    found_values,
    measures_for,
    plain_case,
    rows_of,
)

for _name in ("dask.dataframe", "distributed", "pandas"):
    pytest.importorskip(_name, reason=f"{_name} is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def _frame(table: Any, partitions: int) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(table.to_pandas(), npartitions=partitions, sort=False)


def _frames(case: Case, rng: random.Random, partitions: int = 5) -> tuple[Any, Any]:
    return _frame(case.judgment_table(rng), 3), _frame(case.row_table(rng), partitions)


def _found(result: Any) -> dict[tuple[str, ...], str]:
    return found_values(pa.Table.from_pandas(result.compute(), preserve_index=False))


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_one_process(kind: str, dask_client: Any) -> None:
    rng = random.Random(kind)
    case = KINDS[kind](rng)
    measures = measures_for(case)
    for missing in ("zero", "drop"):
        judged, rows = _frames(case, rng)
        result = gw.scale.dask.evaluate(judged, rows, measures, missing=missing)
        assert list(result.columns) == ["run", "topic", "measure", "value"]
        assert _found(result) == expected_values(case, measures, missing=missing)


@pytest.mark.parametrize(
    "rules",
    [{"ties": "input"}, {"ties": "random", "seed": 3}, {"depth": 5}, {"judged_only": True}],
    ids=str,
)
def test_rules_are_those_of_evaluate(rules: dict[str, Any], dask_client: Any) -> None:
    rng = random.Random(5)
    case = plain_case(rng)
    measures = ["AP", "nDCG@10", "ADM", "NumRet"]
    result = gw.scale.dask.evaluate(*_frames(case, rng), measures, **rules)
    assert _found(result) == expected_values(case, measures, **rules)


def test_a_frame_for_each_run_and_judgments_in_memory(dask_client: Any) -> None:
    rng = random.Random(6)
    case = plain_case(rng)
    frames = {}
    for name, topics in case.runs.items():
        columns = rows_of({name: topics})
        names = {"qid": columns["topic"], "docno": columns["doc"], "score": columns["score"]}
        frames[name] = _frame(pa.table(names), 2)
    result = gw.scale.dask.evaluate(case.qrels, frames, ["AP", "GAP"], partitions=3)
    assert result.npartitions == 3
    assert _found(result) == expected_values(case, ["AP", "GAP"])


def test_nothing_is_computed_before_it_is_asked_for(dask_client: Any, tmp_path: Path) -> None:
    import dask.dataframe as dd
    import pandas as pd

    touched = str(tmp_path / "touched")

    def make(number: int) -> Any:
        Path(touched).touch()
        return pd.DataFrame({"run": ["x"], "topic": ["t"], "doc": [f"d{number}"], "score": [1.0]})

    rows = dd.from_map(make, [0, 1], meta=make(0))
    Path(touched).unlink()
    result = gw.scale.dask.evaluate({"t": {"d1": 1}}, rows, "AP")
    assert not Path(touched).exists()
    assert result.compute()["value"].tolist() == [1.0]


def test_problems_of_all_kinds_are_named_by_partition_and_key(dask_client: Any) -> None:
    case = plain_case(random.Random(7))
    rows = case.row_table().to_pandas()
    for column, value, message in [
        ("score", float("nan"), "the score is missing, or not a number"),
        ("doc", None, "the document id is empty"),
        ("run", None, "the run is not named"),
        ("topic", None, "the topic id is empty"),
    ]:
        wrong = rows.copy()
        wrong.loc[5, column] = value
        result = gw.scale.dask.evaluate(case.qrels, _frame(pa.Table.from_pandas(wrong), 4), ["AP"])
        with pytest.raises(GradewiseError) as caught:
            result.compute()
        assert message in str(caught.value)
        assert str(caught.value).startswith("partition ")


def test_what_is_not_a_frame_of_dask_is_refused() -> None:
    with pytest.raises(GradewiseError, match=r"expected a dask\.dataframe frame"):
        gw.scale.dask.evaluate({"t": {"a": 1}}, {"x": {"t": {"a": 1.0}}}, "AP")


def test_a_killed_worker_changes_nothing(dask_client: Any, tmp_path: Path) -> None:
    """A worker is killed while it scores a topic; another one takes its work."""
    folder = str(tmp_path)

    def waiting(rank: Any, gain: Any, total: Any) -> Any:
        """Be a user who tells who is at work, and takes a while on the first time."""
        mark = Path(folder, str(os.getpid()))
        if not mark.exists():
            mark.touch()
            time.sleep(3)
        return np.full(rank.shape, 0.5)

    rng = random.Random(8)
    case = plain_case(rng)
    user = gw.CWL(user=waiting, cutoff=20)
    workers = set(dask_client.run(os.getpid).values())
    result = gw.scale.dask.evaluate(*_frames(case, rng), [user, "AP"], partitions=8)
    future = dask_client.compute(result)
    deadline = time.monotonic() + 60
    while not (at_work := {int(path.name) for path in tmp_path.iterdir()}):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    victim = min(at_work)
    assert victim in workers
    os.kill(victim, signal.SIGKILL)
    found = found_values(pa.Table.from_pandas(future.result(), preserve_index=False))
    assert found == expected_values(case, [user, "AP"])
    assert victim not in dask_client.run(os.getpid).values()


def test_the_runs_of_trec_covid(dask_client: Any, real_data: Path, tmp_path: Path) -> None:
    from scale.covid import covid

    qrels, runs, rows = covid(real_data)
    frame = _frame(rows, 8)
    measures = ["AP", "nDCG@10", "GAP", "ERR", "RBP", "Q", "INST"]
    expected = gw.evaluate(qrels, runs, measures).per_topic
    found = gw.scale.dask.evaluate(qrels, frame, measures).compute()
    ours = {(r, t, m): v.hex() for r, t, m, v in expected.rows()}
    assert found_values(pa.Table.from_pandas(found, preserve_index=False)) == ours


@pytest.mark.parametrize(
    "check",
    [
        contract.check_summaries,
        contract.check_bootstrap,
        contract.check_comparison,
        contract.check_samples,
        contract.check_fit,
        contract.check_problems,
    ],
)
def test_what_engines_do_with_values(check: Any, dask_client: Any) -> None:
    check(gw.scale.dask, lambda table: _frame(table, 3))
