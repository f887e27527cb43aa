"""Maximum entropy: forms against enumeration, solutions against scipy, curves against loops."""

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

import gradewise as gw
from gradewise.collection.judged import Lists
from gradewise.errors import GradewiseError
from gradewise.measures.grammar import parse_measure
from gradewise.meta.forms import Form, form_of
from gradewise.meta.informativeness import advise, informativeness
from gradewise.meta.maximum_entropy import solve

Array = NDArray[np.float64]
MEASURES = [
    "AP",
    "AP(rel=2)",
    "AP@3",
    "GAP(g=[0.3,0.7])",
    "eGAP(g=[0.3,0.7])",
    "xGAP(g=[0.3,0.7])",
    "GenAP",
    "Q",
    "WAP",
    "nDCG",
    "nDCG@3",
    "nDCG(dcg='exp-log2')",
    "RBP",
    "P@3",
    "Rprec",
]
RELEVANT = {1: 3, 2: 2}


def _lists(size: int) -> Lists:
    return Lists(np.array([1, 2]), np.array([[4, 3, 2]]), np.zeros(1, np.int64), np.array([size]))


@pytest.mark.parametrize("measure", MEASURES)
def test_expectation_is_the_mean_over_all_lists(measure: str) -> None:
    size = 5
    chances = np.random.default_rng(1).dirichlet([1, 1, 1], size)
    expected = sum(
        np.prod([chances[n, level] for n, level in enumerate(levels)])
        * gw.score(measure, grades=list(levels), relevant={1: 7, 2: 6})
        for levels in product(range(3), repeat=size)
    )
    totals = np.array([[4, 7, 6]])
    where = Lists(np.array([1, 2]), totals, np.zeros(1, np.int64), np.array([size]))
    found = form_of(parse_measure(measure), where, size).value(chances[:, 1:, None])
    assert found[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "measure", ["AP(rel=2)", "GAP(g=[0.2,0.3,0.5])", "eGAP", "Q", "nDCG", "RBP"]
)
def test_expectation_with_three_grades(measure: str) -> None:
    size = 4
    chances = np.random.default_rng(2).dirichlet([1, 1, 1, 1], size)
    expected = sum(
        np.prod([chances[n, level] for n, level in enumerate(levels)])
        * gw.score(measure, grades=list(levels), relevant={1: 7, 2: 6, 3: 5})
        for levels in product(range(4), repeat=size)
    )
    totals = np.array([[4, 7, 6, 5]])
    where = Lists(np.array([1, 2, 3]), totals, np.zeros(1, np.int64), np.array([size]))
    found = form_of(parse_measure(measure), where, size).value(chances[:, 1:, None])
    assert found[0] == pytest.approx(expected, abs=1e-12)


def _entropy(p: Array) -> float:
    """Of ranks by levels 1..c; level 0 is the rest."""
    whole = np.concatenate([1 - p.sum(axis=1, keepdims=True), p], axis=1).clip(1e-300, 1)
    return float(-(whole * np.log(whole)).sum())


def _literal_solution(form: Form, counts: Array, target: float, size: int, seed: int) -> float:
    """The largest entropy that scipy's SLSQP finds from several starts."""
    levels = len(counts)
    rules = [
        {"type": "eq", "fun": lambda x, a=a: x.reshape(size, levels)[:, a].sum() - counts[a]}
        for a in range(levels)
    ]
    rules.append(
        {"type": "eq", "fun": lambda x: form.value(x.reshape(size, levels, 1))[0] - target}
    )
    room = {"type": "ineq", "fun": lambda x: 1 - x.reshape(size, levels).sum(axis=1)}
    rng, best = np.random.default_rng(seed), -np.inf
    for _ in range(6):
        done = minimize(
            lambda x: -_entropy(x.reshape(size, levels)),
            rng.dirichlet(np.ones(levels + 1), size)[:, 1:].ravel(),
            constraints=[*rules, room],
            bounds=[(1e-12, 1)] * (size * levels),
            method="SLSQP",
            options={"maxiter": 2000, "ftol": 1e-15},
        )
        if max(abs(rule["fun"](done.x)) for rule in rules) < 1e-9:
            best = max(best, -done.fun)
    return best


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("measure", ["AP", "GAP(g=[0.3,0.7])", "eGAP", "GenAP", "Q", "nDCG", "RBP"])
def test_solutions_are_those_of_scipy(measure: str) -> None:
    for seed, grades in enumerate(([0, 1, 0, 2, 0, 1], [2, 0, 1, 0, 0], [1, 2, 0, 0, 2, 0, 0])):
        size = len(grades)
        form = form_of(parse_measure(measure), _lists(size), size)
        counts = np.array([[grades.count(1)], [grades.count(2)]], float)
        target = gw.score(measure, grades=grades, relevant=RELEVANT)
        found = solve(form, counts, np.array([target]), np.ones((size, 1), bool))
        assert found.converged.all()
        assert found.certified.all()
        assert form.value(found.p)[0] == pytest.approx(target, abs=1e-9)
        assert found.p.sum(axis=0) == pytest.approx(counts, abs=1e-8)
        literal = _literal_solution(form, counts[:, 0], target, size, seed)
        assert _entropy(found.p[:, :, 0]) >= literal - 1e-8


