"""Killed at any moment, commands leave whole files or none; a thousand evaluations need no more."""

import gc
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

import gradewise as gw
from gradewise.cli.app import app
from robust.commands import MADE, write_sample
from robust.forks import Forks

GIVEN = ("qrels.txt", "run1.txt", "run2.txt")
FEW = ("--replicates", 5)
OUTPUTS = ("-o", "o.csv", "--figure", "o.json")
TREES = ("--booster", "lightgbm", "--trees", 2)
WRITING: dict[str, list[tuple[object, ...]]] = {  # each command with what lets it write
    "eval": [(*GIVEN, "-q", "-o", "o.csv"), (*GIVEN, "-q", "-o", "o.parquet")],
    "compare": [(*GIVEN, "-m", "AP", "-o", "o.tex", "--figure", "o.svg")],
    "check": [(*GIVEN, "-m", "AP", "-o", "o.md")],
    "report": [(*GIVEN[:2], "-o", "o.html")],
    "demo": [("-o", "o.html")],
    "history": [("releases", "-m", "AP", *OUTPUTS)],
    "click-model": [("clicks.csv", "--qrels", "o.txt", "-o", "o.csv")],
    "thresholds": [("qrels.txt", "clicks.csv", *FEW, "-o", "o.csv")],
    "propensities": [("clicks.csv", "--method", "random", "-o", "o.csv")],
    "counterfactual": [("clicks.csv", *GIVEN[1:], "-m", "P@5", *FEW, "-o", "o.csv")],
    "interleave": [(*GIVEN[1:], "-o", "o.csv")],
    "compare-teams": [("teams.csv", "-o", "o.csv")],
    "simulate-clicks": [
        (*GIVEN[:2], "o.csv", "--sessions", 50),
        (*GIVEN[:2], "o.parquet", "--sessions", 50),
    ],
    "meta correlation": [(*GIVEN, "run3.txt", "-m", "AP,RR", *OUTPUTS)],
    "meta incompleteness": [(*GIVEN, "-m", "AP", *FEW, "--rate", 0.5, *OUTPUTS)],
    "meta pool-bias": [(*GIVEN, "-m", "AP", *OUTPUTS)],
    "meta discrimination": [(*GIVEN, "-m", "AP", *FEW, *OUTPUTS)],
    "meta prediction": [(*GIVEN, "run3.txt", "-m", "AP,RR", *FEW, "-o", "o.csv")],
    "meta informativeness": [(*GIVEN[:2], "-m", "P@5", "--keep", "kept", *OUTPUTS)],
    "meta sensitivity": [("-m", "AP", "--grades", "1,0", "--relevant", "1:3", *OUTPUTS)],
    "meta flips": [(*GIVEN, "-m", "AP", "-o", "o.csv")],
    "meta experiment": [("-m", "AP", "--grades", "1,0", "--relevant", "1:3", *OUTPUTS)],
    "meta judgment-noise": [(*GIVEN, "-m", "AP", *FEW, "--flip", "2:1:0.1", *OUTPUTS)],
    "judges": [("a=qrels.txt", "b=qrels.txt", *OUTPUTS)],
    "judge-page": [("pool.txt", "--queries", "texts.txt", "--docs", "texts.txt", "-o", "o.html")],
    "med": [(*GIVEN, "-m", "P@90", "--assignment", "a.txt", *OUTPUTS)],
    "rbo": [(*GIVEN[1:], "-o", "o.csv")],
    "coverage": [(*GIVEN[1:], "-o", "o.csv")],
    "fuse": [(*GIVEN[1:], "-o", "o.txt.gz"), (*GIVEN[1:], "-o", "o.txt.zst")],
    "train": [
        ("train.txt", "--epochs", 1, "-o", "o.model", "--checkpoint", "c"),
        ("train.txt", *TREES, "-o", "o.model"),
    ],
    "rank": [("given.model", "train.txt", "-o", "o.txt")],
    "crossval": [
        ("train.txt", "--epochs", 1, "--folds", 3, "--seeds", 1, "--keep", "k", "-o", "o.csv")
    ],
    "simulate": [("o", "--topics", 5, "--runs", 2)],
    "simulate-runs": [("qrels.txt", "o", "--runs", 2)],
    "simulate-judges": [("qrels.txt", "o")],
    "simulate-letor": [("o", "--topics", 5, "--features", 10)],
    "reproduce": [("kishida:table1", "--quick", "--figures", "o")],
}
TEAMS = """session,topic,doc,rank,click,team
s1,1,d1,1,1,a
s1,1,d2,2,0,b
s2,1,d1,1,0,b
s2,1,d2,2,1,a
s3,2,d1,1,1,b
s3,2,d2,2,0,a
"""
SILENT = {"measures", "trec-eval", "ir-measures"}  # which write to standard output only


