"""Sessions of queries: how runs are read, values against the definition and TREC's scorer."""

import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from command import caller
from gradewise.errors import InputError, MeasureError, OptionError
from oracles.sessions import normalized_session_dcg, session_dcg

# A drawn run with 5 documents for each query, what each document is worth, and what the scorer of
# TREC 2017 Dynamic Domain (trec-dd-jig, scorer/sDCG.py) prints for the first queries.
GRADES = {
    "DD17-1": "a1 c1 d4 e3 h5 i2 k1",
    "DD17-2": "b4 c3 d2 e3 g1 h3 i7 j3 k7 l4",
    "DD17-3": "a2 b1 c7 d3 g3 h2 j5 k1 l2",
}
QUERIES = {  # uppercase letters are not judged
    "DD17-1": ["igfjX", "lckYh", "fhZic", "WjaVX"],
    "DD17-2": ["XiflY", "WkVgU", "dbhiV"],
    "DD17-3": ["jeiXf", "kYalb", "ZflWj", "YdZgV", "gdbWX"],
}
PRINTED = {
    1: {"DD17-1": "2.0000000 0.2190999", "DD17-2": "4.8333333 0.3383779"},
    2: {"DD17-1": "3.5946685 0.3295422", "DD17-2": "7.3888889 0.3782190"},
    3: {"DD17-1": "3.5946685 0.3154922", "DD17-2": "10.2678916 0.4941797"},
    10: {"DD17-1": "3.7880949 0.3226852", "DD17-2": "10.2678916 0.4557422"},
}
PRINTED[1]["DD17-3"] = "5.0000000 0.4077433"
PRINTED[2]["DD17-3"] = "6.8276015 0.4430800"
PRINTED[3]["DD17-3"] = "6.8276015 0.4216130"
PRINTED[10]["DD17-3"] = "8.0776015 0.4717963"


def _qrels() -> dict[str, dict[str, int]]:
    return {t: {text[0]: int(text[1:]) for text in own.split()} for t, own in GRADES.items()}


def _lines(first: int = 0) -> str:
    return "".join(
        f"{topic} {first + q} {document} {n} {-n} dd\n"
        for topic, lists in QUERIES.items()
        for q, documents in enumerate(lists)
        for n, document in enumerate(documents)
    )


@pytest.mark.parametrize("queries", PRINTED)
def test_values_that_the_scorer_of_trec_prints(queries: int) -> None:
    names = [f"sDCG(queries={queries})@5", f"nsDCG(queries={queries})@5"]
    scores = gw.evaluate(_qrels(), io.BytesIO(_lines().encode()), names)
    for topic, values in zip(scores.topics, scores.values[0].tolist(), strict=True):
        assert " ".join(f"{value:.7f}" for value in values) == PRINTED[queries][topic]


def _session(rng: random.Random) -> tuple[dict[str, int], list[list[str]]]:
    grades = {f"d{n}": rng.choice([0, 0, 1, 2, 3]) for n in range(rng.randint(1, 25))}
    pool = [*grades, *[f"x{n}" for n in range(10)]]
    lists = [rng.sample(pool, rng.randint(0, 8)) for _ in range(rng.randint(1, 6))]
    return grades, lists


def _seen_once(grades: dict[str, int], lists: list[list[str]]) -> list[list[int | None]]:
    seen: set[str] = set()
    result: list[list[int | None]] = []
    for documents in lists:
        result.append([None if d in seen else grades.get(d) for d in documents])
        seen |= set(documents)
    return result


@pytest.mark.parametrize("seed", range(40))
def test_equals_oracle(seed: int) -> None:
    rng = random.Random(seed)
    options: dict[str, Any] = {
        "b": rng.choice([2.0, 1.5, 10.0]),
        "bq": rng.choice([4.0, 1.2]),
        "gains": rng.choice([None, {1: 1, 2: 3, 3: 10}]),
        "queries": rng.choice([None, 1, 3]),
    }
    cutoff = rng.choice([None, 1, 4])
    topics = {f"t{n}": _session(rng) for n in range(6)}
    run = {
        t: [{d: -float(n) for n, d in enumerate(documents)} for documents in lists]
        for t, (_, lists) in topics.items()
    }
    qrels = {t: grades for t, (grades, _) in topics.items()}
    measures = [gw.session_DCG(cutoff=cutoff, **options), gw.nsDCG(cutoff=cutoff, **options)]
    scores = gw.evaluate(qrels, {"mine": run}, measures)
    for topic, (plain, normalized) in zip(scores.topics, scores.values[0], strict=True):
        grades, lists = topics[topic]
        session = _seen_once(grades, lists)
        counts = {grade: list(grades.values()).count(grade) for grade in (1, 2, 3)}
        assert plain == pytest.approx(session_dcg(session, cutoff=cutoff, **options), abs=1e-12)
        expected = normalized_session_dcg(session, counts, cutoff=cutoff, **options)
        assert normalized == pytest.approx(expected, abs=1e-12)
        assert 0 <= normalized <= 1 + 1e-12


