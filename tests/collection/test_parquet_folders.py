"""Folders of parquet files, as Spark and Dask write them: one table, with or without runs in it."""

from pathlib import Path

import polars as pl
import pytest

import gradewise as gw
from gradewise.errors import InputError

RUN = {"1": {"a": 3.0, "b": 2.0}, "2": {"b": 1.0, "c": 0.5}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


def write(folder: Path, table: dict[str, dict[str, float]], number: str) -> Path:
    """Write a file for each topic, and what else clusters leave in a folder."""
    folder.mkdir(parents=True)
    for place, (topic, docs) in enumerate(table.items()):
        frame = pl.DataFrame(
            {"topic": [topic] * len(docs), "doc": list(docs), number: list(docs.values())}
        )
        frame.write_parquet(folder / f"part-{place:05}.parquet")
    (folder / "_SUCCESS").touch()
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / "part-00000.parquet").write_bytes(b"half of a file")
    (folder / ".part-00000.parquet.crc").touch()
    return folder


def test_a_folder_is_one_run_or_the_judgments(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write(runs / "bm25.parquet", RUN, "score")
    qrels = write(tmp_path / "qrels.pq", QRELS, "grade")
    assert gw.read_qrels(qrels).to_dict() == QRELS
    assert gw.read_run(runs / "bm25.parquet").to_dict() == RUN
    expected = gw.evaluate(QRELS, {"bm25": RUN}, "AP").per_topic
    for given in (runs / "bm25.parquet", runs, str(runs / "*.parquet"), [runs / "bm25.parquet"]):
        assert gw.evaluate(qrels, given, "AP").per_topic.equals(expected)


@pytest.mark.parametrize("engine", ["memory", "local"])
def test_folders_inside_name_runs(engine: str, tmp_path: Path) -> None:
    lake = tmp_path / "lake.parquet"
    other = {"1": {"b": 2.0}}
    write(lake / "run=bm25", RUN, "score")
    write(lake / "run=dense%20v2", other, "score")
    expected = gw.evaluate(QRELS, {"bm25": RUN, "dense v2": other}, "AP")
    if engine == "memory":
        assert gw.evaluate(QRELS, lake, "AP").per_topic.equals(expected.per_topic)
    else:
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        output = tmp_path / "scores.parquet"
        gw.scale.local.evaluate(QRELS, lake, "AP", output)
        assert sorted(pl.read_parquet(output).rows()) == sorted(expected.per_topic.rows())


def test_a_column_names_runs_across_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    lake = write(tmp_path / "lake.parquet", RUN, "score")
    for file in lake.glob("part*"):
        frame = pl.read_parquet(file)
        both = [frame.with_columns(run=pl.lit(name)) for name in ("x", "y")]
        pl.concat(both).write_parquet(file)
    expected = gw.evaluate(QRELS, {"x": RUN, "y": RUN}, "AP").per_topic
    assert gw.evaluate(QRELS, lake, "AP").per_topic.equals(expected)
    output = tmp_path / "scores.parquet"
    gw.scale.local.evaluate(QRELS, lake, "AP", output)
    assert sorted(pl.read_parquet(output).rows()) == sorted(expected.rows())


def test_a_folder_without_files(tmp_path: Path) -> None:
    folder = tmp_path / "run.parquet"
    folder.mkdir()
    with pytest.raises(InputError, match=r"run\.parquet: contains no parquet files"):
        gw.evaluate(QRELS, folder, "AP")
