"""Thresholds of users are recovered from their clicks, and are a fixed point of the literal EM."""

from typing import get_args

import numpy as np
import pytest

import gradewise as gw
from clicks.cases import log_of, pairs_of, random_sessions
from gradewise.clicks.threshold_users import USERS, Users, group_sessions
from oracles import clicks as oracle


def collection(grades: int, topics: int = 60, seed: int = 1) -> tuple[dict, dict]:
    """Make judgments of ten documents for each topic, with all grades, in random order."""
    rng = np.random.default_rng(seed)
    levels = rng.choice(grades + 1, (topics, 10), p=_shares(grades))
    qrels = {
        f"q{t}": {f"d{d}": int(level) for d, level in enumerate(row)}
        for t, row in enumerate(levels)
    }
    run = {topic: {doc: -int(doc[1:]) for doc in docs} for topic, docs in qrels.items()}
    return qrels, run


def _shares(grades: int) -> list[float]:
    return [0.4, *[0.6 / grades] * grades]


def test_names_are_those_of_the_table() -> None:
    assert get_args(Users) == tuple(USERS)


# The shares, and how near they were found, are those of 30,000 sessions with θ_r = r^-.6, a = .9
# and b = .03.
@pytest.mark.parametrize("g", [(0.5, 0.3, 0.2), (0.2, 0.2, 0.6), (0.8, 0.2)])
def test_users_by_position_are_recovered(g: tuple[float, ...]) -> None:
    qrels, run = collection(len(g))
    log = gw.simulate.clicks(qrels, run, 30000, g=g, seed=2)
    found = gw.clicks.thresholds(qrels, log, replicates=0)
    assert found.g == pytest.approx(g, abs=0.015)
    assert found.others == pytest.approx(0.03 / 0.9, abs=0.004)
    assert found.examination.tolist() == pytest.approx(
        (0.9 * np.arange(1, 11) ** -0.6).tolist(), abs=0.02
    )
    assert sum(found.g) == pytest.approx(1)


@pytest.mark.parametrize("g", [(0.5, 0.3, 0.2), (0.8, 0.2)])
def test_cascade_users_are_recovered(g: tuple[float, ...]) -> None:
    qrels, run = collection(len(g))
    log = gw.simulate.clicks(qrels, run, 30000, model="bayesian", g=g, stop=0.5, seed=2)
    found = gw.clicks.thresholds(qrels, log, users="cascade", replicates=0)
    assert found.g == pytest.approx(g, abs=0.02)
    assert (found.click, found.stop, found.go_on) == pytest.approx((0.9, 0.5, 0.9), abs=0.02)
    assert found.others == pytest.approx(0.03 / 0.9, abs=0.01)


def test_cascade_users_who_always_stop() -> None:
    qrels, run = collection(2)
    log = gw.simulate.clicks(qrels, run, 30000, model="cascade", g=(0.3, 0.7), seed=2)
    found = gw.clicks.thresholds(qrels, log, users="cascade", replicates=0)
    assert found.g == pytest.approx((0.3, 0.7), abs=0.02)
    assert found.stop > 0.98
    assert found.go_on > 0.98


@pytest.mark.parametrize("seed", range(3))
def test_the_end_is_a_fixed_point_of_the_literal_step(seed: int) -> None:
    sessions = random_sessions(seed, sessions=30, longest=3)
    log = log_of(sessions)
    level = {pair: n % 3 for n, pair in enumerate(pairs_of(log))}
    qrels: dict[str, dict[str, int]] = {}
    for (topic, doc), grade in level.items():
        qrels.setdefault(topic, {})[doc] = grade
    found = gw.clicks.thresholds(qrels, log, replicates=0, tolerance=1e-10, iterations=10**5)
    seen = {rank: float(chance) for rank, chance in enumerate(found.examination, 1)}
    g, looks, others, likelihood = oracle.position_thresholds(
        sessions, level, found.g, seen, found.others
    )
    assert g == pytest.approx(found.g, abs=1e-6)
    assert looks == pytest.approx(seen, abs=1e-6)
    assert others == pytest.approx(found.others, abs=1e-6)
    assert likelihood == pytest.approx(found.log_likelihood, abs=1e-6)


def test_equal_sessions_are_counted_together() -> None:
    qrels, run = collection(2, topics=3)
    log = gw.simulate.clicks(qrels, run, 2000, g=(0.5, 0.5), seed=1)
    judged = gw.read_qrels(qrels)
    level = log.levels(judged)[log.pair]
    grouped = group_sessions(log, level, 2)
    assert grouped.times.sum() == len(log)
    kinds = {
        (int(log.topic[n]), log.click[log.offsets[n] : log.offsets[n + 1]].tobytes())
        for n in range(len(log))
    }
    assert len(grouped.times) == len(kinds)
    clicks = np.add.reduceat(grouped.click.astype(float), grouped.offsets[:-1]) @ grouped.times
    assert clicks == log.click.sum()


def test_shares_go_into_a_measure() -> None:
    qrels, run = collection(2)
    log = gw.simulate.clicks(qrels, run, 3000, g=(0.7, 0.3), seed=3)
    found = gw.clicks.thresholds(qrels, log, replicates=50, seed=4)
    assert (found.low < found.g).all()
    assert (found.g < found.high).all()
    measure = gw.GAP(g=found.g)
    assert 0 < float(gw.evaluate(qrels, run, measure)) < 1
    again = gw.clicks.thresholds(qrels, log, replicates=50, seed=4)
    assert again.low.tobytes() == found.low.tobytes()
    assert found.frame.columns == ["grade", "share", "low", "high"]
    assert gw.parse_measure(found.measure).name == "GAP"
    assert str(found).splitlines()[0].split() == ["grade", "share", "low", "high"]


def test_unjudged_documents_and_unseen_grades_are_noted() -> None:
    qrels, run = collection(2)
    log = gw.simulate.clicks(qrels, run, 3000, g=(0.7, 0.3), seed=3)
    some = {topic: {d: g for d, g in docs.items() if d != "d3"} for topic, docs in qrels.items()}
    (note,) = gw.clicks.thresholds(some, log, replicates=0).notes
    assert note == "10.0% of the rows show unjudged documents, which are left out"
    (note,) = gw.clicks.thresholds(some, log, users="cascade", replicates=0).notes
    assert note.endswith("which are counted as not relevant")
    more = {**qrels, "q-unseen": {"x": 3}}
    (note,) = gw.clicks.thresholds(more, log, replicates=0).notes
    assert note.startswith("no document of grade 3 was shown; the share of threshold 3 is that")
    doubled = {t: {d: 2 * g for d, g in docs.items()} for t, docs in qrels.items()}
    (note,) = gw.clicks.thresholds({**doubled, "u": {"x": 1}}, log, replicates=0).notes
    assert "shares of thresholds 1 and 2 are not identified" in note


def test_what_cannot_be_estimated_is_refused() -> None:
    qrels, run = collection(1)
    log = gw.simulate.clicks(qrels, run, 100, seed=3)
    with pytest.raises(gw.InputError, match="no session shows a judged document"):
        gw.clicks.thresholds({"other": {"x": 1}}, log)
    with pytest.raises(gw.InputError, match="no document has a positive grade"):
        gw.clicks.thresholds({"q1": {"d1": 0}}, log)
    with pytest.warns(UserWarning, match="did not converge"):
        gw.clicks.thresholds(qrels, log, replicates=0, iterations=3)
