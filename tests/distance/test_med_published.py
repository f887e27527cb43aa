"""Numbers that Moffat prints, and the examples that show where the paper or a heuristic errs."""

import random
from fractions import Fraction

import pytest

import gradewise as gw
from distance.cases import ONE, Case, Pair, measured, random_pair, runs_of
from oracles import gain_discount, others, pivot
from oracles.distance import algorithm_1, brute_force, greedy_ap, scores_under

# Moffat eq 6. The paper's lists go on; only the first k = 10 documents count.
X3 = list("ABCDEFGHJK")
X4 = list("ADBECGFJLH")
J6 = {"A": 1, "E": 0}

# Table 2: d, wY, wZ, diff, R, numer, denom, numer/denom.
TABLE_2 = [
    (None, 0.0, 0.0, 0.0, 1, 0.000, 1.000, 0.000),
    ("K", 0.289, 0.000, +0.289, 2, 0.289, 1.631, 0.177),
    ("B", 0.631, 0.500, +0.131, 3, 0.420, 2.131, 0.197),
    ("C", 0.500, 0.387, +0.113, 4, 0.533, 2.562, 0.208),
    ("H", 0.315, 0.289, +0.026, 5, 0.560, 2.948, 0.190),
    ("F", 0.356, 0.333, +0.023, 6, 0.582, 3.305, 0.176),
    (None, 0.0, 0.0, 0.0, 1, 0.000, 1.000, 0.000),
    ("L", 0.000, 0.301, -0.301, 2, 0.301, 1.631, 0.185),
    ("D", 0.431, 0.631, -0.200, 3, 0.501, 2.131, 0.235),
    ("G", 0.333, 0.356, -0.023, 4, 0.524, 2.562, 0.205),
    ("J", 0.301, 0.315, -0.014, 5, 0.539, 2.948, 0.183),
]

# Table 3: the free documents that are relevant, R, then SDCG, NDCG, SSP and AP.
TABLE_3 = [
    ("BCFHK", 6, (0.128, 0.176, 0.155, 0.259)),
    ("DL", 3, (0.110, 0.235, 0.083, 0.278)),
    ("BCFGHJK", 8, (0.120, 0.138, 0.161, 0.201)),
    ("BCK", 4, (0.117, 0.208, 0.113, 0.283)),
]
COLUMNS = [
    measured("SDCG", ONE, gain_discount.sdcg, 10),
    measured("nDCG", ONE, gain_discount.ndcg, 10),
    measured("SSP", ONE, pivot.ssp, 10),
    measured("AP", ONE, pivot.ap, 10),
]
BOLD = [0, 1, 2, 3]  # the row of each column's MED


def test_table_2_line_by_line() -> None:
    value, trace = algorithm_1(X3, X4, J6, 10)
    assert round(value, 3) == 0.235
    assert len(trace) == len(TABLE_2)
    for step, row in zip(trace, TABLE_2, strict=True):
        document, weight_y, weight_z, difference, relevant, numerator, denominator, ratio = row
        assert (step.document, step.relevant) == (document, relevant)
        assert (step.weight_y, step.weight_z) == pytest.approx((weight_y, weight_z), abs=5.1e-4)
        assert step.difference == pytest.approx(difference, abs=5.1e-4)
        assert step.numerator == pytest.approx(numerator, abs=5.1e-4)
        assert step.denominator == pytest.approx(denominator, abs=5.1e-4)
        assert step.ratio == pytest.approx(ratio, abs=5.1e-4)


def test_table_2_ends_where_gradewise_does() -> None:
    found = gw.distance.med(*runs_of([Pair(X3, X4, J6)]), "nDCG@10")["t0"]
    assert found.value == pytest.approx(algorithm_1(X3, X4, J6, 10)[0], abs=1e-12)
    assert round(found.value, 3) == 0.235
    assert found.winner == "b"
    assert {d for d, grade in found.assignment.items() if grade} == {"L", "D"}
    assert found.relevant == {1: 3}


@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("column", range(4))
def test_table_3(row: int, column: int) -> None:
    relevant, number, printed = TABLE_3[row]
    assignment = {document: int(document in relevant) for document in "BCDFGHJKL"}
    assert sum(assignment.values()) + 1 == number
    a, b = scores_under(X3, X4, J6, ONE, COLUMNS[column].measure, assignment)
    assert round(abs(a - b), 3) == printed[column]


