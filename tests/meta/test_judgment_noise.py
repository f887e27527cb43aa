"""Judgment noise: exact variances by enumeration, and what flips must and must not do."""

import itertools
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta.artificial_noise import artificial_noise
from gradewise.meta.judgment_noise import JudgmentNoise, judgment_noise, topics_needed

often = settings(max_examples=60, deadline=None, derandomize=True)


def average_precision(relevant: Sequence[int]) -> float:
    """AP of a list that has all relevant documents of its topic."""
    terms = [sum(relevant[:n]) / n for n in range(1, len(relevant) + 1) if relevant[n - 1]]
    return sum(terms) / len(terms) if terms else 0.0


# Kishida's artificial case


def exact_moments(theta: float, documents: int) -> tuple[float, float, float]:
    """μ, σ_μ² and σ_d² over all chances and all judgments of a list."""
    patterns = list(itertools.product((0, 1), repeat=documents))
    values = [average_precision(pattern) for pattern in patterns]
    means, variances = [], []
    for chances in itertools.product((theta, 1 - theta), repeat=documents):
        weights = [
            math.prod(c if x else 1 - c for c, x in zip(chances, pattern, strict=True))
            for pattern in patterns
        ]
        mean = sum(w * v for w, v in zip(weights, values, strict=True))
        means.append(mean)
        variances.append(sum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)))
    return statistics.fmean(means), statistics.pvariance(means), statistics.fmean(variances)


def test_the_oracle_gives_the_known_numbers_for_random_judgments() -> None:
    patterns = [average_precision(p) for p in itertools.product((0, 1), repeat=10)]
    assert statistics.fmean(patterns) == pytest.approx(0.606956, abs=1e-6)
    assert statistics.pvariance(patterns) == pytest.approx(0.036724, abs=1e-6)


@pytest.mark.parametrize("theta", [0.5, 0.8, 0.9])
def test_artificial_case_equals_enumeration(theta: float) -> None:
    mean, sigma_mu2, sigma_d2 = exact_moments(theta, documents=5)
    noise = artificial_noise(theta, topics=4000, documents=5, replicates=400, seed=7)
    error = math.sqrt((sigma_mu2 + sigma_d2 / 400) / 4000)
    assert noise.mean[0] == pytest.approx(mean, abs=5 * error)
    assert noise.sigma_mu2[0] == pytest.approx(sigma_mu2 + sigma_d2 / 400, rel=0.1)
    assert noise.sigma_d2[0] == pytest.approx(sigma_d2, rel=0.05)
    assert noise.observed[0] == pytest.approx(sigma_mu2 + sigma_d2, rel=0.05)


def test_artificial_case_with_random_judgments_has_the_known_moments() -> None:
    noise = artificial_noise(0.5, topics=500, replicates=1000, seed=3)
    error = math.sqrt(0.036724 / 500_000)
    assert noise.mean[0] == pytest.approx(0.606956, abs=4 * error)
    assert noise.sigma_d2[0] == pytest.approx(0.036724, rel=0.01)
    assert noise.frame["value"].to_list() == [None]


def test_artificial_case_is_certain_where_chances_are() -> None:
    noise = artificial_noise(1.0, replicates=20)
    assert noise.sigma_d2[0] == pytest.approx(0, abs=1e-30)
    assert noise.sigma_mu2[0] > 0.01


def test_artificial_case_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = artificial_noise(0.9, topics=5, replicates=30)
    monkeypatch.setattr(sys.modules["gradewise.meta.artificial_noise"], "_BLOCK", 1)
    assert (artificial_noise(0.9, topics=5, replicates=30).means == whole.means).all()


# A collection that is judged again

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 0}}
RUNS = {
    "first": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}, "2": {"d": 2.0, "a": 1.0}},
    "second": {"1": {"c": 2.0, "b": 1.0}, "2": {"a": 1.0}},
}
JUDGED = gw.judge(QRELS, RUNS)
FLIPS = {2: {1: 0.3, 0: 0.1}, 1: {0: 0.2, 2: 0.4}, 0: {1: 0.25}}


