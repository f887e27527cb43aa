"""Reports of large collections stay small, and their explorer quick."""

import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from report.browser import Opened, chromium

# What 143 runs on 30 topics may take, in seconds, bytes and milliseconds. They take a small part of
# it, so that a busy machine does not matter.
MOST_SECONDS, MOST_BYTES, MOST_MILLISECONDS = 30, 1_500_000, 50
MOVES = """() => {
  const slider = document.querySelector('#g2');
  const times = [...Array(21).keys()].map(step => {
    const begin = performance.now();
    slider.value = step / 25;
    slider.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    return performance.now() - begin;
  });
  return times.sort((a, b) => a - b)[10];
}"""


class _Titles(dict[str, str]):
    """A title of about 90 letters for every document, of random words as titles have them."""

    words = tuple(
        "".join(chr(97 + letter) for letter in np.random.default_rng(k).integers(0, 26, 4 + k % 8))
        for k in range(5_000)
    )

    def __contains__(self, name: object) -> bool:
        return True

    def __getitem__(self, name: str) -> str:
        rng = np.random.default_rng(list(name.encode()))
        return " ".join(self.words[place] for place in rng.zipf(1.3, 12) % 5_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def open_page(browser: Any, path: Path) -> Opened:
    opened = Opened(browser.new_context(), path.as_uri())
    opened.page.wait_for_selector("#explorer-board tbody tr")
    return opened


def test_trec_covid(browser: Any, real_data: Path, tmp_path: Path) -> None:
    with tarfile.open(real_data / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        archive.extractall(tmp_path / "runs", filter="data")
    runs = sorted(path for path in (tmp_path / "runs").rglob("*") if path.is_file())
    qrels = real_data / "qrels" / "qrels.covid-round1.txt.gz"
    begin = time.perf_counter()
    docs, queries = _Titles(), {str(topic): f"query of {topic}" for topic in range(1, 31)}
    gw.report.make_report(qrels, runs, docs=docs, queries=queries).save(tmp_path / "report.html")
    assert time.perf_counter() - begin < MOST_SECONDS
    assert (tmp_path / "report.html").stat().st_size < MOST_BYTES
    opened = open_page(browser, tmp_path / "report.html")
    page = opened.page
    assert page.evaluate(MOVES) < MOST_MILLISECONDS
    page.fill("#g2-number", "0.65")
    page.dispatch_event("#g2-number", "change")
    page.click("#explorer .more")
    shown = page.eval_on_selector_all(
        "#explorer-board tbody tr",
        "rows => rows.map(row => [row.cells[1].textContent, "
        "...[2, 3, 4].map(k => Number(row.cells[k].title))])",
    )
    names = [f"{name}(g=[0.35,0.65])" for name in ("GAP", "xGAP", "eGAP")]
    scores = gw.evaluate(qrels, runs, names)
    expected = dict(zip(scores.runs, scores.summary(), strict=True))
    assert len(shown) == len(expected) == 143
    for run, *values in shown:
        np.testing.assert_allclose(values, expected[run], atol=1e-6)
    gap = [row[1] for row in shown]
    assert gap == sorted(gap, reverse=True)
    opened.check()


@pytest.mark.slow
def test_a_thousand_runs_open(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    documents = [f"d{k}" for k in range(30)]
    topics = [f"t{k}" for k in range(50)]
    qrels = {t: dict(zip(documents, rng.integers(0, 4, 30).tolist(), strict=True)) for t in topics}
    runs = {
        f"run{k}": {t: dict(zip(rng.choice(documents, 5), range(5), strict=True)) for t in topics}
        for k in range(1000)
    }
    report = gw.report.make_report(qrels, runs, ["AP", "nDCG@10"], distances=False)
    report.save(tmp_path / "report.html")
    opened = open_page(browser, tmp_path / "report.html")
    page = opened.page
    assert page.locator("#board tbody tr").count() == 10
    page.click("#leaderboard .more")
    page.wait_for_function("() => document.querySelectorAll('#board tbody tr').length === 1000")
    page.fill("#filter", "run99")
    assert page.locator("#board tbody tr").count() == 11  # and run990 to run999
    opened.check()
