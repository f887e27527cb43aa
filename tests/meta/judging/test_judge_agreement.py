"""Agreement of judges: tables, intervals over topics, where and on what they disagree."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError, OptionError
from gradewise.meta.judging.pairs import STATISTICS
from gradewise.stats.agreement import cohen_kappa
from gradewise.stats.resampling import topic_weights
from oracles import agreement as oracle

PEOPLE = {"t": {"a": 2, "b": 1, "c": 0, "d": 0, "x": 1}, "u": {"e": 1, "f": 0, "g": 2}}
MODEL = {"t": {"a": 2, "b": 2, "c": 0, "d": 1}, "u": {"e": 1, "f": 0, "g": 0}}
BINARY = {"t": {"a": 1, "b": 0, "c": 0, "d": 0}, "u": {"e": 1, "f": 0, "g": 1}}


@pytest.fixture(scope="module")
def panel() -> gw.meta.Panel:
    return gw.meta.judges({"people": PEOPLE, "model": MODEL, "binary": BINARY})


@pytest.fixture(scope="module")
def found(panel: gw.meta.Panel) -> gw.meta.JudgeAgreement:
    return gw.meta.judge_agreement(panel, replicates=200, seed=3)


def test_tables_count_what_both_labeled(found: gw.meta.JudgeAgreement) -> None:
    assert found.confusion("people", "model").tolist() == [[2, 1, 0], [0, 1, 1], [1, 0, 1]]
    assert found.confusion("model", "people").tolist() == [[2, 0, 1], [1, 1, 0], [0, 1, 1]]
    rows = found.confusions.filter(judge_a="people", judge_b="model", grade_a=0).rows()
    assert [row[2:] for row in rows] == [(0, 0, 2, 2 / 3), (0, 1, 1, 1 / 3), (0, 2, 0, 0.0)]


def test_statistics_equal_the_definitions(found: gw.meta.JudgeAgreement) -> None:
    first, second = [2, 1, 0, 0, 1, 0, 2], [2, 2, 0, 1, 1, 0, 0]
    values = {
        name: value
        for a, b, n, name, value, _, _ in found.frame.rows()
        if (a, b) == ("people", "model") and n == 7
    }
    assert set(values) == set(STATISTICS)
    assert values["agreement"] == pytest.approx(4 / 7)
    for weights, name in (
        ("plain", "kappa"),
        ("linear", "kappa_linear"),
        ("quadratic", "kappa_quadratic"),
    ):
        assert values[name] == pytest.approx(oracle.cohen(first, second, weights))
    labels = [first, second]
    assert values["alpha"] == pytest.approx(oracle.krippendorff(labels, oracle.ordinal(labels)))
    assert values["ac1"] == pytest.approx(oracle.gwet(labels, 3, "plain"))
    assert values["ac2"] == pytest.approx(oracle.gwet(labels, 3, "quadratic"))
    assert values["overlap"] == pytest.approx((2 / 3 + 1 / 2) / 2)  # mean over the two topics


def test_judges_with_fewer_grades_set_the_scale(found: gw.meta.JudgeAgreement) -> None:
    pair = found.pair("people", "binary")
    assert pair.scale.tolist() == [0, 1]
    assert pair.note == "grades of people: 0 as 0, 1 2 as 1"
    assert found.confusion("people", "binary").tolist() == [[3, 0], [1, 3]]
    assert found.confusion("binary", "people").tolist() == [[3, 1], [0, 3]]
    assert "people and binary: grades of people: 0 as 0, 1 2 as 1" in found.notes


def test_all_judges_together(found: gw.meta.JudgeAgreement, panel: gw.meta.Panel) -> None:
    labels = [
        [None if level < 0 else int(level) for level in levels] for levels in panel.levels.tolist()
    ]
    overall = {name: value for name, value, _, _ in found.together.rows()}
    expected = oracle.krippendorff(labels, oracle.ordinal(labels))
    assert overall["alpha"] == pytest.approx(expected)
    assert overall["ac1"] == pytest.approx(oracle.gwet(labels, 3, "plain"))
    assert overall["ac2"] == pytest.approx(oracle.gwet(labels, 3, "quadratic"))


def test_intervals_are_percentiles_over_resampled_topics() -> None:
    rng = np.random.default_rng(0)
    people = {f"t{t}": {f"d{d}": int(rng.integers(0, 3)) for d in range(9)} for t in range(6)}
    model = {
        t: {d: g if rng.random() < 0.6 else int(rng.integers(0, 3)) for d, g in held.items()}
        for t, held in people.items()
    }
    found = gw.meta.judge_agreement(
        gw.meta.judges({"people": people, "model": model}), replicates=50, level=0.8, seed=9
    )
    samples = []
    for draw in topic_weights(6, replicates=50, seed=9):
        table = np.zeros((3, 3))
        for times, topic in zip(draw, people, strict=True):
            for document, grade in people[topic].items():
                table[grade, model[topic][document]] += times
        samples.append(float(cohen_kappa(table)))
    row = found.frame.filter(statistic="kappa").rows()[0]
    assert row[5:] == pytest.approx(tuple(np.quantile(samples, [0.1, 0.9])))


def test_by_grade(found: gw.meta.JudgeAgreement) -> None:
    rows = {row[2]: row[3:] for row in found.by_grade.rows() if row[:2] == ("people", "model")}
    assert rows[0][:3] == (3, 3, pytest.approx(4 / 6))
    assert rows[0][3] is None
    assert rows[2][:3] == (2, 2, pytest.approx(2 / 4))
    first, second = [1, 0, 0, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0, 0]  # grade 2 or more
    assert rows[2][3] == pytest.approx(oracle.cohen(first, second, "plain"))
    assert rows[2][6] == pytest.approx((1 / 2 + 0) / 2)


def test_by_topic(found: gw.meta.JudgeAgreement) -> None:
    rows = [row for row in found.by_topic.rows() if row[:2] == ("people", "model")]
    assert [row[2] for row in rows] == ["t", "u"]  # 2 of 4 agree, then 2 of 3
    assert rows[0][3:5] == (4, 0.5)
    assert rows[0][7] == pytest.approx((5 - 3) / 4)  # the model is more generous here
    assert rows[1][7] == pytest.approx((1 - 3) / 3)


def test_by_rank_region(found: gw.meta.JudgeAgreement, panel: gw.meta.Panel) -> None:
    runs = {
        "one": {"t": {"a": 9, "z": 8, "b": 7, "c": 6}},
        "two": {"t": {"c": 9, "y": 8}, "u": {"g": 3}},
    }
    rows = {
        row[2]: row[3:5]
        for row in found.by_region(panel.join(runs), [1, 3]).rows()
        if row[:2] == ("people", "model")
    }
    # a, c and g are first somewhere, b is third; d, e and f are in no run
    assert rows == {
        "1-1": (3, pytest.approx(2 / 3)),
        "2-3": (1, 0.0),
        "not retrieved": (3, pytest.approx(2 / 3)),
    }
    with pytest.raises(OptionError, match="ascending ranks"):
        found.by_region(panel.join(runs), [5, 5])
    with pytest.raises(OptionError, match="not made by the panel's join"):
        found.by_region(gw.judge({"t": {"a": 1}}, runs))


def test_bias(found: gw.meta.JudgeAgreement) -> None:
    rows = {row[1]: row[2:6] for row in found.bias.rows() if row[0] == "model"}
    assert rows[None] == (7, pytest.approx(6 / 7), pytest.approx(6 / 7), pytest.approx(0))
    assert rows[2] == (2, 2.0, 1.0, -1.0)


def test_disputed_documents(found: gw.meta.JudgeAgreement) -> None:
    frame = found.documents(2)
    assert frame.columns == ["topic", "document", "people", "model", "binary", "spread"]
    assert frame.row(0) == ("t", "b", 1, 2, 0, pytest.approx(4 / 3))  # apart by 1, 1 and 2
    assert frame.row(1) == ("u", "g", 2, 0, 2, pytest.approx(4 / 3))
    everything = found.documents(100)
    assert "c" not in everything["document"].to_list()  # all agree


def test_judges_without_common_documents_are_refused() -> None:
    panel = gw.meta.judges(
        {"a": {"t": {"x": 1, "y": 0}}, "b": {"t": {"x": 1}}, "c": {"t": {"y": 1}}},
    )
    with pytest.raises(InputError, match="b and c labeled no documents in common"):
        gw.meta.judge_agreement(panel)
