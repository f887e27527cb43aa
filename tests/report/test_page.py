"""The page of a report, in a real browser."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from report.browser import Opened, chromium

MEASURES = ["AP", "nDCG@10", "GAP", "RR"]
HOSTILE = [
    "<script>window.stolen = 1</script>",
    "<img src=x onerror='window.stolen = 1'>",
    "</script><b>bold</b>",
    '" onmouseover="window.stolen = 1',
    "{{data}} & \u2028 \u202e =1+1 `${window.stolen = 1}`",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def samples() -> dict[int, Any]:
    """Collections with two, three and four grades, whose runs change places as thresholds move."""
    return {
        grades: gw.simulate.collection(
            topics=15, runs=12, depth=80, grades=grades, relevant=15, pool_depth=10, seed=6
        )
        for grades in (2, 3, 4)
    }


@pytest.fixture(scope="module")
def pages(samples: dict[int, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for grades, sample in samples.items():
        report = gw.report.make_report(sample.qrels, sample.runs, MEASURES)
        report.save(folder / f"{grades}.html")
    return {grades: folder / f"{grades}.html" for grades in samples}


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    """A function that opens a file; at the end, each page has to have been quiet and alone."""
    contexts, opened = [], []

    def open_file(path: Path, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        opened.append(Opened(contexts[-1], path.as_uri()))
        return opened[-1].page

    yield open_file
    for page in opened:
        page.check()
    for context in contexts:
        context.close()


def column(page: Any, table: str, number: int) -> list[str]:
    """Return the cells of a column of a table, as shown."""
    return page.eval_on_selector_all(
        f"{table} tbody tr > :nth-child({number})", "cells => cells.map(cell => cell.textContent)"
    )


def explored(page: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Return the numbers of the explorer's board in full, by run, in the order of the board."""
    return {
        name: np.array(values)
        for name, *values in page.evaluate(
            """() => [...document.querySelectorAll('#explorer-board tbody tr')].map(row =>
                 [row.cells[1].textContent, ...[2, 3, 4].map(k => Number(row.cells[k].title))])
            """
        )
    }


def show_all(page: Any, section: str = "leaderboard") -> None:
    """Show all rows of the first table of a section."""
    page.locator(f"#{section} .more").first.click()


def move_slider(page: Any, slider: str, value: float) -> None:
    """Move a slider as a hand does."""
    page.eval_on_selector(
        slider,
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
        value,
    )


@pytest.mark.parametrize("grades", [2, 3, 4])
def test_sliders_give_what_evaluate_computes(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any, grades: int
) -> None:
    page = open_page(pages[grades])
    orders = set()
    for slider, value in (("#g1", 0.83), (f"#g{grades}", 0.9), ("#g2", 0.0), ("#g1", 0.0)):
        move_slider(page, slider, value)
        name = page.text_content("#explored")
        g = re.fullmatch(r"GAP\((g=\[.*\])\)", name)
        assert g is not None
        assert abs(sum(map(float, g[1][3:-1].split(","))) - 1) < 1e-9
        assert float(page.input_value(slider)) == pytest.approx(value)
        names = [f"{measure}({g[1]})" for measure in ("GAP", "xGAP", "eGAP")]
        scores = gw.evaluate(samples[grades].qrels, samples[grades].runs, names)
        board = explored(page)
        expected = dict(zip(scores.runs, scores.summary(), strict=True))
        for run, values in board.items():
            np.testing.assert_allclose(values, expected[run], atol=1e-6)
        shown = [
            f"{value:.4f}" for value in sorted((v[0] for v in expected.values()), reverse=True)
        ]
        assert column(page, "#explorer-board", 3) == shown
        best_first = sorted(expected, key=lambda run: -expected[run][0])
        assert list(board) == best_first
        orders.add(tuple(best_first))
    assert len(orders) > 1  # the board was reordered


def test_tau_with_ap_and_ndcg_is_the_library_s(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[3])
    move_slider(page, "#g3", 0.97)
    g = page.text_content("#explored")[3:]
    names = [f"GAP{g}", f"xGAP{g}", f"eGAP{g}", "AP", "nDCG"]
    means = gw.evaluate(samples[3].qrels, samples[3].runs, names).summary().T
    expected = [[f"{gw.stats.kendall_tau(a, b):.3f}" for a in means[:3]] for b in means[3:]]
    assert [column(page, "#tau", 2), column(page, "#tau", 3)] == expected
    assert expected[0] != ["1.000"] * 3


