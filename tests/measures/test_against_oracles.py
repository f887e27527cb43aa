"""Every measure equals a slow literal definition on random graded lists."""

import math

import pytest

from gradewise.measures.grammar import parse_measure
from gradewise.measures.registry import all_measures
from measures.cases import ORACLES, make_case

CASES = [make_case(seed) for seed in range(400)]


def test_every_measure_has_an_oracle() -> None:
    # Those that use intents have theirs in test_intents.
    assert {each.name for each in all_measures() if not each.uses_intents} == set(ORACLES)


@pytest.mark.parametrize("name", ORACLES)
def test_equals_oracle(name: str) -> None:
    oracle, pairs = ORACLES[name]
    for case in CASES:
        scores = {"scores": case.scores} if name == "ADM" else {}
        for pair in pairs(case):
            expected = oracle(case.ranking, case.judged, **scores, **pair.parameters)
            value = float(parse_measure(pair.text).values(case.joined)[0])
            both_undefined = math.isnan(value) and math.isnan(expected)
            assert both_undefined or abs(value - expected) < 1e-12, (pair.text, case)
