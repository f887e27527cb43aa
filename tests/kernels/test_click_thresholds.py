"""Steps of EM for users with thresholds, against enumeration of all hidden events."""

import random

import numpy as np
import pytest

from clicks.cases import log_of, pairs_of, random_sessions
from gradewise.kernels import click_thresholds
from oracles import clicks as oracle

CLOSE = {"rel": 1e-9, "abs": 1e-12}
LEVELS = 3


def made(seed: int) -> tuple:
    sessions = random_sessions(seed, longest=3)
    log = log_of(sessions)
    rng = random.Random(seed)
    level = {pair: rng.randint(0, LEVELS) for pair in pairs_of(log)}
    rows = np.array([level[pair] for pair in pairs_of(log)], np.int32)[log.pair]
    g = np.random.default_rng(seed).dirichlet(np.ones(LEVELS))
    return sessions, log, level, rows, g, rng


@pytest.mark.parametrize("seed", range(10))
def test_users_by_position(seed: int) -> None:
    sessions, log, level, rows, g, rng = made(seed)
    seen = {rank: rng.uniform(0.2, 0.9) for rank in range(1, 4)}
    expected = oracle.position_thresholds(sessions, level, g.tolist(), seen, 0.15)
    table = np.array([0.5, seen[1], seen[2], seen[3]])
    thresholds, shown, looks, sums = np.zeros(LEVELS), np.zeros(4), np.zeros(4), np.zeros(2)
    likelihood = click_thresholds.expect_by_position(
        log.offsets,
        log.rank,
        rows,
        log.click,
        np.ones(len(log)),
        g,
        table,
        0.15,
        thresholds,
        shown,
        looks,
        sums,
    )
    assert (thresholds / len(log)).tolist() == pytest.approx(expected[0], **CLOSE)
    there = np.flatnonzero(shown)
    found = dict(zip(there.tolist(), (looks[there] / shown[there]).tolist(), strict=True))
    assert found == pytest.approx(expected[1], **CLOSE)
    assert sums[0] / sums[1] == pytest.approx(expected[2], **CLOSE)
    assert likelihood == pytest.approx(expected[3], **CLOSE)


@pytest.mark.parametrize("seed", range(10))
def test_users_who_go_down_the_list(seed: int) -> None:
    sessions, log, level, rows, g, rng = made(seed)
    users = [rng.uniform(0.2, 0.9) for _ in range(4)]
    expected = oracle.cascade_thresholds(sessions, level, g.tolist(), users)
    thresholds, sums = np.zeros(LEVELS), np.zeros(8)
    likelihood = click_thresholds.expect_by_cascade(
        log.offsets, rows, log.click, np.ones(len(log)), g, np.array(users), thresholds, sums
    )
    assert thresholds.tolist() == pytest.approx(expected[0], **CLOSE)
    assert sums.tolist() == pytest.approx(expected[1], **CLOSE)
    assert likelihood == pytest.approx(expected[2], **CLOSE)


def test_a_weight_counts_a_list_several_times() -> None:
    _, log, _, rows, g, _ = made(1)
    users, thrice = np.array([0.6, 0.2, 0.5, 0.8]), np.tile(np.arange(len(log)), 3)
    several = log.take(thrice)
    sums = np.zeros((2, 8))
    weighed = click_thresholds.expect_by_cascade(
        log.offsets, rows, log.click, np.full(len(log), 3.0), g, users, np.zeros(LEVELS), sums[0]
    )
    repeated = click_thresholds.expect_by_cascade(
        several.offsets,
        np.tile(rows, 3),
        several.click,
        np.ones(len(several)),
        g,
        users,
        np.zeros(LEVELS),
        sums[1],
    )
    assert weighed == pytest.approx(repeated)
    assert sums[0].tolist() == pytest.approx(sums[1].tolist())


def test_sizes_must_fit() -> None:
    ints, bytes_, floats = np.zeros(2, np.int32), np.zeros(2, np.uint8), np.ones(1)
    with pytest.raises(ValueError, match="do not fit"):
        click_thresholds.expect_by_cascade(
            np.array([0, 3]), ints, bytes_, floats, floats, np.ones(4), np.zeros(1), np.zeros(8)
        )
    with pytest.raises(ValueError, match="levels"):
        click_thresholds.expect_by_position(
            np.array([0, 2]),
            ints,
            ints + 2,
            bytes_,
            floats,
            floats,
            np.ones(3) / 2,
            0.1,
            np.zeros(1),
            np.zeros(3),
            np.zeros(3),
            np.zeros(2),
        )
