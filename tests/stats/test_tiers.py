"""Tiers: the rule, what it promises and what it does not, and where they are shown."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import OptionError
from gradewise.stats.tiers import MOST_LETTERED, find_tiers, tier_agreement
from oracles import statistics as oracle

squares = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.booleans(), min_size=size * size, max_size=size * size)
)


def symmetric(bits: list[bool]) -> np.ndarray:
    size = int(len(bits) ** 0.5)
    upper = np.triu(np.array(bits).reshape(size, size), 1)
    return upper | upper.T


@given(squares)
def test_tiers_follow_the_rule(bits: list[bool]) -> None:
    differs = symmetric(bits)
    assert find_tiers(differs).tolist() == oracle.tiers(differs.tolist())


@given(squares)
def test_what_tiers_promise(bits: list[bool]) -> None:
    """No run differs from the first of its tier, and each first from that of the tier above."""
    differs = symmetric(bits)
    tiers = find_tiers(differs).tolist()
    assert tiers == sorted(tiers)
    firsts = {tier: tiers.index(tier) for tier in tiers}
    assert list(firsts) == list(range(1, len(firsts) + 1))
    for run, tier in enumerate(tiers):
        assert not differs[firsts[tier], run]
        if tier > 1 and run == firsts[tier]:
            assert differs[firsts[tier - 1], run]


def test_tiers_are_no_groups_of_equals() -> None:
    """Neighbors do not differ, yet lie in two tiers; two others differ, yet lie in one."""
    differs = np.zeros((5, 5), bool)
    for a, b in ((0, 3), (1, 2)):
        differs[a, b] = differs[b, a] = True
    assert find_tiers(differs).tolist() == [1, 1, 1, 2, 2]
    found = tier_agreement(find_tiers(differs), differs)
    assert (found.apart, found.apart_differing) == (6, 1)
    assert (found.together, found.together_differing) == (4, 1)


@pytest.fixture(scope="module")
def many() -> gw.Scores:
    made = gw.simulate.collection(topics=20, runs=25, depth=40, seed=3)
    return gw.evaluate(made.qrels, made.runs, ["AP", "nDCG@10"])


def test_many_runs_are_shown_in_tiers(many: gw.Scores) -> None:
    found = gw.compare(many)
    assert found.parts[0].shows_tiers
    by_hand = oracle.tiers(found.parts[0].differs.tolist())
    frame = found.runs.filter(measure="AP")
    assert frame["tier"].to_list() == by_hand
    assert frame["group"].null_count() == len(frame)
    text = found.to_text()
    assert max(map(len, text.splitlines())) <= 80
    shown = [line.split()[-1] for line in text.split("\n\n")[0].splitlines()]
    assert shown == ["tier", *map(str, by_hand)]
    part = found.parts[0]
    pairs = found.pairs.filter(measure="AP")
    tier = dict(zip(part.runs, by_hand, strict=True))
    apart = pairs.filter(
        pl.col("run_a").replace_strict(tier) != pl.col("run_b").replace_strict(tier)
    )
    told = " ".join(text.split())
    assert f"{apart['significant'].mean():.0%} (AP)" in told
    assert "A tier starts at the first run that is significantly worse than the best run" in told


def test_tiers_in_every_format(many: gw.Scores) -> None:
    found = gw.compare(many)
    best, tier = found.runs.select("run", "tier").row(0)
    assert tier == 1
    mean = found.runs["mean"][0]
    nDCG = found.runs.filter(measure="nDCG@10", run=best)
    second = f"{nDCG['mean'][0]:.4f}", str(nDCG["tier"][0])
    row = next(line for line in found.to_markdown().splitlines() if line.startswith(f"| {best} "))
    cells = [cell.strip("*<>u/ ") for cell in row.split("|")[1:-1]]
    assert cells == [best, f"{mean:.4f}", "1", *second]
    assert "run & AP & tier & nDCG@10 & tier \\\\" in found.to_latex()
    assert f"{best} & \\textbf{{{mean:.4f}}} & 1 & " in found.to_latex()
    assert "% A tier starts at" in found.to_latex()
    assert ">tier</th>" in found.to_html()
    content = json.loads(found.to_json())
    assert [run["tier"] for run in content["measures"][0]["runs"]] == (
        found.runs.filter(measure="AP")["tier"].to_list()
    )
    assert "pairs" not in content["measures"][0]
    assert content["explanation"].startswith("A tier starts at")


def test_letters_and_tiers_can_be_asked_for(many: gw.Scores) -> None:
    assert not gw.compare(many, groups="letters").parts[0].shows_tiers
    few = many.of_runs(many.runs[:MOST_LETTERED])
    assert not gw.compare(few).parts[0].shows_tiers
    assert gw.compare(few, groups="tiers").parts[0].shows_tiers
    with pytest.raises(OptionError, match=r"groups must be one of .* did you mean tiers\?"):
        gw.compare(few, groups="tier")  # type: ignore[arg-type]


def test_a_baseline_has_no_tiers(many: gw.Scores) -> None:
    found = gw.compare(many, many.runs[3])
    assert not found.parts[0].shows_tiers
    assert found.runs["tier"].null_count() == len(found.runs)
    assert set(found.runs["group"]) <= {"", "*"}
    assert len(json.loads(found.to_json())["measures"][0]["pairs"]) == 24


def test_lower_may_be_better() -> None:
    """By Cooper's search length, the run that finds its documents sooner is the best."""
    qrels = {str(topic): {"a": 1} for topic in range(6)}
    late = [["x", "y", "z", "a"], ["x", "y", "a"]]
    runs = {
        "slow": {t: {d: -n for n, d in enumerate(late[int(t) % 2])} for t in qrels},
        "quick": {t: {"a": 1.0, "x": 0.0} for t in qrels},
    }
    found = gw.compare(gw.evaluate(qrels, runs, "ESL(size=1000)"))
    assert found.parts[0].runs == ("quick", "slow")
    assert found.pairs.row(0)[1:3] == ("quick", "slow")
    assert found.runs["tier"].to_list() == [1, 2]