def test_the_best_session_has_the_value_1() -> None:
    """The first ranks of three queries have 1, 1/1.5 and 1/1.79, and rank 2 of the first 1/2."""
    qrels = {"s": {"a": 3, "b": 2, "c": 1, "d": 0}}
    best = {"s": [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}]}
    assert float(gw.evaluate(qrels, best, "nsDCG@2")) == pytest.approx(1)
    best = {"s": [{"a": 2.0, "c": 1.0}, {"b": 1.0}]}
    assert float(gw.evaluate(qrels, best, "nsDCG(queries=2)@2")) == pytest.approx(1)
    one = {"s": [{"a": 3.0, "b": 2.0, "c": 1.0}]}
    assert float(gw.evaluate(qrels, one, "nsDCG(queries=1)")) == pytest.approx(1)
    assert float(gw.evaluate(qrels, one, "nsDCG")) < 1


def test_sources_give_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "dd.txt"
    path.write_text(_lines(first=1))
    shuffled = _lines().splitlines(keepends=True)
    random.Random(1).shuffle(shuffled)
    lists = {
        topic: [{d: -float(n) for n, d in enumerate(documents)} for documents in queries]
        for topic, queries in QUERIES.items()
    }
    found = [
        gw.evaluate(_qrels(), source, ["sDCG@3", "nsDCG"]).values
        for source in (path, io.BytesIO("".join(shuffled).encode()), lists, {"dd": lists})
    ]
    for values in found[1:]:
        np.testing.assert_allclose(values, found[0], rtol=1e-12)
    run = gw.read_sessions(path)
    assert str(run) == "SessionRun('dd', 3 sessions, 12 queries, 60 documents)"
    assert run.tag == "dd"


def test_a_plain_run_is_a_session_of_one_query() -> None:
    qrels, run = {"t": {"a": 2, "b": 1}}, {"t": {"x": 3.0, "a": 2.0, "b": 1.0}}
    expected = session_dcg([[None, 2, 1]])
    assert gw.score("sDCG", [None, 2, 1], {1: 1, 2: 1}) == pytest.approx(expected)
    text = io.BytesIO(b"t Q0 x 1 3 r\nt Q0 a 2 2 r\nt Q0 b 3 1 r\n")
    for source in (run, gw.read_run(run), text):
        assert float(gw.evaluate(qrels, source, "sDCG")) == pytest.approx(expected)


def test_other_measures_take_the_lists_one_after_the_other() -> None:
    """The document that the second query returns again is not found again, and keeps its rank."""
    qrels = {"s": {"a": 1, "b": 1, "c": 1}}
    run = {"s": [{"x": 3.0, "a": 2.0}, {"a": 3.0, "b": 2.0}]}
    scores = gw.evaluate(qrels, run, ["sDCG", "AP", "NumRet", "NumRelRet", "P@4"])
    assert scores.values[0, 0, 1:] == pytest.approx([(1 / 2 + 2 / 4) / 3, 4, 2, 2 / 4])


def test_condensed_and_single_sessions_keep_their_queries() -> None:
    run = {"s": [{"x": 3.0, "a": 2.0}, {"y": 3.0, "b": 2.0}], "t": [{"c": 1.0}]}
    qrels = {"s": {"a": 1, "b": 2}, "t": {"c": 1}}
    expected = session_dcg([[1], [2]])
    scores = gw.evaluate(qrels, run, "sDCG(judged_only=True)")
    assert scores.values[0, 0, 0] == pytest.approx(expected)
    judged = gw.judge(qrels, run, sessions=True)
    alone = gw.score_judged(judged.list_of("run", "s"), "sDCG").values
    assert alone[0, 0, 0] == pytest.approx(session_dcg([[None, 1], [None, 2]]))


