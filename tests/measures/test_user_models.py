"""User models of one's own, what users do at each rank, and the weights that papers print."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.cwl import LAST_RANK, UserModel
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.users import USERS

QRELS = {"1": {"a": 2, "b": 1}, "2": {"c": 1, "d": 2}}
RUN = {"1": {"x": 3.0, "a": 2.0, "b": 1.0}, "2": {"c": 2.0, "y": 1.0}}


def patient(rank: Floats, gain: Floats, total: Floats) -> Floats:
    """Go on with chance 0.75."""
    return np.full_like(gain, 0.75)


def test_a_function_is_a_user() -> None:
    own = gw.CWL(user=patient)
    assert str(own) == "CWL(user=patient)"
    assert own == gw.CWL(user=patient)
    assert own != gw.CWL(user=lambda rank, gain, total: gain)
    found = gw.evaluate(QRELS, RUN, [own, gw.CWL(user="rbp", p=0.75), own @ 2])
    assert found.summary()[0, 0] == pytest.approx(found.summary()[0, 1], abs=1e-12)
    # Topic 1 gains 1 at rank 2 of 1.75 documents, topic 2 gains 1/2 at rank 1.
    by_hand = (0.75 / 1.75 + 0.5 / 1.75) / 2
    assert found.summary()[0, 2] == pytest.approx(by_hand, abs=1e-12)


def test_a_user_without_end_stops_at_rank_1000() -> None:
    value = gw.score(gw.CWL(user=lambda rank, gain, total: 1.0), [1], {1: 1})
    assert value == 1 / LAST_RANK
    far = [0] * LAST_RANK + [1]
    assert gw.score("CWL(user=rr)", far, {1: 1, 0: LAST_RANK}) == 0
    assert gw.score("CWL(user=rr)@2000", far, {1: 1, 0: LAST_RANK}) == 1 / (LAST_RANK + 1)


@pytest.mark.parametrize("chance", [1.5, -0.1, math.nan])
def test_chances_lie_between_0_and_1(chance: float) -> None:
    model = gw.CWL(user=lambda rank, gain, total: np.where(rank == 2, chance, 0.5))
    with pytest.raises(gw.MeasureError, match="going on from rank 2 must be between 0 and 1, not"):
        gw.score(model, [1, 0, 1], {1: 2})


def test_chances_have_the_shape_of_gains() -> None:
    model = gw.CWL(user=lambda rank, gain, total: np.ones(3))
    with pytest.raises(gw.MeasureError, match=r"a column for each rank.*but its shape is \(3,\)"):
        gw.score(model, [1, 0], {1: 1})


def test_many_lists_are_walked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    qrels = {str(t): {f"d{i}": int(rng.integers(0, 3)) for i in range(30)} for t in range(40)}
    run = {t: {f"d{i}": float(s) for i, s in enumerate(rng.permutation(30))} for t in qrels}
    judged = gw.judge(qrels, run)
    names = ["INST", "NERR8@10", "CWL(user=ap,expected=total)"]
    whole = gw.score_judged(judged, names).values
    monkeypatch.setattr("gradewise.measures.cwl._CELLS", 100)
    np.testing.assert_array_equal(gw.score_judged(judged, names).values, whole)


@pytest.mark.parametrize("user", USERS)
def test_weights_and_last_ranks_are_distributions(user: str) -> None:
    """Down to a cutoff, everybody stops somewhere, and the value follows from W as from L."""
    grades = [0, 2, 1, 0, 1, 0, 0, 2]
    trace = gw.trace_user(f"CWL(user={user},T=2)@8", grades, {1: 3, 2: 2})
    gain, weight, last = (trace[name].to_numpy() for name in ("gain", "W", "L"))
    assert weight.sum() == pytest.approx(1, abs=1e-12)
    assert last.sum() == pytest.approx(1, abs=1e-12)
    text = f"CWL(user={user},T=2,expected={{}})@8"
    rate, total, items = (
        gw.score(text.format(what), grades, {1: 3, 2: 2}) for what in ("rate", "total", "items")
    )
    assert weight @ gain == pytest.approx(rate, abs=1e-12)
    assert last @ np.cumsum(gain) == pytest.approx(total, abs=1e-12)
    assert last @ np.arange(1, 9) == pytest.approx(items, abs=1e-12)


def test_the_guide_names_every_user() -> None:
    page = Path(__file__).parents[2] / "docs" / "guides" / "researchers" / "user-models.md"
    table = page.read_text(encoding="utf-8").partition("## Users by name")[2]
    rows = re.findall(r"^\| `'(\w+)'` \| ", table, re.MULTILINE)
    assert sorted(rows) == sorted(USERS)


def test_only_measures_with_a_user_can_be_traced() -> None:
    with pytest.raises(gw.MeasureError, match="AP does not define a user model"):
        gw.trace_user("AP", [1], {1: 1})


def test_insq_has_the_weights_of_its_paper() -> None:
    """W(n) = 1 / (S (n + 2T - 1)²), S being π²/6 less the first 2T - 1 terms of Σ 1/i²."""
    for hoped in (1, 2, 3):
        scale = math.pi**2 / 6 - sum(1 / i**2 for i in range(1, 2 * hoped))
        for n in (1, 2, 5, 40):
            grades = [0] * (n - 1) + [1]
            expected = 1 / (scale * (n + 2 * hoped - 1) ** 2)
            value = gw.score(f"INSQ(T={hoped})", grades, {0: n, 1: 1})
            assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("text", ["INSQ(T=1.5)", "U(L=9000,length=450)"])
def test_ranks_below_a_list_have_the_rest_of_the_weight(text: str) -> None:
    """What is above a rank and what is below it add up alike wherever the list ends."""
    measure = gw.parse_measure(text)
    assert isinstance(measure, GainDiscount)
    whole = measure.tail_weight(0)
    for size in (1, 4, 19, 30):
        seen = gw.score(measure, [1] * size, {1: size})
        assert seen + measure.tail_weight(size) == pytest.approx(whole, rel=1e-12)
    assert text.startswith("U") or whole == pytest.approx(1, rel=1e-12)


def test_inst_without_gains_is_insq() -> None:
    """Gains so small that no hope is met leave INST's users as those of INSQ."""
    grades, relevant = [0, 1, 0, 1], {1: 2, 2: 0}
    tiny = "gains={1:1e-9,2:1}"
    inst, insq = (gw.score(f"{name}(T=2,{tiny})", grades, relevant) for name in ("INST", "INSQ"))
    assert inst == pytest.approx(insq, rel=1e-7)


