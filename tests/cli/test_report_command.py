"""gradewise report as a user meets it."""

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
