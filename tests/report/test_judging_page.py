"""The page to judge in, in a real browser: keys, resuming, exporting, and nothing from outside."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from gradewise.errors import InputError, OptionError
from report.browser import Opened, chromium, chromium_path

HOSTILE = "<img src=x onerror='window.stolen = 1'></script><script>stolen = 1</script>{{data}}"
DOCUMENTS = [(f"t{n // 40}", f"D-{n:03d}") for n in range(200)]
TOPICS = {f"t{k}": f"question {k} {HOSTILE}" for k in range(5)}
TEXTS = {document: f"text of {document}\nsecond line {HOSTILE}" for _, document in DOCUMENTS}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("judging") / "judge.html"
    gw.report.make_judging_page(DOCUMENTS, queries=TOPICS, docs=TEXTS, title=HOSTILE).save(path)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    """A function that opens a file offline; at the end, it has to have been quiet and alone."""
    contexts, opened = [], []

    def open_file(path: Path, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        contexts[-1].set_offline(True)
        opened.append(Opened(contexts[-1], path.as_uri()))
        return opened[-1].page

    yield open_file
    for page in opened:
        page.check()
    for context in contexts:
        context.close()


def export(page: Any) -> bytes:
    """Return the bytes that the page exports."""
    with page.expect_download() as started:
        page.click("#export")
    return Path(started.value.path()).read_bytes()


def wait_for_progress(page: Any, judged: int) -> None:
    text = "document.querySelector('#progress').textContent"
    page.wait_for_function(f"() => {text}.startsWith('{judged} ')")


def shown(page: Any) -> str:
    return page.text_content("#document-title").removeprefix("Document ")


def test_keys_judge_move_and_export(page_file: Path, open_page: Any, tmp_path: Path) -> None:
    page = open_page(page_file)
    rng = random.Random(1)
    given = {}
    for _, document in DOCUMENTS[:120]:
        assert shown(page) == document
        grade = rng.randrange(4)
        given[document] = grade
        page.keyboard.press(str(grade))
    assert page.text_content("#progress") == "120 of 200 judged"
    expected = "".join(f"{t} 0 {d} {given[d]}\n" for t, d in DOCUMENTS[:120])
    assert export(page) == expected.encode()
    (tmp_path / "judged.txt").write_bytes(export(page))
    judged = gw.read_qrels(tmp_path / "judged.txt").to_dict()
    assert [(t, d, g) for t in judged for d, g in judged[t].items()] == [
        (t, d, given[d]) for t, d in DOCUMENTS[:120]
    ]
    gw.write_qrels(gw.read_qrels(tmp_path / "judged.txt"), tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_bytes() == expected.encode()


def test_all_keys(page_file: Path, open_page: Any) -> None:
    page = open_page(page_file)
    for key, document in (
        ("ArrowRight", "D-001"),
        ("j", "D-002"),
        ("ArrowLeft", "D-001"),
        ("k", "D-000"),
        ("k", "D-000"),
        ("3", "D-001"),
        ("7", "D-001"),  # there is no such grade
        ("j", "D-002"),
        ("1", "D-003"),
        ("k", "D-002"),
        ("k", "D-001"),
        ("n", "D-003"),
    ):
        page.keyboard.press(key)
        assert shown(page) == document, key
    page.keyboard.press("k")
    assert page.is_checked("#grades input[value='1']")
    page.keyboard.press("2")  # another grade for the same document
    page.keyboard.press("k")
    page.keyboard.press("k")
    assert not page.is_checked("#grades input[value='2']")
    page.keyboard.press("j")
    assert page.is_checked("#grades input[value='2']")
    page.keyboard.press("u")
    assert page.locator("#grades input:checked").count() == 0
    with page.expect_download() as started:
        page.keyboard.press("e")
    assert Path(started.value.path()).read_bytes() == b"t0 0 D-000 3\n"
    assert page.is_hidden("#help")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Control+1")
    assert page.text_content("#progress") == "1 of 200 judged"


def test_mouse_and_focus(page_file: Path, open_page: Any) -> None:
    page = open_page(page_file)
    page.click("label.grade:has-text('Related')")
    assert shown(page) == "D-001"
    page.click("#next")
    page.click("#previous")
    page.click("#previous")
    assert page.is_checked("#grades input[value='1']")
    page.keyboard.press("ArrowRight")  # with the focus on a button or a grade, arrows only move
    assert page.text_content("#progress") == "1 of 200 judged"
    page.click("#unjudged")
    assert shown(page) == "D-002"
    page.click("#previous")
    page.click("#previous")
    page.click("#clear")
    assert page.text_content("#progress") == "0 of 200 judged"
    page.click("#export")
    assert page.text_content("#warning") == "There is nothing to export yet."
    for control in ("#export", "#load", "#help-button", "#previous", "#next"):
        assert page.evaluate(f"document.querySelector('{control}').tabIndex") == 0


def test_texts_are_shown_as_text(page_file: Path, open_page: Any) -> None:
    page = open_page(page_file)
    assert page.title() == HOSTILE
    assert page.text_content("h1") == HOSTILE
    assert page.text_content("#topic-text") == TOPICS["t0"]
    assert page.text_content("#document-text") == TEXTS["D-000"]
    assert page.evaluate("window.stolen") is None
    assert page.locator("main img").count() == 0
    policy = page.get_attribute("meta[http-equiv]", "content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_reload_goes_on_where_it_stopped(page_file: Path, browser: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    for key in "0123":
        page.keyboard.press(key)
    page.reload()
    assert page.text_content("#progress") == "4 of 200 judged"
    assert shown(page) == "D-004"
    assert export(page) == b"t0 0 D-000 0\nt0 0 D-001 1\nt0 0 D-002 2\nt0 0 D-003 3\n"
    context.close()


def test_a_new_start_of_the_browser_loses_nothing(
    page_file: Path, browser: Any, tmp_path: Path
) -> None:
    options = {"executable_path": chromium_path(), "args": ["--no-sandbox"]}
    done = []
    for keys in ("123", "00"):
        context = browser.browser_type.launch_persistent_context(str(tmp_path), **options)
        page = context.new_page()
        page.goto(page_file.as_uri())
        done.append(page.text_content("#progress"))
        for key in keys:
            page.keyboard.press(key)
        last = export(page)
        context.close()
    assert done == ["0 of 200 judged", "3 of 200 judged"]
    assert last == b"t0 0 D-000 1\nt0 0 D-001 2\nt0 0 D-002 3\nt0 0 D-003 0\nt0 0 D-004 0\n"


def test_lists_in_the_same_storage_do_not_mix(
    page_file: Path, browser: Any, tmp_path: Path
) -> None:
    """All pages that are opened from disk share one storage."""
    other = tmp_path / "other.html"
    gw.report.make_judging_page(DOCUMENTS[:50], queries=TOPICS, docs=TEXTS).save(other)
    same = tmp_path / "same.html"  # another title and other texts: the same list
    gw.report.make_judging_page(DOCUMENTS, queries=TOPICS, docs={}).save(same)
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.keyboard.press("2")
    page.goto(other.as_uri())
    assert page.text_content("#progress") == "0 of 50 judged"
    page.keyboard.press("1")
    page.goto(same.as_uri())
    assert page.text_content("#progress") == "1 of 200 judged"
    assert export(page) == b"t0 0 D-000 2\n"
    page.keyboard.press("k")
    told = "The documents file has no text for this document."
    assert page.text_content("#document-text") == told
    assert len(page.evaluate("Object.keys(localStorage)")) == 2
    context.close()


def test_two_windows_agree(page_file: Path, browser: Any) -> None:
    context = browser.new_context()
    first, second = context.new_page(), context.new_page()
    first.goto(page_file.as_uri())
    second.goto(page_file.as_uri())
    first.keyboard.press("3")
    wait_for_progress(second, 1)
    second.keyboard.press("j")
    second.keyboard.press("1")
    wait_for_progress(first, 2)
    assert export(first) == b"t0 0 D-000 3\nt0 0 D-001 1\n"
    context.close()


def test_judgments_are_loaded(page_file: Path, open_page: Any, tmp_path: Path) -> None:
    page = open_page(page_file)
    lines = "t0 0 D-000 2\n# a comment\nt0\t0\tD-007\t1\r\nt4 0 D-199 0\n"
    (tmp_path / "before.txt").write_text(lines, encoding="utf-8", newline="")
    page.set_input_files("#load", tmp_path / "before.txt")
    wait_for_progress(page, 3)
    assert export(page) == b"t0 0 D-000 2\nt0 0 D-007 1\nt4 0 D-199 0\n"
    wrong = "t0 0 D-001 9\nt0 0 D-500 1\nt9 0 D-001 1\nt0 0 D-002 3\n"
    (tmp_path / "wrong.txt").write_text(wrong, encoding="utf-8")
    page.set_input_files("#load", tmp_path / "wrong.txt")
    wait_for_progress(page, 4)
    told = "1 judgment loaded; skipped 3 lines with other documents or grades."
    assert page.text_content("#warning") == told


def test_damaged_storage_is_passed_over(page_file: Path, browser: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.keyboard.press("1")
    (key,) = page.evaluate("Object.keys(localStorage)")
    for stored in ("{", "null", '{"grades": {"0": 17, "999": 1, "1": 2}, "place": -5}'):
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, stored])
        page.reload()
    assert page.text_content("#progress") == "1 of 200 judged"
    assert export(page) == b"t0 0 D-001 2\n"
    context.close()


def test_without_storage_a_warning_is_shown(page_file: Path, browser: Any) -> None:
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.keyboard.press("1")
    assert "does not store judgments" in page.text_content("#warning")
    assert export(page) == b"t0 0 D-000 1\n"
    context.close()


def test_other_grades(open_page: Any, tmp_path: Path) -> None:
    path = tmp_path / "binary.html"
    grades = {0: "no", 1: ("yes", "It helps."), 12: "perfect"}
    gw.report.make_judging_page(
        [("ü", "ü1"), ("ü", "ü2"), ("ü", "x3")], queries={}, docs={}, grades=grades
    ).save(path)
    page = open_page(path)
    assert page.text_content("#topic-text") == "The topics file has no text for this topic."
    page.keyboard.press("1")
    page.click("label.grade:has-text('perfect')")
    page.keyboard.press("2")
    assert export(page).decode() == "ü 0 ü1 1\nü 0 ü2 12\n"
    page.keyboard.press("0")
    assert page.text_content("#progress") == "3 of 3 judged; all done, now export them"


def test_the_loop_closes(open_page: Any, tmp_path: Path) -> None:
    """A list of what to judge next becomes a page, its export qrels, and scores change."""
    sample = gw.simulate.collection(topics=6, runs=2, depth=20, relevant=8, seed=2)
    truth = sample.qrels.to_dict()
    people = {topic: truth[topic] for topic in list(truth)[:2]}
    model = {t: {d: (g + 1) % 3 for d, g in held.items()} for t, held in truth.items()}
    panel = gw.meta.judges({"people": people, "model": model})
    labels = gw.meta.combine_judges(panel, "calibrated", truth="people")
    asked = gw.meta.judge_next(sample.runs, labels, "nDCG@10", number=10, unlabeled=False)
    (tmp_path / "list.txt").write_text(asked.pool(), encoding="utf-8")
    page = gw.report.make_judging_page(tmp_path / "list.txt", queries={}, docs={})
    page.save(tmp_path / "judge.html")
    opened = open_page(tmp_path / "judge.html")
    for topic, document in zip(asked.topics, asked.documents, strict=True):
        opened.keyboard.press(str(truth[topic][document]))
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    gw.write_qrels(panel.qrels("people"), before)
    after.write_bytes(before.read_bytes() + export(opened))
    first, second = (gw.evaluate(path, sample.runs, "nDCG@10") for path in (before, after))
    assert len(gw.read_qrels(after)) == len(gw.read_qrels(before)) + 10
    assert len(second.topics) > len(first.topics)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows(page_file: Path, browser: Any, scheme: str) -> None:
    for width in (360, 1280):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        page.goto(page_file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()


def test_the_same_list_gives_the_same_bytes() -> None:
    first, second = (
        gw.report.make_judging_page(DOCUMENTS, queries=TOPICS, docs=TEXTS).html for _ in range(2)
    )
    assert first == second
    data = json.loads(first.partition('id="data">')[2].partition("</script>")[0])
    assert len(data["items"]) == 200


def test_lists_are_read_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# asked\n1 0 d1\n1\td2\n\n2 0 d1\n", encoding="utf-8")
    page = gw.report.make_judging_page(path, queries={"1": "one"}, docs={"d1": "x"})
    assert page.documents == 3
    assert page.notes == ("1 topic has no text", "1 document has no text")
    path.write_text("1 0 d1\n1 0 d2 3 x\n1 0 d1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"list.txt:2: expected topic and document, or"):
        gw.report.make_judging_page(path, queries={}, docs={})
    path.write_text("1 0 d1\n1 0 d1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"listed twice, first at .*list.txt:1"):
        gw.report.make_judging_page(path, queries={}, docs={})
    with pytest.raises(InputError, match="no documents to judge"):
        gw.report.make_judging_page([], queries={}, docs={})
    with pytest.raises(InputError, match="cannot be read"):
        gw.report.make_judging_page(tmp_path / "no.txt", queries={}, docs={})
    with pytest.raises(OptionError, match="1 grade given"):
        gw.report.make_judging_page([("t", "d")], queries={}, docs={}, grades={1: "yes"})