@pytest.mark.parametrize("measure", ["AP", "GAP(g=[0.3,0.7])", "nDCG"])
def test_no_other_distribution_has_more_entropy(measure: str) -> None:
    grades = [0, 1, 0, 2, 0, 1, 0, 0]
    size, rng = len(grades), np.random.default_rng(3)
    form = form_of(parse_measure(measure), _lists(size), size)
    counts = np.array([[2.0], [1.0]])
    target = gw.score(measure, grades=grades, relevant=RELEVANT)
    best = _entropy(solve(form, counts, np.array([target]), np.ones((size, 1), bool)).p[:, :, 0])

    def chances(x: Array) -> Array:
        weight = np.exp(np.column_stack([np.zeros(size), x.reshape(size, 2)]))
        return (weight / weight.sum(axis=1, keepdims=True))[:, 1:, None]

    def wrong(x: Array) -> Array:
        p = chances(x)
        return np.array([*(p.sum(axis=0) - counts)[:, 0], form.value(p)[0] - target])

    tried = 0
    for _ in range(40):
        x = rng.normal(-1, 1, 2 * size)
        for _ in range(30):  # the nearest point that satisfies the constraints, by Newton's method
            slopes = np.array([wrong(x + h) - wrong(x - h) for h in 1e-6 * np.eye(len(x))]).T / 2e-6
            x = x - np.linalg.lstsq(slopes, wrong(x), rcond=None)[0].clip(-1, 1)
        if np.abs(wrong(x)).max() < 1e-9:
            tried += 1
            assert _entropy(chances(x)[:, :, 0]) <= best + 1e-8
    assert tried >= 20


def _simulated(least: int, lists: int, seed: int) -> tuple[Form, Array, Array, Array]:
    """GAP for lists of 1000 ranks with at least so many relevant documents."""
    rng = np.random.default_rng(seed)
    levels = np.zeros((1000, lists), int)
    for column in range(lists):
        number = least + rng.poisson(12)
        ranks = np.minimum(rng.geometric(rng.uniform(0.003, 0.05), 3 * number), 1000) - 1
        chosen = rng.permutation(np.unique(ranks))[:number]
        levels[chosen, column] = 1 + (rng.random(len(chosen)) < 0.35)
    p = np.stack([levels == 1, levels == 2], axis=1).astype(float)
    counts = p.sum(axis=0)
    totals = np.vstack([np.zeros(lists), counts + rng.poisson(5, counts.shape)]).T.astype(int)
    totals[:, 1] += 1
    where = Lists(np.array([1, 2]), totals, np.arange(lists), np.full(lists, 1000))
    form = form_of(parse_measure("GAP"), where, 1000)
    return form, counts, form.value(p), np.ones((1000, lists), bool)


def test_lists_with_five_relevant_documents_converge() -> None:
    form, counts, target, inside = _simulated(5, 150, seed=1)
    kept = counts.sum(axis=0) >= 5
    found = solve(form, counts, target, inside)
    assert found.converged[kept].all()
    assert np.abs(form.value(found.p) - target)[kept].max() < 1e-8


