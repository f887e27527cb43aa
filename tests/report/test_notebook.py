"""What results look like in notebooks: their numbers as HTML, and figures without a network."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.stats.intervals import t_interval

MADE = gw.simulate.collection(topics=8, runs=3, depth=30, relevant=12, pool_depth=10, seed=2)
QRELS, RUNS = MADE.qrels, MADE.runs
FIRST, SECOND = list(RUNS.values())[:2]
NAMES = list(RUNS)


def _scores() -> gw.Scores:
    return gw.evaluate(QRELS, RUNS, [gw.AP, gw.measures.NumRet])


def _judged() -> gw.Judged:
    return gw.judge(QRELS, RUNS)


def _panel() -> gw.meta.Panel:
    """People, and a model that calls every fourth document not relevant."""
    people = QRELS.to_dict()
    model = {
        t: {d: g if k % 4 else 0 for k, (d, g) in enumerate(held.items())}
        for t, held in people.items()
    }
    return gw.meta.judges({"people": people, "model": model})


def _labels() -> gw.meta.SoftLabels:
    return gw.meta.combine_judges(_panel(), "majority")


def _lists() -> gw.Judged:
    return _panel().join(RUNS)


RESULTS: dict[str, tuple[Callable[[], Any], bool]] = {  # what is made, and whether it has a figure
    "Scores": (_scores, False),
    "Comparison": (lambda: gw.compare(gw.evaluate(QRELS, RUNS, "AP")), True),
    "Qrels": (lambda: QRELS, False),
    "Run": (lambda: FIRST, False),
    "Judged": (_judged, True),
    "Med": (lambda: gw.distance.med(FIRST, SECOND, QRELS, "AP@10"), True),
    "Distances": (lambda: gw.distance.med_matrix(RUNS, QRELS, "P@10"), True),
    "Rbo": (lambda: gw.distance.rbo(FIRST, SECOND), False),
    "Overlaps": (lambda: gw.distance.rbo_matrix(RUNS), False),
    "Agreement": (lambda: gw.meta.correlation(_judged(), ["AP", "nDCG"]), True),
    "ThresholdGrid": (lambda: gw.meta.threshold_grid(_judged(), step=0.5), True),
    "Discrimination": (
        lambda: gw.meta.discrimination(_judged(), ["AP", "GAP"], replicates=20),
        True,
    ),
    "Incompleteness": (
        lambda: gw.meta.incompleteness(_judged(), ["AP"], rates=[1, 0.5], replicates=2),
        True,
    ),
    "Informativeness": (
        lambda: gw.meta.informativeness(_judged(), ["AP"], least=1, least_top=1),
        True,
    ),
    "JudgmentNoise": (
        lambda: gw.meta.judgment_noise(_judged(), "AP", flips={1: {0: 0.1}}, replicates=3),
        True,
    ),
    "PoolBias": (lambda: gw.meta.pool_bias(_judged(), ["AP"]), True),
    "Experiment": (
        lambda: gw.meta.experiment(gw.judge_list([1, 0, 2], {1: 2, 2: 1}), draws=50),
        True,
    ),
    "Prediction": (lambda: gw.meta.prediction(_judged(), ["AP"], replicates=3), False),
    "Flips": (lambda: gw.meta.flips(_judged(), ["AP"]), False),
    "Sensitivity": (
        lambda: gw.meta.sensitivity(gw.judge_list([1, 0, 2], {1: 2, 2: 1}), ["AP"]),
        True,
    ),
    "Report": (lambda: gw.report.make_report(QRELS, RUNS, "AP"), False),
    "Section": (lambda: gw.report.make_report(QRELS, RUNS, "AP").section("explorer"), False),
    "GroupComparison": (lambda: gw.compare_groups(gw.evaluate(QRELS, RUNS, "AP")), True),
    "ReleaseComparison": (
        lambda: gw.compare_releases({"v1": _scores(), "v2": _scores(), "v3": _scores()}),
        True,
    ),
    "Panel": (_panel, False),
    "JudgeAgreement": (lambda: gw.meta.judge_agreement(_panel(), replicates=5), True),
    "JudgeEffect": (
        lambda: gw.meta.judge_effect(_panel(), _lists(), ["AP", "nDCG"], replicates=5),
        True,
    ),
    "VarianceComponents": (
        lambda: gw.meta.variance_components(_panel(), _lists(), ["AP"]),
        False,
    ),
    "SoftLabels": (_labels, False),
    "SoftScores": (lambda: gw.meta.soft_scores(_lists(), _labels(), "AP", draws=3), False),
    "PoweredScores": (
        lambda: gw.meta.powered_scores(_panel(), _lists(), "AP", model="model"),
        False,
    ),
    "PoweredDocuments": (
        lambda: gw.meta.powered_documents(_panel(), _lists(), "P@5", model="model"),
        False,
    ),
    "PoweredCoverage": (
        lambda: gw.meta.powered_coverage(
            _panel(), _lists(), "AP", model="model", numbers=(3, 5), resamples=5
        ),
        True,
    ),
    "TopicIntervals": (
        lambda: gw.meta.topic_intervals(
            _lists(),
            gw.meta.combine_judges(_panel(), "majority", judges=["model"]),
            "AP",
            people="people",
        ),
        False,
    ),
    "NextDocuments": (lambda: gw.meta.judge_next(RUNS, _labels(), "AP", number=3), False),
    "Circularity": (
        lambda: gw.meta.circularity(
            _panel(),
            _panel().join({f"{name}{k}": run for name, run in RUNS.items() for k in (1, 2)}),
            "AP",
            families={},
            replicates=5,
        ),
        False,
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_shown_without_a_network(name: str) -> None:
    make, has_figure = RESULTS[name]
    html = make()._repr_html_()
    assert ("<svg" in html) == has_figure
    assert "<table" in html or "<iframe" in html or has_figure
    assert re.findall(r'(?:src|href)="http[^"]*"', html) == []


def test_scores_have_intervals_where_they_are_means() -> None:
    scores = _scores()
    html = scores._repr_html_()
    low, high = t_interval(scores.values[0, :, 0])
    assert f"{scores[NAMES[0], 'AP']:.4f} [{low:.4f}, {high:.4f}]" in html
    assert f">{int(scores[NAMES[0], 'NumRet'])}</td>" in html


def test_a_single_topic_has_no_interval() -> None:
    html = gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, "AP")._repr_html_()
    assert ">1.0000</td>" in html


def test_names_cannot_break_the_page() -> None:
    run = {"<b>t</b>": {"<script>": 1.0}}
    html = gw.read_run(run, name="<i>run</i>")._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "<b>" not in html


def test_long_tables_are_cut() -> None:
    runs = {f"run{n}": {"t": {"a": float(n)}} for n in range(45)}
    html = gw.evaluate({"t": {"a": 1}}, runs, "AP")._repr_html_()
    assert html.count("<tr>") == 31
    assert "and 15 more runs" in html


def test_grades_are_counted() -> None:
    html = QRELS._repr_html_()
    grades, counts = np.unique(QRELS.grades, return_counts=True)
    for grade, count in zip(grades, counts, strict=True):
        assert re.search(rf">{grade}</td><td[^>]*>{count}</td>", html)