@pytest.mark.parametrize("column", range(4))
def test_table_3_bold(column: int) -> None:
    case = COLUMNS[column]
    relevant, number, printed = TABLE_3[BOLD[column]]
    found = gw.distance.med(*runs_of([Pair(X3, X4, J6)]), case.text)["t0"]
    assert found.exact
    assert round(found.value, 3) == printed[column]
    assert {d for d, grade in found.assignment.items() if grade} == set(relevant)
    assert found.relevant == {1: number}
    assert found.known == pytest.approx(0, abs=1e-12)
    truth = brute_force(X3, X4, J6, ONE, case.measure)
    assert found.value == pytest.approx(truth.value, abs=1e-12)


@pytest.mark.parametrize(
    ("case", "value", "relevant"),
    [
        (measured("P", ONE, gain_discount.p, 5), 0.2, "E"),
        (measured("RR", ONE, others.rr), 0.5, "B"),
    ],
    ids=str,
)
def test_introduction(case: Case, value: float, relevant: str) -> None:
    # Eq 1: X1 = A0 B? C1 D? E?, X2 = B? C1 F0 D? A0.
    pair = Pair(list("ABCDE"), list("BCFDA"), {"A": 0, "C": 1, "F": 0})
    found = gw.distance.med(*runs_of([pair]), case.text)["t0"]
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.assignment[relevant] == 1
    assert brute_force(pair.a, pair.b, pair.judged, ONE, case.measure).value == pytest.approx(value)


def test_graded_ndcg_may_want_a_middle_grade() -> None:
    # MATH.md, Traps: "all gain assignments are maximally relevant" is false.
    pair = Pair(["a"], ["b", "c"], {"b": 1, "unretrieved": 1})
    case = measured("nDCG(dcg='exp-log2')", (1, 2), gain_discount.ndcg, 2, dcg="exp-log2")
    arguments = (pair.a, pair.b, pair.judged, case.scale, case.measure)
    assert scores_under(*arguments, {"a": 0, "c": 1}) == pytest.approx((0, 1))
    assert round(scores_under(*arguments, {"a": 0, "c": 2})[1], 3) == 0.797
    assert brute_force(*arguments).value == pytest.approx(1)
    found = gw.distance.med(*runs_of([pair]), case.text, grades=[1, 2])["t0"]
    assert found.exact
    assert found.value == pytest.approx(1, abs=1e-12)
    assert found.assignment == {"a": 0, "c": 1}
    assert found.winner == "b"


def test_greedy_ap_is_not_exact() -> None:
    # MATH.md, Traps: the smallest counterexample known to Moffat's eq 13.
    judged = {"0": 1, "1": 1, "3": 0, "4": 0, "x": 1, "y": 1, "z": 1}
    pair = Pair(list("12534"), list("42150"), judged)
    text = "AP(norm='min(k,R)')@5"
    case = measured("AP(norm='min(k,R)')", ONE, pivot.ap, 5, norm="min(k,R)")
    truth = brute_force(pair.a, pair.b, judged, ONE, case.measure)
    assert truth.value == pytest.approx(17 / 300, abs=1e-12)
    assert greedy_ap(pair.a, pair.b, judged, 5, norm="min(k,R)") == {Fraction(4, 75)}
    found = gw.distance.med(*runs_of([pair]), text)["t0"]
    assert found.exact
    assert found.value == pytest.approx(17 / 300, abs=1e-12)
    greedy = gw.distance.greedy_ap(*runs_of([pair]), text)["t0"]
    assert greedy.value == pytest.approx(4 / 75, abs=1e-12)


def test_algorithm_1_is_exact_on_binary_grades() -> None:
    # Oracles against each other, with lists of unequal lengths and R = 0 among them.
    rng = random.Random(0)
    case = measured("nDCG", ONE, gain_discount.ndcg, 4)
    for _ in range(150):
        pair = random_pair(rng, ONE, length=6, free=6)
        truth = brute_force(pair.a, pair.b, pair.judged, ONE, case.measure)
        assert algorithm_1(pair.a, pair.b, pair.judged, 4)[0] == pytest.approx(
            truth.value, abs=1e-12
        )
