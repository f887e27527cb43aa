"""Every figure can be drawn and exported without a browser; the gallery has them all."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import altair as alt
import jsonschema
import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError
from gradewise.report import figures
from gradewise.report.figures.theme import COLORS

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
    named = {name.split()[0] for name in gallery.EXAMPLES}
    assert {*named, "figure_spec", "save_figure"} == set(figures.__all__)
    for name, chart in gallery.draw_all().items():
        check_words_and_colors(name, figures.figure_spec(chart))
        for kind, beginning in BEGINNINGS.items():
            path = (tmp_path / gallery.file_of(name)).with_suffix(f".{kind}")
            figures.save_figure(chart, path)
            assert path.read_bytes().startswith(beginning), path.name
    page = gallery.gallery_page()
    for name in gallery.EXAMPLES:
        assert f"## {name}\n" in page


def check_words_and_colors(name: str, spec: dict[str, Any]) -> None:
    """Check that a figure is valid, says what it found in what, and names its axes."""
    schema = Path(alt.__file__).parent / "vegalite" / "v6" / "schema" / "vega-lite-schema.json"
    validator = jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))
    assert list(validator.iter_errors(spec)) == [], name
    assert len("".join(spec["title"]["text"])) > 20, name
    assert any(char.isdigit() for char in "".join(spec["title"]["subtitle"])) or name in (
        "sensitivity_figure",  # of one list that is made up
        "learning_curves",
    ), name
    titled = dict.fromkeys(("x", "y"), False)
    for encodings in plots_of(spec):
        for channel in ("x", "y"):
            axes = [each[channel] for each in encodings if channel in each]
            numbers = [axis for axis in axes if axis.get("type") == "quantitative"]
            titled[channel] |= any(axis.get("title") for axis in numbers) or not numbers
    assert all(titled.values()), name
    used = set(re.findall(r'"(?:color|range|fill|stroke)": "(#[0-9a-fA-F]{6})"', json.dumps(spec)))
    grays = {color for color in used if len({color[1:3], color[3:5], color[5:]}) == 1}
    assert used - grays <= set(COLORS), name


def plots_of(spec: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Give what stands on the axes of each plot, layers together."""
    parts = [part for name in ("hconcat", "vconcat", "concat") for part in spec.get(name, [])]
    parts += [spec["spec"]] if isinstance(spec.get("spec"), dict) else []
    for part in parts:
        yield from plots_of(part)
    if "layer" in spec or "mark" in spec:
        yield [part.get("encoding", {}) for part in (spec, *spec.get("layer", []))]


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


def test_a_specification_can_be_edited_and_drawn_again(scores: gw.Scores, tmp_path: Path) -> None:
    chart = figures.topic_dots(scores, "a", "b")
    spec = figures.figure_spec(chart)
    assert sorted(spec["datasets"]) == ["data1", "data2"]
    figures.save_figure(chart, tmp_path / "kept.json")
    kept = json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(spec))
    kept["title"]["text"] = "Edited & mine"
    kept["datasets"]["data1"][0]["a"] = 0.25
    figures.save_figure(kept, tmp_path / "edited.svg")
    drawn = (tmp_path / "edited.svg").read_text(encoding="utf-8")
    assert "Edited &amp; mine" in drawn
    assert spec["title"]["text"] != "Edited & mine"


def test_titles_state_what_was_found(scores: gw.Scores) -> None:
    """By hand: AP of a is 1, 1/2, 0 and that of b is 1/2, 1/2, 1."""
    dots = figures.figure_spec(figures.topic_dots(scores, "a", "b"))["title"]
    assert " ".join(dots["text"]) == (
        "a has a higher AP than b on 1 of 3 topics, and a lower one on 1"
    )
    bars = figures.figure_spec(figures.difference_histogram(scores, "a", "b"))["title"]
    assert " ".join(bars["text"]).startswith("a minus b is -0.167 in AP on average, 95% interval")
    board = figures.figure_spec(figures.leaderboard(gw.compare(scores)))["title"]
    assert " ".join(board["text"]).startswith("b is best by AP; 1 of 1 other run does not differ")


def test_many_runs_are_drawn_in_tiers() -> None:
    many = gw.simulate.collection(topics=15, runs=24, depth=40, seed=4)
    comparison = gw.compare(gw.evaluate(many.qrels, many.runs, "AP"))
    spec = figures.figure_spec(figures.leaderboard(comparison))
    tiers = comparison.parts[0].tiers
    assert tiers is not None
    best, size = comparison.parts[0].runs[0], int((tiers == 1).sum())
    assert spec["title"]["text"] == [f"{best} is best by AP; its tier has {size} of 24 runs"]
    labels = {row["label"] for rows in spec["datasets"].values() for row in rows if "label" in row}
    assert f"tier 1 ({size})" in labels
    assert len(labels) == tiers.max()