def test_depth_and_missing_queries() -> None:
    """Depth counts the documents of each query; a query that returned nothing keeps its place."""
    lines = b"s 1 a 1 9 r\ns 1 b 2 8 r\ns 3 c 1 7 r\ns 3 d 2 6 r\n"
    qrels = {"s": {"a": 1, "b": 1, "c": 1, "d": 1}, "missed": {"a": 1}}
    scores = gw.evaluate(qrels, io.BytesIO(lines), "sDCG", depth=1)
    values = dict(zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True))
    assert values == pytest.approx({"s": session_dcg([[1], [], [1]]), "missed": 0.0})
    assert "1 of 2 judged topics are missing" in scores.notes[0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            io.BytesIO(b"s one a 1 1 r\ns two b 1 1 r\n"),
            "stream: the second column must number the queries of a session; found 'one'",
        ),
        (
            io.BytesIO(b"s 1 a 1 1 r\ns 1700000000 b 1 1 r\n"),
            "stream: the second column must number the queries of a session from 0 or 1; found 17",
        ),
        (
            io.BytesIO(b"s 1 a 1 2 r\ns 1 a 2 1 r\ns 2 a 1 1 r\n"),
            "stream:2: document a appears twice for query s 1, first at stream:1",
        ),
        (io.BytesIO(b"s a 1\n"), "stream: sessions need 6 columns"),
        ({"s": [{"a": 1.0}, 3]}, "run['s']: expected {document: score} for query 2, not 3"),
        ({"s": 3}, "run['s']: expected a list of dictionaries, not 3"),
        ({"s": [{"a": "x"}]}, "run['s 1']['a']: the score 'x' is not a finite number"),
        (3, "sessions are read from a file, a path or a dictionary"),
    ],
)
def test_mistakes_get_a_sentence(source: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        gw.read_sessions(source)
    assert str(error.value).startswith(message)


def test_what_knows_single_lists_only_refuses_sessions() -> None:
    qrels, runs = {"s": {"a": 1}}, {"one": {"s": {"a": 1.0}}, "two": {"s": {"b": 1.0}}}
    with pytest.raises(MeasureError, match="a report shows a single list"):
        gw.report.make_report(qrels, runs, "nsDCG@5")
    with pytest.raises(MeasureError, match="fusion combines single lists"):
        gw.fusion.tune(qrels, runs, "nsDCG@5")
    with pytest.raises(OptionError, match="cannot be removed from sessions"):
        gw.evaluate(qrels, runs, "nsDCG@5", residual=qrels)


def test_the_two_names_that_differ_in_case() -> None:
    assert str(gw.parse_measure("sDCG@5")) == "session_DCG@5"
    assert str(gw.parse_measure("SDCG@5")) == "SDCG@5"
    assert str(gw.parse_measure("nSDCG@5")) == "nsDCG@5"
    assert gw.parse_measure("session_dcg@5") == gw.session_DCG @ 5


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, one, two = tmp_path / "qrels.txt", tmp_path / "one.txt", tmp_path / "two.txt"
    qrels.write_text(
        "".join(f"{t} 0 {d} {g}\n" for t, own in _qrels().items() for d, g in own.items())
    )
    one.write_text(_lines())
    two.write_text(_lines().replace(" 1 ", " 9 "))
    command = caller(monkeypatch)
    done = command("eval", qrels, one, "-m", "nsDCG(queries=10)@5", "--digits", "7")
    assert done.out.split()[-1] == "0.4167412"  # `all` in the scorer's output
    assert command("compare", qrels, one, two, "-m", "nsDCG@5").code == 0
    assert (
        command("meta", "correlation", qrels, one, two, "-m", "nsDCG@5", "-m", "sDCG@5").code == 0
    )


def test_scores_of_documents_stay_with_their_sessions() -> None:
    """What an earlier query has found counts among the unjudged: 1 + 3 + .5."""
    runs = {"mine": {"s": [{"a": 2.0, "x": 1.0}, {"a": 3.0, "b": 0.25, "y": -0.5}]}}
    judged = gw.judge({"s": {"a": 1, "b": 2}}, runs, scores=True, sessions=True)
    assert judged.hits.rank.tolist() == [1, 4]
    assert judged.hit_scores is not None
    assert judged.hit_scores.tolist() == [2.0, 0.25]
    assert judged.unjudged_scores is not None
    assert judged.unjudged_scores.tolist() == [4.5]
