"""Derivatives by a gain: Kishida's equations typed out, and differences of his definitions."""

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import GradewiseError

often = settings(max_examples=60, deadline=None, derandomize=True)
GRADED = st.lists(st.integers(0, 3), min_size=1, max_size=12)
MORE = st.lists(st.integers(0, 2), min_size=3, max_size=3)
Definition = Callable[[Sequence[float], Sequence[int], int], float]


def relevant_of(x: list[int], more: list[int]) -> dict[int, int]:
    return {grade: x.count(grade) + extra for grade, extra in zip((1, 2, 3), more, strict=True)}


def ideal_list(relevant: dict[int, int], length: int) -> list[int]:
    """y_1, y_2, ... with zeros behind the relevant documents."""
    y = [grade for grade in sorted(relevant, reverse=True) for _ in range(relevant[grade])]
    return y + [0] * max(0, length - len(y))


def derivatives_of(measure: str, x: list[int], relevant: dict[int, int]) -> list[float | None]:
    return gw.meta.derivatives(gw.judge_list(x, relevant), measure)["derivative"].to_list()


def _log(k: int) -> float:
    return max(1.0, math.log2(k))


# Definitions of Kishida 2005 for real x, with y and R fixed.


def eq_27(x: Sequence[float], y: Sequence[int], total: int) -> float:
    ranks = range(1, len(x) + 1)
    return sum(x[k - 1] / k for k in ranks) / sum(y[k - 1] / k for k in ranks)


def eq_32(x: Sequence[float], y: Sequence[int], total: int) -> float:
    def d(z: Sequence[float], i: int) -> float:
        return sum(z[k - 1] / _log(k) for k in range(1, i + 1))

    return sum(d(x, i) / d(y, i) for i in range(1, len(x) + 1)) / len(x)


def eq_34(x: Sequence[float], y: Sequence[int], total: int) -> float:
    return sum(sum(x[:i]) / sum(y[:i]) for i in range(1, len(x) + 1) if x[i - 1] > 0) / total


def eq_35(x: Sequence[float], y: Sequence[int], total: int) -> float:
    return (
        sum(
            sum(z + 1 for z in x[:i] if z > 0) / (i + sum(y[:i]))
            for i in range(1, len(x) + 1)
            if x[i - 1] > 0
        )
        / total
    )


def eq_42(x: Sequence[float], y: Sequence[int], total: int) -> float:
    best = sum(sum(y[:i]) / i for i in range(1, len(y) + 1) if y[i - 1] > 0)
    return sum(sum(x[:i]) / i for i in range(1, len(x) + 1) if x[i - 1] > 0) / best


DEFINITIONS: dict[str, Definition] = {
    "MSR": eq_27, "AnDCG": eq_32, "WAP": eq_34, "Q": eq_35, "GenAP": eq_42,
}  # fmt: skip
JUMPS = {"WAP", "Q", "GenAP"}


@pytest.mark.parametrize("name", DEFINITIONS)
@often
@given(x=GRADED, more=MORE)
def test_equal_central_differences_of_the_definitions(
    name: str, x: list[int], more: list[int]
) -> None:
    relevant = relevant_of(x, more)
    total = sum(relevant.values())
    if total == 0:
        return
    y, step = ideal_list(relevant, len(x)), 0.25  # linear, so that any step will do
    for j, found in enumerate(derivatives_of(name, x, relevant)):
        if name in JUMPS and x[j] == 0:
            assert found is None
            continue
        ends = []
        for sign in (1, -1):
            moved: list[float] = list(x)
            moved[j] += sign * step
            ends.append(DEFINITIONS[name](moved, y, total))
        assert found == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-12)


@often
@given(x=GRADED, more=MORE)
def test_kishida_2005_eq_28_33_36_43(x: list[int], more: list[int]) -> None:
    relevant = relevant_of(x, more)
    total, n = sum(relevant.values()), len(x)
    if total == 0:
        return
    y = ideal_list(relevant, n)
    best = sum(sum(y[:i]) / i for i in range(1, len(y) + 1) if y[i - 1] > 0)

    def d_ideal(i: int) -> float:
        return sum(y[k - 1] / _log(k) for k in range(1, i + 1))

    for j in range(1, n + 1):
        below = [i for i in range(j, n + 1) if x[i - 1] > 0]
        printed = {
            "MSR": 1 / j / sum(y[k - 1] / k for k in range(1, n + 1)),
            "AnDCG": sum(1 / _log(j) / d_ideal(k) for k in range(j, n + 1)) / n,
            "Q": sum(1 / (i + sum(y[:i])) for i in below) / total,
            "GenAP": sum(1 / k for k in below) / best,
        }
        for name, expected in printed.items():
            found = derivatives_of(name, x, relevant)[j - 1]
            if found is not None:
                assert found == pytest.approx(expected, abs=1e-12), name


@often
@given(x=GRADED, more=MORE)
def test_derivative_times_step_is_the_change_between_relevant_grades(
    x: list[int], more: list[int]
) -> None:
    relevant = relevant_of(x, more)
    judged = gw.judge_list(x, relevant)
    for name in ("Q(beta=3)", "GenAP@4", "WAP", "MSR@5", "nDCG(dcg='linear')", "DCG@3"):
        slopes = gw.meta.derivatives(judged, name)["derivative"].to_list()
        changes = gw.meta.sensitivity(judged, name).frame
        for row in changes.iter_rows(named=True):
            if row["to_grade"] > 0 and row["from_grade"] > 0:
                step = row["to_grade"] - row["from_grade"]
                expected = pytest.approx(step * slopes[row["rank"] - 1], abs=1e-12)
                assert row["change"] == expected, name


def test_frame_has_a_row_for_each_rank_and_measure() -> None:
    judged = gw.judge_list([2, None, -1], relevant={1: 1, 2: 1})
    frame = gw.meta.derivatives(judged, ["CG@2", "Q"])
    assert frame.columns == ["measure", "rank", "grade", "derivative"]
    assert frame["measure"].to_list() == ["CG@2"] * 3 + ["Q"] * 3
    assert frame["rank"].to_list() == [1, 2, 3] * 2
    assert frame["grade"].to_list() == [2, None, -1] * 2
    assert frame["derivative"].to_list() == [1, 1, 0, pytest.approx(1 / 3 / 2), None, None]


@pytest.mark.parametrize(
    ("measure", "match"),
    [
        ("GAP", "GAP is not a function of gains"),
        ("RR", "RR is not a function of gains"),
        ("nDCG(judged_only=True)", "drops unjudged documents"),
        ("P", "P needs a cutoff"),
    ],
)
def test_what_has_no_derivative_is_refused(measure: str, match: str) -> None:
    with pytest.raises(GradewiseError, match=match):
        gw.meta.derivatives(gw.judge_list([1, 0], {1: 1}), measure)


def test_one_list_at_a_time() -> None:
    judged = gw.judge({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}})
    with pytest.raises(GradewiseError, match="there are 2; choose one"):
        gw.meta.derivatives(judged, "nDCG")