def judgments(grades: dict[str, int]) -> Iterator[tuple[float, dict[str, int]]]:
    """Every way in which the documents of a topic may be judged, with its chance."""
    choices = []
    for grade in grades.values():
        others = FLIPS[grade]
        choices.append([(grade, 1 - sum(others.values())), *others.items()])
    for choice in itertools.product(*choices):
        new = {doc: grade for doc, (grade, _) in zip(grades, choice, strict=True)}
        yield math.prod(chance for _, chance in choice), new


def literal_ap(scores: dict[str, float], grades: dict[str, int]) -> float:
    ranking = sorted(scores, key=lambda document: -scores[document])
    total = sum(grade > 0 for grade in grades.values())
    found, value = 0, 0.0
    for rank, document in enumerate(ranking, 1):
        if grades.get(document, 0) > 0:
            found += 1
            value += found / rank
    return value / total if total else 0.0


def test_means_and_variances_equal_enumeration() -> None:
    replicates = 6000
    noise = judgment_noise(JUDGED, "AP", flips=FLIPS, replicates=replicates, seed=5)
    assert noise.runs == ("first", "second")
    for r, run in enumerate(RUNS.values()):
        for h, topic in enumerate(QRELS):
            ways = [(p, literal_ap(run[topic], new)) for p, new in judgments(QRELS[topic])]
            mean = sum(p * v for p, v in ways)
            variance = sum(p * (v - mean) ** 2 for p, v in ways)
            error = math.sqrt(variance / replicates)
            assert noise.means[r, h] == pytest.approx(mean, abs=4.5 * error)
            assert noise.variances[r, h] == pytest.approx(variance, rel=0.08)
            assert noise.original[r, h] == literal_ap(run[topic], QRELS[topic])


def test_frame_holds_what_the_paper_defines() -> None:
    noise = JudgmentNoise(
        gw.parse_measure("AP"),
        ("run",),
        10,
        original=np.array([[0.5, 0.7, 0.9]]),
        means=np.array([[0.4, 0.6, 0.8]]),
        variances=np.array([[0.01, 0.03, 0.02]]),
        observed=np.array([0.06]),
    )
    row = noise.frame.row(0, named=True)
    assert (row["run"], row["measure"]) == ("run", "AP")
    expected = {"value": 0.7, "mean": 0.6, "sigma_mu2": 0.04, "sigma_d2": 0.02, "total": 0.06}
    for name, value in {**expected, "standard_error": math.sqrt(0.06 / 3)}.items():
        assert row[name] == pytest.approx(value, abs=1e-15), name


def test_certain_flips_are_other_judgments() -> None:
    made = gw.simulate.collection(topics=4, runs=3, depth=30, grades=2, seed=2)
    noise = judgment_noise(
        gw.judge(made.qrels, made.runs), "nDCG", flips={2: {1: 1.0}}, replicates=3
    )
    merged = {
        topic: {doc: min(grade, 1) for doc, grade in grades.items()}
        for topic, grades in made.qrels.to_dict().items()
    }
    expected = gw.evaluate(merged, made.runs, "nDCG").values[:, :, 0]
    np.testing.assert_allclose(noise.means, expected, atol=1e-14)
    np.testing.assert_allclose(noise.variances, 0, atol=1e-28)


def test_a_document_is_judged_alike_in_all_runs() -> None:
    """P@1 of two runs that agree on the first document only must vary together."""
    qrels = {topic: {"a": 1, "b": 1, "c": 0} for topic in "123"}
    runs = {
        "one": {topic: {"a": 9.0, "b": 1.0} for topic in "123"},
        "two": {topic: {"a": 9.0, "c": 1.0, "x": 0.5} for topic in "123"},
    }
    flips = {1: {0: 0.5}, 0: {1: 0.5}}
    noise = judgment_noise(gw.judge(qrels, runs), "P@1", flips=flips, replicates=25)
    assert (noise.means[0] == noise.means[1]).all()
    assert 0 < noise.means[0].mean() < 1


