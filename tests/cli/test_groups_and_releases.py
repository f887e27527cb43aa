"""compare --attributes, history and report --history as a user meets them."""

import json
from pathlib import Path

import polars as pl
import pytest

import gradewise as gw
from command import Call

MADE = gw.simulate.collection(topics=12, runs=3, depth=40, seed=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments, runs, attributes, and the saved scores of three releases."""
    path = tmp_path_factory.mktemp("made")
    gw.write_qrels(MADE.qrels, path / "qrels.txt")
    for name, each in MADE.runs.items():
        gw.write_run(each, path / f"{name}.txt")
    rows = [f"{t},{'buy' if k % 2 else 'learn'}\n" for k, t in enumerate(MADE.qrels.topics)]
    (path / "topics.csv").write_text("topic,intent\n" + "".join(rows))
    (path / "releases").mkdir()
    for number, name in enumerate(MADE.runs, 1):
        scores = gw.evaluate(MADE.qrels, {"ours": MADE.runs[name]}, ["AP", "P@10"])
        scores.save(path / "releases" / f"v{number}.csv")
    return path


def files(folder: Path) -> list[Path]:
    return [folder / "qrels.txt", *sorted(folder.glob("run*.txt"))]


def test_compare_on_groups(run: Call, folder: Path, tmp_path: Path) -> None:
    option = ["--attributes", folder / "topics.csv", "-m", "AP"]
    done = run("compare", *files(folder), *option, "--figure", tmp_path / "groups.svg")
    assert done.code == 0, done.err
    scores = gw.evaluate(MADE.qrels, MADE.runs, "AP")
    expected = gw.compare_groups(scores, folder / "topics.csv")
    assert done.out == expected.to_text()
    assert (tmp_path / "groups.svg").read_bytes().startswith(b"<svg")
    for name in ("csv", "json", "md", "tex", "html", "parquet"):
        output = tmp_path / f"groups.{name}"
        assert run("compare", *files(folder), *option, "-o", output).code == 0
        assert output.stat().st_size > 100
    frame = pl.read_parquet(tmp_path / "groups.parquet")
    assert frame.equals(expected.groups)
    assert len(json.loads((tmp_path / "groups.json").read_text())["winners"]) == 6
    based = run("compare", *files(folder), *option, "-b", "run1", "--pairs")
    assert based.out == gw.compare_groups(scores, folder / "topics.csv", baseline="run1").to_text(
        pairs=True
    )


def test_found_groups_and_sets_of_topics(run: Call, folder: Path) -> None:
    sets = ["--topics", "all=.", "--topics", f"half={','.join(MADE.qrels.topics[:8])}"]
    done = run("compare", *files(folder), "--attributes", "found", "-m", "AP", *sets, "-f", "csv")
    assert done.code == 0, done.err
    frame = pl.read_csv(done.out.encode())
    assert frame["topics"].unique(maintain_order=True).to_list() == ["all", "half"]
    assert frame["attribute"].unique(maintain_order=True)[0] == "difficulty"
    refused = run("compare", *files(folder), "--attributes", "found", "--test", "sign")
    assert refused.code == 1
    assert "--test does not apply with --attributes" in refused.err
    wrong = run("compare", *files(folder), "--attributes", "absent.csv")
    assert wrong.code == 1
    assert "absent.csv" in wrong.err


def test_history(run: Call, folder: Path, tmp_path: Path) -> None:
    done = run("history", folder / "releases", "-m", "AP", "--figure", tmp_path / "h.png")
    assert done.code == 0, done.err
    assert "3 releases, ordered by name" in done.err
    expected = gw.compare_releases(folder / "releases", "AP")
    assert done.out == expected.to_text()
    assert (tmp_path / "h.png").read_bytes().startswith(b"\x89PNG")
    for name in ("csv", "json", "md", "tex", "html", "parquet"):
        output = tmp_path / f"history.{name}"
        assert run("history", folder / "releases", "-o", output, "--quiet").code == 0
        assert output.stat().st_size > 100
    assert pl.read_parquet(tmp_path / "history.parquet")["measure"].unique().len() == 2
    few = run("history", folder / "releases", "--no-steps", "-m", "P@10", "--quiet")
    assert "v2" not in few.out.split("\n\n")[0]
    wrong = run("history", folder / "absent")
    assert wrong.code == 1
    assert "no such file or directory" in wrong.err


def test_a_report_of_releases_is_about_the_newest(run: Call, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run("report", "--history", folder / "releases", "-o", page)
    assert done.code == 0, done.err
    newest = gw.read_scores(folder / "releases" / "v3.csv")
    assert f"ours scores {newest['ours', 'AP']:.3f}" in done.out
    assert gw.compare_releases(folder / "releases", "AP").sentences()[0] in done.out
    assert '"releases":["v1","v2","v3"]' in page.read_text(encoding="utf-8")
    assert "Missing argument 'QRELS'" in run("report").err
    done = run("report", *files(folder), "--attributes", folder / "topics.csv", "-o", page)
    assert "intent" in page.read_text(encoding="utf-8")
    assert "groups" in done.out
