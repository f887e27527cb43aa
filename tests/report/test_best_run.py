"""Who cannot be told apart from the best run: the page, its summary and the command agree."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import gradewise as gw
from command import Call
from gradewise.simulate.collections import Plan
from gradewise.simulate.files import simulate_files
from report.browser import Opened, chromium

MEASURES = ["AP", "nDCG@10", "P@10"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments and 12 runs that lie close to each other."""
    place = tmp_path_factory.mktemp("sample")
    simulate_files(place, Plan(topics=20, runs=12, depth=60, spread=1.5, seed=11))
    return place


def _alike(content: dict[str, Any], measure: int) -> tuple[str, set[str]]:
    """Return the best run and those that the page shows as not different from it."""
    runs = content["runs"]
    means = np.frombuffer(base64.b64decode(content["means"]["data"]), "<f8")
    best = int(np.argmax(means.reshape(-1, len(runs))[measure]))
    bits = np.frombuffer(base64.b64decode(content["differs"][measure]["data"]), np.uint8)
    pairs = [(a, b) for a in range(len(runs)) for b in range(a + 1, len(runs))]
    differs = dict(zip(pairs, np.unpackbits(bits).tolist(), strict=False))
    others = [run for run in range(len(runs)) if run != best]
    return runs[best], {runs[run] for run in others if not differs[min(run, best), max(run, best)]}


@pytest.mark.parametrize("measure", range(len(MEASURES)))
def test_page_and_command_name_the_same_runs(folder: Path, run: Call, measure: int) -> None:
    qrels, runs = folder / "qrels.txt", sorted(folder.glob("run*.txt"))
    report = gw.report.make_report(qrels, runs, MEASURES, distances=False)
    best, alike = _alike(report.content, measure)
    name = MEASURES[measure]
    done = run("compare", qrels, *runs, "-m", name, "-b", best, "-f", "csv", "--pairs", "--quiet")
    pairs = pl.read_csv(done.out.encode())
    assert set(pairs.filter(~pl.col("significant"))["run_a"]) == alike
    assert 0 < len(alike) < len(runs) - 1
    shown = run("compare", qrels, *runs, "-m", name, "-b", best, "--quiet").out
    assert f"over all 66 pairs ({best} is the best run)" in " ".join(shown.split())


def test_the_summary_states_the_rule_and_the_same_runs(folder: Path) -> None:
    runs = sorted(folder.glob("run*.txt"))
    report = gw.report.make_report(folder / "qrels.txt", runs, MEASURES, distances=False)
    _, alike = _alike(report.content, 0)
    count = f"{len(alike)} runs" if len(alike) > 3 else next(iter(alike))
    assert count in report.summary[1]
    assert "Holm's correction over all pairs of runs" in report.summary[1]


def test_runs_with_equal_means_share_a_rank_on_the_page(tmp_path: Path) -> None:
    topics = [str(topic) for topic in range(3)]
    qrels = {topic: {f"r{k}": 1 for k in range(10)} for topic in topics}
    # P@10 of .3 + .6 + .1 and of .1 + .3 + .6, which differ in the last place, and of .2 each.
    found = {"a": (3, 6, 1), "b": (1, 3, 6), "c": (2, 2, 2)}
    runs = {
        name: {
            topic: {f"{'r' if k < count else 'n'}{k}": 10.0 - k for k in range(10)}
            for topic, count in zip(topics, counts, strict=True)
        }
        for name, counts in found.items()
    }
    sums = [sum(count / 10 for count in found[name]) for name in "ab"]
    assert sums[0] != sums[1]
    report = gw.report.make_report(qrels, runs, "P@10", distances=False)
    report.save(tmp_path / "report.html")
    with chromium() as browser:
        opened = Opened(browser.new_context(), (tmp_path / "report.html").as_uri())
        ranks = opened.page.eval_on_selector_all(
            "#board tbody tr", "rows => rows.map(row => row.cells[0].textContent)"
        )
        opened.check()
    assert ranks == ["1", "1", "3"]


def test_the_page_puts_the_lowest_run_first_where_less_is_better(tmp_path: Path) -> None:
    """Search lengths are 0, 2 and 5 nonrelevant documents on every topic."""
    topics = [str(topic) for topic in range(3)]
    qrels = {topic: {"r": 1} for topic in topics}
    runs = {
        name: {topic: {**{f"n{k}": 9.0 - k for k in range(read)}, "r": 1.0} for topic in topics}
        for name, read in (("far", 5), ("top", 0), ("near", 2))
    }
    report = gw.report.make_report(qrels, runs, "ESL(size=1000)", distances=False)
    assert report.summary[0].startswith("top is the best of 3 runs")
    report.save(tmp_path / "report.html")
    with chromium() as browser:
        opened = Opened(browser.new_context(), (tmp_path / "report.html").as_uri())
        names = opened.page.eval_on_selector_all(
            "#board tbody tr", "rows => rows.map(row => row.cells[1].textContent)"
        )
        sentence = opened.page.text_content("#pair-result p")
        opened.check()
    assert names == ["top", "near", "far"]
    assert sentence is not None
    assert sentence.startswith("top is ahead of near by 2.0000")
    assert "better on 3 of 3 topics" in sentence
