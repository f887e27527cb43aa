"""Pollack's sliding ratio at every rank, against SR's oracle and Kishida's example."""

import math
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError
from measures.cases import make_case
from oracles import gain_discount


def _collection(ranking: list[int | None], judged: dict[int, int]) -> tuple[Any, Any]:
    qrels = {f"d{i}": grade for i, grade in enumerate(ranking) if grade is not None}
    for grade, count in judged.items():
        missing = count - ranking.count(grade)
        qrels |= {f"missed{grade}.{i}": grade for i in range(missing)}
    return {"t": qrels or {"none": 0}}, {"t": {f"d{i}": -float(i) for i in range(len(ranking))}}


def test_kishida_2005_example() -> None:
    """Section 4.1.2: grades 1, 2, 3 against the ideal list 3, 2, 2, 1; 6/8 in the end."""
    ratios = gw.sliding_ratio(*_collection([1, 2, 3, 0, 0], {1: 1, 2: 2, 3: 1}), depth=5)
    assert ratios.ideal.tolist() == [[3, 2, 2, 1, 0]]
    assert ratios.at_rank[0, :4].tolist() == pytest.approx([1 / 3, 2 / 2, 3 / 2, 0 / 1])
    assert math.isnan(ratios.at_rank[0, 4])
    assert ratios.cumulated[0, -1] == 0.75


def test_equals_the_oracle_of_sr_at_every_rank() -> None:
    for seed in range(60):
        case = make_case(seed)
        if not case.ranking:
            continue
        qrels, run = _collection(case.ranking, case.judged)
        gains = {1: 0.5, 3: 7.0}
        for given in (None, gains):
            found = gw.sliding_ratio(qrels, run, depth=12, gains=given).cumulated[0]
            expected = [
                gain_discount.sr(case.ranking, case.judged, gains=given, cutoff=k)
                for k in range(1, 13)
            ]
            assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_frames() -> None:
    qrels = {"1": {"a": 2}, "2": {"a": 1, "b": 1}}
    runs = {"x": {"1": {"a": 1.0}}, "y": {"1": {"z": 2.0, "a": 1.0}, "2": {"b": 1.0}}}
    ratios = gw.sliding_ratio(qrels, runs, depth=2)
    frame = ratios.per_list
    columns = ["run", "topic", "rank", "gain", "ideal", "at_rank", "cumulated"]
    assert frame.columns == columns
    assert frame["run"].to_list() == ["x"] * 4 + ["y"] * 4
    assert frame["topic"].to_list() == ["1", "1", "2", "2"] * 2
    assert frame["at_rank"].to_list() == [1, None, 0, 0, 0, None, 1, 0]
    assert frame["cumulated"].to_list() == [1, 1, 0, 0, 0, 1, 1, 0.5]
    averaged = ratios.averaged()
    assert averaged["ratio"].to_list() == [0.5, 0.5, 0.5, 0.75]
    means = gw.evaluate(qrels, runs, ["SR@1", "SR@2"]).summary()
    np.testing.assert_allclose(averaged["ratio"].to_numpy().reshape(2, 2), means)


def test_depth_must_be_positive() -> None:
    with pytest.raises(OptionError, match="depth must be at least 1, not 0"):
        gw.sliding_ratio({"t": {"a": 1}}, {"t": {"a": 1.0}}, depth=0)