def _literal_gradient(form: Form, p: Array) -> Array:
    """∇S_n = lin_n + d_n K Σ_{m<n} p_m + Kᵀ Σ_{m>n} d_m p_m of the first list."""
    result = form.linear[:, :, 0].copy()
    if form.kernel is not None and form.discount is not None:
        table, discount = form.kernel[:, :, 0], form.discount[:, 0]
        for n in range(len(p)):
            result[n] += discount[n] * table @ p[:n].sum(axis=0)
            result[n] += table.T @ (discount[n + 1 :, None] * p[n + 1 :]).sum(axis=0)
    return result


def _unexplained_odds(form: Form, p: Array) -> float:
    """How far log-odds are from λ + μ ∇S_n, where chances can change."""
    ranks, levels = p.shape
    weight = np.sqrt(p * (1 - p)).reshape(-1, 1)
    odds = np.log(p / (1 - p.sum(axis=1, keepdims=True))).reshape(-1, 1) * weight
    sides = np.column_stack(
        [np.tile(np.eye(levels), (ranks, 1)), _literal_gradient(form, p).ravel()]
    )
    fit = np.linalg.lstsq(sides * weight, odds, rcond=None)[0]
    return float(np.abs(odds - sides * weight @ fit).max())


@pytest.mark.parametrize("measure", MEASURES)
def test_log_odds_are_linear_in_the_gradient(measure: str) -> None:
    """The condition of stationarity, for lists long enough to have many chances near 0."""
    rng = np.random.default_rng(7)
    grades = np.zeros(200, int)
    grades[rng.permutation(60)[:14]] = 1
    grades[rng.permutation(90)[:6]] = 2
    totals = np.array([[50, (grades == 1).sum() + 4, (grades == 2).sum() + 3]])
    where = Lists(np.array([1, 2]), totals, np.zeros(1, np.int64), np.array([200]))
    form = form_of(parse_measure(measure), where, 200)
    real = np.stack([grades == 1, grades == 2], axis=1).astype(float)[..., None]
    found = solve(form, real.sum(axis=0), form.value(real), np.ones((200, 1), bool))
    assert found.converged.all()
    assert found.certified.all()
    p = found.p[:, :, 0]
    assert p.sum(axis=0) == pytest.approx(real.sum(axis=0)[:, 0], abs=1e-7)
    assert form.value(found.p) == pytest.approx(form.value(real), abs=1e-9)
    assert _unexplained_odds(form, p) < 1e-6


def test_values_far_from_those_of_ranks_alike_are_reached_in_parts() -> None:
    """Two relevant documents near the end, where 40 steps from the beginning do not lead."""
    where = Lists(np.array([1]), np.array([[3, 5]]), np.zeros(1, np.int64), np.array([60]))
    form = form_of(parse_measure("AP"), where, 60)
    real = np.zeros((60, 1, 1))
    real[[47, 51]] = 1
    found = solve(form, np.array([[2.0]]), form.value(real), np.ones((60, 1), bool))
    assert found.steps[0] > 40
    assert found.converged.all()
    assert found.certified.all()
    assert found.p.sum() == pytest.approx(2, abs=1e-8)
    assert form.value(found.p) == pytest.approx(form.value(real), abs=1e-9)
    assert _unexplained_odds(form, found.p[:, :, 0]) < 1e-6


@pytest.mark.parametrize("measure", ["GAP", "xGAP", "Q", "nDCG", "Rprec"])
def test_a_list_does_not_depend_on_those_beside_it(measure: str) -> None:
    """Lists of several lengths, some without documents of a grade."""
    rng, sizes = np.random.default_rng(9), np.array([30, 12, 45, 20, 33, 8])
    inside = np.arange(45)[:, None] < sizes
    grades = rng.choice(3, (45, 6), p=[0.7, 0.2, 0.1]) * inside
    grades[:3], grades[:, 1] = [[1], [0], [2]], grades[:, 1].clip(0, 1)
    p = np.stack([grades == 1, grades == 2], axis=1).astype(float)
    counts, totals = p.sum(axis=0), np.tile([5, 9, 7], (6, 1))
    where = Lists(np.array([1, 2]), totals, np.arange(6), sizes)
    form = form_of(parse_measure(measure), where, 45)
    target = form.value(p)
    together = solve(form, counts, target, inside)
    assert together.converged.all()
    assert (together.p[:, 1, 1] == 0).all()
    assert (together.p[~inside.repeat(2, axis=1).reshape(45, 6, 2).swapaxes(1, 2)] == 0).all()
    for index, size in enumerate(sizes):
        one = Lists(np.array([1, 2]), totals[:1], np.zeros(1, np.int64), sizes[[index]])
        alone = solve(
            form_of(parse_measure(measure), one, size),
            counts[:, [index]],
            target[[index]],
            inside[:size, [index]],
        )
        assert (alone.p[:, :, 0] == together.p[:size, :, index]).all()
        assert alone.steps[0] == together.steps[index]


