"""Metrics of Elasticsearch's _rank_eval: the numbers of its own tests, under gradewise's names."""

import math
import re
from pathlib import Path

import pytest

import gradewise as gw

PAGE = Path(__file__).parents[2] / "docs" / "start" / "from" / "search-engines.md"


def _counts(ratings: list[int | None]) -> dict[int, int]:
    rated = [rating for rating in ratings if rating is not None]
    return {rating: rated.count(rating) for rating in {1, 2, 3, *rated}}


@pytest.mark.parametrize(
    ("measure", "ratings", "expected"),
    [
        # DiscountedCumulativeGainTests: testDCGAt, testDCGAtSixMissingRatings
        ("DCG(dcg='exp-log2')@10", [3, 2, 3, 0, 1, 2], 13.84826362927298),
        ("nDCG(dcg='exp-log2')@10", [3, 2, 3, 0, 1, 2], 13.84826362927298 / 14.595390756454922),
        ("DCG(dcg='exp-log2')@10", [3, 2, 3, None, 1, None], 12.779642067948913),
        (
            "nDCG(dcg='exp-log2')@10",
            [3, 2, 3, None, 1, None],
            12.779642067948913 / 13.347184833073591,
        ),
        # ExpectedReciprocalRankTests: testERRAt, testERRMissingRatings
        ("ERR(max_grade=3)@3", [3, 2, 0, 1], 0.8984375),
        ("ERR(max_grade=3)@4", [3, 2, 0, 1], 0.8984375 + 0.00244140625),
        ("ERR(max_grade=3)@4", [3, None, 0, 1], 0.875 + 0.00390625),
    ],
)
def test_numbers_of_elasticsearch(measure: str, ratings: list[int | None], expected: float) -> None:
    assert gw.score(measure, ratings, _counts(ratings)) == pytest.approx(expected, abs=1e-12)


def test_tables_name_measures() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `[^|]*\| `([^`]+)`[^|]*\|$", text, re.MULTILINE)
    assert len(rows) == 15
    for name in rows:
        gw.parse_measure(name)


def test_the_scores_of_the_page_are_those_of_the_formula() -> None:
    """The response on the page is made up; its scores are not."""
    jaguar = (3 + 7 / math.log2(3)) / (7 + 3 / math.log2(3))
    java = (1 / math.log2(3)) / 1
    shown = [float(n) for n in re.findall(r'"metric_score": ([\d.]+)', PAGE.read_text("utf-8"))]
    assert shown == pytest.approx([(jaguar + java) / 2, jaguar, java], abs=5e-8)
