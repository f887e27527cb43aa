"""No HTML that is written runs what a name holds: figures, notebooks, tables, in a browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call
from gradewise.report import figures, notebook
from report import test_notebook
from report.browser import Opened, chromium
from report.test_figures import gallery
from robust.hostile import Hostile, hostile, renamed

__all__ = ["gallery"]  # a fixture

MADE = gw.simulate.collection(topics=8, runs=3, depth=30, relevant=12, pool_depth=10, seed=2)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def attack() -> Hostile:
    return renamed(MADE)


def check_inert(browser: Any, path: Path, wait: str | None = None) -> str:
    """Open a page, go over what it shows, and return its text; fail if anything has run."""
    context = browser.new_context()
    try:
        opened = Opened(context, path.as_uri())
        page = opened.page
        if path.suffix == ".html" and "vegaEmbed" in path.read_text("utf-8"):
            page.wait_for_selector("#figure svg")
        if wait is not None:
            page.wait_for_selector(wait)
        for mark in page.locator("svg path[aria-label]").all()[:2]:
            mark.dispatch_event("mousemove")  # which shows what is known about it
        assert page.evaluate("window.stolen") is None, path.name
        assert page.locator("img, [onload], [onerror]").count() == 0, path.name
        assert opened.requests == [opened.address]
        # Vega warns of figures in which nothing is drawn.
        assert [text for text in opened.complaints if not text.startswith("WARN ")] == []
        return str(page.evaluate("document.documentElement.textContent"))
    finally:
        context.close()


def check_section_is_inert(browser: Any, path: Path) -> None:
    """Open a section whose address attacks, too."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("#group-table")
    assert page.evaluate("window.stolen") is None
    context.close()


def check_fragments(browser: Any, fragments: list[str], folder: Path) -> None:
    """Check pieces of HTML, as a notebook would show them one below the other."""
    path = folder / "fragments.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + "\n".join(fragments), "utf-8")
    check_inert(browser, path)


@pytest.mark.slow
def test_figures_are_inert(gallery: Any, browser: Any, tmp_path: Path) -> None:
    names: dict[str, Any] = {"renamed": renamed}
    drawn: list[str] = []
    exec(gallery.START.replace("judged =", "sample = renamed(sample)\njudged ="), names)
    for name, code in gallery.EXAMPLES.items():
        words = r'"(run\d|people|strict|hasty)"'
        *lines, last = re.sub(words, lambda m: repr(hostile(m[1])), code).splitlines()
        exec("\n".join(lines), names)
        chart = eval(last, names)
        path = tmp_path / f"{name.replace(' ', '-')}.html"
        figures.save_figure(chart, path)
        check_inert(browser, path)
        figures.save_figure(chart, path.with_suffix(".svg"))
        drawn.append(path.with_suffix(".svg").read_text("utf-8"))
    check_fragments(browser, drawn, tmp_path)


def test_the_policy_of_a_figure_allows_its_own_script_only(tmp_path: Path) -> None:
    chart = figures.leaderboard(gw.compare(gw.evaluate(MADE.qrels, MADE.runs, "AP")))
    path = tmp_path / "figure.html"
    figures.save_figure(chart, path)
    text = path.read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
    spec = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert [*spec["datasets"].values()] == [*chart.to_dict()["datasets"].values()]


def test_a_figure_of_a_command_is_inert(
    run: Call, attack: Hostile, browser: Any, tmp_path: Path
) -> None:
    files = write_files(attack, tmp_path)
    for kind in ("html", "svg"):
        figure = tmp_path / f"figure.{kind}"
        done = run("compare", *files, "-m", "AP", "--figure", figure)
        assert done.code == 0, done.err
        shown = check_inert(browser, figure)
    assert all(name.partition(">")[0] in shown for name in attack.runs)


def write_files(attack: Hostile, folder: Path) -> list[Path]:
    """Write judgments, and runs in one file with a column that names them."""
    qrels, runs = folder / "qrels.json", folder / "runs.json"
    qrels.write_text(json.dumps(attack.qrels.to_dict()), "utf-8")
    rows = [
        {"run": name, "topic": topic, "doc": doc, "score": score}
        for name, each in attack.runs.items()
        for topic, docs in each.to_dict().items()
        for doc, score in docs.items()
    ]
    runs.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return [qrels, runs]


