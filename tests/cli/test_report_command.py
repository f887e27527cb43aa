"""gradewise report as a user meets it."""

import base64
import json
import zlib
from pathlib import Path

import pytest

from command import Call


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A qrels file and two runs; the second misses a topic."""
    texts = {
        "qrels.txt": "1 0 a 2\n1 0 b 1\n2 0 a 1\n2 0 c 0\n",
        "first.run": "1 Q0 a 1 3 x\n1 Q0 z 2 2 x\n1 Q0 b 3 1 x\n2 Q0 a 1 1 x\n",
        "second.txt": "1 Q0 z 1 3 y\n1 Q0 b 2 2 y\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


def test_a_report_is_written_and_summarized(run: Call, files: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", *files, "-m", "AP", "-o", page, "--title", "Ours & theirs")
    assert done.code == 0
    # AP by hand: first (1 + 2/3) / 2 and 1, second (1/2) / 2 and 0.
    assert done.out.startswith(
        "first is the best of 2 runs on 2 topics by AP, with a mean of 0.917"
    )
    assert "second: 1 of 2 judged topics are missing from the run" in done.err
    assert f"wrote {page}; open it in a browser" in done.err
    text = page.read_text(encoding="utf-8")
    assert "<title>Ours &amp; theirs</title>" in text
    assert "gradewise report" in text


def test_quiet_and_standard_output(run: Call, files: list[Path]) -> None:
    done = run("report", *files, "-o", "-", "--quiet", "--no-distances")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith("<!doctype html>")
    assert done.out.endswith("</html>\n")


def test_failures_leave_the_old_page(run: Call, files: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    done = run("report", *files, tmp_path / "absent.txt", "-o", page)
    assert done.code == 1
    assert "absent.txt" in done.err
    assert run("report", *files, "-m", "GMAP", "-o", page).code == 1
    assert page.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*[path.name for path in files], "page.html"]
    )
    assert run("report", *files, "-o", tmp_path / "no" / "page.html").code == 1


def test_sets_of_topics_and_saved_scores(run: Call, files: list[Path], tmp_path: Path) -> None:
    page, saved = tmp_path / "page.html", tmp_path / "scores.csv"
    sets = ["--topics", "one=1", "--topics", "all=."]
    done = run("report", *files, "-m", "AP", *sets, "-o", page)
    assert done.code == 0
    assert "gradewise: one: kept 1 of 2 topics (1)\n" in done.err
    # AP of topic 1 by hand: first (1 + 2/3) / 2
    assert done.out.startswith(
        "one: first is the best of 2 runs on 1 topic by AP, with a mean of 0.833"
    )
    assert "all: first is the best of 2 runs on 2 topics by AP, with a mean of 0.917" in done.out
    assert run("eval", *files, "-m", "AP", "-q", "-o", saved).code == 0
    done = run("report", saved, "-o", page)
    assert done.code == 0
    assert done.out.startswith(
        "first is the best of 2 runs on 2 topics by AP, with a mean of 0.917"
    )
    assert "made from scores: relevance thresholds and judgments are left out" in done.err
    assert str(saved) in page.read_text(encoding="utf-8")
    assert "--depth applies to runs" in run("report", saved, "--depth", 3).err
    assert "Missing argument 'RUN...'" in run("report", files[0]).err


def test_texts_of_topics_and_documents(run: Call, files: list[Path], tmp_path: Path) -> None:
    queries, docs, page = tmp_path / "q.tsv", tmp_path / "d.jsonl", tmp_path / "page.html"
    queries.write_text("1\tfirst question\n2\tsecond question\n")
    docs.write_text('{"id": "a", "title": "about a"}\n{"id": "b", "text": "on b"}\n')
    done = run("report", *files, "-m", "AP", "-o", page, "--queries", queries, "--docs", docs)
    assert done.code == 0
    assert "1 document has no text" in done.err  # z
    held = json.loads(page.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0])
    told = json.loads(zlib.decompress(base64.b64decode(held["drill"]), -15))
    assert told["queries"] == [["first question", ""], ["second question", ""]]
    titles = dict(zip(told["names"], told["titles"], strict=True))
    assert titles == {"a": "about a", "b": "on b", "z": ""}
    done = run("report", *files, "-o", page, "--queries", tmp_path / "absent.tsv")
    assert done.code == 1
    assert "absent.tsv" in done.err
    scores = tmp_path / "scores.csv"
    assert run("eval", *files, "-m", "AP", "-q", "-o", scores).code == 0
    done = run("report", scores, "-o", page, "--docs", docs)
    assert done.code == 1
    assert "saved scores do not have" in done.err
