"""Sensitivity: Kishida's equations typed out, and every measure against its oracle."""

import math
import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta.sensitivity import Sensitivity, new_document, sensitivity
from measures.cases import ORACLES, make_case

often = settings(max_examples=80, deadline=None, derandomize=True)
CASES = [make_case(seed) for seed in range(20)]
# Without meaning for a list that holds more documents of a grade than its topic.
NEED_ALL_COUNTED = {"ADM", "Bpref", "GMBpref", "G", "Compat", "xinfAP", "infNDCG", "statAP"}
NEED_ALL_COUNTED |= {"ppref", "rpref", "wpref", "nwpref", "APpref"}
NEED_ALL_COUNTED |= {"SwetsE", "NCUrbP", "NCUrbBR", "F1", "AUC"}

BINARY = st.lists(st.sampled_from([0, 1]), min_size=1, max_size=20)
GRADED = st.lists(st.integers(0, 3), min_size=1, max_size=12)


def try_list(
    measures: Any,
    grades: Any,
    relevant: dict[int, int],
    *,
    study: Any = sensitivity,
    **options: Any,
) -> Sensitivity:
    found: Sensitivity = study(gw.judge_list(grades, relevant), measures, **options)
    return found


def changes_at(found: Sensitivity) -> dict[tuple[int, int], float]:
    """The change of the first measure for each (rank, new grade)."""
    places = zip(found.ranks.tolist(), found.to_grades, strict=True)
    return dict(zip(places, found.changes[0].tolist(), strict=True))


def ideal_list(relevant: dict[int, int], length: int) -> list[int]:
    """y_1, y_2, ... with zeros behind the relevant documents."""
    y = [grade for grade in sorted(relevant, reverse=True) for _ in range(relevant[grade])]
    return y + [0] * max(0, length - len(y))


# Kishida 2005; x and y are the grades of the list and of the ideal list, from rank 1 on


@often
@given(x=BINARY, more=st.integers(0, 5))
def test_average_precision_eq_10(x: list[int], more: int) -> None:
    relevant = max(1, sum(x) + more)
    changes = changes_at(try_list("AP", x, {1: relevant}, to=1))
    assert len(changes) == x.count(0)
    for j in (rank for rank, grade in enumerate(x, 1) if grade == 0):
        above = sum(x[:j]) + 1  # the changed document counts
        below = sum(x[t - 1] / t for t in range(j + 1, len(x) + 1))
        assert changes[j, 1] == pytest.approx((above / j + below) / relevant, abs=1e-12)


@often
@given(x=BINARY, more=st.integers(0, 5))
def test_average_precision_gains_more_from_higher_ranks_eq_11(x: list[int], more: int) -> None:
    changes = changes_at(try_list("AP", x, {1: max(1, sum(x) + more)}, to=1))
    for j in range(1, len(x)):
        if x[j - 1] == x[j] == 0:
            assert changes[j, 1] > changes[j + 1, 1]


@often
@given(x=BINARY, more=st.integers(0, 5))
def test_new_relevant_document_eq_16(x: list[int], more: int) -> None:
    relevant = sum(x) + more
    found = try_list("AP", x, {1: relevant}, study=new_document)
    v = sum(x[i] * sum(x[: i + 1]) / (i + 1) for i in range(len(x))) / max(1, relevant)
    changes = changes_at(found)
    for j in (rank for rank, grade in enumerate(x, 1) if grade == 0):
        above = sum(x[:j]) + 1
        below = sum(x[t - 1] / t for t in range(j + 1, len(x) + 1))
        expected = (above / j + below) / (relevant + 1) - v / (relevant + 1)
        assert changes[j, 1] == pytest.approx(expected, abs=1e-12)
    assert changes[0, 1] == pytest.approx(-v / (relevant + 1), abs=1e-12)  # eq 15
    assert found.ranks[-1] == 0
    assert found.frame["rank"].to_list()[-1] is None