@pytest.mark.parametrize("grades", [2, 3])
def test_the_map_shows_who_wins(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any, grades: int
) -> None:
    page = open_page(pages[grades])
    page.check("input[value=xGAP]")
    page.wait_for_function(
        "() => document.querySelector('#map-sentence').textContent.includes('xGAP')"
    )
    cells = page.eval_on_selector_all(
        ".map rect title, .map polygon title", "all => all.map(cell => cell.textContent)"
    )
    assert len(cells) == {2: 101, 3: 231}[grades]
    for cell in cells[:: len(cells) // 6]:
        g, _, winner = cell.partition(": ")
        scores = gw.evaluate(samples[grades].qrels, samples[grades].runs, f"xGAP({g})")
        means = dict(zip(scores.runs, scores.summary()[:, 0], strict=True))
        assert means[winner] == pytest.approx(max(means.values()), abs=1e-6)
    page.locator(".map rect, .map polygon").last.click()
    corner = ",".join(["0"] * (grades - 1) + ["1"])
    assert page.text_content("#explored") == f"xGAP(g=[{corner}])"


def test_sorting_and_filtering(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[2])
    scores = gw.evaluate(samples[2].qrels, samples[2].runs, MEASURES)
    means = dict(zip(scores.runs, scores.summary(), strict=True))
    by_ap = sorted(means, key=lambda run: -means[run][0])
    assert column(page, "#board", 2) == by_ap[:10]
    show_all(page)
    assert column(page, "#board", 2) == by_ap
    assert column(page, "#board", 3) == [f"{means[run][0]:.4f}" for run in by_ap]
    head = page.locator("#board thead th", has_text="RR")
    assert head.get_attribute("aria-sort") == "none"
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = [means[run][3] for run in column(page, "#board", 2)]
    assert values == sorted(values, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    values = [means[run][3] for run in column(page, "#board", 2)]
    assert values == sorted(values)
    page.fill("#filter", "RUN1")
    assert sorted(column(page, "#board", 2)) == ["run10", "run11", "run12"]
    page.fill("#filter", "nobody")
    assert column(page, "#board", 2) == []


def test_choosing_a_measure_changes_all_sections(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[2])
    page.select_option("#measure", label="nDCG@10")
    scores = gw.evaluate(samples[2].qrels, samples[2].runs, "nDCG@10")
    means = dict(zip(scores.runs, scores.summary()[:, 0], strict=True))
    show_all(page)
    assert column(page, "#board", 2) == sorted(means, key=lambda run: -means[run])
    by_topic = scores.values[:, :, 0].mean(axis=0)
    hardest = [scores.topics[index] for index in np.argsort(by_topic, kind="stable")]
    assert column(page, "#topic-table", 1) == hardest
    page.click("#divisive")
    spread = scores.values[:, :, 0].std(axis=0, ddof=1)
    shown = column(page, "#topic-table", 3)
    assert shown == [f"{value:.4f}" for value in sorted(spread, reverse=True)]
    assert "nDCG@10" in page.text_content("#pair-result p")


def test_head_to_head_is_what_compare_finds(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[2])
    page.select_option("#pair-a", label="run05")
    page.select_option("#pair-b", label="run09")
    shown = dict(
        page.eval_on_selector_all(
            "#pair-result dl > div",
            "all => all.map(each => [...each.children].map(c => c.textContent))",
        )
    )
    scores = gw.evaluate(samples[2].qrels, samples[2].runs, "AP")
    pairs = gw.compare(scores).pairs
    (pair,) = [
        row
        for row in pairs.iter_rows(named=True)
        if {row["run_a"], row["run_b"]} == {"run05", "run09"}
    ]
    sign = 1 if pair["run_a"] == "run05" else -1
    low, high = sorted((sign * pair["low"], sign * pair["high"]))

    def signed(value: float, digits: int = 4) -> str:
        return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")

    assert shown["Difference"] == signed(sign * pair["difference"])
    assert shown["95% confidence interval"] == f"{signed(low)} to {signed(high)}"
    assert shown["Effect size (Cohen's d)"] == signed(sign * pair["effect"], 2)
    won, lost = (pair["wins"], pair["losses"])[::sign]
    assert shown["Topics won, tied, lost"] == f"{won}, {pair['ties']}, {lost}"
    p = "< 0.0001" if pair["p"] < 0.0001 else f"{pair['p']:.4f}"
    assert shown["p-value, uncorrected"] == p
    assert shown["Significant after correction"] == ("yes" if pair["significant"] else "no")


def test_the_leaderboard_marks_what_does_not_differ(
    samples: dict[int, Any], pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[2])
    show_all(page)
    page.select_option("#reference", label="run05")
    alike = page.eval_on_selector_all(
        "#board tr.alike th", "all => all.map(cell => cell.textContent)"
    )
    pairs = gw.compare(gw.evaluate(samples[2].qrels, samples[2].runs, "AP")).pairs
    expected = {
        row["run_a"] if row["run_b"] == "run05" else row["run_b"]
        for row in pairs.iter_rows(named=True)
        if "run05" in (row["run_a"], row["run_b"]) and not row["significant"]
    }
    assert set(alike) == expected
    assert 0 < len(expected) < 11


def test_keyboard_alone(pages: dict[int, Path], open_page: Any) -> None:
    page = open_page(pages[3])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.focus("#g3")
    before = page.text_content("#explored")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert page.text_content("#explored") != before
    assert float(page.input_value("#g3")) == pytest.approx(0.6333, abs=0.006)
    page.wait_for_function("() => document.querySelector('#announcement').textContent !== ''")
    page.focus("#board thead th:nth-child(2) button")
    page.keyboard.press("Enter")
    assert page.get_attribute("#board thead th:nth-child(2)", "aria-sort") == "ascending"
    focused = "document.activeElement.closest('th')?.dataset.key"
    assert page.evaluate(focused) == "run"  # the button that was pressed keeps the focus
    page.keyboard.press("Space")
    assert page.get_attribute("#board thead th:nth-child(2)", "aria-sort") == "descending"
    page.focus("#pair-a")
    page.keyboard.type("run07")
    assert page.eval_on_selector("#pair-a", "s => s.selectedOptions[0].textContent") == "run07"


def test_everything_that_can_be_used_has_a_name_and_can_be_reached(
    pages: dict[int, Path], open_page: Any
) -> None:
    page = open_page(pages[3])
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, [role=img], [role=region]')]
             .filter(each => !(each.labels?.length || each.getAttribute('aria-label') ||
                               each.tagName === 'BUTTON' && each.textContent.trim()))
             .map(each => each.outerHTML)"""
    )
    assert nameless == []
    assert (
        page.evaluate("document.querySelectorAll('[tabindex]:not([tabindex=\"0\"])').length") == 0
    )
    levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(each => +each.tagName[1])")
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert page.evaluate("[...document.querySelectorAll('table')].every(t => t.caption)")


def test_names_with_markup_are_inert(open_page: Any, tmp_path: Path) -> None:
    qrels = {topic: {"a": 1, "b": 2} for topic in HOSTILE}
    runs = {
        name: {topic: {"a": 1.0 + k, "b": 2.0, name: 3.0} for topic in HOSTILE[: k + 1]}
        for k, name in enumerate(HOSTILE)
    }
    report = gw.report.make_report(
        qrels, runs, ["AP", "nDCG@10"], title=HOSTILE[0], command=HOSTILE[2]
    )
    report.save(tmp_path / "hostile.html")
    page = open_page(tmp_path / "hostile.html")
    page.select_option("#pair-a", index=4)
    page.click("#divisive")
    page.hover("#board tbody th")
    assert page.evaluate("window.stolen") is None
    assert page.text_content("h1") == HOSTILE[0]
    assert sorted(column(page, "#board", 2)) == sorted(HOSTILE)
    assert sorted(column(page, "#topic-table", 1)) == sorted(HOSTILE)
    assert page.locator("main img, main script, main b").count() == 0


def test_nothing_of_the_page_may_reach_the_network(pages: dict[int, Path]) -> None:
    text = pages[2].read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]


def test_tables_are_copied(pages: dict[int, Path], open_page: Any, samples: dict[int, Any]) -> None:
    page = open_page(pages[2], permissions=["clipboard-read", "clipboard-write"])
    page.click("[aria-label='Copy Runs and their means as CSV']")
    page.wait_for_function("() => document.querySelector('#announcement').textContent !== ''")
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    scores = gw.evaluate(samples[2].qrels, samples[2].runs, "AP")
    best = max(scores.summary()[:, 0])
    assert copied[0].startswith("Rank,Run,AP,")
    assert float(copied[1].split(",")[2]) == pytest.approx(best, abs=1e-12)
    assert len(copied) == 13
    page.click("[aria-label='Copy Runs and their means as LaTeX']")
    page.wait_for_function(
        "() => document.querySelector('#announcement').textContent === 'LaTeX copied'"
    )
    latex = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert latex[1] == r"\toprule"
    assert latex[4].split(" & ")[2] == f"{best:.4f}"


def test_small_collections_have_a_page(open_page: Any, tmp_path: Path) -> None:
    report = gw.report.make_report({"t": {"a": 1}}, {"only": {"t": {"a": 1.0}}})
    report.save(tmp_path / "one.html")
    page = open_page(tmp_path / "one.html")
    assert page.inner_text(".winner") == "only"
    assert "only one relevance threshold" in page.text_content("#explorer")
    gw.report.make_report(
        {"t": {"a": 0}, "u": {"b": 0}}, {"a": {"t": {"x": 1.0}}, "b": {"u": {"y": 1.0}}}
    ).save(tmp_path / "none.html")
    page = open_page(tmp_path / "none.html")
    assert column(page, "#board", 3) == ["0.0000", "0.0000"]


def test_topics_that_a_run_misses_can_be_left_out(open_page: Any, tmp_path: Path) -> None:
    sample = gw.simulate.collection(topics=10, runs=4, depth=40, missing=0.3, relevant=10, seed=2)
    gw.report.make_report(sample.qrels, sample.runs, "AP", missing="drop").save(tmp_path / "m.html")
    page = open_page(tmp_path / "m.html")
    move_slider(page, "#g2", 0.7)
    names = [f"{name}(g=[0.3,0.7])" for name in ("GAP", "xGAP", "eGAP")]
    scores = gw.evaluate(sample.qrels, sample.runs, names, missing="drop")
    assert not scores.counted.all()
    for run, values in explored(page).items():
        expected = scores.summary()[scores.runs.index(run)]
        np.testing.assert_allclose(values, expected, atol=1e-6)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_sticks_out_sideways(pages: dict[int, Path], open_page: Any, width: int) -> None:
    page = open_page(pages[3], viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_switches_between_sets_of_topics(
    samples: dict[int, Any], tmp_path: Path, open_page: Any
) -> None:
    sample, path = samples[3], tmp_path / "sets.html"
    sets = {"first": "^10[1-6]$", "<b>rest": "^1(0[7-9]|1)"}
    gw.report.make_report(sample.qrels, sample.runs, MEASURES, topics=sets).save(path)
    scores = gw.evaluate(sample.qrels, sample.runs, MEASURES).by_topics(sets)
    page = open_page(path)
    assert page.locator("#subset option").all_inner_texts() == ["first (6)", "<b>rest (9)"]

    def check(name: str, measure: str) -> None:
        best, value = max(scores[name][measure].items(), key=lambda item: item[1])
        row = page.locator("#board tbody tr").first.inner_text().split("\t")
        assert row[1] == best
        assert row[2] == f"{value:.4f}"
        assert f"{len(scores[name].topics)} topics" in page.inner_text("#facts")
        assert page.locator("#topic-table tbody tr").count() == len(scores[name].topics)

    check("first", "AP")
    page.select_option("#measure", "1")
    page.select_option("#subset", "1")
    check("<b>rest", "nDCG@10")
    assert page.input_value("#measure") == "1"
    assert page.locator("#verdict .card h3").count() == 3
    page.select_option("#measure", "2")
    check("<b>rest", "GAP")
    page.select_option("#subset", "0")
    check("first", "GAP")
    assert page.locator("#explorer h2").count() == 1


def test_a_page_without_judgments(samples: dict[int, Any], tmp_path: Path, open_page: Any) -> None:
    sample, path = samples[2], tmp_path / "scores.html"
    scores = gw.evaluate(sample.qrels, sample.runs, MEASURES)
    gw.report.report_scores(gw.read_scores(scores.per_topic)).save(path)
    page = open_page(path)
    assert not page.locator("#subset").is_visible()
    for section in ("explorer", "judgments"):
        assert not page.locator(f"#{section}").is_visible()
        assert not page.locator(f'nav a[href="#{section}"]').is_visible()
    for section in ("leaderboard", "pairs", "topics", "agreement", "making"):
        assert page.locator(f"#{section} .body").inner_text()
    assert "grades" not in page.inner_text("#facts")
    assert "Judged" not in page.inner_text("#topic-table thead")
    assert "relevance thresholds and judgments are left out" in page.inner_text("#making")
