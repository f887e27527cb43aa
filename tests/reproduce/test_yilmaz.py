"""Yilmaz & Robertson 2010: the paper's measures, its numbers, and the parts on other data."""

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import gradewise as gw
from gradewise.learn import NetRanker, local_optimality
from gradewise.meta.informativeness import informativeness
from gradewise.reproduce import yilmaz, yilmaz_claims, yilmaz_table5
from gradewise.reproduce.collections import robust_2003
from gradewise.reproduce.yilmaz_flips import flips_section
from gradewise.reproduce.yilmaz_informativeness import INFORMING, _run_values
from gradewise.reproduce.yilmaz_printed import CURVES, OPTIMA, TESTS, printed_value
from gradewise.reproduce.yilmaz_sets import NDCG, NDCG_10, OBJECTIVES, QUICK, Sets, short
from gradewise.simulate import collection


def test_all_nine_items_are_there() -> None:
    assert (
        *("table1", "table2", "table3", "table4", "table5"),
        *("figure1", "figure3", "figure4", "figure5"),
    ) == yilmaz.PARTS
    assert set(yilmaz.PARTS) == {*yilmaz.ON_RUNS, *yilmaz.TRAINED}


@pytest.mark.parametrize(("measure", "depth"), [(NDCG, 12), (NDCG_10, 10)])
def test_ndcg_has_the_papers_gains_and_discount(measure: str, depth: int) -> None:
    """Section 4: gain 2^rel - 1, discount log2(r + 1), 5 grades."""
    grades = np.random.default_rng(1).integers(0, 5, 12).tolist()

    def dcg(ranked: list[int]) -> float:
        return sum((2**g - 1) / math.log2(r + 1) for r, g in enumerate(ranked[:depth], 1))

    relevant = {grade: grades.count(grade) for grade in range(1, 5) if grade in grades}
    expected = dcg(grades) / dcg(sorted(grades, reverse=True))
    assert gw.score(measure, grades=grades, relevant=relevant) == pytest.approx(expected)
    assert short(measure) == ("nDCG@10" if depth == 10 else "nDCG")


def test_every_claim_about_a_table_is_what_the_paper_prints() -> None:
    for part, claims in yilmaz_claims._CLAIMS.items():
        for first, second, test in claims:
            assert printed_value(part, first, test) > printed_value(part, second, test)


def test_printed_numbers_that_contradict_the_papers_text() -> None:
    """Not all of the paper's own numbers favor the more informative objective."""
    assert printed_value("table3", "AP", NDCG_10) < printed_value("table3", NDCG_10, NDCG_10)
    assert printed_value("table4", NDCG, "P@10") < printed_value("table4", "P@10", "P@10")
    assert all(ap < ndcg for ap, ndcg in zip(CURVES["AP"], CURVES[NDCG], strict=True))
    assert OPTIMA["AP"][2] < OPTIMA["P@10"][2]


def test_simulated_topics_differ_from_seed_to_seed() -> None:
    sets = Sets(None, QUICK, seed=3)
    (first, one), (second, two) = sets.simulated()
    assert (first, second) == (3, 4)
    assert np.array_equal(one.train.features, sets.draw(3).train.features)
    assert one.train.features.shape[1] == two.train.features.shape[1]
    assert not np.array_equal(one.test.grades[:50], two.test.grades[:50])
    assert one.train.scale.tolist() == [1, 2, 3, 4]
    assert len(sets.larger.draw(3).train) == QUICK.times * len(one.train)
    assert np.array_equal(sets.larger.draw(3).test.features, one.test.features)


def test_local_optima_start_from_the_training_optimum() -> None:
    fold = Sets(None, QUICK, seed=0).draw(0)
    options = (("epochs", 3), ("learning_rate", (0.01, 0.1)))
    search = yilmaz_table5._Search("AP", "P@10", options, directions=3, seed=2)
    found = search.do(fold, lambda amount: None)
    ranker = NetRanker("lambdarank", "AP", epochs=3, learning_rate=(0.01, 0.1), random_state=2)
    ranker.fit(fold.train)
    around = [
        local_optimality(ranker, part, "P@10", directions=3, seed=2)
        for part in (fold.train, fold.test)
    ]
    expected = [count for each in around for count in (each.better, each.much_better)]
    assert found["better"].tolist() == expected