@often
@given(x=GRADED, more=st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_graded_measures_between_relevant_grades(x: list[int], more: list[int]) -> None:
    """The values are linear in x_j > 0, so eq 28, 33, 36 and 43 give the whole change."""
    relevant = {grade: x.count(grade) + extra for grade, extra in zip((1, 2, 3), more, strict=True)}
    total, n = sum(relevant.values()), len(x)
    if total == 0:
        return
    y = ideal_list(relevant, n)
    is_relevant = [grade > 0 for grade in x]
    ideal_dcg = [
        sum(y[k - 1] / max(1, math.log2(k)) for k in range(1, i + 1)) for i in range(n + 1)
    ]
    means = sum(sum(y[:i]) / i for i in range(1, len(y) + 1) if y[i - 1] > 0)

    def eq_28(j: int) -> float:
        return 1 / j / sum(y[k - 1] / k for k in range(1, n + 1))

    def eq_33(j: int) -> float:
        return sum(1 / max(1, math.log2(j)) / ideal_dcg[k] for k in range(j, n + 1)) / n

    def eq_36(j: int) -> float:
        terms = (1 / (i + sum(y[:i])) for i in range(j, n + 1) if is_relevant[i - 1])
        return sum(terms) / total

    def eq_43(j: int) -> float:
        return sum(1 / k for k in range(j, n + 1) if is_relevant[k - 1]) / means

    equations = {"MSR": eq_28, "AnDCG": eq_33, "Q": eq_36, "GenAP": eq_43}
    for name, equation in equations.items():
        for (j, to), change in changes_at(try_list(name, x, relevant)).items():
            if to > 0 and x[j - 1] > 0:
                expected = (to - x[j - 1]) * equation(j)
                assert change == pytest.approx(expected, abs=1e-12), name


@often
@given(x=GRADED, more=st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_graded_measures_from_not_relevant_eq_37_and_44(x: list[int], more: list[int]) -> None:
    relevant = {grade: x.count(grade) + extra for grade, extra in zip((1, 2, 3), more, strict=True)}
    total, n = sum(relevant.values()), len(x)
    if total == 0:
        return
    y = ideal_list(relevant, n)
    means = sum(sum(y[:i]) / i for i in range(1, len(y) + 1) if y[i - 1] > 0)
    q = changes_at(try_list("Q", x, relevant))
    generalized = changes_at(try_list("GenAP", x, relevant))
    for j in (rank for rank, grade in enumerate(x, 1) if grade == 0):
        for to in (1, 2, 3):
            after = [*x[: j - 1], to, *x[j:]]
            below = [i for i in range(j + 1, n + 1) if x[i - 1] > 0]
            own = sum(grade + 1 for grade in after[:j] if grade > 0) / (j + sum(y[:j]))
            eq_37 = own + sum((to + 1) / (i + sum(y[:i])) for i in below)
            eq_44 = sum(after[:j]) / j + sum(to / t for t in below)
            assert q[j, to] == pytest.approx(eq_37 / total, abs=1e-12)
            assert generalized[j, to] == pytest.approx(eq_44 / means, abs=1e-12)


def test_r_precision_does_not_ask_for_the_rank() -> None:
    """1/R at any of the first R ranks, as Kishida says, and nothing below."""
    found = try_list("Rprec", [0] * 6, {1: 4}, to=1)
    assert found.changes[0].tolist() == [0.25] * 4 + [0.0] * 2


# Every measure


def _changed(ranking: Sequence[int | None], rank: int, grade: int) -> list[int | None]:
    return [grade if place == rank else old for place, old in enumerate(ranking, 1)]


def _moved(judged: dict[int, int], old: int | None, new: int) -> dict[int, int]:
    counts = dict(judged)
    if old is not None:
        counts[old] -= 1
    counts[new] = counts.get(new, 0) + 1
    return counts


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("moved", [False, True])
def test_equals_the_oracle_before_and_after(name: str, moved: bool) -> None:
    oracle, pairs = ORACLES[name]
    for case in CASES:
        scores = {"scores": case.scores} if name == "ADM" else {}
        for pair in pairs(case):
            found = try_list(
                pair.text, case.ranking, case.judged, totals="moved" if moved else "fixed", **scores
            )
            before = oracle(case.ranking, case.judged, **scores, **pair.parameters)
            for row in found.frame.iter_rows(named=True):
                old, new = row["from_grade"], row["to_grade"]
                ranking = _changed(case.ranking, row["rank"], new)
                counts = _moved(case.judged, old, new) if moved else case.judged
                if name in NEED_ALL_COUNTED and ranking.count(new) > counts.get(new, 0):
                    continue
                after = oracle(ranking, counts, **scores, **pair.parameters)
                expected = after - before
                same = math.isnan(expected) and math.isnan(row["change"])
                assert same or row["change"] == pytest.approx(expected, abs=1e-11), (pair, row)


# The result


def test_every_other_grade_at_every_rank_in_order() -> None:
    found = try_list(["AP", "nDCG@2"], [2, None, 0], {1: 1, 2: 1})
    frame = found.frame
    assert frame.columns == ["measure", "rank", "from_grade", "to_grade", "value", "change"]
    first = frame.filter(frame["measure"] == "AP")
    rows = first.select("rank", "from_grade", "to_grade").rows()
    assert rows == [
        (1, 2, 0), (2, None, 0), (1, 2, 1), (2, None, 1), (3, 0, 1), (2, None, 2), (3, 0, 2),
    ]  # fmt: skip
    assert frame["measure"].unique(maintain_order=True).to_list() == ["AP", "nDCG@2"]
    assert first["value"].to_list()[:2] == [0.0, 0.5]  # after the change
    assert found.values[0] == 0.5  # before it


def test_lists_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    grades = [rng.choice([None, 0, 1, 2]) for _ in range(40)]
    relevant = {1: 20, 2: 20}
    whole = try_list(["GAP", "Bpref"], grades, relevant)
    monkeypatch.setattr(sys.modules["gradewise.meta.sensitivity"], "_BLOCK", 70)
    assert (try_list(["GAP", "Bpref"], grades, relevant).changes == whole.changes).all()


def test_empty_list() -> None:
    assert try_list("AP", [], {1: 2}).frame.height == 0
    assert try_list("AP", [], {1: 2}, study=new_document).changes.tolist() == [[0.0]]


def test_one_unjudged_document() -> None:
    assert try_list("AP", [None], {1: 2}, to=1).changes.tolist() == [[0.5]]
    assert np.isclose(try_list("AP", [None], {1: 2}, to=1, totals="moved").changes, 1 / 3).all()


def test_what_cannot_be() -> None:
    with pytest.raises(GradewiseError, match=r"grade 3 does not occur.*: 0, 1, 2\)"):
        try_list("AP", [1], {1: 1, 2: 0}, to=3)
    with pytest.raises(GradewiseError, match="totals must be one of 'fixed', 'moved', not 'both'"):
        try_list("AP", [1], {1: 1}, totals="both")
    with pytest.raises(GradewiseError, match="no measures were given"):
        try_list([], [1], {1: 1})
    with pytest.raises(GradewiseError, match="there is no measure 'XP'"):
        try_list("XP", [1], {1: 1})
    with pytest.raises(GradewiseError, match="relevant says 0"):
        try_list("AP", [1], {})
    with pytest.raises(GradewiseError, match="must be positive, not 0"):
        try_list("AP", [1], {1: 1}, to=0, study=new_document)
    with pytest.raises(GradewiseError, match="needs the scores"):
        try_list("ADM", [1], {1: 1})
    with pytest.raises(GradewiseError, match="there are 1 documents but 2 scores"):
        try_list("ADM", [1], {1: 1}, scores=[0.5, 0.4])


def test_a_list_of_a_collection() -> None:
    qrels = {"1": {"a": 2, "b": 1}, "2": {"a": 1, "b": -2, "c": 2}}
    runs = {"x": {"1": {"a": 1.0}}, "y": {"2": {"b": 3.0, "u": 2.0, "c": 1.0}}}
    judged = gw.judge(qrels, runs)
    found = sensitivity(judged.list_of("y", "2"), ["AP", "nDCG"], to=1)
    again = try_list(["AP", "nDCG"], [-2, None, 2], {1: 1, 2: 1, 0: 1}, to=1)
    assert found.from_grades == (-2, None, 2)
    assert found.changes.tolist() == again.changes.tolist()
    with pytest.raises(GradewiseError, match="a single list, but there are 4; choose one with"):
        sensitivity(judged, "AP")
    with pytest.raises(GradewiseError, match="there is no run 'z'"):
        judged.list_of("z", "2")