@pytest.mark.parametrize(
    ("measure", "target"), [("P@3", 1.1), ("P@3", -0.1), ("AP@3", 2.0), ("GAP", np.nan)]
)
def test_a_value_that_no_list_has_is_not_reached(measure: str, target: float) -> None:
    form = form_of(parse_measure(measure), _lists(8), 8)
    counts, inside = np.array([[2.0], [1.0]]), np.ones((8, 1), bool)
    found = solve(form, counts, np.array([target]), inside)
    assert not found.converged.any()
    assert not found.error[0] <= 1e-9
    assert np.isfinite(found.p).all()


@pytest.mark.parametrize("measure", ["AP(rel=2)", "gP", "SR"])
def test_a_measure_that_says_nothing_leaves_all_ranks_alike(measure: str) -> None:
    """Without documents of grade 2, AP(rel=2) is 0; gP and SR at the end follow from the counts."""
    form = form_of(parse_measure(measure), _lists(10), 10)
    counts = np.array([[3.0], [0.0]])
    p = np.zeros((10, 2, 1))
    p[[1, 4, 5], 0] = 1
    found = solve(form, counts, form.value(p), np.ones((10, 1), bool))
    assert found.converged.all()
    assert found.certified.all()
    assert found.p[:, 0, 0] == pytest.approx(0.3, abs=1e-12)


def test_a_perfect_list_is_inferred_perfectly() -> None:
    grades = [2, 2, 1, 0, 0, 0]
    form = form_of(parse_measure("GAP"), _lists(6), 6)
    counts = np.array([[1.0], [2.0]])
    target = gw.score("GAP", grades=grades, relevant=RELEVANT)
    found = solve(form, counts, np.array([target]), np.ones((6, 1), bool))
    levels = (found.p[:, :, 0] * [1, 2]).sum(axis=1)
    assert levels.tolist() == grades


def _solve_list(measure: str, grades: list[int], missed: int = 2) -> tuple[Form, Array, Array]:
    """The form, counts and solution for a list; the topic has more documents of grade 1."""
    size = len(grades)
    real = np.stack([np.array(grades) == level for level in (1, 2)], axis=1).astype(float)
    counts = real.sum(axis=0)[:, None]
    totals = np.array([[9, int(counts[0, 0]) + missed, int(counts[1, 0])]])
    where = Lists(np.array([1, 2]), totals, np.zeros(1, np.int64), np.array([size]))
    form = form_of(parse_measure(measure), where, size)
    found = solve(form, counts, form.value(real[..., None]), np.ones((size, 1), bool))
    assert found.converged.all()
    assert found.certified.all()
    assert found.p.sum(axis=0) == pytest.approx(counts, abs=1e-8)
    assert form.value(found.p) == pytest.approx(form.value(real[..., None]), abs=1e-8)
    return form, counts, found.p[..., 0]


def test_a_perfect_cutoff_leaves_what_it_does_not_see_alike() -> None:
    """P@3 = 1 with four relevant documents of eight: three are above the cutoff, one below."""
    _, _, p = _solve_list("P@3", [1, 2, 1, 0, 0, 1, 0, 0])
    assert p[:3] == pytest.approx(np.tile([3 / 4, 1 / 4], (3, 1)), abs=1e-15)
    assert p[3:] == pytest.approx(np.tile([3 / 20, 1 / 20], (5, 1)), abs=1e-15)


def test_a_worst_cutoff_leaves_what_it_does_not_see_alike() -> None:
    """nDCG@3 = 0: no relevant document at the first three ranks, two at the other four."""
    _, _, p = _solve_list("nDCG@3", [0, 0, 0, 2, 0, 1, 0])
    assert (p[:3] == 0).all()
    assert p[3:] == pytest.approx(np.full((4, 2), 1 / 4), abs=1e-15)


