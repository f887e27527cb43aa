"""The workflow and the hooks of the guide do what it says, with a ranker that wins or loses."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw

PAGE = Path(__file__).parents[2] / "docs/guides/engineers/continuous-integration.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [
        text for found, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if found == kind
    ]


def loaded(place: int) -> Any:
    return pytest.importorskip("yaml", reason="PyYAML is not installed").safe_load(
        blocks("yaml")[place]
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with judgments, the run in use, and a `gh` that only says how it was called."""
    made = gw.simulate.collection(topics=30, runs=2, depth=40, seed=1)
    best, worst = gw.compare(gw.evaluate(made.qrels, made.runs, "nDCG@10")).parts[0].runs
    (tmp_path / "judgments").mkdir()
    gw.write_qrels(made.qrels, tmp_path / "judgments/qrels.txt")
    gw.write_run(made.runs[worst], tmp_path / "judgments/current.txt")
    gw.write_run(made.runs[best], tmp_path / "better.txt")
    for name, text in (("gh", 'echo "$@" > called\n'), ("rank.sh", "cat chosen.txt\n")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def use(repository: Path, *, better: bool) -> None:
    """Let the branch be better than the run in use, or worse."""
    runs = [repository / "better.txt", repository / "judgments/current.txt"]
    contents = [path.read_bytes() for path in runs]
    (repository / "chosen.txt").write_bytes(contents[0 if better else 1])
    (repository / "judgments/current.txt").write_bytes(contents[1 if better else 0])


def shell(script: str, repository: Path) -> int:
    path = [str(Path(sys.executable).parent), str(repository), os.environ["PATH"]]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "GITHUB_STEP_SUMMARY": str(repository / "summary.md"),
        "NUMBER": "7",
    }
    done = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=repository,
        env=environment,
        capture_output=True,
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize("better", [True, False])
def test_the_workflow(repository: Path, better: bool) -> None:
    use(repository, better=better)
    steps = [step for step in loaded(0)["jobs"]["check"]["steps"] if "run" in step]
    install, rank, check, show = (step["run"] for step in steps)
    assert install == "pip install gradewise"
    assert shell(rank, repository) == 0
    assert shell(check, repository) == (0 if better else 1)
    assert shell(show, repository) == 0
    verdict = "**PASS**" if better else "**FAIL**"
    assert (repository / "summary.md").read_text().startswith(verdict)
    assert (repository / "called").read_text().split()[:5] == [
        "pr",
        "comment",
        "7",
        "--body-file",
        "check.md",
    ]


@pytest.mark.parametrize("better", [True, False])
def test_the_hooks(repository: Path, better: bool) -> None:
    use(repository, better=better)
    (script,) = blocks("sh")
    assert shell(script, repository) == (0 if better else 1)
    entry = loaded(1)["repos"][0]["hooks"][0]["entry"]
    assert shell(entry, repository) == (0 if better else 1)
