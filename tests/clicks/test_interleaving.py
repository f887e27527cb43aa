"""Interleaved lists, and which team users prefer."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.clicks import ClickLog

FIRST = {"q1": ["a", "b", "c", "d"], "q2": ["e", "f"], "q3": ["x"]}
SECOND = {"q2": ["f", "e"], "q1": ["c", "d", "a", "b"], "q4": ["y"]}


def test_teams_take_turns() -> None:
    made = gw.clicks.interleave(FIRST, SECOND, draws=50, depth=4, seed=1)
    assert made.topics == ("q1", "q2")
    assert len(made) == 100
    assert repr(made) == "Interleaved(first and second, 100 lists, 300 documents)"
    frame = made.frame
    assert frame.columns == ["topic", "draw", "rank", "doc", "team"]
    lists = frame.filter(topic="q1").group_by("draw", maintain_order=True).agg("doc", "team")
    for doc, team in lists.select("doc", "team").rows():
        assert sorted(doc) == ["a", "b", "c", "d"]
        assert {team[0], team[1]} == {"first", "second"} == {team[2], team[3]}
    firsts = {doc[0] for doc in lists["doc"].to_list()}
    assert firsts == {"a", "c"}


def test_the_same_seed_gives_the_same_lists() -> None:
    one, same, other = (
        gw.clicks.interleave(FIRST, SECOND, draws=20, seed=seed).frame for seed in (1, 1, 2)
    )
    assert one.equals(same)
    assert not one.equals(other)


def test_runs_without_a_topic_in_common() -> None:
    with pytest.raises(gw.InputError, match="no topic in common"):
        gw.clicks.interleave({"q": ["a"]}, {"r": ["a"]})


def interleaved_log(better: float, sessions: int = 400) -> ClickLog:
    """Make a log in which the first team's documents are clicked with chance `better`."""
    rng = np.random.default_rng(1)
    rows = []
    for session in range(sessions):
        for rank, team in enumerate(("A", "B") if session % 2 else ("B", "A"), 1):
            chance = better if team == "A" else 0.4
            rows.append(
                (
                    f"s{session}",
                    f"q{session % 20}",
                    f"{team}{session % 7}",
                    rank,
                    int(rng.random() < chance),
                    team,
                )
            )
    return gw.read_clicks(rows, columns="session,topic,doc,rank,click,team")


def test_the_better_team_wins() -> None:
    found = gw.clicks.compare_teams(interleaved_log(0.6))
    assert found.teams == ("A", "B")
    assert found.wins + found.losses + found.tied == 400
    assert found.share == (found.wins + found.tied / 2) / 400
    assert 0.5 < found.low < found.share < found.high
    assert found.p_sessions < 0.01
    assert found.p_topics < 0.01
    assert found.frame["team"].to_list() == ["A"]


def test_p_is_that_of_scipy() -> None:
    from scipy import stats

    found = gw.clicks.compare_teams(interleaved_log(0.45))
    expected = stats.binomtest(found.wins, found.wins + found.losses).pvalue
    assert found.p_sessions == pytest.approx(expected)


def test_a_log_without_teams_is_refused() -> None:
    with pytest.raises(gw.InputError, match="two teams in a column 'team'; found none"):
        gw.clicks.compare_teams([("s", "q", "a", 1, 1)])


def test_teams_are_kept_in_parts_of_a_log() -> None:
    log = interleaved_log(0.6, 10)
    assert log.take(np.array([3])).frame["team"].to_list() == ["A", "B"]


def test_simulated_users_prefer_the_better_run() -> None:
    qrels = {f"q{t}": {f"d{d}": d % 3 for d in range(9)} for t in range(20)}
    good = {topic: dict(docs) for topic, docs in qrels.items()}
    bad = {topic: {doc: -grade for doc, grade in docs.items()} for topic, docs in qrels.items()}
    made = gw.clicks.interleave(good, bad, draws=10, depth=6, names=("good", "bad"), seed=1)
    log = gw.simulate.clicks(qrels, made, 1000, seed=2)
    assert log.teams == ("good", "bad")
    shown = made.frame.group_by("topic", "draw").agg("doc", "team")
    lists = {(t, *zip(d, m, strict=True)) for t, _, d, m in shown.rows()}
    for _, topic, docs, teams in (
        log.frame.group_by("session", maintain_order=True).agg("topic", "doc", "team").rows()
    ):
        assert (topic[0], *zip(docs, teams, strict=True)) in lists
    found = gw.clicks.compare_teams(log)
    assert (found.teams, found.p_topics < 0.001, found.share < 0.2) == (("bad", "good"), True, True)
    with pytest.raises(gw.GradewiseError, match="leave shuffle out"):
        gw.simulate.clicks(qrels, made, 10, shuffle="random")
