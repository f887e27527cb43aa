"""Flips: counted by scoring every list with two documents exchanged."""

from itertools import combinations

import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import flips

MEASURES = ["AP", "AP(rel=2)", "GAP(g=[0.3,0.7])", "xGAP(g=[0.9,0.1])", "nDCG@3", "P@3", "RR", "Q"]
LISTS = [[0, 1, 2, 0, 1, 0], [2, 2, 1], [0, 0, 0, 1], [1, 0, 2, 2, 0]]
RELEVANT = {1: 4, 2: 3}


def _literal(measure: str, grades: list[int]) -> tuple[int, int, int]:
    """Count all flips, those ignored, and those that get a better list a lower value."""
    before = gw.score(measure, grades=grades, relevant=RELEVANT)
    number = ignored = wrong = 0
    for a, b in combinations(range(len(grades)), 2):
        if grades[a] == grades[b]:
            continue
        flipped = grades.copy()
        flipped[a], flipped[b] = grades[b], grades[a]
        change = gw.score(measure, grades=flipped, relevant=RELEVANT) - before
        number += 1
        ignored += abs(change) < 1e-10
        wrong += change * (grades[b] - grades[a]) < -1e-10
    return number, ignored, wrong


@pytest.mark.parametrize("grades", LISTS)
def test_flips_as_scored_one_by_one(grades: list[int]) -> None:
    found = flips(gw.judge_list(grades, RELEVANT), MEASURES)
    for m, measure in enumerate(MEASURES):
        literal = _literal(measure, grades)
        assert (found.number[0], found.ignored[m, 0], found.wrong[m, 0]) == literal


def test_engines_that_precision_does_not_tell_apart() -> None:
    """Yilmaz & Robertson 2010, §3.1.1: P@10 sees only flips across rank 10.

    Of 20 documents, 5 are relevant, at ranks 1, 2, 11, 12, 13: 75 flips, of which 2 · 7 + 8 · 3
    are across.
    """
    grades = [int(rank in (1, 2, 11, 12, 13)) for rank in range(1, 21)]
    found = flips(gw.judge_list(grades, {1: 5}), ["P@10", "AP", "nDCG"])
    assert found.number[0] == 75
    assert found.ignored[:, 0].tolist() == [75 - 38, 0, 0]
    assert not found.wrong.any()


def test_shares_are_means_over_lists() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 1, "b": 0}, "3": {"a": 1}}
    run = {t: {d: -ord(d) for d in documents} for t, documents in qrels.items()}
    frame = flips(gw.judge(qrels, run), ["P@2"]).frame
    assert frame.columns == ["measure", "flips", "ignored", "wrong"]
    assert frame.row(0) == ("P@2", 3, (1 / 2 + 1) / 2, 0.0)  # topic 3 has no flips


def test_a_better_document_that_lowers_xgap() -> None:
    """Of the list (0, 2, 2, 3), moving the 3 above either 2 lowers xGAP (see its page)."""
    measures = ["GAP(g=[0.6,0.3,0.1])", "xGAP(g=[0.6,0.3,0.1])", "eGAP(g=[0.6,0.3,0.1])"]
    found = flips(gw.judge_list([0, 2, 2, 3], {1: 0, 2: 2, 3: 1}), measures)
    assert found.wrong[:, 0].tolist() == [0, 2, 0]


def test_what_is_refused() -> None:
    with pytest.raises(GradewiseError, match="no list has documents of different grades"):
        flips(gw.judge_list([1, 1], {1: 2}), "AP")
    with pytest.raises(GradewiseError, match="depends on more than the ranks"):
        flips(gw.judge_list([1, 0], {1: 2}), "AP(judged_only=True)")
