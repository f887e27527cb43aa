"""The section of a report on other judges: its numbers, and what the page makes of them."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise.errors import OptionError
from report.browser import Opened, chromium

MEASURES = ["AP", "nDCG@10", "GAP"]


@pytest.fixture(scope="module")
def sample() -> gw.simulate.Simulated:
    return gw.simulate.collection(topics=12, runs=5, depth=40, relevant=12, seed=8)


@pytest.fixture(scope="module")
def others(sample: gw.simulate.Simulated) -> dict[str, dict[str, dict[str, int]]]:
    rng = random.Random(1)
    people = sample.qrels.to_dict()
    model = {
        t: {d: g if rng.random() < 0.7 else rng.randrange(3) for d, g in held.items()}
        for t, held in people.items()
    }
    binary = {t: {d: int(g > 0) for d, g in held.items()} for t, held in model.items()}
    return {"model <b>": model, "binary": binary}


@pytest.fixture(scope="module")
def report(sample: gw.simulate.Simulated, others: dict[str, Any]) -> gw.report.Report:
    return gw.report.make_report(
        sample.qrels, sample.runs, MEASURES, judges=others, distances=False
    )


def test_content_is_what_the_library_finds(
    report: gw.report.Report, sample: gw.simulate.Simulated, others: dict[str, Any]
) -> None:
    content = report.content["judges"]
    panel = gw.meta.judges({"qrels": sample.qrels, **others})
    agreement = gw.meta.judge_agreement(panel, replicates=300)
    kappa = agreement.frame.filter(statistic="kappa", judge_a="qrels", judge_b="binary").row(0)
    held = next(row for row in content["agreement"] if row["judge"] == "binary")
    assert held["kappa"] == pytest.approx([kappa[4], kappa[5], kappa[6]], abs=1e-6)
    table = agreement.confusion("qrels", "model <b>").tolist()
    assert content["confusion"]["model <b>"]["table"] == table
    effect = gw.meta.judge_effect(panel, panel.join(sample.runs), MEASURES, replicates=300)
    first = effect.frame.row(0, named=True)
    assert content["effect"]["rows"][0]["tau"] == pytest.approx(first["tau"], abs=1e-6)
    np.testing.assert_array_equal(
        content["effect"]["ranks"]["binary"][1], effect.ranks("nDCG@10", "binary")
    )
    assert content["widths"]["measure"] == "AP"
    assert [row["topics"] for row in content["widths"]["judges"]["binary"]] == [5, 10, 5, 10]


def test_a_report_without_judges_has_none(sample: gw.simulate.Simulated) -> None:
    assert gw.report.make_report(sample.qrels, sample.runs, "AP").content["judges"] is None
    with pytest.raises(OptionError, match="cannot be named 'qrels'"):
        gw.report.make_report(sample.qrels, sample.runs, "AP", judges={"qrels": sample.qrels})
    with pytest.raises(OptionError, match="judged_only"):
        gw.report.make_report(
            sample.qrels, sample.runs, "AP", judges={"x": sample.qrels}, judged_only=True
        )


def test_one_run_has_no_ranking(sample: gw.simulate.Simulated, others: dict[str, Any]) -> None:
    only = {"run1": sample.runs["run1"]}
    content = gw.report.make_report(sample.qrels, only, "AP", judges=others).content["judges"]
    assert content["effect"] is None


def test_the_command_takes_judges(
    run: Call, sample: gw.simulate.Simulated, others: dict[str, Any], tmp_path: Path
) -> None:
    gw.write_qrels(sample.qrels, tmp_path / "people.txt")
    gw.write_qrels(gw.read_qrels(others["binary"]), tmp_path / "model.txt")
    for name, each in sample.runs.items():
        gw.write_run(each, tmp_path / f"{name}.txt")
    runs = [tmp_path / f"{name}.txt" for name in sample.runs]
    done = run(
        *["report", tmp_path / "people.txt", *runs, "-o", tmp_path / "r.html", "--no-distances"],
        *["--judge", f"gpt={tmp_path / 'model.txt'}", "--judge", tmp_path / "model.txt"],
    )
    assert done.code == 0, done.err
    content = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '"names":["gpt","model"]' in content


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


def test_the_page_shows_judges(browser: Any, report: gw.report.Report, tmp_path: Path) -> None:
    report.save(tmp_path / "report.html")
    context = browser.new_context()
    opened = Opened(context, (tmp_path / "report.html").as_uri())
    page = opened.page
    assert page.locator("nav a[href='#judges']").is_visible()
    names = page.eval_on_selector_all(
        "#judge-agreement tbody th", "cells => cells.map(cell => cell.textContent)"
    )
    assert sorted(names) == ["binary", "model <b>"]
    content = report.content["judges"]
    page.select_option("#judge", label="model <b>")
    cells = page.eval_on_selector_all(
        "#confusion tbody tr",
        "rows => rows.map(row => [...row.cells].slice(1).map(c => c.textContent))",
    )
    table = content["confusion"]["model <b>"]["table"]
    assert cells == [[f"{value:,}" for value in row] for row in table[::-1]]
    page.select_option("#measure", label="nDCG@10")
    rows = [row for row in content["effect"]["rows"] if row["measure"] == "nDCG@10"]
    shown = page.eval_on_selector_all(
        "#judge-effect tbody tr",
        "rows => rows.map(row => [row.cells[0].textContent, row.cells[1].textContent])",
    )
    expected = {row["judge"]: f"{row['tau']:.3f}" for row in rows}
    assert {name: tau.split()[0] for name, tau in shown} == expected
    caption = page.text_content("#judges figure:nth-of-type(2) figcaption")
    assert caption.startswith("Ranks of runs by nDCG@10, under qrels and under model <b>")
    assert page.locator("#judges b").count() == 0
    opened.check()
    context.close()


def test_without_judges_the_section_is_gone(
    browser: Any, sample: gw.simulate.Simulated, tmp_path: Path
) -> None:
    gw.report.make_report(sample.qrels, sample.runs, "AP", distances=False).save(
        tmp_path / "r.html"
    )
    context = browser.new_context()
    opened = Opened(context, (tmp_path / "r.html").as_uri())
    assert opened.page.locator("#judges").is_hidden()
    assert opened.page.locator("nav a[href='#judges']").is_hidden()
    opened.check()
    context.close()