def test_negative_grades_may_flip_too() -> None:
    qrels = {"1": {"a": -2, "b": 1}, "2": {"a": -2, "b": 1}}
    run = {"r": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}}
    noise = judgment_noise(gw.judge(qrels, run), "AP", flips={-2: {1: 1.0}}, replicates=2)
    assert noise.means.tolist() == [[1.0, 1.0]]
    assert noise.original.tolist() == [[0.5, 0.5]]


def test_same_seed_same_numbers() -> None:
    first, again, other = (
        judgment_noise(JUDGED, "GAP", flips=FLIPS, replicates=9, seed=seed) for seed in (1, 1, 2)
    )
    assert first.frame.write_csv() == again.frame.write_csv()
    assert first.frame.write_csv() != other.frame.write_csv()


def test_progress_is_told() -> None:
    told: list[int] = []
    judgment_noise(JUDGED, "AP", flips=FLIPS, replicates=7, progress=told.append)
    assert told == [1] * 7


# How many topics


@often
@given(
    variance=st.floats(0, 0.2),
    half_width=st.floats(0.02, 0.5),
    level=st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_topics_needed_is_the_least_that_is_enough(
    variance: float, half_width: float, level: float
) -> None:
    needed = int(topics_needed(np.array([variance]), half_width, level=level)[0])

    def half(topics: int) -> float:
        return float(stats.t.ppf((1 + level) / 2, topics - 1)) * math.sqrt(variance / topics)

    assert half(needed) <= half_width * (1 + 1e-9)
    assert needed == 2 or half(needed - 1) > half_width * (1 - 1e-9)


def test_plan_tells_what_noise_costs() -> None:
    noise = judgment_noise(JUDGED, "AP", flips=FLIPS, replicates=50)
    plan = noise.plan(0.1, level=0.9)
    assert plan.columns == [
        "run", "measure", "half_width", "level", "topics_needed", "topics_without_noise",
    ]  # fmt: skip
    assert (plan["topics_needed"] >= plan["topics_without_noise"]).all()


# What cannot be


@pytest.mark.parametrize(
    ("flips", "message"),
    [
        ({}, "flips is empty"),
        ({1: {3: 0.1}}, "cannot turn grade 1 into 3; the grades are 0 1 2"),
        ({5: {1: 0.1}}, "cannot turn grade 5 into 1"),
        ({1: {1: 0.1}}, "cannot turn grade 1 into 1"),
        ({1: {0: 1.5}}, r"flips\[1\]\[0\] must be between 0 and 1, not 1.5"),
        ({1: {0: 0.7, 2: 0.7}}, r"flips\[1\] sums to 1.4"),
    ],
)
def test_flips_that_make_no_sense(flips: Any, message: str) -> None:
    with pytest.raises(GradewiseError, match=message):
        judgment_noise(JUDGED, "AP", flips=flips)


def test_other_options_that_make_no_sense() -> None:
    with pytest.raises(GradewiseError, match="replicates must be at least 2, not 1"):
        judgment_noise(JUDGED, "AP", flips=FLIPS, replicates=1)
    with pytest.raises(GradewiseError, match="NumRet is not averaged over topics"):
        judgment_noise(JUDGED, "NumRet", flips=FLIPS)
    with pytest.raises(GradewiseError, match="RHL is undefined for run first and topic 1"):
        judgment_noise(JUDGED, "RHL", flips={2: {0: 1.0}, 1: {0: 1.0}})
    with pytest.raises(GradewiseError, match="at least 2 topics"):
        judgment_noise(gw.judge({"1": {"a": 1}}, RUNS), "AP", flips={1: {0: 0.1}})
    with pytest.raises(GradewiseError, match="theta must be between 0 and 1, not 2"):
        artificial_noise(2)
    with pytest.raises(GradewiseError, match="topics must be at least 2, not 1"):
        artificial_noise(0.5, topics=1)
    with pytest.raises(GradewiseError, match="half_width must be positive, not 0"):
        topics_needed(np.array([0.1]), 0)
    with pytest.raises(GradewiseError, match="level must be between 0 and 1, not 95"):
        topics_needed(np.array([0.1]), 0.1, level=95)
