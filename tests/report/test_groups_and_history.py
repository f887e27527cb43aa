"""Groups of topics and releases, on the page: what it computes is what the library computes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from report.browser import Opened, chromium

SAMPLE = gw.simulate.collection(
    topics=24, runs=5, depth=60, grades=2, relevant=15, pool_depth=10, seed=3
)
SCORES = gw.evaluate(SAMPLE.qrels, SAMPLE.runs, ["AP", "nDCG@10"])
ATTRIBUTES = {
    topic: {"intent": ("buy", "learn", "go")[place % 3], "length": place * 7 % 11}
    for place, topic in enumerate(SCORES.topics)
}


def moved(by: float) -> gw.Scores:
    """Return the scores of the runs, moved by a little that differs from topic to topic."""
    import dataclasses

    steps = by * (1 + SCORES.values[::-1])
    return dataclasses.replace(SCORES, values=SCORES.values + steps, coverage=None)


HISTORY = {"2024-01": moved(0.0), "2024-02": moved(0.02), "2024-03": moved(0.01)}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One page for all tests, with groups and releases, at the width of a desk."""
    path = tmp_path_factory.mktemp("pages") / "report.html"
    report = gw.report.make_report(
        SAMPLE.qrels, SAMPLE.runs, ["AP", "nDCG@10"], attributes=ATTRIBUTES, history=HISTORY
    )
    report.save(path)
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        found = Opened(context, path.as_uri())
        yield found
        found.check()


@pytest.fixture
def page(opened: Any) -> Any:
    opened.page.select_option("#measure", "0")
    return opened.page


def rows_of(page: Any, table: str) -> list[list[str]]:
    cells = page.eval_on_selector_all(
        f"{table} tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return [[cell.replace("\u2212", "-") for cell in row] for row in cells]


def choose(page: Any, selector: str, name: str) -> None:
    page.select_option(selector, label=name)


@pytest.mark.parametrize("measure", ["AP", "nDCG@10"])
def test_groups_show_what_compare_groups_computes(page: Any, measure: str) -> None:
    page.select_option("#measure", label=measure)
    pair = ("run3", "run1")
    choose(page, "#group-a", pair[0])
    choose(page, "#group-b", pair[1])
    # Found groups go by the first measure of the report, whichever is shown.
    found = gw.compare_groups(SCORES, ATTRIBUTES, pair=pair).parts[
        SCORES.measures.index(gw.parse_measure(measure))
    ]
    shown = rows_of(page, "#group-table")
    expected = found.groups_frame().rows(named=True)
    assert [row[:3] for row in shown] == [
        [row["attribute"], row["group"], str(row["size"])] for row in expected
    ]
    pairs = len(SCORES.runs) * (len(SCORES.runs) - 1) // 2
    for cells, row in zip(shown, expected, strict=True):
        numbers = [row[name] for name in ("mean_a", "mean_b", "difference", "low", "high")]
        assert [float(cell) for cell in cells[3:8]] == pytest.approx(numbers, abs=6e-5)
        assert cells[8] == f"{row['wins']}, {row['ties']}, {row['losses']}"
        corrected = min(1, row["p_corrected"] * pairs)  # the page corrects for all pairs
        if row["p_corrected"] < 1:
            assert float(cells[9].lstrip("< ")) == pytest.approx(corrected, abs=1.1e-4)
            assert cells[10] == ("yes" if corrected <= 0.05 else "no")


def test_the_page_tells_whether_a_difference_depends_on_groups(page: Any) -> None:
    best = gw.compare_groups(SCORES, ATTRIBUTES)
    part = best.parts[0]
    a, b = part.runs[0], part.runs[1]
    choose(page, "#group-a", a)
    choose(page, "#group-b", b)
    told = page.text_content("#group-result p:nth-of-type(2)")
    alone = gw.compare_groups(SCORES, ATTRIBUTES, pair=(a, b)).parts[0]
    assert told == alone.findings()[1]
    first = page.text_content("#group-result p")
    assert first.startswith(part.findings()[0].rstrip("."))
    shown = rows_of(page, "#winner-table")
    expected = part.winners_frame().rows(named=True)
    assert [row[3] for row in shown] == [row["best"] for row in expected]
    assert [float(row[4]) for row in shown] == pytest.approx(
        [row["mean"] for row in expected], abs=6e-5
    )
    verdicts = [
        "\u2013" if row["best"] == a else "yes" if row["significant"] else "no" for row in expected
    ]
    assert [row[6] for row in shown] == verdicts


def test_the_same_run_twice_is_no_comparison(page: Any) -> None:
    choose(page, "#group-a", "run1")
    choose(page, "#group-b", "run1")
    assert page.text_content("#group-result") == "These are the same run."
    assert page.locator("#group-figure").count() == 0


@pytest.mark.parametrize("measure", ["AP", "nDCG@10"])
def test_history_shows_what_compare_releases_computes(page: Any, measure: str) -> None:
    page.select_option("#measure", label=measure)
    assert page.eval_on_selector("#history-measure", "e => e.selectedOptions[0].text") == measure
    found = gw.compare_releases(HISTORY, measure)
    part = found.parts[0]
    assert page.text_content("#history-result p") == part.findings()[0]
    for run in ("run2", part.runs[0]):
        choose(page, "#history-run", run)
        rows = rows_of(page, "#release-table")
        expected = found.changes.filter(run=run).rows(named=True)
        assert [row[0] for row in rows] == ["2024-01", "2024-02", "2024-03"]
        assert rows[0][3] == "\u2013"
        for cells, row in zip(rows, expected, strict=True):
            assert float(cells[2]) == pytest.approx(row["mean"], abs=6e-5)
            if row["since"]:
                numbers = [row[name] for name in ("change", "low", "high")]
                assert [float(cell) for cell in cells[3:6]] == pytest.approx(numbers, abs=6e-5)
                assert cells[6] == str(row["shared"])
                assert cells[8] == ("yes" if row["significant"] else "no")
    overview = rows_of(page, "#history-table")
    assert [row[0] for row in overview] == list(part.runs)
    assert [float(row[5]) for row in overview] == pytest.approx(part.whole.change, abs=6e-5)
    assert page.locator("#history-figure .curve.other").count() == len(part.runs) - 1


def test_nothing_is_wider_than_the_page(page: Any) -> None:
    for section in ("groups", "history"):
        assert "[object" not in page.text_content(f"#{section}")
        for table in page.locator(f"#{section} .scroller").all():
            inner, outer = table.evaluate("each => [each.scrollWidth, each.clientWidth]")
            assert inner <= outer  # no column is cut on a desk
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1440, "height": 900})
    assert re.search("Over time", page.text_content("nav"))


