"""Discriminative power, against loops that take the same random numbers one by one."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import discrimination
from gradewise.stats.resampling import bootstrap_differences

Array = NDArray[np.float64]

MEASURES = ["AP", "nDCG@10", "P@5"]
REPLICATES, SEED = 120, 7


@pytest.fixture(scope="module")
def judged() -> gw.Judged:
    sample = gw.simulate.collection(topics=13, runs=5, depth=50, relevant=15, missing=0.1, seed=9)
    return gw.judge(sample.qrels, sample.runs)


@pytest.fixture(scope="module")
def scores(judged: gw.Judged) -> gw.Scores:
    return gw.score_judged(judged, MEASURES)


def pairs_of(scores: gw.Scores, measure: int) -> list[Array]:
    """The differences over topics of every two runs."""
    values = scores.values[:, :, measure]
    return [values[a] - values[b] for a, b in combinations(range(len(values)), 2)]


def studentised(sample: list[float]) -> float:
    size = len(sample)
    mean = sum(sample) / size
    variance = sum((value - mean) ** 2 for value in sample) / (size - 1)
    if variance < 1e-15:
        return 0.0 if abs(mean) < 1e-15 else np.inf
    return abs(mean) / (variance / size) ** 0.5


def samples(differences: Array, replicates: int, seed: int) -> list[list[float]]:
    """Sakai (2006): shift differences to a mean of zero and draw topics with replacement."""
    topics = len(differences)
    shifted = [value - sum(differences) / topics for value in differences]
    draws = np.random.default_rng(seed).multinomial(topics, [1 / topics] * topics, replicates)
    return [
        [v for v, times in zip(shifted, draw, strict=True) for _ in range(times)] for draw in draws
    ]


def literal_level(differences: Array, replicates: int, seed: int) -> float:
    """Sakai (2006), Figure 1, with the observed differences as one of the samples."""
    observed = studentised(list(differences))
    drawn = samples(differences, replicates, seed)
    return (sum(studentised(sample) >= observed for sample in drawn) + 1) / (replicates + 1)


def literal_needed(pairs: list[Array], alpha: float, replicates: int, seed: int) -> float:
    """The smallest mean, of differences spread as these are, with a p of at most alpha."""
    needed = []
    for differences in pairs:
        drawn = sorted(map(studentised, samples(differences, replicates, seed)), reverse=True)
        enough = [
            far
            for far in drawn
            if (sum(other > far for other in drawn) + 1) / (replicates + 1) <= alpha
        ]
        needed.append(min(enough) * float(np.std(differences, ddof=1)) / len(differences) ** 0.5)
    return max(needed)


def literal_ranges(values: Array, replicates: int, seed: int) -> list[float]:
    """Permute the values of each topic over runs, and take the largest difference of means."""
    rng = np.random.default_rng(seed)
    runs, topics = values.shape
    places = np.tile(np.arange(runs)[:, None], (1, topics))
    widest = []
    for _ in range(replicates):
        order = rng.permuted(places, axis=0)
        means = [sum(values[order[r, t], t] for t in range(topics)) / topics for r in range(runs)]
        widest.append(max(means) - min(means))
    return widest


def test_levels_of_every_pair(judged: gw.Judged, scores: gw.Scores) -> None:
    found = discrimination(judged, MEASURES, replicates=REPLICATES, seed=SEED)
    assert found.levels.shape == (3, 10)
    for measure in range(3):
        alone = [
            float(gw.stats.bootstrap_test(pair, replicates=REPLICATES, seed=SEED))
            for pair in pairs_of(scores, measure)
        ]
        assert found.levels[measure].tolist() == sorted(alone)
    literal = [literal_level(pair, REPLICATES, SEED) for pair in pairs_of(scores, 0)]
    assert found.levels[0].tolist() == sorted(literal)
    assert len(set(literal)) > 2


def test_counts_at_alphas(judged: gw.Judged, scores: gw.Scores) -> None:
    alphas = (0.2, 0.05, 0.01)
    frame = discrimination(judged, MEASURES, alphas=alphas, replicates=REPLICATES, seed=SEED).frame
    assert frame.columns == [
        "measure",
        "alpha",
        "pairs",
        "told_apart",
        "share",
        "difference_needed",
    ]
    expected = []
    for place, measure in enumerate(MEASURES):
        levels = [
            gw.stats.bootstrap_test(pair, replicates=REPLICATES, seed=SEED)
            for pair in pairs_of(scores, place)
        ]
        for alpha in alphas:
            told = sum(bool(level <= alpha) for level in levels)
            expected.append((measure, alpha, 10, told, told / 10))
    assert list(frame.drop("difference_needed").iter_rows()) == expected
    assert 0 < sum(row[3] for row in expected) < 90


def test_default_alphas(judged: gw.Judged) -> None:
    frame = discrimination(judged, MEASURES, replicates=20).frame
    assert frame["alpha"].to_list() == [0.05, 0.01] * 3


def test_a_stricter_level_needs_a_larger_difference() -> None:
    for seed in range(20):
        pairs = np.random.default_rng(seed).beta(0.5, 1.5, (2, 40, 12))
        needed = bootstrap_differences(
            pairs[0] - pairs[1], (0.2, 0.1, 0.05, 0.02), replicates=200, seed=seed
        )
        assert (np.diff(needed) > 0).all()


def test_a_pair_is_told_apart_exactly_if_it_has_the_difference_needed() -> None:
    rng = np.random.default_rng(3)
    told = []
    for seed in range(40):
        pair = rng.normal(0.5, 1, (1, 15))
        level = float(gw.stats.bootstrap_test(pair, replicates=99, seed=seed)[0])
        (needed,) = bootstrap_differences(pair, [0.05], replicates=99, seed=seed)
        assert (level <= 0.05) == (abs(pair.mean()) > needed)
        told.append(level <= 0.05)
    assert 5 < sum(told) < 35


def test_too_few_replicates_for_a_level() -> None:
    needed = bootstrap_differences(np.array([[0.1, 0.2, 0.4]]), (0.5, 0.01), replicates=20)
    assert np.isfinite(needed[0])
    assert needed[1] == np.inf


@pytest.mark.parametrize("measure", [0, 1])
def test_needed_difference_as_a_literal_loop(
    judged: gw.Judged, scores: gw.Scores, measure: int
) -> None:
    alphas = (0.3, 0.1, 0.05)
    found = discrimination(judged, MEASURES, alphas=alphas, replicates=REPLICATES, seed=SEED)
    pairs = pairs_of(scores, measure)
    expected = [literal_needed(pairs, alpha, REPLICATES, SEED) for alpha in alphas]
    assert found.needed[measure] == pytest.approx(expected, abs=1e-12)
    frame = found.frame.filter(measure=MEASURES[measure])
    assert frame["difference_needed"].to_list() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", [0, 1, 2])
def test_tukey_as_a_literal_loop(judged: gw.Judged, scores: gw.Scores, measure: int) -> None:
    alphas = (0.3, 0.05)
    found = discrimination(
        judged, MEASURES, method="tukey", alphas=alphas, replicates=60, seed=SEED
    )
    order = np.argsort(-scores.values[:, :, 0].mean(axis=1), kind="stable")
    values = scores.values[order, :, measure]
    widest = literal_ranges(values, 60, SEED)
    means = values.mean(axis=1)
    levels = [
        (1 + sum(range_ >= abs(means[a] - means[b]) - 1e-12 for range_ in widest)) / 61
        for a, b in combinations(range(5), 2)
    ]
    assert found.levels[measure] == pytest.approx(sorted(levels), abs=1e-12)
    needed = [np.quantile(widest, 0.7), np.quantile(widest, 0.95)]
    assert found.needed[measure] == pytest.approx(needed, abs=1e-12)


def test_best_runs_by_the_first_measure(judged: gw.Judged, scores: gw.Scores) -> None:
    for names in (["AP", "P@5"], ["P@5", "AP"]):
        values = scores.values[:, :, [MEASURES.index(name) for name in names]]
        found = discrimination(judged, names, best=3, replicates=40, seed=1)
        means = values[:, :, 0].mean(axis=1).round(12)
        best = sorted(range(5), key=lambda run: -means[run])[:3]
        assert found.runs == tuple(scores.runs[run] for run in best)
        assert found.levels.shape == (2, 3)
        for place in range(2):
            pairs = [values[a, :, place] - values[b, :, place] for a, b in combinations(best, 2)]
            levels = sorted(literal_level(pair, 40, 1) for pair in pairs)
            assert found.levels[place].tolist() == levels


def test_more_best_runs_than_there_are(judged: gw.Judged) -> None:
    everything = discrimination(judged, MEASURES, replicates=30)
    found = discrimination(judged, MEASURES, best=99, replicates=30)
    assert len(found.runs) == 5
    assert found.levels.tolist() == everything.levels.tolist()


def test_curves_have_the_least_significant_pair_first(judged: gw.Judged, scores: gw.Scores) -> None:
    curves = discrimination(judged, MEASURES, replicates=REPLICATES, seed=SEED).curves
    assert curves.columns == ["measure", "pair", "level"]
    assert curves["pair"].to_list() == list(range(1, 11)) * 3
    levels = [literal_level(pair, REPLICATES, SEED) for pair in pairs_of(scores, 0)]
    assert curves.filter(measure="AP")["level"].to_list() == sorted(levels, reverse=True)


def test_only_common_topics_count() -> None:
    sample = gw.simulate.collection(topics=12, runs=3, depth=40, missing=0.3, seed=5)
    judged = gw.judge(sample.qrels, sample.runs)
    common = [t for t in sample.qrels.topics if all(t in r.topics for r in sample.runs.values())]
    assert 2 < len(common) < 12
    found = discrimination(judged, "AP", missing="drop", replicates=50, seed=3)
    assert found.topics == len(common)
    qrels = {topic: inner for topic, inner in sample.qrels.to_dict().items() if topic in common}
    again = gw.evaluate(qrels, sample.runs, "AP")
    levels = [literal_level(pair, 50, 3) for pair in pairs_of(again, 0)]
    assert found.levels[0].tolist() == sorted(levels)


def test_runs_that_are_the_same_cannot_be_told_apart() -> None:
    sample = gw.simulate.collection(topics=6, runs=1, depth=30, seed=1)
    run = sample.runs["run1"]
    judged = gw.judge(sample.qrels, {"a": run, "b": run})
    for method in ("bootstrap", "tukey"):
        found = discrimination(judged, "AP", method=method, replicates=100)  # type: ignore[arg-type]
        assert found.levels.tolist() == [[1.0]]
        assert found.needed.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("method", ["bootstrap", "tukey"])
def test_same_seed_same_numbers(judged: gw.Judged, method: Any) -> None:
    def numbers(seed: int) -> list[Any]:
        found = discrimination(judged, MEASURES, method=method, replicates=50, seed=seed)
        return [found.levels.tolist(), found.needed.tolist()]

    assert numbers(1) == numbers(1)
    assert numbers(1) != numbers(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"best": 1}, "best must be at least 2, not 1"),
        ({"best": 0}, "best must be at least 2, not 0"),
        ({"replicates": 0}, "replicates must be at least 1, not 0"),
        ({"method": "tukeys"}, "method must be one of 'bootstrap', 'tukey'.*did you mean tukey"),
    ],
)
def test_what_is_refused(judged: gw.Judged, options: dict[str, Any], message: str) -> None:
    with pytest.raises(GradewiseError, match=message):
        discrimination(judged, MEASURES, **options)


def test_one_run_is_refused() -> None:
    sample = gw.simulate.collection(topics=4, runs=1, depth=20, seed=1)
    with pytest.raises(GradewiseError, match="needs at least 2 runs, but there is 1 run"):
        discrimination(gw.judge(sample.qrels, sample.runs), "AP")


def test_fewer_than_two_common_topics_are_refused() -> None:
    runs = {"x": {"t": {"a": 1.0}, "u": {"b": 1.0}}, "y": {"t": {"a": 1.0}}}
    judged = gw.judge({"t": {"a": 1}, "u": {"b": 1}}, runs)
    with pytest.raises(GradewiseError, match=r"AP: a comparison needs at least 2 topics .* 1$"):
        discrimination(judged, "AP", missing="drop")
    alone = gw.judge({"t": {"a": 1}}, runs)
    with pytest.raises(GradewiseError, match=r"needs at least 2 topics .* there is 1$"):
        discrimination(alone, "AP", method="tukey")


@pytest.mark.parametrize("alpha", [2.0, -1.0, 0.0, float("nan")])
@pytest.mark.parametrize("method", ["bootstrap", "tukey"])
def test_an_alpha_that_is_none(judged: gw.Judged, method: Any, alpha: float) -> None:
    with pytest.raises(GradewiseError, match="alpha"):
        discrimination(judged, MEASURES, method=method, alphas=(alpha,), replicates=20)


def test_a_geometric_mean_is_refused() -> None:
    sample = gw.simulate.collection(topics=5, runs=2, depth=20, seed=3)
    with pytest.raises(GradewiseError, match="GMAP is a geometric mean"):
        discrimination(gw.judge(sample.qrels, sample.runs), "GMAP", replicates=20)