def test_example_that_precision_ignores() -> None:
    """Section 3.1.1; AP by hand: (1 + 1 + 3/11 + 4/12 + 5/13) / 5 and its like."""
    (section,) = yilmaz.sections(None, ["table1"])
    rows = {str(row[0]): [float(str(cell)) for cell in row[1:]] for row in section.table.rows}
    assert rows["P@10"] == [0.2, 0.2]
    assert rows["AP"] == pytest.approx(
        [(2 + 3 / 11 + 4 / 12 + 5 / 13) / 5, (1 / 8 + 2 / 9 + 3 / 18 + 4 / 19 + 5 / 20) / 5],
        abs=5e-5,
    )
    assert all(claim.holds for claim in section.properties)


def test_figure_5_uses_the_trainings_of_table_2(tmp_path: Path) -> None:
    yilmaz.sections(None, ["table2"], quick=True, keep=str(tmp_path))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    found = yilmaz.sections(None, ["figure5"], quick=True, keep=str(tmp_path))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == kept
    assert [section.name for section in found] == ["figure5", "figure5"]


def test_parts_that_need_no_data() -> None:
    found = yilmaz.sections(None, ["table3", "table4", "figure4", "table5"], quick=True)
    names = [section.name for section in found]
    assert names == ["table3", "table4", "figure4", "figure4", "table5"]
    for section in found:
        assert "on " in section.title
        assert "simulated topics, 2 seeds" in section.title
        assert not section.failures
        assert all(not claim.necessary for claim in section.properties)
        assert section.chart is not None
        assert section.chart().to_dict()["$schema"]
    rows = found[0].table.rows
    assert [str(row[0]) for row in rows] == [short(objective) for objective in OBJECTIVES]
    assert [str(row[1]) for row in rows] == ["61.95°", "59.99", "61.30", "60.82"]
    assert len(TESTS) == 3


def _rms(told: pl.DataFrame) -> float:
    """Compare precision at each relevant document with that of the inferred curve."""
    expected, curve = 0.0, []
    for rank, chance in zip(told["rank"], told["P(0)"], strict=True):
        expected += 1 - chance
        curve.append((expected, expected / rank))
    squares = []
    real = [rank for rank, grade in zip(told["rank"], told["grade"], strict=True) if grade]
    for found, rank in enumerate(real, 1):
        below = [point for point in curve if point[0] <= found]
        above = [point for point in curve if point[0] > found]
        (low, left), (high, right) = (below or above[:1])[-1], (above or below[-1:])[0]
        share = (found - low) / (high - low) if high > low else 0.0
        squares.append((left + share * (right - left) - found / rank) ** 2)
    return math.sqrt(sum(squares) / len(squares))


def test_exchanges_that_measures_ignore() -> None:
    made = collection(topics=4, runs=2, depth=30, seed=2)
    section = flips_section("simulated", gw.judge(made.qrels, made.runs))
    ignored = {str(row[0]): str(row[1]) for row in section.table.rows}
    assert list(ignored) == ["nDCG", "AP", "nDCG@10", "P@10"]
    assert ignored["nDCG"] == "0.0%"
    assert all(claim.holds for claim in section.properties)
    assert [claim.necessary for claim in section.properties] == [True, True, False, False, False]
    assert section.chart is not None


@pytest.mark.slow
def test_informativeness_on_robust(real_data: Path) -> None:
    """RMS is .163 for AP and .235 for nDCG; curves by definition, P@10 by run means."""
    collection = robust_2003(real_data)
    judged = gw.judge(collection.qrels, collection.runs)
    result = informativeness(judged, INFORMING[:2])
    errors = result.frame.filter(threshold=1)["rms"].to_list()
    assert [round(error, 3) for error in errors] == [0.163, 0.235]
    for place, measure in enumerate(INFORMING[:2]):
        for number in range(0, len(result.run), 40):
            run, topic = result.runs[result.run[number]], result.topics[result.topic[number]]
            told = result.distribution(run, topic, measure)
            assert result.rms[place, 0, number] == pytest.approx(_rms(told), abs=1e-12)
    predicted = result.inferences.filter(inferred="P@10")
    for place in (0, 1):
        inferred, actual = _run_values(result, place)
        rms = math.sqrt(sum((inferred - actual) ** 2) / len(actual))
        assert rms == pytest.approx(predicted["rms_runs"][place])
        assert stats.kendalltau(inferred, actual).statistic == pytest.approx(
            predicted["tau_runs"][place]
        )
