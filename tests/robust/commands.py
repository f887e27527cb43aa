"""Commands in processes of their own, to be interrupted and killed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gradewise as gw
from gradewise.collection.writing import write_qrels, write_run

MADE = gw.simulate.collection(topics=30, runs=6, depth=300, relevant=20, pool_depth=20, seed=4)


def write_sample(folder: Path) -> None:
    """Write qrels and runs, and features to learn from."""
    write_qrels(MADE.qrels, folder / "qrels.txt")
    for name, run in MADE.runs.items():
        write_run(run, folder / f"{name}.txt")
    gw.learn.write_letor(gw.simulate.features(30, 20, 12, seed=1), folder / "train.txt")


def start(folder: Path, *arguments: object, **options: Any) -> subprocess.Popen[str]:
    """Start gradewise in a folder, in a group of processes of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "gradewise", *map(str, arguments)],
        cwd=folder,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=options.pop("stderr", subprocess.PIPE),
        text=True,
        start_new_session=True,
        env={**os.environ, **options.pop("env", {})},
        **options,
    )


RUNS = ("run1.txt", "run2.txt", "run3.txt", "run4.txt", "run5.txt", "run6.txt")
LONG = {  # commands that take far longer than anybody waits here
    "compare": ("compare", "qrels.txt", *RUNS, "--test", "randomization", "--replicates", 10**8),
    "crossval": ("crossval", "train.txt", "--epochs", 10**6, "-o", "out.txt"),
    "crossval-jobs": ("crossval", "train.txt", "--epochs", 10**6, "--jobs", 2, "--keep", "kept"),
    "train-net": ("train", "train.txt", "-o", "out.model", "--epochs", 10**7),
    "train-trees": ("train", "train.txt", "--booster", "lightgbm", "-o", "m.txt", "--trees", 10**6),
    "simulate": ("simulate", "made", "--topics", 10**6, "--runs", 2),
}
