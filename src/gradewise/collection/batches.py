"""Many small run files read as one, since NumPy is quick on few large arrays only."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradewise.collection.entries import Entries
from gradewise.collection.reading import read_run, starts_as_parquet
from gradewise.collection.text import read_texts
from gradewise.collection.trec import parse_runs

_BATCH = 6 << 20

Named = tuple[str, Any]


def plan_batches(runs: Sequence[Named]) -> list[list[Named]]:
    """Group neighbouring (name, source) pairs that are small text files; others stay alone."""
    batches: list[list[Named]] = []
    room = 0
    for name, source in runs:
        size = _text_size(source)
        if size is None or size > room or not batches:
            batches.append([])
            room = 0 if size is None else _BATCH
        batches[-1].append((name, source))
        room -= size or 0
    return batches


def read_batch(batch: Sequence[Named]) -> Entries:
    """Read the runs of a batch into one object; list i belongs to run `owner[i]`."""
    if len(batch) == 1:
        name, source = batch[0]
        return read_run(source, name=name)
    return parse_runs(read_texts([source for _, source in batch]))


def _text_size(source: Any) -> int | None:
    if not isinstance(source, (str, os.PathLike)) or str(source).startswith(("irds:", "-")):
        return None
    path = Path(source)
    if not path.is_file() or starts_as_parquet(path):
        return None
    return path.stat().st_size
