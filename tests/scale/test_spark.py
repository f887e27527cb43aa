"""Spark, with two executors: the bits of one process, lazily, also when an executor is killed."""

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError, InputError
from scale import contract
from scale.cases import KINDS, expected_values, found_values, measures_for, plain_case, rows_of
from scale.spark_cluster import start_cluster

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    session = start_cluster()
    yield session
    session.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_one_process(kind: str, spark: Any) -> None:
    rng = random.Random(kind)
    case = KINDS[kind](rng)
    measures = measures_for(case)
    missing = rng.choice(["zero", "drop"])
    judged = spark.createDataFrame(case.judgment_table(rng))
    rows = spark.createDataFrame(case.row_table(rng))
    result = gw.scale.spark.evaluate(judged, rows, measures, missing=missing)
    assert result.columns == ["run", "topic", "measure", "value"]
    assert found_values(result.toArrow()) == expected_values(case, measures, missing=missing)


@pytest.mark.parametrize(
    "rules",
    [
        {"ties": "input"},
        {"ties": "random", "seed": 3, "missing": "drop"},
        {"depth": 5, "judged_only": True},
    ],
    ids=str,
)
def test_rules_are_those_of_evaluate(rules: dict[str, Any], spark: Any) -> None:
    rng = random.Random(5)
    case = plain_case(rng)
    measures = ["AP", "nDCG@10", "ADM", "NumRet"]
    rows = spark.createDataFrame(case.row_table(rng))
    result = gw.scale.spark.evaluate(case.qrels, rows, measures, **rules)
    assert found_values(result.toArrow()) == expected_values(case, measures, **rules)


def test_a_frame_for_each_run_and_few_partitions(spark: Any) -> None:
    case = plain_case(random.Random(6))
    frames = {}
    for name, topics in case.runs.items():
        columns = rows_of({name: topics})
        names = {"qid": columns["topic"], "docno": columns["doc"], "score": columns["score"]}
        frames[name] = spark.createDataFrame(pa.table(names))
    result = gw.scale.spark.evaluate(case.qrels, frames, ["AP", "GAP"], partitions=1)
    assert found_values(result.toArrow()) == expected_values(case, ["AP", "GAP"])


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
def test_what_engines_do_with_values(check: Any, spark: Any) -> None:
    check(gw.scale.spark, spark.createDataFrame)


def test_no_job_runs_before_values_are_asked_for(spark: Any) -> None:
    case = plain_case(random.Random(6), topics=4)
    rows = spark.createDataFrame(case.row_table())
    spark.sparkContext.setJobGroup("lazy", "nothing should run")
    result = gw.scale.spark.evaluate(case.qrels, rows, "AP")
    assert list(spark.sparkContext.statusTracker().getJobIdsForGroup("lazy")) == []
    assert result.count() > 0
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup("lazy")) > 0
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)


def test_problems_are_plain_errors(spark: Any) -> None:
    case = plain_case(random.Random(7), topics=4)
    rows = case.row_table().to_pydict()
    rows["doc"][1] = rows["doc"][0]
    result = gw.scale.spark.evaluate(case.qrels, spark.createDataFrame(pa.table(rows)), "AP")
    with pytest.raises(InputError, match=r"^partition \d+: run run\d: document d\d+ appears twice"):
        gw.scale.spark.summarize(result)
    wrong = gw.scale.spark.evaluate(
        case.qrels, spark.createDataFrame(case.row_table()), "GAP(g=[0.5,0.5])"
    )
    with pytest.raises(gw.MeasureError, match="g") as caught:
        gw.scale.spark.scores(wrong)
    assert "Traceback" not in str(caught.value)
    for frame, message in [
        ({"run": ["x"], "topic": ["t"], "doc": ["a"], "score": ["1"]}, "must contain numbers"),
        ({"run": ["x"], "topic": [1.5], "doc": ["a"], "score": [1.0]}, "ids must be text"),
        ({"topic": ["t"], "doc": ["a"], "score": [1.0]}, "no column contains the run"),
    ]:
        with pytest.raises(GradewiseError, match=message):
            gw.scale.spark.evaluate(case.qrels, spark.createDataFrame(pa.table(frame)), "AP")
    with pytest.raises(GradewiseError, match="expected a Spark DataFrame"):
        gw.scale.spark.evaluate(case.qrels, case.runs, "AP")


def test_the_runs_of_trec_covid(spark: Any, real_data: Path) -> None:
    from scale.covid import covid

    qrels, runs, rows = covid(real_data)
    measures = ["AP", "nDCG@10", "GAP", "ERR", "RBP", "Q", "INST"]
    expected = gw.evaluate(qrels, runs, measures).per_topic
    result = gw.scale.spark.evaluate(qrels, spark.createDataFrame(rows), measures)
    ours = {(r, t, m): v.hex() for r, t, m, v in expected.rows()}
    assert found_values(result.toArrow()) == ours


def test_a_killed_executor_changes_nothing(spark: Any, tmp_path: Path) -> None:
    """An executor is killed while it scores a topic; Spark starts another one."""
    folder = str(tmp_path)

    def waiting(rank: Any, gain: Any, total: Any) -> Any:
        """Be a user who tells whose child is at work, and takes a while on the first time."""
        mark = Path(folder, str(os.getpid()))
        if not mark.exists():
            # A worker of Python is a child of a daemon, which is a child of the executor.
            status = Path(f"/proc/{os.getppid()}/status").read_text()
            mark.write_text(status.partition("PPid:")[2].split()[0])
            time.sleep(5)
        return np.full(rank.shape, 0.5)

    rng = random.Random(8)
    case = plain_case(rng)
    user = gw.CWL(user=waiting, cutoff=20)
    rows = spark.createDataFrame(case.row_table(rng))
    result = gw.scale.spark.evaluate(case.qrels, rows, [user, "AP"], partitions=6)
    killed = []

    def kill() -> None:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not killed:
            for mark in tmp_path.iterdir():
                executor = int(mark.read_text() or 0)
                if executor and "Executor" in Path(f"/proc/{executor}/cmdline").read_text():
                    os.kill(executor, signal.SIGKILL)
                    killed.append(executor)
                    return
            time.sleep(0.05)

    import threading

    thread = threading.Thread(target=kill)
    thread.start()
    found = found_values(result.toArrow())
    thread.join()
    assert killed
    assert not Path(f"/proc/{killed[0]}").exists()
    assert found == expected_values(case, [user, "AP"])
