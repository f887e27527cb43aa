"""Documents of a topic get the same number where their ids have the same bytes."""

import random

import numpy as np
import pytest

import gradewise as gw
from gradewise.distance.align import Aligned

SHORT = [f"d{i}" for i in range(30)]
MIXED = [*SHORT, "é", "éa", "d" * 8, "d" * 9, "d" * 64, "文書1", "d\u0301"]
LONG = [*MIXED, *["x" * 64 + end for end in ("", "a", "b", "ab")], "y" * 5_000, "y" * 5_001]


@pytest.mark.parametrize("ids", [SHORT, MIXED, LONG], ids=["short", "mixed", "long"])
def test_numbers_stand_for_ids(ids: list[str]) -> None:
    rng = random.Random(len(ids))
    orders = [{t: rng.sample(ids, rng.randint(1, len(ids))) for t in "tu"} for _ in range(4)]
    runs = [
        (
            f"run{i}",
            {t: {d: -float(rank) for rank, d in enumerate(order)} for t, order in of.items()},
        )
        for i, of in enumerate(orders)
    ]
    judged = {t: {d: rng.randint(0, 2) for d in rng.sample(ids, 12)} for t in "tu"}
    for lists in Aligned.of(runs, judged, grades=[1, 2]).lists():
        level = {}
        for numbers, of in zip(lists.lists, orders, strict=True):
            assert lists.names(numbers) == of[lists.topic]
            level.update(zip(of[lists.topic], lists.level[numbers].tolist(), strict=True))
        every = np.unique(np.concatenate(lists.lists))
        assert len(set(lists.names(every))) == len(every)
        known = judged[lists.topic]
        assert level == {d: known.get(d, -1) for d in level}
        assert lists.counts.tolist() == [list(known.values()).count(grade) for grade in (0, 1, 2)]


def test_ids_that_differ_in_case_or_length_are_not_the_same() -> None:
    run_a = {"t": {"Doc1": 2.0, "doc1": 1.0}}
    run_b = {"t": {"doc1": 2.0, "doc10": 1.0}}
    found = gw.distance.rbo(run_a, run_b, p=0.5)["t"]
    # X = 0, 1: A = 0, 1/2, and then A stays at 1/2.
    assert found.extrapolated == pytest.approx(1 / 8 + 1 / 8)