def all_commands(group: Any, context: click.Context, path: str = "") -> Iterator[str]:
    """Give every command of the application, with those of groups as `group command`."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from all_commands(command, click.Context(command), f"{name} ")
        else:
            yield path + name


def test_no_command_is_left_out() -> None:
    group = typer.main.get_command(app)
    assert {*all_commands(group, click.Context(group))} == {*WRITING} | SILENT


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    started = Forks()
    yield started
    started.close()


@pytest.fixture(scope="module")
def sample(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    (folder / "pool.txt").write_text("1 0 d1\n1 0 d2\n")
    (folder / "texts.txt").write_text("1\ttopic\nd1\tone\nd2\ttwo\n")
    (folder / "teams.csv").write_text(TEAMS)
    (folder / "releases").mkdir()
    shuffled = ("--sessions", 200, "--shuffle", "random", "--quiet")
    for command in (
        ("train", "train.txt", "--epochs", 1, "-o", "given.model"),
        ("simulate-clicks", *GIVEN[:2], "clicks.csv", *shuffled),
        ("eval", *GIVEN, "-q", "-m", "AP", "-o", "releases/1.csv"),
        ("eval", *GIVEN, "-q", "-m", "AP", "-o", "releases/2.csv"),
    ):
        code, _, said = forks.run(folder, *command)
        assert code == 0, said
    return folder


def files_of(folder: Path) -> dict[Path, bytes]:
    """Return what files hold, but for those that nobody takes for results."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not (path.name.startswith(".") and path.suffix == ".partial")
    }


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.parametrize(
    ("name", "given"), [(name, given) for name, calls in WRITING.items() for given in calls]
)
def test_files_are_whole_or_absent_after_a_kill(
    name: str, given: tuple[object, ...], forks: Forks, sample: Path, tmp_path: Path
) -> None:
    def run(place: str, kill: int = -1) -> tuple[Path, int, int, str]:
        folder = tmp_path / place
        shutil.copytree(sample, folder)
        return folder, *forks.run(folder, *name.split(), *given, kill=kill)

    folder, code, events, said = run("whole")
    assert code == 0, said
    assert events > 1
    whole = files_of(folder)
    assert len(whole) > len(files_of(sample))
    rng = random.Random(f"{name} {given}")
    # The last event moves the last file into place.
    for kill in {events - 1, *(rng.randrange(events) for _ in range(3))}:
        folder, code, _, said = run(str(kill), kill)
        assert code == -9, said
        for path, content in files_of(folder).items():
            assert content == whole[path], (kill, path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is told by Linux")
def test_a_thousand_evaluations_need_no_more_memory(tmp_path: Path) -> None:
    write_sample(tmp_path)
    runs = {name: tmp_path / f"{name}.txt" for name in list(MADE.runs)[:2]}

    def used() -> float:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def evaluate(times: int) -> None:
        for _ in range(times):
            gw.evaluate(tmp_path / "qrels.txt", runs, ["AP", "nDCG@10", "GAP"])

    evaluate(200)
    before = used()
    evaluate(800)
    # A leak of one run's rows would be 240 kB a time, almost 200 MB in all.
    assert used() - before < 8
