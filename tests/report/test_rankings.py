"""What a report keeps of lists, and what each document adds to a measure."""

import base64
import json
import zlib
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.collection.topic_subsets import keep_topics
from gradewise.report import rankings
from gradewise.report.contributions import find_terms
from oracles.contributions import CONTRIBUTIONS


@pytest.fixture(scope="module")
def sample() -> Any:
    """Lists with unjudged documents, and with relevant ones far below the top."""
    return gw.simulate.collection(
        topics=9, runs=5, depth=120, grades=3, relevant=25, pool_depth=6, missing=0.1, seed=5
    )


def drilled(report: Any) -> dict[str, Any]:
    """Return what the page holds of lists."""
    found: dict[str, Any] = json.loads(
        zlib.decompress(base64.b64decode(report.content["drill"]), -15)
    )
    return found


def shown_list(held: dict[str, Any], run: int, topic: int) -> list[tuple[int, str, int]]:
    """Return rank, document and level of a list, top and below, as a page reads them."""
    row, depth = held["runs"].index(run), held["depth"]
    start = (topic * len(held["runs"]) + row) * depth
    places = [(n + 1, doc) for n, doc in enumerate(held["docs"][start : start + depth]) if doc]
    below = np.array(held["below"], np.int64).reshape(-1, 4).tolist()
    deep = held["deep"].index(run) if run in held["deep"] else None
    places += [(rank, doc) for owner, of, rank, doc in below if owner == deep and of == topic]
    at = held["first"][topic] - 1
    return [(n, held["names"][held["document"][at + d]], held["level"][at + d]) for n, d in places]


def test_lists_are_those_of_the_runs(sample: Any) -> None:
    held = drilled(gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10"]))
    grades, scale = sample.qrels.to_dict(), [0, *sample.qrels.scale.tolist()]
    for run, whole in enumerate(sample.runs.values()):
        for place, topic in enumerate(held["topics"]):
            ranked = whole.ranking(topic)
            shown = shown_list(held, run, place)
            assert [doc for rank, doc, _ in shown if rank <= 20] == ranked[:20]
            deep = [(n, doc) for n, doc in enumerate(ranked, 1) if grades[topic].get(doc, 0) > 0]
            assert [(n, doc) for n, doc, level in shown if 0 < level < 255] == deep
            for _, doc, level in shown:
                known = grades[topic].get(doc)
                assert level == (255 if known is None else scale.index(max(known, 0)))


def test_few_documents_of_many_lists(sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rankings, "_CELLS", 300)
    monkeypatch.setattr(rankings, "DEEP_RUNS", 2)
    report = gw.report.make_report(sample.qrels, sample.runs, ["AP"])
    held = drilled(report)
    assert held["depth"] == 10
    best = np.argsort(-gw.evaluate(sample.qrels, sample.runs, "AP").summary()[:, 0])[:3]
    assert held["runs"] == sorted(best.tolist())
    assert held["deep"] == sorted(best[:2].tolist())


def test_unjudged_documents_are_counted_once(sample: Any) -> None:
    report = gw.report.make_report(sample.qrels, sample.runs, ["AP"])
    verdict = report.content["verdicts"][0]
    runs = list(sample.runs.values())
    rivals = verdict["alike"] or [verdict["second"]]
    judged = sample.qrels.to_dict()
    seen = {
        (topic, doc)
        for run in (verdict["best"], *rivals)
        for topic in judged
        for doc in runs[run].ranking(topic)[:10]
    }
    unjudged = sum(doc not in judged[topic] for topic, doc in seen)
    assert verdict["step"]["title"] == f"Judge {unjudged} documents"
    assert f"of the {len(seen)} documents in the top 10" in verdict["step"]["text"]


@pytest.mark.parametrize("name", CONTRIBUTIONS)
def test_contributions_are_the_terms_of_the_definition(sample: Any, name: str) -> None:
    judged = gw.judge(sample.qrels, sample.runs)
    measure = gw.evaluate(sample.qrels, sample.runs, name).measures[0]
    terms = find_terms(measure, judged)
    assert terms is not None
    hits = judged.hits
    found = terms.of_hits(hits, judged.topic[hits.list])
    scores = gw.evaluate(sample.qrels, sample.runs, name)
    grades = sample.qrels.to_dict()
    for run, whole in enumerate(sample.runs.values()):
        for place, topic in enumerate(judged.topics):
            ranked = [max(grades[topic].get(doc, 0), 0) for doc in whole.ranking(topic)]
            counts = {g: sum(v == g for v in grades[topic].values()) for g in judged.scale.tolist()}
            expected = CONTRIBUTIONS[name](ranked, counts)
            mine = hits.list == run * len(judged.topics) + place
            at = np.asarray(hits.rank[mine], np.int64) - 1
            assert found[mine] == pytest.approx(np.array(expected)[at], abs=1e-12)
            assert sum(expected) == pytest.approx(scores.values[run, place, 0], abs=1e-12)


@pytest.mark.parametrize("name", ["Bpref", "infAP", "iRBU"])
def test_measures_that_are_no_such_sums_have_no_contributions(sample: Any, name: str) -> None:
    judged = gw.judge(sample.qrels, sample.runs)
    assert find_terms(gw.evaluate(sample.qrels, sample.runs, name).measures[0], judged) is None


def test_terms_of_some_topics_are_those_of_all(sample: Any) -> None:
    judged = gw.judge(sample.qrels, sample.runs)
    kept = np.arange(len(judged.topics)) % 2 == 0
    measure = gw.evaluate(sample.qrels, sample.runs, "GAP").measures[0]
    some, whole = find_terms(measure, keep_topics(judged, kept)), find_terms(measure, judged)
    assert some is not None
    assert whole is not None
    assert some.table == pytest.approx(whole.table[kept])


def test_titles_are_cut_until_they_fit(sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {doc for run in sample.runs.values() for docs in run.to_dict().values() for doc in docs}
    docs = {name: {"title": f"{name} " + "x" * 300, "text": "never"} for name in names}
    queries = {topic: f"what is\n {topic}" for topic in sample.qrels.topics}
    held = drilled(
        gw.report.make_report(sample.qrels, sample.runs, "AP", docs=docs, queries=queries)
    )
    assert {len(title) for title in held["titles"]} == {200}
    assert held["queries"][0] == [f"what is {held['topics'][0]}", ""]
    monkeypatch.setattr("gradewise.report.drill._MOST_BYTES", 10)
    held = drilled(gw.report.make_report(sample.qrels, sample.runs, "AP", docs=docs))
    assert held["titles"] is None


def test_texts_that_are_missing_are_told(sample: Any) -> None:
    queries = dict.fromkeys(sample.qrels.topics[1:], "text")
    report = gw.report.make_report(sample.qrels, sample.runs, "AP", queries=queries, docs={})
    assert report.notes[-2] == "1 topic has no text"
    assert report.notes[-1].endswith(" documents have no text")
