"""Steps of EM for click models, and chances of clicks, against enumeration of all hidden events."""

import random

import numpy as np
import pytest

from clicks.cases import log_of, pairs_of, random_chances, random_sessions
from gradewise.clicks.examination import Cells
from gradewise.kernels import click_browsing, click_cells, click_chain
from oracles import clicks as oracle

CLOSE = {"rel": 1e-10, "abs": 1e-12}


@pytest.mark.parametrize("kind", ["position", "browsing"])
@pytest.mark.parametrize("prior", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(8))
def test_a_step_over_cells(seed: int, prior: float, kind: str) -> None:
    sessions = random_sessions(seed)
    log = log_of(sessions)
    rng = random.Random(seed)
    known = sorted({p for s in sessions for p in oracle.places(s, kind)}, key=str)
    seen = {place: rng.uniform(0.1, 0.9) for place in known}
    appeal = random_chances(seed, log)
    looks, liked = oracle.examination_step(sessions, seen, appeal, kind=kind, prior=prior)
    of_rows = [p for s in sessions for p in oracle.places(s, kind)]
    place = np.array([known.index(p) for p in of_rows])
    cells = Cells.of(log, place, len(known))
    found = np.array([appeal[pair] for pair in pairs_of(log)])
    expected = np.zeros(len(known))
    click_cells.update_cells(
        cells.edges,
        cells.place,
        cells.shown,
        cells.clicked,
        found,
        np.array([seen[place] for place in known]),
        prior,
        0,
        len(found),
        expected,
    )
    assert found.tolist() == pytest.approx([liked[pair] for pair in pairs_of(log)], **CLOSE)
    rows = np.bincount(place)
    new = (expected + prior) / (rows + 2 * prior)
    assert new.tolist() == pytest.approx([looks[place] for place in known], **CLOSE)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_expected_of_users_who_go_down_the_list(seed: int) -> None:
    sessions = random_sessions(seed, longest=3)
    log = log_of(sessions)
    appeal, satisfaction = random_chances(seed, log), random_chances(seed + 100, log)
    go_on = random.Random(seed).uniform(0.2, 0.95)
    seen, happy, moves = oracle.chain_counts(sessions, appeal, satisfaction, go_on)
    pairs = pairs_of(log)
    sums = np.zeros(len(pairs)), np.zeros(len(pairs)), np.zeros(2)
    click_chain.expect_chain(
        log.offsets,
        log.pair,
        log.click,
        np.array([appeal[pair] for pair in pairs]),
        np.array([satisfaction[pair] for pair in pairs]),
        go_on,
        0,
        len(log),
        *sums,
    )
    assert sums[0].tolist() == pytest.approx([seen[pair] for pair in pairs], **CLOSE)
    assert sums[1].tolist() == pytest.approx([happy[pair] for pair in pairs], **CLOSE)
    assert sums[2].tolist() == pytest.approx(moves, **CLOSE)


@pytest.mark.parametrize("seed", range(8))
def test_chances_of_clicks_of_users_who_go_down_the_list(seed: int) -> None:
    rng = random.Random(seed)
    clicks = [rng.randint(0, 1) for _ in range(4)]
    appeal, satisfies = ([rng.uniform(0.1, 0.9) for _ in clicks] for _ in range(2))
    alone, given = oracle.click_chances(
        clicks, lambda other: oracle.chain_likelihood(other, appeal, satisfies, 0.8)
    )
    found = click_chain.chain_chances(
        np.array([0, 4]),
        np.array(clicks, np.uint8),
        np.array(appeal),
        np.array(satisfies),
        0.8,
    )
    assert found[0].tolist() == pytest.approx(alone, **CLOSE)
    assert found[1].tolist() == pytest.approx(given, **CLOSE)


@pytest.mark.parametrize("seed", range(8))
def test_chances_of_clicks_after_the_last_one(seed: int) -> None:
    rng = random.Random(seed)
    ranks, clicks = [1, 3, 4, 7], [rng.randint(0, 1) for _ in range(4)]
    appeal = [rng.uniform(0.1, 0.9) for _ in clicks]
    table = np.random.default_rng(seed).uniform(0.1, 0.9, (8, 8))
    alone, given = oracle.click_chances(
        clicks,
        lambda other: oracle.browsing_likelihood(
            other, ranks, appeal, lambda rank, last: float(table[rank, last])
        ),
    )
    offsets, rank = np.array([0, 4]), np.array(ranks, np.int32)
    found = click_browsing.browsing_chances(offsets, rank, np.array(appeal), table)
    last = click_browsing.last_clicks(offsets, rank, np.array(clicks, np.uint8))
    assert found.tolist() == pytest.approx(alone, **CLOSE)
    assert (table[rank, last] * appeal).tolist() == pytest.approx(given, **CLOSE)


def test_sizes_must_fit() -> None:
    ints, floats, bytes_ = np.zeros(2, np.int32), np.zeros(2), np.zeros(2, np.uint8)
    with pytest.raises(ValueError, match="do not fit"):
        click_cells.update_cells(
            np.array([0, 1, 3]), ints, ints, ints, floats, floats, 1.0, 0, 2, floats
        )
    with pytest.raises(ValueError, match="do not fit"):
        click_chain.chain_chances(np.array([0, 3]), bytes_, floats, floats, 0.5)
    with pytest.raises(ValueError, match="do not fit"):
        click_browsing.last_clicks(np.array([0, 3]), ints, bytes_)
    with pytest.raises(ValueError, match="do not fit"):
        click_browsing.browsing_chances(np.array([0, 2]), ints + 5, floats, np.zeros((3, 3)))
