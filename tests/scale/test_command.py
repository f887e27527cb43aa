"""gradewise eval --engine: the same tables and values from every engine."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gradewise as gw
from command import Call
from scale.cases import bits

pytestmark = pytest.mark.filterwarnings("ignore")
MEASURES = ["-m", "AP,nDCG@10", "-m", "GAP(g=[0.5,0.5])"]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Text and parquet of the same small collection; runs miss topics."""
    folder = tmp_path_factory.mktemp("sample")
    made = gw.simulate.collection(topics=12, runs=3, depth=30, seed=3)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    _frame(made.qrels, "grade").write_parquet(folder / "qrels.parquet")
    for name, run in made.runs.items():
        few = run.to_dict()
        if name == "run2":
            few.pop(next(iter(few)))
        kept = gw.read_run({**few, "extra": {"x": 1.0}}, name)
        gw.write_run(kept, folder / f"{name}.txt.gz")
        _frame(kept, "score").write_parquet(folder / f"{name}.parquet")
    return folder


def _frame(entries: Any, number: str) -> pl.DataFrame:
    columns = {
        "topic": entries.topic_column(),
        "doc": entries.docs.to_list(),
        number: entries.numbers.tolist(),
    }
    return pl.DataFrame(columns)


def _engines() -> list[Any]:
    dask = pytest.param("dask", marks=pytest.mark.slow)
    spark = pytest.param("spark", marks=pytest.mark.slow)
    return ["local", dask, spark]


def _need(engine: str) -> None:
    if engine == "dask":
        pytest.importorskip("distributed", reason="distributed is not installed")
    if engine == "spark":
        pytest.importorskip("pyspark", reason="pyspark is not installed")
        if shutil.which("java") is None:
            pytest.skip("there is no Java")


def _values(path: Path) -> dict[tuple[str, ...], str]:
    places = str(path / "*.parquet") if path.is_dir() else str(path)
    rows = pl.read_parquet(places).rows()
    return {(run, topic, measure): bits(value) for run, topic, measure, value in rows}


@pytest.mark.parametrize("engine", _engines())
def test_values_and_tables_are_those_of_one_process(
    engine: str, sample: Path, tmp_path: Path, run: Call
) -> None:
    _need(engine)
    qrels = sample / "qrels.txt"
    plain = run("eval", qrels, f"{sample}/run*.txt.gz", *MEASURES, "--coverage")
    scores = tmp_path / "expected.parquet"
    assert run("eval", qrels, f"{sample}/run*.txt.gz", *MEASURES, "-o", scores).code == 0
    for judgments, runs in (("qrels.txt", "run*.txt.gz"), ("qrels.parquet", "run*.parquet")):
        output = tmp_path / f"{engine}-{judgments}.parquet"
        arguments = [sample / judgments, f"{sample}/{runs}", *MEASURES, "--engine", engine]
        done = run("eval", *arguments, "-o", output, "--coverage")
        assert done.code == 0, done.err
        assert done.out == plain.out
        for line in plain.err.splitlines():
            assert line in done.err
        assert f"wrote {output}" in done.err
        assert _values(output) == _values(scores)
        loaded = gw.read_scores(output)
        assert gw.compare(loaded).runs["run"].to_list()[0] == plain.out.splitlines()[1].split()[0]


def test_formats_and_order(sample: Path, run: Call) -> None:
    arguments = [sample / "qrels.txt", f"{sample}/run*.txt.gz", "-m", "AP", "--quiet"]
    for more in (
        ["-f", "markdown"],
        ["-f", "latex", "--caption", "Runs", "--rename", "run1=BM25"],
        ["--sort", "input"],
        ["--top", "1"],
        ["-f", "html", "--digits", "2"],
    ):
        expected = run("eval", *arguments, *more)
        found = run("eval", *arguments, *more, "--engine", "local")
        assert (found.code, found.out) == (0, expected.out)
    listed = run("eval", *arguments, "-f", "csv", "--engine", "local").out.splitlines()
    assert listed[0] == "run,measure,value,topics,low,high"
    assert len(listed) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "local", "-q"], "use -o FILE.parquet, not -q"),
        (["--engine", "local", "--drop-judged", "x"], "--drop-judged works in memory only"),
        (["--engine", "local", "-f", "trec"], "the format must be one of table, csv"),
        (["--engine", "local", "-o", "x.txt"], "are written as .parquet or .csv"),
        (["--engine", "local", "--partitions", "2"], "no cluster and no partitions"),
        (["--engine", "local", "--master", "yarn"], "--master requires --engine spark"),
        (["--engine", "spark", "--scheduler", "x"], "--scheduler requires --engine dask"),
        (["--engine", "local", "--share", "0"], "share must be above 0"),
        (["--share", "0.5"], "--share requires --engine"),
        (["--partitions", "5"], "--partitions requires --engine"),
        (["--engine", "flink"], "'flink' is not one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_do_not_fit(
    arguments: list[str], message: str, sample: Path, run: Call
) -> None:
    done = run("eval", sample / "qrels.txt", f"{sample}/run1.txt.gz", *arguments)
    assert done.code != 0
    assert message in done.err.replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("client", ["own", "current"])
def test_dask_leaves_nothing_half_written(
    client: str, sample: Path, tmp_path: Path, run: Call, request: pytest.FixtureRequest
) -> None:
    _need("dask")
    if client == "current":
        request.getfixturevalue("dask_client")
    wrong = tmp_path / "wrong.parquet"
    rows = {"topic": ["1", "1"], "doc": ["a", "a"], "score": [2.0, 1.0]}
    pl.DataFrame(rows).write_parquet(wrong)
    output = tmp_path / "scores.parquet"
    given = [sample / "qrels.txt", wrong, "--engine", "dask", "-o", output]
    done = run("eval", *given)
    assert done.code == 1
    assert "run wrong: document a appears twice for topic 1" in done.err
    assert sorted(tmp_path.iterdir()) == [wrong]
    output.mkdir()
    assert "already exists; remove it first" in run("eval", *given).err


@pytest.mark.slow
def test_a_scheduler_that_is_there_and_one_that_is_not(
    sample: Path, run: Call, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = dask_client.scheduler_info()["address"]
    given = [sample / "qrels.txt", f"{sample}/run*.parquet", "-m", "AP", "--quiet"]
    found = run("eval", *given, "--engine", "dask", "--scheduler", address)
    assert (found.code, found.out) == (0, run("eval", *given).out)
    monkeypatch.setattr("gradewise.scale.dask_cluster._PATIENCE", "2s")
    gone = run("eval", *given, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert gone.code == 1
    assert "cannot connect to a Dask scheduler" in gone.err


def _below(root: int, word: bytes) -> int | None:
    """Return a process below another one whose command holds a word."""
    waiting = [root]
    while waiting:
        process = Path("/proc") / str(waiting.pop())
        try:
            if word in (process / "cmdline").read_bytes():
                return int(process.name)
            for task in (process / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return None


@pytest.mark.slow
def test_a_driver_of_spark_that_ends_is_one_error(sample: Path) -> None:
    """Spark's JVM is killed as soon as it has started a worker of Python."""
    _need("spark")
    command = [sys.executable, "-m", "gradewise", "eval", sample / "qrels.txt", "--engine", "spark"]
    with subprocess.Popen(
        [*map(str, command), *map(str, sample.glob("run*.parquet"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 120
        while _below(process.pid, b"pyspark.daemon") is None:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        driver = _below(process.pid, b"bin/java")
        assert driver is not None
        os.kill(driver, signal.SIGKILL)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "gradewise: Spark's driver has exited, most likely for lack of memory" in told
    assert "Traceback" not in told
