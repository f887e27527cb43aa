"""No bad input and no bad environment ends in a traceback: one message and an exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command import Call
from robust.commands import write_sample

GIVEN = ("qrels.txt", "run1.txt", "run2.txt")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def shell(folder: Path, line: str, **environment: str) -> tuple[int, str]:
    """Run a line of a shell in which `gradewise` is the command; return its code and its errors."""
    command = f'gradewise() {{ "{sys.executable}" -m gradewise "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
        timeout=120,
    )
    return done.returncode, done.stderr.decode("utf-8", "replace")


def check_message(code: int, told: str, codes: tuple[int, ...] = (1, 2)) -> None:
    assert "Traceback" not in told, told[-2000:]
    assert "panicked" not in told, told[-2000:]
    assert "Exception ignored" not in told, told[-2000:]
    assert code in codes, (code, told[-500:])
    assert 0 not in codes or code == 0 or told.strip()


FULL = Path("/dev/full")
SHELL_LINES = {
    "full stdout": ("gradewise eval qrels.txt run1.txt > /dev/full", (1,)),
    "full stdout, help": ("gradewise --help > /dev/full", (1,)),
    "full stdout, version": ("gradewise --version > /dev/full", (1,)),
    "full stdout, list": ("gradewise measures > /dev/full", (1,)),
    "full stdout, csv": ("gradewise eval qrels.txt run1.txt -q -f csv > /dev/full", (1,)),
    "full stdout, trec_eval": ("gradewise trec-eval -q qrels.txt run1.txt > /dev/full", (1,)),
    "full stdout, run": ("gradewise fuse run1.txt run2.txt > /dev/full", (1,)),
    "full file": ("gradewise eval qrels.txt run1.txt -o /dev/full", (1,)),
    "closed stdout": ("gradewise eval qrels.txt run1.txt >&-", (0, 1)),
    "closed stdout, measures": ("gradewise measures >&-", (0, 1)),
    "closed stderr": ("gradewise eval qrels.txt nothing.txt 2>&-", (1,)),
    "closed stdin": ("gradewise eval qrels.txt - <&-", (1,)),
    "reader went": ("gradewise eval qrels.txt run*.txt -q | head -n 1", (0,)),
    "ascii": ("LC_ALL=C PYTHONIOENCODING=ascii PYTHONUTF8=0 gradewise measures nDCG", (0,)),
    "ascii, names": ("PYTHONIOENCODING=ascii gradewise eval qrels.txt Ünï.txt", (1,)),
    "file size": ("ulimit -f 1; gradewise eval qrels.txt run*.txt -q -o big.parquet", (1,)),
    "file size, text": ("ulimit -f 1; gradewise eval qrels.txt run*.txt -q -o big.csv", (1,)),
    "file size, report": ("ulimit -f 1; gradewise report qrels.txt run*.txt -o r.html", (1,)),
    "bytes in a name": (r"gradewise eval qrels.txt $'no\xff\xfe.txt'", (1,)),
    "bytes in an output": (r"gradewise eval qrels.txt run1.txt -o $'o\xff.csv'", (0, 1)),
    "bytes in a measure": (r"gradewise eval qrels.txt run1.txt -m $'\xff'", (1, 2)),
    "bytes in a title": (r"gradewise report qrels.txt run1.txt --title $'\xff' -o r.html", (0, 1)),
    "bytes in an option": (r"gradewise eval qrels.txt run1.txt --topics $'\xff'", (1, 2)),
    "bytes in a label": (
        r"gradewise eval qrels.txt run1.txt -f latex --caption $'\xff' --label $'\xff'",
        (0, 1),
    ),
}


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", SHELL_LINES)
def test_environments(name: str, sample: Path) -> None:
    line, codes = SHELL_LINES[name]
    if name == "bytes in a name":
        (sample / "x").touch()
    code, told = shell(sample, line)
    check_message(code, told, codes)


HUGE = ["9" * 20, "9" * 400, "1e400", "inf", "-inf", "nan", "-1", "0x10", "", "\uff11"]
NUMBERS = {
    "depth": ("eval", *GIVEN, "--depth"),
    "digits": ("eval", *GIVEN, "--digits"),
    "seed": ("eval", *GIVEN, "--ties", "random", "--seed"),
    "seed of a test": ("compare", *GIVEN, "--test", "bootstrap", "--replicates", 10, "--seed"),
    "replicates": ("compare", *GIVEN, "--test", "bootstrap", "--replicates"),
    "spread": ("simulate", "made", "--topics", 3, "--runs", 2, "--spread"),
    "seed of runs": ("simulate", "made", "--topics", 3, "--runs", 2, "--seed"),
    "topics": ("simulate-letor", "letor", "--features", 10, "--documents", 3, "--topics"),
    "alpha": ("compare", *GIVEN, "--alpha"),
    "by": ("check", *GIVEN, "--by"),
    "jobs": ("meta", "informativeness", *GIVEN, "-m", "AP", "--jobs"),
    "next": ("med", *GIVEN, "-m", "P@5", "--next"),
    "unretrieved": ("med", *GIVEN, "-m", "P@5", "--unretrieved"),
    "p": ("rbo", *GIVEN[1:], "-p"),
    "k": ("coverage", *GIVEN[1:], "-k"),
    "catalog": ("coverage", *GIVEN[1:], "--catalog"),
    "trees": ("train", "train.txt", "--booster", "lightgbm", "-o", "m", "--booster-option"),
    "epochs": ("train", "train.txt", "-o", "m", "--epochs"),
    "rate": ("train", "train.txt", "-o", "m", "--epochs", 1, "--learning-rate"),
    "noise": ("meta", "judgment-noise", *GIVEN, "-m", "AP", "--replicates", 2, "--flip"),
    "grades": ("meta", "sensitivity", "-m", "AP", "--relevant", "1:3", "--grades"),
    "relevant": ("meta", "sensitivity", "-m", "AP", "--grades", "1,0", "--relevant"),
    "top": ("eval", *GIVEN, "--sort", "AP", "--top"),
    "weights": ("fuse", *GIVEN[1:], "--method", "w_sum", "--weights"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_absurd_numbers(
    name: str, run: Call, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample)
    for value in HUGE:
        done = run(*NUMBERS[name], value)  # what is raised comes through, and fails
        check_message(done.code, done.err, (0, 1, 2))
        assert "nan" not in done.out.split(), (name, value)


def lay_traps(folder: Path) -> None:
    """Write files with names and content that break readers and writers."""
    os.link(folder / "run1.txt", os.fsencode(folder) + b"/no\xff\x1b.txt")
    (folder / "letor.txt").write_text("1 日本語 1:0.5\n", "utf-8")
    (folder / "letor2.txt").write_text("日 qid:日 1:0.5\n1 qid:1 日:1\n1 qid:1 1:日\n", "utf-8")
    (folder / "long.txt").write_text(f"{'t' * 5000} Q0 {'d' * 5000} 1 1 {'r' * 5000}\n")
    (folder / "long-qrels.txt").write_text(f"{'t' * 5000} 0 {'d' * 5000} 1\n")


NO = r"$'no\xff\x1b.txt'"
LONG = "$(printf 'x%.0s' {1..5000})"
TRAPS = {
    **{
        f"name that is no text, {kind}": (
            f"gradewise eval qrels.txt {NO} run2.txt -q -o out.{kind}",
            (0,),
        )
        for kind in ("txt", "csv", "json", "md", "tex", "html", "parquet")
    },
    "name that is no text, svg": (
        f"gradewise compare qrels.txt {NO} run2.txt --figure f.svg",
        (0,),
    ),
    "name that is no text, png": (
        f"gradewise med qrels.txt {NO} run2.txt -m P@5 --figure f.png",
        (0,),
    ),
    "name that is no text, report": (f"gradewise report qrels.txt {NO} run2.txt -o r.html", (0,)),
    "letor": ("gradewise train letor.txt -o m", (1,)),
    "letor, everywhere": ("gradewise train letor2.txt -o m", (1,)),
    "long names": ("gradewise eval long-qrels.txt long.txt -q", (0,)),
    "long input": (f"gradewise eval qrels.txt {LONG}", (1,)),
    "long output": (f"gradewise eval qrels.txt run1.txt -o {LONG}.csv", (1,)),
    "long topics": (f"gradewise eval qrels.txt run1.txt --topics {LONG}", (1, 2)),
    "long figure": (f"gradewise compare qrels.txt run1.txt run2.txt --figure {LONG}.svg", (1,)),
    "long folder": (f"gradewise crossval train.txt --epochs 1 --keep {LONG}", (1,)),
    "a folder as a model": ("gradewise rank . train.txt", (1,)),
    "memory of a process": ("gradewise eval /proc/self/mem run1.txt", (1,)),
    "little memory": ("ulimit -v 700000; gradewise eval qrels.txt run1.txt", (0, 1)),
}
BOOSTED = {
    "lightgbm": ("num_leaves=abc", "num_leaves=-5", "max_bin=1e99", "boosting=x", "nosuch=1", "="),
    "xgboost": ("max_depth=abc", "max_depth=-5", "tree_method=x", "max_bin=0", "gamma=-1", "x=1"),
}
TRAPS |= {
    f"{booster} {option}": (
        f"gradewise train train.txt --booster {booster} --trees 2 -o m --booster-option {option}",
        (1, 2),
    )
    for booster, options in BOOSTED.items()
    for option in options
}


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trapped")
    write_sample(folder)
    lay_traps(folder)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", TRAPS)
def test_traps(name: str, trapped: Path) -> None:
    line, codes = TRAPS[name]
    code, told = shell(trapped, line)
    check_message(code, told, codes)
    assert len(told) < 20_000