def test_one_run_has_means_on_groups(opened: Any, tmp_path: Path) -> None:
    alone = SCORES.of_runs(["run1"])
    gw.report.report_scores(alone, attributes=ATTRIBUTES).save(tmp_path / "one.html")
    page = opened.page.context.new_page()
    page.goto((tmp_path / "one.html").as_uri())
    rows = rows_of(page, "#group-table")
    topics = [t for t in SCORES.topics if ATTRIBUTES[t]["intent"] == "buy"]
    part = alone.of_topics(topics)
    assert rows[0][:3] == ["intent", "buy", "8"]
    assert float(rows[0][3]) == pytest.approx(part["run1", "AP"], abs=6e-5)
    level = 1 - 0.05 / 10  # 3 + 3 given groups and 2 + 2 found ones
    low, high = gw.stats.t_interval(part.values[0, :, 0], level=level)
    assert [float(cell) for cell in rows[0][4:]] == pytest.approx([low, high], abs=6e-5)
    page.close()


def test_a_section_alone_runs_in_a_sandboxed_frame(opened: Any, tmp_path: Path) -> None:
    report = gw.report.make_report(SAMPLE.qrels, SAMPLE.runs, "AP")
    for name, shown in (
        ("explorer", "#explored"),
        ("topics", "#topic-table"),
        ("groups", "#group-table"),
    ):
        html = report.section(name)._repr_html_()
        assert 'sandbox="allow-scripts allow-downloads"' in html
        path = tmp_path / f"{name}.html"
        path.write_text(f"<!doctype html><meta charset=utf-8><p>before</p>{html}", "utf-8")
        page = opened.page.context.new_page()
        page.goto(path.as_uri())
        frame = page.frames[-1]
        frame.wait_for_selector(shown)
        visible = frame.eval_on_selector_all(
            "main > section", "all => all.filter(each => each.offsetHeight).map(each => each.id)"
        )
        assert visible == [name]
        page.close()


def test_an_unknown_section_is_named() -> None:
    report = gw.report.report_scores(SCORES)
    with pytest.raises(gw.GradewiseError, match="no section 'explorr'; did you mean explorer"):
        report.section("explorr")
