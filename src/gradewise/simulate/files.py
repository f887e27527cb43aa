"""Simulated collections written to disk a few topics at a time, however large they are."""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import numpy as np

from gradewise.files import make_folder, open_output
from gradewise.libraries import pl
from gradewise.simulate.collections import Plan, Topic, simulate_topic, topics_of

_ROWS_AT_ONCE = 1_000_000


def simulate_files(
    directory: str | os.PathLike[str],
    plan: Plan,
    *,
    progress: Callable[[int], None] | None = None,
) -> tuple[Path, list[Path]]:
    """Simulate to files: `qrels.txt` and a file for each run; return their paths.

    Memory does not grow with the number of topics. `progress` is called with how many topics have
    been written. Files appear when all of them are complete.
    """
    folder = make_folder(directory)
    qrels_path = folder / "qrels.txt"
    run_paths = [folder / f"{name}.txt" for name in plan.run_names]
    at_once = max(1, _ROWS_AT_ONCE // (plan.runs * plan.depth))
    with ExitStack() as stack:
        qrels_file = stack.enter_context(open_output(qrels_path))
        run_files = [stack.enter_context(open_output(path)) for path in run_paths]
        for first in range(1, plan.topics + 1, at_once):
            numbers = range(first, min(first + at_once, plan.topics + 1))
            made = [simulate_topic(plan, number) for number in numbers]
            _write_qrels(qrels_file, made)
            for run, (name, file) in enumerate(zip(plan.run_names, run_files, strict=True)):
                present = topics_of(made, run)
                if present:
                    _write_run(file, present, run, name)
            if progress is not None:
                progress(numbers[-1])
    return qrels_path, run_paths


def _write_qrels(file: BinaryIO, topics: Sequence[Topic]) -> None:
    sizes = [len(topic.judged) for topic in topics]
    frame = pl.DataFrame(
        {
            "topic": np.array([topic.name for topic in topics]).repeat(sizes),
            "iteration": np.zeros(sum(sizes), np.int64),
            "doc": np.concatenate([topic.judged for topic in topics]),
            "grade": np.concatenate([topic.grades for topic in topics]),
        }
    )
    _write_lines(file, frame)


def _write_run(file: BinaryIO, topics: Sequence[Topic], run: int, name: str) -> None:
    depth = topics[0].documents.shape[1]
    rows = depth * len(topics)
    frame = pl.DataFrame(
        {
            "topic": np.array([topic.name for topic in topics]).repeat(depth),
            "q0": ["Q0"] * rows,
            "doc": np.concatenate([topic.documents[run] for topic in topics]),
            "rank": np.tile(np.arange(1, depth + 1), len(topics)),
            "score": np.concatenate([topic.scores[run] for topic in topics]),
            "tag": [name] * rows,
        }
    )
    _write_lines(file, frame)


def _write_lines(file: BinaryIO, frame: "pl.DataFrame") -> None:
    """Write rows as lines, with document numbers as ids."""
    ids = pl.lit("DOC-") + pl.col("doc").cast(pl.String).str.zfill(8)
    lines = frame.with_columns(ids.alias("doc"))
    file.write(lines.write_csv(separator=" ", include_header=False).encode("utf-8"))
