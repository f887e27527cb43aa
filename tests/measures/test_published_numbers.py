"""Numbers that papers print, each naming paper and table."""

import itertools
import statistics

import numpy as np
import pytest

import gradewise as gw

INDICATORS = ("MSR", "AnDCG", "Q", "GenAP")  # v_S', v_D, v_Q, v_G of Kishida 2005
THREE_GRADES = {1: 1, 2: 1, 3: 1}


def _patterns() -> list[tuple[int, ...]]:
    """All 136 ways in which documents of grades 3, 2 and 1 can stand in 5 ranks, or be absent."""
    return sorted(
        {
            pattern
            for pattern in itertools.product(range(4), repeat=5)
            if all(pattern.count(grade) <= 1 for grade in (1, 2, 3))
        }
    )


@pytest.fixture(scope="module")
def pattern_scores() -> dict[str, list[float]]:
    return {
        name: [gw.score(name, grades=list(p), relevant=THREE_GRADES) for p in _patterns()]
        for name in (*INDICATORS, "AP")
    }


def test_kishida_2005_table_3(pattern_scores: dict[str, list[float]]) -> None:
    assert len(_patterns()) == 136
    averages = [f"{statistics.mean(pattern_scores[name]):.3f}" for name in INDICATORS]
    deviations = [f"{statistics.stdev(pattern_scores[name]):.3f}" for name in INDICATORS]
    assert averages == ["0.488", "0.443", "0.503", "0.410"]
    assert deviations == ["0.245", "0.250", "0.240", "0.228"]


def test_kishida_2005_table_4(pattern_scores: dict[str, list[float]]) -> None:
    names = [*INDICATORS, "AP"]
    matrix = np.corrcoef([pattern_scores[name] for name in names])
    rows = [[f"{matrix[i, j]:.3f}" for j in range(min(i + 1, 4))] for i in range(5)]
    assert rows == [
        ["1.000"],
        ["0.969", "1.000"],
        ["0.885", "0.840", "1.000"],
        ["0.963", "0.940", "0.961", "1.000"],
        ["0.857", "0.829", "0.928", "0.894"],
    ]


@pytest.mark.parametrize(
    ("pattern", "printed"),
    [
        ("32000", ["0.923", "0.933", "0.667", "0.733"]),
        ("00123", ["0.331", "0.184", "0.513", "0.304"]),
        ("03210", ["0.558", "0.610", "0.750", "0.622"]),
        ("30000", ["0.692", "0.640", "0.333", "0.400"]),
        ("00003", ["0.138", "0.046", "0.121", "0.080"]),
    ],
)
def test_kishida_2005_table_5(pattern: str, printed: list[str]) -> None:
    grades = [int(digit) for digit in pattern]
    values = [gw.score(name, grades=grades, relevant=THREE_GRADES) for name in INDICATORS]
    assert [f"{value:.3f}" for value in values] == printed


@pytest.mark.parametrize("relevant", [10, 50, 100])
@pytest.mark.parametrize("value", [0.1, 0.3, 0.5])
def test_kishida_2005_table_1(relevant: int, value: float) -> None:
    """A new relevant document at rank 101, below all others: eq 17 for any list with that AP."""
    printed = {
        (10, 0.1): 0.00081, (10, 0.3): -0.01737, (10, 0.5): -0.03555,
        (50, 0.1): 0.00794, (50, 0.3): 0.00402, (50, 0.5): 0.00010,
        (100, 0.1): 0.00891, (100, 0.3): 0.00693, (100, 0.5): 0.00495,
    }  # fmt: skip
    # All relevant documents among the first 100 ranks; their AP is not that of the table, so the
    # difference is corrected for it: eq 17 is linear in the old AP.
    grades: list[int | None] = [1 if rank < relevant else 0 for rank in range(100)]
    before = gw.score("AP", grades=[*grades, 0], relevant={1: relevant})
    after = gw.score("AP", grades=[*grades, 1], relevant={1: relevant + 1})
    change = after - before + (before - value) / (relevant + 1)
    assert change == pytest.approx(printed[relevant, value], abs=0.000006)


def test_kishida_2005_table_2_exactly_for_random_judgments() -> None:
    """Mean and variance of AP over all 2^10 patterns, which Table 2 estimates by simulation."""
    patterns = list(itertools.product((0, 1), repeat=10))
    values = [
        gw.score("AP", grades=list(p), relevant={1: sum(p)}) if sum(p) else 0.0 for p in patterns
    ]
    assert statistics.fmean(values) == pytest.approx(0.606956, abs=1e-6)
    assert statistics.pvariance(values) == pytest.approx(0.036724, abs=1e-6)


