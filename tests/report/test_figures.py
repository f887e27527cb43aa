"""Every figure can be drawn and exported without a browser; the gallery has them all."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError
from gradewise.report import figures

BEGINNINGS = {"svg": b"<svg", "png": b"\x89PNG\r\n", "pdf": b"%PDF-"}


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    path = Path(__file__).parents[2] / "docs" / "hooks" / "gallery.py"
    spec = importlib.util.spec_from_file_location("gallery", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_all_figures_of_the_gallery_are_exported(gallery: ModuleType, tmp_path: Path) -> None:
    assert {*gallery.EXAMPLES, "save_figure"} == set(figures.__all__)
    for name, chart in gallery.draw_all().items():
        for kind, beginning in BEGINNINGS.items():
            path = tmp_path / f"{name}.{kind}"
            figures.save_figure(chart, path)
            assert path.read_bytes().startswith(beginning), path.name
    page = gallery.gallery_page()
    for name in gallery.EXAMPLES:
        assert f"## {name}\n" in page


@pytest.fixture(scope="module")
def scores() -> gw.Scores:
    """AP of two runs on three topics: a has 1, 1/2, 0 and b has 1/2, 1/2, 1."""
    qrels = {topic: {"r": 1} for topic in ("t1", "t2", "t3")}
    good, poor, none = {"r": 2.0, "x": 1.0}, {"x": 2.0, "r": 1.0}, {"x": 1.0}
    runs = {
        "a": {"t1": good, "t2": poor, "t3": none},
        "b": {"t1": poor, "t2": poor, "t3": good},
    }
    return gw.evaluate(qrels, runs, ["AP", "P@1"])


def data_of(chart: Any) -> list[dict[str, Any]]:
    """Return the rows that a chart draws."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_topics_come_in_the_order_of_their_differences(scores: gw.Scores) -> None:
    chart = figures.topic_dots(scores, "a", "b").to_dict()
    assert chart["layer"][0]["encoding"]["y"]["sort"] == ["t1", "t2", "t3"]
    swapped = figures.topic_dots(scores, "b", "a").to_dict()
    assert swapped["layer"][0]["encoding"]["y"]["sort"] == ["t3", "t2", "t1"]
    rows = [row for row in data_of(figures.topic_dots(scores, "a", "b")) if "run" in row]
    values = {(row["topic"], row["run"]): row["value"] for row in rows}
    assert values["t1", "a"] == 1
    assert values["t1", "b"] == 0.5
    assert values["t3", "b"] == 1


def test_differences_and_their_mean(scores: gw.Scores) -> None:
    rows = data_of(figures.difference_histogram(scores, "a", "b"))
    assert [row["difference"] for row in rows if "difference" in row] == [0.5, 0, -1]
    assert {row["what"] for row in rows if "what" in row} == {"no difference", "mean -0.167"}
    chosen = data_of(figures.difference_histogram(scores, "a", "b", "P@1"))
    assert [row["difference"] for row in chosen if "difference" in row] == [1, 0, -1]


def test_what_is_not_there_is_named(scores: gw.Scores) -> None:
    with pytest.raises(OptionError, match="no run 'c'"):
        figures.topic_dots(scores, "a", "c")
    with pytest.raises(OptionError, match="no measure 'nDCG'"):
        figures.difference_histogram(scores, "a", "b", "nDCG")


def test_judged_share_by_depth() -> None:
    qrels = {"t": {"a": 1, "b": 0}}
    runs = {f"r{k}": {"t": {"a": 4.0, "x": 3.0, "b": 2.0, "y": 1.0}} for k in range(2)}
    judged = gw.judge(qrels, runs)
    rows = data_of(figures.judged_by_depth(judged, [1, 2, 3, 4, 1000]))
    shown = {row["depth"]: row["judged"] for row in rows if row["run"] == "r1"}
    assert shown == {1: 1, 2: 0.5, 3: pytest.approx(2 / 3), 4: 0.5}
    many = {f"r{k}": runs["r0"] for k in range(12)}
    (first, *_) = data_of(figures.judged_by_depth(gw.judge(qrels, many), [2, 4]))
    assert first["lowest"] == first["highest"] == 0.5


def test_precision_recall_curves_hold_the_averaged_points() -> None:
    qrels = {"t": {"a": 2, "b": 1}}
    run = {"t": {"b": 3.0, "x": 2.0, "a": 1.0}}
    graded = gw.precision_recall(qrels, {"one": run}, g=[0.5, 0.5])
    rows = data_of(figures.precision_recall_curves(graded, points=3))
    # Precision 1 at recall 1/3 and 1/2 at recall 1: the highest at or beyond 0, 1/2 and 1.
    np.testing.assert_allclose([row["precision"] for row in rows], [1, 0.5, 0.5])
    binary = gw.precision_recall(qrels, {"one": run}, rel=1)
    chart = figures.precision_recall_curves(binary, graded=False).to_dict()
    assert chart["encoding"]["x"]["title"] == "recall"
