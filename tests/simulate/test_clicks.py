"""Simulated clicks have the rates that users of each model have."""

import numpy as np
import pytest

import gradewise as gw

QRELS = {"q": {"a": 2, "b": 1, "c": 0}, "r": {"d": 2}}
RUN = {"q": {"a": 3, "b": 2, "c": 1}, "r": {"d": 2, "e": 1}}


def rates(**options: object) -> np.ndarray:
    log = gw.simulate.clicks(QRELS, RUN, 40000, seed=1, **options)  # type: ignore[arg-type]
    q = log.topic[log.list_of_row] == log.topics.index("q")
    return np.array([log.click[q & (log.rank == rank)].mean() for rank in (1, 2, 3)])


def test_positions() -> None:
    appeal = np.array([0.9, 0.465, 0.03])
    expected = appeal * np.array([1, 2, 3]) ** -0.6
    assert rates() == pytest.approx(expected, abs=0.015)
    assert rates(g=[0.5, 0.5]) == pytest.approx(expected, abs=0.015)  # half the users take grade 1


def test_users_who_go_down_the_list() -> None:
    appeal = np.array([0.9, 0.465, 0.03])
    left = np.cumprod([1, 1 - 0.9, 1 - 0.465])
    assert rates(model="cascade") == pytest.approx(appeal * left, abs=0.015)
    stays = np.cumprod([1, 0.9 * (1 - 0.9 * 0.7), 0.9 * (1 - 0.465 * 0.35)])
    assert rates(model="bayesian") == pytest.approx(appeal * stays, abs=0.015)


def test_users_look_closer_below_a_click() -> None:
    second = 2**-0.6
    after = 1.0
    expected = 0.465 * (0.9 * after + 0.1 * second)
    assert rates(model="browsing")[1] == pytest.approx(expected, abs=0.015)


def test_lists_are_shuffled_and_swapped() -> None:
    shuffled = gw.simulate.clicks(QRELS, RUN, 3000, shuffle="random", seed=1).frame
    firsts = shuffled.filter(topic="q", rank=1)["doc"].value_counts(normalize=True)
    assert firsts["proportion"].to_list() == pytest.approx([1 / 3] * 3, abs=0.05)
    swapped = gw.simulate.clicks(QRELS, RUN, 3000, shuffle="swap", seed=1).frame
    found = dict(swapped.filter(topic="q", rank=1)["doc"].value_counts(normalize=True).rows())
    assert found == pytest.approx({"a": 0.5, "b": 0.25, "c": 0.25}, abs=0.05)


def test_the_same_seed_gives_the_same_log() -> None:
    one, same, other = (gw.simulate.clicks(QRELS, RUN, 50, seed=s).frame for s in (1, 1, 2))
    assert one.equals(same)
    assert not one.equals(other)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(gw.GradewiseError, match="g must have 2 shares that sum to 1"):
        gw.simulate.clicks(QRELS, RUN, g=[0.5, 0.2])
    with pytest.raises(gw.GradewiseError, match="must be from 0 to 1"):
        gw.simulate.clicks(QRELS, RUN, click=1.5)
    with pytest.raises(gw.GradewiseError, match="model must be one of"):
        gw.simulate.clicks(QRELS, RUN, model="none")  # type: ignore[arg-type]
