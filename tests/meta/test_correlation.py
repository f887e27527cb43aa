"""Correlations between measures, against SciPy and loops over what evaluate returns."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import correlation, threshold_grid
from gradewise.meta.correlation import name_bands, simplex

Array = NDArray[np.float64]
MEASURES = ["AP", "nDCG@10", "GAP(g=[0.3,0.7])", "RBP"]
SAMPLE = gw.simulate.collection(
    topics=14, runs=8, depth=50, relevant=14, pool_depth=15, missing=0.1, ties=0.05, seed=4
)
GRADES = SAMPLE.qrels.to_dict()


@pytest.fixture(scope="module")
def judged() -> gw.Judged:
    return gw.judge(SAMPLE.qrels, SAMPLE.runs)


def mean_of(measure: str, topics: list[str] | None = None) -> dict[str, float]:
    """The mean of each run by a scoring of its own, with the qrels of some topics only."""
    return _mean_of(measure, None if topics is None else tuple(topics))


@cache
def _mean_of(measure: str, topics: tuple[str, ...] | None) -> dict[str, float]:
    qrels = {t: inner for t, inner in GRADES.items() if topics is None or t in topics}
    frame = gw.evaluate(qrels, SAMPLE.runs, measure).mean
    return dict(zip(frame["run"], frame["value"], strict=True))


def tau_of(x: dict[str, float], y: dict[str, float]) -> float:
    runs = sorted(x)
    return float(scipy_stats.kendalltau([x[r] for r in runs], [y[r] for r in runs]).statistic)


def number(topic: str, grade: int) -> int:
    return sum(other == grade for other in GRADES[topic].values())


# correlation


def test_means_are_those_of_evaluate(judged: gw.Judged) -> None:
    found = correlation(judged, MEASURES, replicates=0)
    assert found.measures == tuple(MEASURES)
    assert found.runs == tuple(SAMPLE.runs)
    assert sorted(found.topics) == sorted(GRADES)
    for measure, row in zip(MEASURES, found.means, strict=True):
        expected = mean_of(measure)
        assert row == pytest.approx([expected[run] for run in found.runs], abs=1e-12)
    scatter = found.scatter
    assert scatter.columns == ["run", "measure", "mean"]
    for row in scatter.iter_rows(named=True):
        assert row["mean"] == pytest.approx(mean_of(row["measure"])[row["run"]], abs=1e-12)


def test_tau_and_rms_of_every_pair(judged: gw.Judged) -> None:
    frame = correlation(judged, MEASURES, replicates=0).frame
    columns = ["measure_a", "measure_b", "tau", "low", "high", "rms", "rankings"]
    assert frame.columns == columns
    pairs = list(combinations(MEASURES, 2))
    assert list(frame.select("measure_a", "measure_b").iter_rows()) == pairs
    for (a, b), tau, rms in zip(pairs, frame["tau"], frame["rms"], strict=True):
        x, y = mean_of(a), mean_of(b)
        assert tau == pytest.approx(tau_of(x, y), abs=1e-12)
        squares = [(x[run] - y[run]) ** 2 for run in x]
        assert rms == pytest.approx((sum(squares) / len(squares)) ** 0.5, abs=1e-12)
    assert frame["tau"].min() < 1  # the measures do differ
    assert frame["low"].null_count() == frame["high"].null_count() == len(pairs)


def test_bands_of_tau() -> None:
    tau = np.array([-1, 0.79, 0.8, 0.8 - 1e-15, 0.89, 0.9, 0.9 - 1e-15, 1.0, np.nan])
    expected = ["different", "different", *["similar"] * 3, *["equivalent"] * 3, None]
    assert name_bands(tau) == expected


def test_pearson_of_means(judged: gw.Judged) -> None:
    frame = correlation(judged, MEASURES, kind="pearson", replicates=0).frame
    assert "rankings" not in frame.columns  # bands are those of Kendall's τ
    for place, (a, b) in enumerate(combinations(MEASURES, 2)):
        x, y = (list(mean_of(measure).values()) for measure in (a, b))
        assert frame["tau"][place] == pytest.approx(scipy_stats.pearsonr(x, y).statistic, abs=1e-12)


def test_spearman_and_tau_a(judged: gw.Judged) -> None:
    rho = correlation(judged, MEASURES, kind="spearman", replicates=0).frame
    tau_a = correlation(judged, MEASURES, kind="tau_a", replicates=0).frame
    for place, (a, b) in enumerate(combinations(MEASURES, 2)):
        x, y = mean_of(a), mean_of(b)
        expected = scipy_stats.spearmanr(list(x.values()), list(y.values())).statistic
        assert rho["tau"][place] == pytest.approx(expected, abs=1e-12)
        signs = [np.sign(x[r] - x[s]) * np.sign(y[r] - y[s]) for r, s in combinations(x, 2)]
        assert tau_a["tau"][place] == pytest.approx(sum(signs) / len(signs), abs=1e-12)


def test_ap_correlation_has_the_second_as_its_reference(judged: gw.Judged) -> None:
    measures = ["AP", "nDCG@10", "GAP(g=[0.3,0.7])"]
    frame = correlation(judged, measures, kind="tau_ap", replicates=0).frame
    assert list(frame.select("measure_a", "measure_b").iter_rows()) == list(
        permutations(measures, 2)
    )
    for a, b, tau in frame.select("measure_a", "measure_b", "tau").iter_rows():
        x, y = mean_of(a), mean_of(b)
        ranked = sorted(x, key=lambda run: -x[run])
        total = 0.0
        for i in range(1, len(ranked)):
            total += sum(y[above] > y[ranked[i]] for above in ranked[:i]) / i
        assert tau == pytest.approx(2 * total / (len(ranked) - 1) - 1, abs=1e-12)


def test_topics_by_a_rule(judged: gw.Judged) -> None:
    topics = [topic for topic in GRADES if number(topic, 1) >= 4 * number(topic, 2) > 0]
    assert 1 < len(topics) < len(GRADES)
    found = correlation(judged, MEASURES, topics="R(1) >= 4 * R(2) > 0", replicates=0)
    assert sorted(found.topics) == sorted(topics)
    for place, (a, b) in enumerate(combinations(MEASURES, 2)):
        expected = tau_of(mean_of(a, topics), mean_of(b, topics))
        assert found.frame["tau"][place] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("by", ["AP", "nDCG@10"])
def test_runs_above_a_quantile_over_all_topics(judged: gw.Judged, by: str) -> None:
    rule = "R(1) >= 4 * R(2) > 0"
    topics = [topic for topic in GRADES if number(topic, 1) >= 4 * number(topic, 2) > 0]
    found = correlation(judged, MEASURES, topics=rule, above=0.25, by=by, replicates=0)
    over_all = mean_of(by)
    limit = np.quantile(list(over_all.values()), 0.25)
    runs = [run for run in SAMPLE.runs if over_all[run] >= limit]
    assert len(runs) < len(SAMPLE.runs)
    assert list(found.runs) == runs
    kept = [{run: mean_of(m, topics)[run] for run in runs} for m in MEASURES[:2]]
    assert found.tau[0, 1] == pytest.approx(tau_of(*kept), abs=1e-12)


@pytest.mark.parametrize("kind", ["tau", "spearman"])
def test_interval_as_a_literal_loop(judged: gw.Judged, kind: str) -> None:
    replicates, seed, level = 40, 9, 0.8
    found = correlation(
        judged,
        MEASURES[:2],
        kind=kind,  # type: ignore[arg-type]
        level=level,
        replicates=replicates,
        seed=seed,
    )
    scores = gw.evaluate(SAMPLE.qrels, SAMPLE.runs, MEASURES[:2])
    topics = len(scores.topics)
    function = scipy_stats.kendalltau if kind == "tau" else scipy_stats.spearmanr
    draws = np.random.default_rng(seed).multinomial(topics, [1 / topics] * topics, replicates)
    seen = []
    for draw in draws:
        # Whole numbers of 1/topics: no run is tied with another by more than it should be.
        drawn = [t for t, times in enumerate(draw) for _ in range(times)]
        x, y = (scores.values[:, drawn, m].mean(axis=1).round(12) for m in range(2))
        seen.append(float(function(x, y).statistic))
    low, high = np.quantile(seen, [0.1, 0.9])
    assert low < high
    assert found.frame.select("low", "high").row(0) == pytest.approx((low, high), abs=1e-12)


def test_same_seed_same_interval(judged: gw.Judged) -> None:
    def limits(seed: int) -> list[tuple[float, ...]]:
        frame = correlation(judged, MEASURES, replicates=25, seed=seed).frame
        return list(frame.select("low", "high").iter_rows())

    assert limits(3) == limits(3)
    assert limits(3) != limits(4)


def test_runs_that_find_as_many_documents_are_tied() -> None:
    tied = 0
    for seed in (1, 5, 8, 11, 12, 14, 16, 46):
        made = gw.simulate.collection(
            topics=14, runs=8, depth=50, relevant=14, pool_depth=15, seed=seed
        )
        found = correlation(gw.judge(made.qrels, made.runs), ["AP", "P@5"], replicates=0)
        grades = made.qrels.to_dict()
        hits = [
            sum(grades[t].get(d, 0) > 0 for t in grades for d in made.runs[run].ranking(t)[:5])
            for run in found.runs
        ]
        tied += len(set(hits)) < len(hits)
        average = gw.evaluate(made.qrels, made.runs, "AP").mean["value"].to_list()
        expected = scipy_stats.kendalltau(average, hits).statistic
        assert found.tau[0, 1] == pytest.approx(expected, abs=1e-12)
    assert tied > 0


def flat() -> gw.Judged:
    """Two runs that find as much and in the same places, of different grades."""
    qrels = {t: {"a": 1, "b": 2, "c": 0} for t in "tuv"}
    first = {t: {"a": 3.0, "b": 2.0, "c": 1.0} for t in "tuv"}
    second = {t: {"b": 3.0, "a": 2.0, "c": 1.0} for t in "tuv"}
    return gw.judge(qrels, {"first": first, "second": second})


def test_a_measure_without_differences_is_told() -> None:
    found = correlation(flat(), ["AP", "nDCG", "AP(rel=2)"], replicates=0)
    assert found.notes == (
        "AP gives all runs the same mean (1.0000), so its correlations are undefined",
    )
    assert found.frame["tau"].to_list() == [None, None, 1.0]
    assert not found.frame["tau"].is_nan().any()


def test_an_undefined_correlation_has_no_interval() -> None:
    frame = correlation(flat(), ["AP", "nDCG", "AP(rel=2)"], replicates=10).frame
    assert frame["tau"].to_list() == [None, None, 1.0]
    assert frame["low"].to_list() == [None, None, 1.0]
    assert frame["high"].to_list() == [None, None, 1.0]


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        (["AP"], {}, "correlation needs at least 2 measures"),
        ([], {}, "correlation needs at least 2 measures"),
        (["AP", "nDGC"], {}, "there is no measure 'nDGC'; did you mean nDCG"),
        (["AP", "P"], {}, "P needs a cutoff"),
        (["AP", "nDCG"], {"kind": "taub"}, "correlation must be one of 'tau'"),
        (["AP", "nDCG"], {"level": 95}, "level must be between 0 and 1, not 95"),
        (["AP", "nDCG"], {"replicates": -1}, "replicates must be at least 1, not -1"),
        (["AP", "nDCG"], {"above": 1.0}, "the quantile must be between 0 and 1"),
        (["AP", "nDCG"], {"above": 0.99}, "at least 2 runs, but there is 1 run"),
        (["AP", "nDCG"], {"by": "MAPS"}, "there is no measure 'MAPS'"),
        (["AP", "nDCG"], {"topics": "R(3) > 0"}, "no document has grade 3; the grades are 1, 2"),
        (["AP", "GAP(g=[0.2,0.3,0.5])"], {}, "has 3 numbers, but the qrels have 2 positive grades"),
    ],
)
def test_what_correlation_refuses(
    judged: gw.Judged, measures: list[str], options: dict[str, object], message: str
) -> None:
    with pytest.raises(GradewiseError, match=message):
        correlation(judged, measures, **options)  # type: ignore[arg-type]


def test_one_run_is_refused() -> None:
    judged = gw.judge(SAMPLE.qrels, {"run1": SAMPLE.runs["run1"]})
    with pytest.raises(GradewiseError, match="at least 2 runs, but there is 1 run"):
        correlation(judged, MEASURES)
    with pytest.raises(GradewiseError, match="at least 2 runs, but there is 1 run"):
        threshold_grid(judged)


@pytest.mark.parametrize("twice", [["AP", "AP", "nDCG"], ["AP", "nDCG", "MAP"]])
def test_a_measure_given_twice_counts_once(judged: gw.Judged, twice: list[str]) -> None:
    found = correlation(judged, twice, replicates=0)
    assert found.measures == ("AP", "nDCG")
    assert found.tau[0, 1] == pytest.approx(tau_of(mean_of("AP"), mean_of("nDCG")), abs=1e-12)


def test_a_geometric_mean_is_refused_or_geometric(judged: gw.Judged) -> None:
    try:
        found = correlation(judged, ["AP", "GMAP"], replicates=0)
    except GradewiseError:
        return
    assert found.means[1] == pytest.approx(list(mean_of("GMAP").values()), abs=1e-12)


# threshold_grid


@pytest.mark.parametrize(
    ("size", "step", "expected"),
    [
        (1, 0.5, [[2]]),
        (2, 1, [[0, 2], [2, 0]]),
        (2, 0.5, [[0, 2], [1, 1], [2, 0]]),
        (3, 0.5, [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]]),
    ],
)
def test_grid_points_by_hand(size: int, step: float, expected: list[list[int]]) -> None:
    assert simplex(size, step).tolist() == [[part / 2 for part in row] for row in expected]


@pytest.mark.parametrize(("size", "step", "points"), [(2, 0.1, 11), (3, 0.2, 21), (4, 0.25, 35)])
def test_number_of_grid_points(size: int, step: float, points: int) -> None:
    rows = simplex(size, step)
    assert rows.shape == (points, size)
    assert len({tuple(row) for row in rows.tolist()}) == points
    assert rows.sum(axis=1) == pytest.approx(1, abs=1e-15)
    assert rows.tolist() == sorted(rows.tolist())


@pytest.mark.parametrize("step", [0.3, 0.7, 2, -0.1, 0.1001])
def test_a_step_that_does_not_divide_1(judged: gw.Judged, step: float) -> None:
    with pytest.raises(GradewiseError, match=r"step must divide 1, as 0\.1 does"):
        threshold_grid(judged, step=step)


@pytest.mark.parametrize("step", [0.0, float("nan"), 1e-320])
def test_a_step_that_is_none(judged: gw.Judged, step: float) -> None:
    with pytest.raises(GradewiseError, match="step must divide 1"):
        threshold_grid(judged, step=step)


def test_default_grids() -> None:
    for grades, points in ((2, 11), (3, 21)):
        made = gw.simulate.collection(
            topics=6, runs=3, depth=30, grades=grades, relevant=20, seed=2
        )
        found = threshold_grid(gw.judge(made.qrels, made.runs), others=["AP"])
        assert found.grades == tuple(range(1, grades + 1))
        assert found.tau.shape == (points, 3, 1)
        assert found.frame.columns == [*[f"g{k}" for k in found.grades], "measure", "other", "tau"]


def test_every_point_as_a_scoring_of_its_own(judged: gw.Judged) -> None:
    others = ["GAP", "AP", "nDCG", "Bpref"]
    frame = threshold_grid(judged, others=others, step=0.25).frame
    assert len(frame) == 5 * 3 * 4
    for g1 in (0.0, 0.25, 0.5, 0.75, 1.0):
        at = {name: mean_of(f"{name}(g=[{g1},{1 - g1}])") for name in ("GAP", "xGAP", "eGAP")}
        for name, means in at.items():
            for other in others:
                beside = at["GAP"] if other == "GAP" else mean_of(other)
                row = frame.filter(pl.col("g1") == g1, measure=name, other=other)
                assert row["g2"].to_list() == [1 - g1]
                assert row["tau"].item() == pytest.approx(tau_of(means, beside), abs=1e-12)


@pytest.mark.parametrize("grades", [2, 3])
def test_one_threshold_makes_all_average_precision(grades: int) -> None:
    """Ferrante et al. (2014), section 4: all correlate at 1 when only one g_k is 1."""
    made = gw.simulate.collection(
        topics=9, runs=7, depth=40, grades=grades, relevant=25, seed=grades
    )
    judged = gw.judge(made.qrels, made.runs)
    for k in range(1, grades + 1):
        g = [float(grade == k) for grade in range(1, grades + 1)]
        ap = f"AP(rel={k})"
        found = threshold_grid(judged, probabilities=[g], others=["GAP", "xGAP", "eGAP", ap])
        assert found.tau.ravel().tolist() == [1.0] * 12
        scores = gw.evaluate(made.qrels, made.runs, [ap, *[f"{n}(g={g})" for n in found.graded]])
        assert scores.values.any()
        for place in (1, 2, 3):
            assert scores.values[:, :, place] == pytest.approx(scores.values[:, :, 0], abs=1e-12)


def test_grid_of_some_topics_and_runs(judged: gw.Judged) -> None:
    rule = "R(1) >= 4 * R(2) > 0"
    topics = [topic for topic in GRADES if number(topic, 1) >= 4 * number(topic, 2) > 0]
    found = threshold_grid(
        judged, probabilities=[[0.1, 0.9]], others=["AP"], topics=rule, above=0.5
    )
    over_all = mean_of("AP")
    limit = np.quantile(list(over_all.values()), 0.5)
    runs = [run for run in SAMPLE.runs if over_all[run] >= limit]
    assert (sorted(found.topics), list(found.runs)) == (sorted(topics), runs)
    for name, tau in zip(("GAP", "xGAP", "eGAP"), found.tau[0, :, 0], strict=True):
        x, y = (mean_of(m, topics) for m in (f"{name}(g=[0.1,0.9])", "AP"))
        kept = [{run: side[run] for run in runs} for side in (x, y)]
        assert tau == pytest.approx(tau_of(*kept), abs=1e-12)


def test_grid_with_a_constant_measure() -> None:
    found = threshold_grid(flat(), others=["AP", "nDCG"], step=0.5)
    frame = found.frame
    assert frame.filter(other="AP")["tau"].to_list() == [None] * 9
    assert not frame["tau"].is_nan().any()
    assert (
        "AP gives all runs the same mean (1.0000), so its correlations are undefined" in found.notes
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"others": ["nDGC"]}, "there is no measure 'nDGC'"),
        ({"graded": ["GAPP"]}, "there is no measure 'GAPP'"),
        ({"graded": ["AP"]}, "AP has no parameter 'g'"),
        ({"probabilities": [[0.5, 0.6]]}, "must sum to 1"),
        ({"probabilities": [[0.5, 0.25, 0.25]]}, "each point must have 2 probabilities"),
        ({"kind": "kendall"}, "correlation must be one of"),
        ({"topics": "R(1)"}, "is not a comparison"),
    ],
)
def test_what_a_grid_refuses(judged: gw.Judged, options: dict[str, object], message: str) -> None:
    with pytest.raises(GradewiseError, match=message):
        threshold_grid(judged, **options)  # type: ignore[arg-type]


def test_one_grade_has_no_grid() -> None:
    made = gw.simulate.collection(topics=4, runs=3, depth=20, grades=1, seed=1)
    with pytest.raises(GradewiseError, match="at least 2 positive grades"):
        threshold_grid(gw.judge(made.qrels, made.runs))


@pytest.mark.parametrize(
    "others", [["GAP(g=[0.5,0.5])", "AP"], ["AP", "MAP"]], ids=["a point", "two names"]
)
def test_other_measures_that_are_equal(judged: gw.Judged, others: list[str]) -> None:
    found = threshold_grid(judged, others=others, step=0.5)
    assert found.tau.shape == (3, 3, 2)
    for place, other in enumerate(others):
        expected = tau_of(mean_of("xGAP(g=[0.5,0.5])"), mean_of(other))
        assert found.tau[1, 1, place] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("probabilities", [[], [0.5, 0.5]], ids=["none", "one list too few"])
def test_probabilities_of_another_shape(judged: gw.Judged, probabilities: list[float]) -> None:
    with pytest.raises(GradewiseError):
        threshold_grid(judged, probabilities=probabilities)  # type: ignore[arg-type]
