"""Names on terminals, in CSV, Markdown and LaTeX: shown, and nothing else."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import gradewise as gw
from command import Call
from gradewise.tables import Table

NAMES = [
    "a\nb",
    "c\r\nd | e",
    "\x1b[2J\x1b]0;title\x07x",
    "\u202eevil\u2028line",
    "back\\",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "<script>x</script>",
    "[x](javascript:alert)",
    "\\input{/etc/passwd}$^{}%",
    "x`y`",
]
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
TABLE = Table(["run", "value"], [[name, "1"] for name in NAMES])


def test_every_row_is_one_line() -> None:
    # The header, the rule of Markdown, and what LaTeX has around rows.
    for text, more in (
        (TABLE.to_text(), 1),
        (TABLE.to_csv(), 1),
        (TABLE.to_markdown(), 2),
        (TABLE.to_latex(), 6),
    ):
        assert UNSEEN.search(text) is None
        assert len(text.splitlines()) == len(NAMES) + more
    assert r"a\nb" in TABLE.to_text()
    assert UNSEEN.search(TABLE.to_html()) is None


def test_markdown_cells_hold_no_markup() -> None:
    lines = TABLE.to_markdown().splitlines()
    for line in lines[2:]:
        cells = re.split(r"(?<!\\)(?:\\\\)*\|", line)
        assert len(cells) == 4, line
        assert "<" not in line
        assert "](" not in line
        assert re.search(r"(?<!\\)`", line) is None


def test_latex_has_no_commands_of_names() -> None:
    text = Table(["run"], [["\\input{x}"]]).to_latex(caption="\\input{y}", label="a}\\input{z")
    assert "\\input" not in text
    assert r"\textbackslash{}input\{x\}" in text
    assert r"\label{ainputz}" in text
    assert r"\label{tab:my_results}" in Table(["run"], [["a"]]).to_latex(label="tab:my_results")


@pytest.mark.parametrize("guarded", [False, True])
def test_formulas_are_guarded_on_request(
    guarded: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Call
) -> None:
    if guarded:
        monkeypatch.setenv("GRADEWISE_GUARD_CSV", "1")
    qrels = {name: {"d": 1} for name in NAMES}
    runs = {name: {topic: {"d": 1.0} for topic in NAMES} for name in NAMES}
    scores = gw.evaluate(qrels, runs, "AP")
    table = [*csv.reader(io.StringIO(TABLE.to_csv()))]
    frame = [*csv.reader(io.StringIO(scores.to_csv(per_topic=True)))]
    assert len(frame) == len(NAMES) ** 2 + 1
    for rows in (table[1:], frame[1:]):
        formulas = [row[0] for row in rows if row[0][:1] in tuple("=+-@")]
        assert bool(formulas) != guarded
    given = tmp_path / "qrels.json", tmp_path / "run.json"
    for path, content in zip(given, (qrels, runs["=1+1"]), strict=True):
        path.write_text(json.dumps(content))
    done = run("eval", *given, "-m", "AP", "-q", "-f", "csv")
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) in (len(NAMES) + 1, len(NAMES) + 2)  # with the mean or not
    assert UNSEEN.search(done.out) is None


def test_messages_command_no_terminal(run: Call, tmp_path: Path) -> None:
    done = run("eval", tmp_path / "\x1b[2J\n", tmp_path / "b")
    assert done.code == 1
    assert UNSEEN.search(done.err) is None
    done = run("eval", tmp_path / "a", tmp_path / "b", "-m", "\x1b[2J")
    assert done.code in (1, 2)
    assert UNSEEN.search(done.err) is None