COMMANDS = {
    "eval": ("eval", "-q", "-m", "AP", "--caption", hostile("c1"), "--label", hostile("c2")),
    "compare": ("compare", "-m", "AP", "--caption", hostile("c1"), "--label", hostile("c2")),
    "med": ("med", "-m", "P@10"),
    "discrimination": ("meta", "discrimination", "-m", "AP", "--replicates", "20"),
    "flips": ("meta", "flips", "-m", "AP"),
    "pool-bias": ("meta", "pool-bias", "-m", "AP"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_tables_of_commands_are_inert(
    name: str, run: Call, attack: Hostile, browser: Any, tmp_path: Path
) -> None:
    output = tmp_path / "table.html"
    done = run(*COMMANDS[name], *write_files(attack, tmp_path), "-f", "html", "-o", output)
    assert done.code == 0, done.err
    check_inert(browser, output)


@pytest.mark.slow
def test_notebooks_are_inert(
    attack: Hostile, browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = attack.runs.values()
    given = {"QRELS": attack.qrels, "RUNS": attack.runs, "FIRST": first, "SECOND": second}
    for name, value in given.items():
        monkeypatch.setattr(test_notebook, name, value)
    framed = ("Report", "Section")  # which are tested with reports
    made = [make() for name, (make, _) in test_notebook.RESULTS.items() if name not in framed]
    check_fragments(browser, [notebook.html_of(result) for result in made], tmp_path)


def test_reports_and_pages_to_judge_in_are_inert(
    attack: Hostile, browser: Any, tmp_path: Path
) -> None:
    topics = {topic: topic for topic in attack.qrels.topics}
    texts = {doc: doc for docs in attack.qrels.to_dict().values() for doc in docs}
    report = gw.report.make_report(
        attack.qrels,
        attack.runs,
        "AP",
        title=hostile("t1"),
        queries={topic: {"title": hostile("q1"), "text": hostile("q2")} for topic in topics},
        docs={doc: {"title": hostile(f"d{k}")} for k, doc in enumerate(texts)},
    )
    report.save(tmp_path / "report.html")
    shown = check_inert(browser, tmp_path / "report.html", wait="#drill table[data-side]")
    assert all(text in shown for text in (hostile("q1"), hostile("q2"), hostile("t1")))
    untitled = gw.report.make_report(attack.qrels, dict([*attack.runs.items()][:2]), "AP")
    untitled.save(tmp_path / "report.html")  # whose title names the runs
    check_inert(browser, tmp_path / "report.html", wait="#drill table[data-side]")
    frames = tmp_path / "shown.html"
    frames.write_text(f"<!doctype html><meta charset=utf-8>{notebook.html_of(report)}", "utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(frames.as_uri())
    frame = page.frames[-1]
    frame.wait_for_selector("h1")
    assert page.evaluate("window.stolen") is None
    assert frame.evaluate("window.stolen") is None
    context.close()
    pairs = [(topic, doc) for topic in topics for doc in list(texts)[:3]]
    meanings = {0: (hostile("g1"), hostile("g2")), 1: (hostile("g3"), hostile("g4"))}
    page = gw.report.make_judging_page(
        pairs, queries=topics, docs=texts, grades=meanings, title=hostile("t2")
    )
    page.save(tmp_path / "judge.html")
    check_inert(browser, tmp_path / "judge.html")


def test_groups_and_releases_are_inert(attack: Hostile, browser: Any, tmp_path: Path) -> None:
    attributes = {
        topic: {hostile(f"a{k}"): hostile(f"v{place % 2 + k}") for k in range(6)}
        for place, topic in enumerate(attack.qrels.topics)
    }
    scores = gw.evaluate(attack.qrels, attack.runs, "AP")
    history = {hostile(f"h{number}"): scores for number in range(6)}
    report = gw.report.make_report(
        attack.qrels,
        attack.runs,
        "AP",
        attributes=attributes,
        history=history,
    )
    report.save(tmp_path / "report.html")
    seen = check_inert(browser, tmp_path / "report.html")
    for name in (*history, *next(iter(attributes.values()))):
        assert name.partition(">")[0] in seen
    alone = report.section("groups", state=hostile("s1"))
    alone.save(tmp_path / "section.html")
    check_section_is_inert(browser, tmp_path / "section.html")
