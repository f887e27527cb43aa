"""Verdict, rankings and address of the page of a report, in a real browser."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

import gradewise as gw
from oracles.contributions import CONTRIBUTIONS
from report.axe import violations
from report.browser import Opened, chromium

MEASURES = ["AP", "nDCG@10", "GAP", "RR", "ERR", "Q", "Bpref"]
HOSTILE = "<img src=x onerror='window.stolen = 1'></script><script>stolen = 1</script>{{data}}"
GAP = "GAP(g='equal')"
NAMES = ["bm25-base", "bm25-rm3", "dense_large", "dense_small", "a&b=c,d#e", "x" * 40]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def sample() -> Any:
    return gw.simulate.collection(
        topics=14, runs=6, depth=120, grades=3, relevant=25, pool_depth=6, spread=2.0, seed=5
    )


@pytest.fixture(scope="module")
def runs(sample: Any) -> dict[str, Any]:
    return dict(zip(NAMES, sample.runs.values(), strict=True))


@pytest.fixture(scope="module")
def path(sample: Any, runs: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("verdict") / "report.html"
    names = {doc for run in runs.values() for docs in run.to_dict().values() for doc in docs}
    gw.report.make_report(
        sample.qrels,
        runs,
        MEASURES,
        queries={topic: f"query {topic} {HOSTILE}" for topic in sample.qrels.topics},
        docs={name: {"title": f"title of {name} {HOSTILE}"} for name in names},
    ).save(made)
    return made


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    """A function that opens an address; at the end, each page has to have been quiet and alone."""
    contexts, opened = [], []

    def open_address(path: Path, state: str = "", **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        opened.append(Opened(contexts[-1], path.as_uri() + state))
        return opened[-1].page

    yield open_address
    for page in opened:
        page.check()
        assert page.page.evaluate("window.stolen") is None
    for context in contexts:
        context.close()


def state(**values: str) -> str:
    """Return the part of an address that names what is shown."""
    return "#topic" + "".join(f"&{name}={quote(value, safe='')}" for name, value in values.items())


def wait_for_rankings(page: Any) -> None:
    page.wait_for_selector("#drill table[data-side]")


def exact_values(page: Any, selector: str) -> list[float]:
    return page.eval_on_selector_all(
        f"{selector} [data-value]", "all => all.map(each => Number(each.dataset.value))"
    )


def test_the_verdict_is_what_compare_finds(
    sample: Any, runs: dict[str, Any], path: Path, open_page: Any
) -> None:
    page = open_page(path)
    for index, name in enumerate(MEASURES[:3]):
        page.select_option("#measure", str(index))
        scores = gw.evaluate(sample.qrels, runs, name)
        means = dict(zip(scores.runs, scores.summary()[:, 0], strict=True))
        best, second, *_ = sorted(means, key=lambda run: -means[run])
        assert page.inner_text(".winner") == best
        pairs = gw.compare(scores).pairs.rows(named=True)
        ours = [row for row in pairs if best in (row["run_a"], row["run_b"])]
        alike = {
            row["run_b"] if row["run_a"] == best else row["run_a"]
            for row in ours
            if not row["significant"]
        }
        assert {each.inner_text() for each in page.locator(".chips a").all()} == alike
        (lead,) = [row for row in ours if second in (row["run_a"], row["run_b"])]
        sign = 1 if lead["run_a"] == best else -1
        low, high = sorted((sign * lead["low"], sign * lead["high"]))
        said = page.inner_text(".real").replace("\N{MINUS SIGN}", "-")
        shown = f"{sign * lead['difference']:.4f} (95% confidence interval {low:.4f} to {high:.4f})"
        assert shown in said
        assert "Holm's correction over 15 pairs" in said


def test_three_questions_are_answered_above_the_fold(path: Path, open_page: Any) -> None:
    page = open_page(path, viewport={"width": 1440, "height": 900})
    for part in (".who .answer", ".real .answer", ".next .answer", ".depends"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] + box["height"] < 900
    assert page.locator(".depends li").count() == 3


@pytest.mark.parametrize("measure", ["AP", "GAP", "nDCG@10", "RR", "Q", "ERR"])
def test_contributions_sum_to_the_difference(
    sample: Any, runs: dict[str, Any], path: Path, open_page: Any, measure: str
) -> None:
    topic = sample.qrels.topics[2]
    name = str(gw.evaluate(sample.qrels, runs, measure).measures[0])
    page = open_page(path, state(measure=name, topic=topic))
    wait_for_rankings(page)
    pair = [page.eval_on_selector(f"#drill-{s}", "s => s.selectedOptions[0].text") for s in "ab"]
    grades = sample.qrels.to_dict()[topic]
    counts = {g: sum(v == g for v in grades.values()) for g in sample.qrels.scale.tolist()}
    terms = [
        CONTRIBUTIONS[measure]([max(grades.get(d, 0), 0) for d in runs[r].ranking(topic)], counts)
        for r in pair
    ]
    more = page.locator("#topic .difference .more")
    if more.is_visible():
        more.click()
    cells = np.array(exact_values(page, "#difference-table tbody")).reshape(-1, 3)
    assert cells[:, 0].sum() == pytest.approx(math.fsum(terms[0]), abs=1e-12)
    assert cells[:, 1].sum() == pytest.approx(math.fsum(terms[1]), abs=1e-12)
    difference = math.fsum(terms[0]) - math.fsum(terms[1])
    assert cells[:, 2].sum() == pytest.approx(difference, abs=1e-12)
    assert page.inner_text("#topic .query") == f"query {topic} {HOSTILE}"


def test_rankings_show_grades_and_where_documents_stand(
    sample: Any, runs: dict[str, Any], path: Path, open_page: Any
) -> None:
    topic = sample.qrels.topics[0]
    names = ["dense_large", "a&b=c,d#e"]
    page = open_page(path, f"#topic&topic={topic}&runs=dense_large,a%26b%3Dc%2Cd%23e")
    wait_for_rankings(page)
    lists = [runs[name].ranking(topic) for name in names]
    grades = sample.qrels.to_dict()[topic]
    for side, mine, other in (("a", lists[0], lists[1]), ("b", lists[1], lists[0])):
        rows = page.locator(f"#drill table[data-side={side}] tbody tr")
        for place in (0, 1, 5, 19):
            row, doc = rows.nth(place), mine[place]
            known = grades.get(doc)
            assert row.locator(".grade").inner_text() == (
                "unjudged" if known is None else str(max(known, 0))
            )
            assert row.locator("th .doc-id").inner_text() == doc
            assert row.locator("th .doc-title").inner_text() == f"title of {doc} {HOSTILE}"
            rank = other.index(doc) + 1 if doc in other else None
            if rank is not None and rank <= 20:
                assert row.locator(".moved").inner_text().split()[-1] == str(rank)
    assert page.locator("#drill img, #drill script").count() == 0


@pytest.mark.parametrize("measure", [GAP, "ERR"])
def test_swaps_change_what_evaluate_says(
    sample: Any, runs: dict[str, Any], path: Path, open_page: Any, measure: str
) -> None:
    topic, name = sample.qrels.topics[4], "bm25-rm3"
    page = open_page(path, state(topic=topic, measure=measure) + f"&runs={name},dense_small")
    wait_for_rankings(page)
    page.click("#drill table[data-side=a] tbody tr:nth-child(6) button.rank")
    assert (
        page.get_attribute("#drill table[data-side=a] tr:nth-child(6) button.rank", "aria-pressed")
        == "true"
    )
    ranked = runs[name].ranking(topic)
    before = gw.evaluate(sample.qrels, runs, measure)
    value = before.values[NAMES.index(name), before.topics.index(topic), 0]
    for place in (0, 2, 11):
        swapped = list(ranked)
        swapped[5], swapped[place] = swapped[place], swapped[5]
        lists = {topic: {doc: -float(k) for k, doc in enumerate(swapped)}}
        after = gw.evaluate(sample.qrels, {"one": lists}, measure)
        change = after.values[0, after.topics.index(topic), 0] - value
        cell = f"#drill table[data-side=a] tbody tr:nth-child({place + 1}) .swap"
        assert exact_values(page, cell)[0] == pytest.approx(change, abs=1e-12)


def test_lists_without_unjudged_documents_have_their_own_ranks(
    sample: Any, runs: dict[str, Any], tmp_path: Path, open_page: Any
) -> None:
    gw.report.make_report(sample.qrels, runs, "AP", judged_only=True).save(tmp_path / "j.html")
    page = open_page(tmp_path / "j.html")
    wait_for_rankings(page)
    assert page.locator("#drill .grade.unjudged").count() == 0
    pair = [int(page.input_value(f"#drill-{side}")) for side in "ab"]
    topic = int(page.input_value("#drill-topic"))
    scores = gw.evaluate(sample.qrels, runs, "AP", judged_only=True)
    for place, side in enumerate("ab"):
        shown = sum(exact_values(page, f"#drill table[data-side={side}] tbody td:nth-child(5)"))
        assert shown == pytest.approx(scores.values[pair[place], topic, 0], abs=1e-6)


def test_measures_without_contributions_show_rankings(path: Path, open_page: Any) -> None:
    page = open_page(path, "#topic&measure=Bpref")
    wait_for_rankings(page)
    assert "Bpref is not a sum over documents" in page.inner_text("#drill")
    assert page.locator("#difference-table").count() == 0
    assert page.locator("#drill table[data-side=a] tbody tr").count() >= 20


def test_the_address_keeps_what_is_shown(path: Path, open_page: Any) -> None:
    page = open_page(path)
    page.select_option("#measure", label=GAP)
    page.select_option("#pair-a", label="a&b=c,d#e")
    page.select_option("#pair-b", label="dense_small")
    page.click("#topic-table tbody th a")
    topic = page.eval_on_selector("#drill-topic", "s => s.selectedOptions[0].text")
    page.fill("#g3-number", "0.5")
    page.dispatch_event("#g3-number", "change")
    page.wait_for_function("() => location.hash.includes('g=0.25,0.25,0.5')")
    address = page.url
    assert "runs=a%26b%3Dc%2Cd%23e,dense_small" in address
    assert f"{state(measure=GAP)}&" in address.replace("'", "%27").replace("(", "%28").replace(
        ")", "%29"
    )
    other = open_page(path, address.partition("#")[1] + address.partition("#")[2])
    wait_for_rankings(other)
    for opened in (page, other):
        chosen = {
            name: opened.eval_on_selector(f"#{name}", "s => s.selectedOptions[0].text")
            for name in ("measure", "pair-a", "pair-b", "drill-a", "drill-b", "drill-topic")
        }
        assert chosen == {
            "measure": GAP,
            "pair-a": "a&b=c,d#e",
            "pair-b": "dense_small",
            "drill-a": "a&b=c,d#e",
            "drill-b": "dense_small",
            "drill-topic": topic,
        }
        assert opened.text_content("#explored") == "GAP(g=[0.25,0.25,0.5])"


def test_the_back_button_takes_steps_back(path: Path, open_page: Any) -> None:
    page = open_page(path)
    best = page.inner_text(".winner")
    page.select_option("#measure", label="RR")
    page.click("#board tbody tr:nth-child(3) th a")
    third = page.inner_text("#board tbody tr:nth-child(3) th")
    assert page.eval_on_selector("#pair-a", "s => s.selectedOptions[0].text") == third
    assert page.evaluate("document.activeElement.id") == "pairs-title"
    page.go_back()
    assert page.input_value("#measure") == "3"
    assert "runs=" not in page.url
    page.go_back()
    assert page.input_value("#measure") == "0"
    assert page.inner_text(".winner") == best
    page.go_forward()
    assert page.input_value("#measure") == "3"


def test_strange_addresses_show_the_page(path: Path, open_page: Any) -> None:
    page = open_page(path, "#nowhere&measure=no&runs=,&topic=%E0%A4%A&g=2,x&set=none&&=")
    wait_for_rankings(page)
    assert page.input_value("#measure") == "0"
    assert "0.3333" in page.text_content("#explored")


def test_families_of_runs(path: Path, open_page: Any) -> None:
    page = open_page(path)
    choices = page.locator("#family option").all_inner_texts()
    assert choices == ["All runs", "The best of each family", "bm25 (2)", "dense (2)"]
    page.select_option("#family", label="dense (2)")
    shown = page.locator("#board tbody th").all_inner_texts()
    assert sorted(shown) == ["dense_large", "dense_small"]
    page.select_option("#family", label="The best of each family")
    assert page.locator("#board tbody tr").count() == 4


def test_tiers_are_those_of_compare(
    sample: Any, runs: dict[str, Any], path: Path, open_page: Any
) -> None:
    page = open_page(path)
    frame = gw.compare(gw.evaluate(sample.qrels, runs, "AP")).runs
    tiers = dict(zip(frame["run"], frame["tier"], strict=True))
    shown = page.eval_on_selector_all(
        "#board tbody tr",
        "rows => rows.map(r => [r.cells[1].textContent, r.querySelector('.tier').textContent])",
    )
    assert {run: int(tier) for run, tier in shown} == tiers
    starts = page.locator("#board tr.tier-start").count()
    assert starts == len(set(tiers.values())) - 1


def test_one_run_says_what_it_can(sample: Any, tmp_path: Path, open_page: Any) -> None:
    first = dict(list(sample.runs.items())[:1])
    gw.report.make_report(sample.qrels, first, MEASURES).save(tmp_path / "one.html")
    page = open_page(tmp_path / "one.html")
    wait_for_rankings(page)
    scores = gw.evaluate(sample.qrels, first, "AP")
    values = scores.values[0, :, 0]
    assert f"AP {values.mean():.3f}" in page.inner_text(".who")
    worst = scores.topics[int(values.argmin())]
    assert page.locator(".real a").first.inner_text() == worst
    assert "Add a run" in page.inner_text(".next")
    for section in ("pairs", "agreement"):
        assert not page.locator(f"#{section}").is_visible()
    assert page.inner_text("#leaderboard-title") == "Scores"
    assert page.locator("#score-table tbody tr").count() == len(MEASURES)
    assert page.locator("#drill table").count() == 1
    cells = exact_values(page, "#drill tbody td:nth-child(4)")
    assert sum(cells) == pytest.approx(values.min(), abs=1e-12)


def test_tables_are_whole_in_print(sample: Any, tmp_path: Path, browser: Any) -> None:
    many = {f"run{k}": run for k, run in enumerate([*sample.runs.values()] * 4)}
    gw.report.make_report(sample.qrels, many, "AP", distances=False).save(tmp_path / "m.html")
    opened = Opened(browser.new_context(), (tmp_path / "m.html").as_uri())
    page = opened.page
    assert page.locator("#board tbody tr").count() == 10
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#board tbody tr").count() == 24
    assert page.locator("#explorer-board tbody tr").count() == 24
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#board tbody tr").count() == 10
    opened.check()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(path: Path, open_page: Any, scheme: str) -> None:
    page = open_page(path, color_scheme=scheme, viewport={"width": 1440, "height": 900})
    wait_for_rankings(page)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_nothing_is_cut(path: Path, open_page: Any, width: int) -> None:
    page = open_page(path, viewport={"width": width, "height": 900})
    wait_for_rankings(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1440:
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.scroller, nav ul')]
                 .filter(each => each.scrollWidth > each.clientWidth + 1)
                 .map(each => each.getAttribute('aria-label') ?? each.tagName)"""
        )
        assert cut == []


def test_the_bar_of_links_is_whole_with_sets_of_topics(
    sample: Any, runs: dict[str, Any], tmp_path: Path, open_page: Any
) -> None:
    sets = {"the first ten topics of all": "^10", "others that come later": "^11"}
    gw.report.make_report(sample.qrels, runs, MEASURES, topics=sets).save(tmp_path / "sets.html")
    page = open_page(tmp_path / "sets.html", viewport={"width": 1440, "height": 900})
    ends = page.evaluate(
        "() => [...document.querySelectorAll('nav li, nav select')]"
        ".filter(each => each.offsetParent).map(each => each.getBoundingClientRect().right)"
    )
    assert max(ends) <= 1440
    cut = page.eval_on_selector("nav ul", "bar => bar.scrollWidth - bar.clientWidth")
    assert cut <= 0
    page.select_option("#subset", "1")
    wait_for_rankings(page)
    assert page.locator("#drill-topic option").count() == 5
    page.go_back()
    wait_for_rankings(page)
    assert page.locator("#drill-topic option").count() == 9
