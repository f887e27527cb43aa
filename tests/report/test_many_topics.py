"""Reports on more topics than a page can hold: a sample is shown, and the page says so."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.report import shown
from report.browser import Opened, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(shown, "MOST_TOPICS", 12)
    return gw.simulate.collection(topics=40, runs=4, depth=50, seed=2)


def test_means_are_of_all_topics_and_the_page_of_some(sample: Any) -> None:
    report = gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10"])
    scores = gw.evaluate(sample.qrels, sample.runs, ["AP", "nDCG@10"])
    content = report.content
    assert content["topic_count"] == 40
    assert len(content["topics"]) == 12
    assert set(content["topics"]) < set(scores.topics)
    means = _unpacked(content["means"]).reshape(2, 4)
    assert means == pytest.approx(scores.summary().T)
    places = [scores.topics.index(topic) for topic in content["topics"]]
    values = _unpacked(content["values"]).reshape(2, 4, 12)
    assert values == pytest.approx(np.moveaxis(scores.values, 2, 0)[:, :, places], abs=1e-6)
    assert "on 40 topics by AP" in report.summary[0]
    assert "on a sample of 12 topics" in report.summary[2]
    some = gw.read_qrels({topic: sample.qrels.to_dict()[topic] for topic in content["topics"]})
    alone = gw.report.make_report(some, sample.runs, ["AP", "nDCG@10"])
    assert [row["known"] for row in content["distance"]["rows"]] == pytest.approx(
        [row["known"] for row in alone.content["distance"]["rows"]]
    )


def test_the_page_says_that_it_shows_a_sample(browser: Any, sample: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10"]).save(path)
    opened = Opened(browser.new_context(), path.as_uri())
    page = opened.page
    page.wait_for_selector("#explorer-board tbody tr")
    notes = page.eval_on_selector_all(".note.sample", "all => all.map(note => note.textContent)")
    assert len(notes) == 5  # head to head, topics, explorer, groups, judgments
    assert all("a random sample of 12 of the 40 topics." in note for note in notes)
    assert "40 topics" in page.text_content("#facts")
    assert page.locator("#topic-table tbody tr").count() == 12
    assert "judged for 40 topics" in page.text_content("#judgments .finding")
    opened.check()


def test_a_page_with_all_topics_says_nothing(browser: Any, tmp_path: Path) -> None:
    made = gw.simulate.collection(topics=10, runs=2, depth=20, seed=2)
    path = tmp_path / "report.html"
    gw.report.make_report(made.qrels, made.runs, ["AP"]).save(path)
    opened = Opened(browser.new_context(), path.as_uri())
    opened.page.wait_for_selector("#explorer-board tbody tr")
    assert opened.page.locator(".note.sample").count() == 0
    opened.check()


def _unpacked(packed: dict[str, str]) -> Any:
    import base64

    kinds = {"f4": "<f4", "f8": "<f8"}
    return np.frombuffer(base64.b64decode(packed["data"]), kinds[packed["kind"]])
