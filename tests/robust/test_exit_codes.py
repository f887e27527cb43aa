"""The exit codes that docs/reference/command-line.md lists, for every command."""

from pathlib import Path

import pytest

from command import Call
from gradewise.cli.app import COMMANDS
from robust.commands import write_sample

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
MISSING = "missing.txt"
WRONG: dict[str, tuple[object, ...]] = {  # input that cannot be read
    "eval": (MISSING, "run1.txt"),
    "compare": (MISSING, "run1.txt", "run2.txt"),
    "check": (MISSING, "run1.txt", "run2.txt"),
    "report": (MISSING, "run1.txt"),
    "history": (MISSING,),
    "measures": ("nosuch",),
    "demo": ("-o", "none/demo.html"),
    "meta": ("flips", MISSING, "run1.txt", "run2.txt", "-m", "AP"),
    "judges": (MISSING, "qrels.txt"),
    "judge-page": (MISSING, "--queries", MISSING, "--docs", MISSING),
    "med": (MISSING, "run1.txt", "run2.txt"),
    "rbo": (MISSING, "run1.txt"),
    "coverage": (MISSING, "run1.txt"),
    "fuse": (MISSING, "run1.txt"),
    "click-model": (MISSING,),
    "thresholds": ("qrels.txt", MISSING),
    "propensities": (MISSING,),
    "counterfactual": (MISSING, "run1.txt"),
    "interleave": (MISSING, "run1.txt"),
    "compare-teams": (MISSING,),
    "train": (MISSING,),
    "rank": (MISSING, "train.txt"),
    "crossval": (MISSING,),
    "simulate": ("qrels.txt", "--topics", 2),
    "simulate-runs": (MISSING, "made"),
    "simulate-judges": (MISSING, "made"),
    "simulate-clicks": (MISSING, "run1.txt", "clicks.csv"),
    "simulate-letor": ("qrels.txt", "--topics", 2),
    "reproduce": ("nosuch",),
    "trec-eval": (MISSING, "run1.txt"),
}
RIGHT: dict[str, tuple[object, ...]] = {
    "eval": ("qrels.txt", "run1.txt"),
    "compare": ("qrels.txt", "run1.txt", "run2.txt"),
    "check": ("qrels.txt", "run1.txt", "run2.txt"),
    "measures": ("AP",),
    "med": ("qrels.txt", "run1.txt", "run2.txt", "-m", "P@5"),
    "rbo": ("run1.txt", "run2.txt"),
    "coverage": ("run1.txt", "run2.txt"),
    "fuse": ("run1.txt", "run2.txt"),
    "interleave": ("run1.txt", "run2.txt"),
    "simulate-clicks": ("qrels.txt", "run1.txt", "clicks.csv"),
    "reproduce": ("--list",),
    "trec-eval": ("qrels.txt", "run1.txt"),
}


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_sample(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"ir-measures"}))
def test_codes_of_commands(name: str, run: Call) -> None:
    if name in RIGHT:
        assert run(name, *RIGHT[name]).code == 0
    wrong, usage = run(name, *WRONG[name]), run(name, "--no-such-option")
    trec_eval = name == "trec-eval"
    assert wrong.code == (2 if trec_eval else 1), wrong.err
    assert usage.code == (1 if trec_eval else 2), usage.err
    for done in (wrong, usage):
        assert "Traceback" not in done.err
        assert done.err.strip()


def test_codes_are_documented() -> None:
    section = DOCS.read_text("utf-8").partition("## Exit codes")[2].partition("\n## ")[0]
    for code in (0, 1, 2, 130, 143):
        assert f"\n| {code} | " in section


@pytest.mark.usefixtures("sample")
def test_a_gate_that_does_not_pass_still_writes(run: Call) -> None:
    given = ("qrels.txt", "run1.txt", "qrels-run.txt")
    Path("qrels-run.txt").write_text("0 Q0 none 1 1 r\n")
    done = run("check", *given, "--fail-if-worse", "-m", "AP", "-o", "check.md")
    assert done.code == 1
    assert Path("check.md").read_text()