def test_kishida_2005_examples_of_sliding_ratio() -> None:
    relevant = {1: 1, 2: 2, 3: 1}
    system_a, system_b = [1, 2, 3, 0, 0], [3, 2, 1, 0, 0]
    assert gw.score("SR", system_a, relevant) == 0.75
    assert gw.score("SR", system_b, relevant) == 0.75
    assert f"{gw.score('MSR', system_a, relevant):.2f}" == "0.61"
    assert f"{gw.score('MSR', system_b, relevant):.2f}" == "0.88"


def test_robertson_2010_graded_example() -> None:
    value = gw.score("GAP", grades=[3, 1, 2, 2], relevant={1: 1, 2: 2, 3: 1})
    assert f"{value:.5f}" == "0.92708"


@pytest.mark.parametrize("g2", [0.1, 0.5, 0.9])
def test_ferrante_2014_limits(g2: float) -> None:
    """n documents of grade 1 before one of grade 2: GAP -> 1, xGAP -> 1 - g2², eGAP -> 1 - g2."""
    n, g = 20_000, f"g=[{1 - g2},{g2}]"
    grades: list[int | None] = [1] * n + [2]
    relevant = {1: n, 2: 1}
    tolerance = 30 / n
    assert gw.score(f"GAP({g})", grades, relevant) == pytest.approx(1, abs=tolerance)
    assert gw.score(f"xGAP({g})", grades, relevant) == pytest.approx(1 - g2**2, abs=tolerance)
    assert gw.score(f"eGAP({g})", grades, relevant) == pytest.approx(1 - g2, abs=tolerance)


@pytest.mark.parametrize(
    ("g", "gap", "xgap"), [([0.5, 0.5], 1 / 6, 12 / 22), ([0.1, 0.9], 1 / 2, 100 / 110)]
)
def test_ferrante_2014_chance_of_the_one_highly_relevant_document(
    g: list[float], gap: float, xgap: float
) -> None:
    """Alone at rank 1, the document scores the chance that the random experiment picks it."""
    for name, chance in (("GAP", gap), ("xGAP", xgap)):
        value = gw.score(f"{name}(g={g})", grades=[2], relevant={1: 10, 2: 1})
        assert value == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize("threshold", [1, 2, 3])
def test_ferrante_2014_one_threshold_gives_ap(threshold: int) -> None:
    g = [float(threshold == grade) for grade in (1, 2, 3)]
    grades, relevant = [1, 0, 3, 2, None, 1, 3], {1: 4, 2: 1, 3: 3}
    expected = gw.score(f"AP(rel={threshold})", grades, relevant)
    for name in ("GAP", "xGAP", "eGAP"):
        assert gw.score(f"{name}(g={g})", grades, relevant) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("k", "weights"),
    [
        (1, [1.000]),
        (2, [0.613, 0.387]),
        (3, [0.469, 0.296, 0.235]),
        (4, [0.390, 0.246, 0.195, 0.168]),
        (5, [0.339, 0.214, 0.170, 0.146, 0.131]),
        (6, [0.303, 0.191, 0.151, 0.130, 0.117, 0.108]),
    ],
)
def test_moffat_table_1_weights_of_sdcg(k: int, weights: list[float]) -> None:
    for rank, weight in enumerate(weights):
        grades: list[int | None] = [0] * k
        grades[rank] = 1
        assert f"{gw.score(f'SDCG@{k}', grades, {1: 1}):.3f}" == f"{weight:.3f}"


def test_xgap_is_not_monotone_and_gap_and_egap_are() -> None:
    g, relevant = "(g=[0.6,0.3,0.1])", {1: 0, 2: 2, 3: 1}
    worse, better = [0, 2, 2, 3], [0, 3, 2, 2]
    assert f"{gw.score('xGAP' + g, worse, relevant):.3f}" == "0.630"
    assert f"{gw.score('xGAP' + g, better, relevant):.3f}" == "0.625"
    for name in ("GAP", "eGAP"):
        assert gw.score(name + g, better, relevant) > gw.score(name + g, worse, relevant)


def test_ideal_list_scores_the_share_of_thresholds_that_exist() -> None:
    """eGAP and xGAP keep the paper's definition: 1 only if every threshold has a document."""
    for name in ("eGAP", "xGAP"):
        value = gw.score(f"{name}(g=[0.7,0.3])", grades=[1, 1], relevant={1: 2, 2: 0})
        assert value == pytest.approx(0.7, abs=1e-15)
    assert gw.score("GAP(g=[0.7,0.3])", grades=[1, 1], relevant={1: 2, 2: 0}) == pytest.approx(1)