@pytest.mark.parametrize("measure", MEASURES)
def test_lists_without_other_documents_are_inferred(measure: str) -> None:
    for grades in ([2] * 4, [1, 1, 1], [2, 2, 1, 1], [1, 2, 1, 2, 2], [1, 1, 2]):
        _, _, p = _solve_list(measure, grades)
        assert p.sum(axis=1) == pytest.approx(np.ones(len(grades)), abs=1e-8)
        if grades in ([2] * 4, [1, 1, 1]):
            assert p.max(axis=1) == pytest.approx(np.ones(len(grades)), abs=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("measure", ["P@3", "AP@3", "GAP", "nDCG"])
@pytest.mark.parametrize("grades", [[2, 1, 2, 1], [1, 2, 1, 2, 2]])
def test_full_lists_are_those_of_scipy(measure: str, grades: list[int]) -> None:
    form, counts, p = _solve_list(measure, grades)
    target = float(form.value(p[..., None])[0])
    literal = _literal_solution(form, counts[:, 0], target, len(grades), seed=0)
    assert _entropy(p) >= literal - 1e-5  # SLSQP's chances are 1e-12 at least


@pytest.mark.parametrize("measure", ["SR", "gP", "CG", "P@9"])
def test_a_redundant_constraint_is_certified(measure: str) -> None:
    """The value follows from the numbers of documents, so all ranks are alike."""
    _, counts, p = _solve_list(measure, [0, 1, 2, 0, 0, 1, 0, 0, 0])
    assert p == pytest.approx(np.tile(counts[:, 0] / 9, (9, 1)), abs=1e-12)


def test_lists_that_need_a_line_search_converge() -> None:
    """Newton's method without one runs back and forth for P@10, and is slow for steep discounts."""
    rng = np.random.default_rng(4)
    for measure in ("P@10", "RBP(p=0.5)"):
        grades = np.zeros(200, int)
        grades[rng.permutation(60)[:20]] = 1
        grades[[0, 1, 2, 4, 6, 7, 8]] = 2
        _solve_list(measure, grades.tolist())


def test_perfect_lists_have_no_error_whatever_is_beside_them() -> None:
    grades = {"short": [2, 1, 1], "full": [2, 2], "long": [2, 2, 1] + [0] * 30}
    qrels = {name: {f"d{i}": g for i, g in enumerate(row)} for name, row in grades.items()}
    run = {name: {f"d{i}": -i for i in range(len(row))} for name, row in grades.items()}
    result = informativeness(gw.judge(qrels, {"a": run}), ["GAP", "nDCG"], least=1, least_top=1)
    assert result.converged.all()
    assert np.nan_to_num(result.rms) == pytest.approx(np.zeros((2, 2, 3)), abs=1e-12)


def test_a_curve_ends_where_its_list_does(judged: gw.Judged) -> None:
    """The same list, alone and beside one that is ten times as long."""
    grades = [0, 1, 0, 0, 2, 1, 0, 0]
    qrels = {t: {f"d{i}": g for i, g in enumerate(grades)} for t in ("a", "b")}
    short = {f"d{i}": -i for i in range(8)}
    alone = gw.judge({"a": qrels["a"]}, {"run": {"a": short}})
    beside = gw.judge(qrels, {"run": {"a": short, "b": {f"d{i}": -i for i in range(80)}}})
    found = [informativeness(j, "AP", least=1, least_top=1).rms[0, :, 0] for j in (alone, beside)]
    assert found[0].tolist() == found[1].tolist()


def test_the_baseline_has_all_ranks_alike(judged: gw.Judged) -> None:
    result = informativeness(judged, ["AP"], least=3, least_top=1, baseline=True)
    assert result.measures == ("AP", "R/N")
    run, topic = judged.runs[result.run[0]], judged.topics[result.topic[0]]
    chances = result.distribution(run, topic, "R/N")
    for grade in (1, 2):
        share = (chances["grade"] == grade).mean()
        assert chances[f"P({grade})"].to_numpy() == pytest.approx(share, abs=1e-12)
    grades = chances["grade"].to_list()
    p = chances.select("P(1)", "P(2)").to_numpy()
    for threshold in (1, 2):
        assert _literal_errors(p, grades, threshold) == pytest.approx(
            (result.rms[1, threshold - 1, 0], result.mae[1, threshold - 1, 0]), abs=1e-9
        )
    assert "R/N" not in advise(result).measures


def test_distributions_satisfy_their_constraints(judged: gw.Judged) -> None:
    result = informativeness(judged, ["GAP", "nDCG"], least=3, least_top=1)
    run, topic = judged.runs[result.run[3]], judged.topics[result.topic[3]]
    scores = gw.score_judged(judged, ["P@10"])
    where = (judged.runs.index(run), judged.topics.index(topic))
    for m, measure in enumerate(("GAP", "nDCG")):
        chances = result.distribution(run, topic, measure)
        p = chances.select("P(0)", "P(1)", "P(2)").to_numpy()
        assert p.sum(axis=1) == pytest.approx(np.ones(len(p)), abs=1e-12)
        for grade in (0, 1, 2):
            assert p[:, grade].sum() == pytest.approx((chances["grade"] == grade).sum(), abs=1e-6)
        assert p[:10, 1:].sum() / 10 == pytest.approx(result.inferred[m, 0, 3], abs=1e-12)
    actual = (chances["grade"][:10] > 0).mean()
    assert actual == pytest.approx(scores.values[where[0], where[1], 0], abs=1e-12)


def test_distributions_of_what_was_not_studied_are_refused(judged: gw.Judged) -> None:
    result = informativeness(judged, ["GAP"], least=3, least_top=1)
    with pytest.raises(GradewiseError, match="measure must be one of"):
        result.distribution(judged.runs[0], judged.topics[0], "nDCG")
    with pytest.raises(GradewiseError, match="topic must be one of"):
        result.distribution(judged.runs[0], "none", "GAP")
    qrels = {"a": {"x": 1, "y": 1}, "b": {"x": 0, "y": 1}}
    few = gw.judge(qrels, {"run": {t: {"x": 2, "y": 1} for t in qrels}})
    with pytest.raises(GradewiseError, match="run on b was not studied"):
        informativeness(few, "AP", least=2, least_top=1).distribution("run", "b", "AP")


@pytest.fixture(scope="module")
def judged() -> gw.Judged:
    sample = gw.simulate.collection(topics=6, runs=4, depth=80, relevant=25, seed=5)
    return gw.judge(sample.qrels, sample.runs)


def _literal_errors(p: Array, grades: list[int], threshold: int) -> tuple[float, float]:
    """Precision where recall changes, real and interpolated through (C_n, C_n / n)."""
    points, expected = [], 0.0
    for n in range(len(grades)):
        expected += p[n, threshold - 1 :].sum()
        points.append((expected, expected / (n + 1)))
    wrong, found = [], 0
    for n, grade in enumerate(grades, 1):
        if grade < threshold:
            continue
        found += 1
        guess = points[-1][1]
        if found <= points[0][0]:
            guess = points[0][1]
        for (x, y), (u, v) in pairwise(points):
            if x <= found < u:
                guess = y + (v - y) * (found - x) / (u - x)
        wrong.append(guess - found / n)
    return (sum(w * w for w in wrong) / len(wrong)) ** 0.5, sum(map(abs, wrong)) / len(wrong)


def test_errors_of_curves_as_a_literal_loop(judged: gw.Judged) -> None:
    result = informativeness(judged, ["GAP"], least=3, least_top=1)
    hits = judged.relevant_hits
    for index in range(0, result.rms.shape[2], 5):
        number = result.run[index] * len(judged.topics) + result.topic[index]
        size = int(judged.retrieved[number])
        mine = hits.list == number
        grades = [0] * size
        for rank, level in zip(hits.rank[mine], hits.level[mine], strict=True):
            grades[rank - 1] = int(judged.scale[level - 1])
        where = Lists(judged.scale, judged.counts, judged.topic[[number]], np.array([size]))
        form = form_of(parse_measure("GAP"), where, size)
        counts = np.array([[grades.count(1)], [grades.count(2)]], float)
        value = gw.score_judged(judged, "GAP").values.ravel()[[number]]
        p = solve(form, counts, value, np.ones((size, 1), bool)).p[:, :, 0]
        for place, threshold in enumerate((1, 2)):
            rms, mae = _literal_errors(p, grades, threshold)
            assert result.rms[0, place, index] == pytest.approx(rms, abs=1e-6)
            assert result.mae[0, place, index] == pytest.approx(mae, abs=1e-6)


def test_a_measure_is_inferred_from_itself(judged: gw.Judged) -> None:
    result = informativeness(judged, ["AP", "nDCG", "P@10"], least=3, least_top=1)
    frame = result.inferences
    for name in ("AP", "nDCG", "P@10"):
        rows = frame.filter(measure=name)
        assert rows.filter(inferred=name)["rms"][0] < 1e-7
        assert rows.filter(inferred=name)["tau_runs"][0] == pytest.approx(1)
        assert rows.filter(inferred="Rprec")["rms"][0] > 1e-4


def test_interrupted_work_goes_on(judged: gw.Judged, tmp_path: Path) -> None:
    options = {"least": 3, "least_top": 1}
    first = informativeness(judged, ["AP"], keep=tmp_path, **options)
    stored = sorted(tmp_path.iterdir())
    assert stored
    times = [path.stat().st_mtime_ns for path in stored]
    both = informativeness(judged, ["AP", "RBP"], keep=tmp_path, **options)
    assert [path.stat().st_mtime_ns for path in stored] == times
    assert len(list(tmp_path.iterdir())) == 2 * len(stored)
    assert (both.rms[0] == first.rms[0]).all()
    plain = informativeness(judged, ["RBP"], **options)
    assert (both.rms[1] == plain.rms[0]).all()


def test_several_processes_find_the_same(judged: gw.Judged, tmp_path: Path) -> None:
    options = {"least": 3, "least_top": 1}
    one = informativeness(judged, ["AP", "RBP"], **options)
    two = informativeness(judged, ["AP", "RBP"], jobs=2, keep=tmp_path, **options)
    assert (one.rms == two.rms).all()
    assert (one.inferred == two.inferred).all()
    assert len(list(tmp_path.iterdir())) == 2


def test_advice_names_the_smallest_error(judged: gw.Judged) -> None:
    result = informativeness(judged, ["AP", "P@10", "nDCG"], least=3, least_top=1)
    advice = advise(result, replicates=200, seed=1)
    good = result.converged.all(axis=0) & ~np.isnan(result.rms).any(axis=(0, 1))
    means = [result.rms[m][:, good].mean() for m in range(3)]
    assert advice.best == ["AP", "P@10", "nDCG"][int(np.argmin(means))]
    assert advice.best in advice.likely()
    assert advice.shares.sum() == pytest.approx(1)


def test_progress_counts_lists(judged: gw.Judged) -> None:
    told: list[int] = []
    result = informativeness(judged, ["RBP", "P@5"], least=3, least_top=1, progress=told.append)
    assert sum(told) == 2 * result.rms.shape[2]


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        (["RR"], {"least": 1}, "RR is not in the pivot or gain-discount family"),
        (["AP"], {"least": 500}, "none of 24 lists has at least 500 relevant documents"),
        (["APP"], {}, "there is no measure 'APP'"),
    ],
)
def test_what_is_refused(
    judged: gw.Judged, measures: list[str], options: dict[str, int], message: str
) -> None:
    with pytest.raises(GradewiseError, match=message):
        informativeness(judged, measures, **options)


def test_blocks_of_ranks_are_solved_where_the_dual_is_flat() -> None:
    """R-precision of 11/33 leaves 11 documents to the first 33 ranks, and 6 to the other 967."""
    grades = [1] * 4 + [2] * 7 + [0] * 22 + [1] * 3 + [2] * 3 + [0] * 961
    result = informativeness(gw.judge_list(grades, {1: 14, 2: 19}), "Rprec")
    assert result.converged.all()
    chances = result.distribution(result.runs[0], result.topics[0], "Rprec")
    above, below = 11 / 33, 6 / 967
    for grade, share in ((1, 7 / 17), (2, 10 / 17)):
        column = chances[f"P({grade})"].to_list()
        assert column[:33] == pytest.approx([above * share] * 33, rel=1e-6)
        assert column[33:] == pytest.approx([below * share] * 967, rel=1e-6)
