"""Kishida's example: grades 3, 2 and 1, one document each, and five ranks to place them at."""

import itertools
from collections.abc import Sequence

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.one_list import judge_list
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import lists_of_levels

INDICATORS = ("MSR", "AnDCG", "Q", "GenAP")  # v_S', v_D, v_Q and v_G


def list_patterns() -> list[list[int]]:
    """Return all 136 ways to place documents of grades 3, 2 and 1 at 5 ranks, or nowhere."""
    ranks = itertools.product(range(4), repeat=5)
    return [list(p) for p in ranks if all(p.count(grade) <= 1 for grade in (1, 2, 3))]


def score_patterns(
    patterns: Sequence[Sequence[int]], measures: Sequence[str] = (*INDICATORS, "AP")
) -> Floats:
    """Return the values of measures, a row each, for patterns."""
    lists = lists_of_levels(judge_list([], {1: 1, 2: 1, 3: 1}), np.array(patterns))
    return np.stack([parse_measure(name).values(lists) for name in measures])