def test_the_tail_is_where_a_long_walk_ends() -> None:
    """Without a cutoff, a value is the limit of those with ever deeper cutoffs."""
    grades, relevant = [0, 1, 2, 0, 1], {1: 3, 2: 1}
    for name in ("INST(T=2)", "INSQ(T=2)", "NERR10", "NERR11"):
        limit = gw.score(name, grades, relevant)
        gaps = [gw.score(f"{name}@{k}", grades, relevant) - limit for k in (10**3, 10**4, 10**5)]
        assert abs(gaps[2]) < 1e-5
        assert abs(gaps[2]) <= abs(gaps[1]) <= abs(gaps[0])


def test_constants_of_time_biased_gain() -> None:
    """A relevant document at rank 1 is worth 0.64 · 0.77; half of it after the half-life."""
    assert gw.score("TBG", [1], {1: 1}) == pytest.approx(0.4928, abs=1e-12)
    per_document = 4.4 + 0.39 * (0.018 * 500 + 7.8)
    half = gw.score(f"TBG(half_life={per_document!r})", [0, 1], {1: 1})
    assert half == pytest.approx(0.4928 / 2, abs=1e-12)


def test_a_subclass_declares_a_measure() -> None:
    class Hasty(UserModel):
        name = "Hasty"
        named = "nerr9"

    value = gw.score(Hasty() @ 2, [1, 2], {1: 1, 2: 1})
    assert value == gw.score("NERR9@2", [1, 2], {1: 1, 2: 1}) == 0.6


def test_no_lists() -> None:
    judged = gw.judge(QRELS, RUN)
    empty = Judged(
        judged.scale,
        judged.counts[:0],
        judged.topic[:0],
        judged.retrieved[:0],
        runs=(),
        topics=(),
        hits=judged.hits.where(judged.hits.list < 0),
    )
    assert gw.parse_measure("INST").values(empty).shape == (0,)
