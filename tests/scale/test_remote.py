"""Runs, judgments and values in other places than this machine: whatever fsspec reaches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gradewise as gw
from command import Call
from gradewise.errors import GradewiseError

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")
MADE = gw.simulate.collection(topics=12, runs=3, depth=30, seed=3)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Text and parquet of the same small collection, and a folder of parquet files."""
    folder = tmp_path_factory.mktemp("sample")
    gw.write_qrels(MADE.qrels, folder / "qrels.txt.gz")
    _frame(MADE.qrels, "grade").write_parquet(folder / "qrels.parquet")
    (folder / "run9.parquet").mkdir()
    for name, run in MADE.runs.items():
        gw.write_run(run, folder / f"{name}.txt.gz")
        _frame(run, "score").write_parquet(folder / f"{name}.parquet")
    rows = _frame(MADE.runs["run1"], "score")
    for place, part in enumerate((rows[:100], rows[100:])):
        part.write_parquet(folder / "run9.parquet" / f"part-{place}.parquet")
    (folder / "run9.parquet" / "_SUCCESS").touch()
    return folder


def _frame(entries: Any, number: str) -> pl.DataFrame:
    columns = {
        "topic": entries.topic_column(),
        "doc": entries.docs.to_list(),
        number: entries.numbers.tolist(),
    }
    return pl.DataFrame(columns)


@pytest.fixture
def store(sample: Path) -> Iterator[str]:
    """The sample in a store that is in memory, under another name than on disk."""
    places = fsspec.filesystem("memory")
    places.put(f"{sample}/", "/lake/", recursive=True)
    yield "memory://lake"
    places.rm("/lake", recursive=True)


@pytest.mark.parametrize("kind", ["parquet", "txt.gz"])
@pytest.mark.parametrize("judgments", ["qrels.txt.gz", "qrels.parquet"])
def test_the_local_engine(kind: str, judgments: str, sample: Path, store: str, run: Call) -> None:
    asked = ["-m", "AP,nDCG@10", "--quiet"]
    expected = run("eval", sample / "qrels.txt.gz", f"{sample}/run[123].txt.gz", *asked)
    output = f"{store}/out/scores.parquet"
    given = [f"{store}/{judgments}", f"{store}/run[123].{kind}", *asked]
    found = run("eval", *given, "--engine", "local", "-o", output)
    assert (found.code, found.out, found.err) == (0, expected.out, "")
    with fsspec.open(output) as file:
        values = pl.read_parquet(file.read())
    assert values.group_by("run").len().sort("run").rows() == [
        ("run1", 24),
        ("run2", 24),
        ("run3", 24),
    ]


def test_a_folder_of_files(store: str) -> None:
    found = gw.scale.local.evaluate(f"{store}/qrels.parquet", f"{store}/run9.parquet", "AP")
    assert found.totals.summary() == gw.evaluate(MADE.qrels, MADE.runs["run1"], "AP").summary()
    assert found.totals.runs == ("run9",)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "txt.gz"])
def test_dask(kind: str, sample: Path, run: Call, dask_client: Any, tmp_path: Path) -> None:
    """Workers are processes of their own, so the place is the disk, as fsspec reaches it."""
    asked = ["-m", "AP,nDCG@10", "--quiet"]
    expected = run("eval", sample / "qrels.txt.gz", f"{sample}/run[123].txt.gz", *asked)
    place, output = sample.as_uri(), f"{tmp_path.as_uri()}/scores.parquet"
    given = [f"{place}/qrels.parquet", f"{place}/run[123].{kind}", *asked]
    found = run("eval", *given, "--engine", "dask", "-o", output)
    assert (found.code, found.out) == (0, expected.out), found.err
    assert pl.read_parquet(f"{tmp_path}/scores.parquet/*.parquet")["run"].n_unique() == 3
    text = run("eval", f"{place}/qrels.txt.gz", *given[1:], "--engine", "dask")
    assert text.out == expected.out


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("memory://lake/none.parquet", "memory://lake/none.parquet: cannot be "),
        ("memory://lake/none*.parquet", "memory://lake/none*.parquet: matches no files"),
        ("nowhere://lake/run.txt", "nowhere://lake/run.txt: cannot be reached (Protocol not known"),
        ("memory://lake/bad.parquet", "memory://lake/bad.parquet: cannot be read as parquet"),
        ("memory://lake/empty.parquet", "memory://lake/empty.parquet: contains no parquet files"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(path: str, told: str, store: str) -> None:
    places = fsspec.filesystem("memory")
    places.pipe("/lake/bad.parquet", b"no parquet at all")
    places.pipe("/lake/empty.parquet/_SUCCESS", b"")
    with pytest.raises(GradewiseError) as caught:
        gw.scale.local.evaluate(MADE.qrels, path, "AP")
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def test_two_runs_of_one_name(store: str) -> None:
    with pytest.raises(GradewiseError, match="two runs are named 'run1'"):
        gw.scale.local.evaluate(MADE.qrels, f"{store}/run1.*", "AP")


def test_nothing_is_written_if_something_is_wrong(store: str) -> None:
    output = f"{store}/scores.parquet"
    with pytest.raises(GradewiseError, match="expected 6 columns"):
        gw.scale.local.evaluate(MADE.qrels, f"{store}/qrels.txt.gz", "AP", output)
    assert not fsspec.filesystem("memory").exists("/lake/scores.parquet")


def test_in_memory_the_way_is_shown() -> None:
    with pytest.raises(GradewiseError, match="gradewise eval --engine"):
        gw.evaluate(MADE.qrels, "s3://lake/run.txt", "AP")
