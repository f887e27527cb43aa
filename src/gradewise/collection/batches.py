"""Many small run files read as one, since NumPy is quick on few large arrays only."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gradewise.collection.entries import Entries
from gradewise.collection.join import RunHits, hits_of
from gradewise.collection.ordering import Ties
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_run, starts_as_parquet
from gradewise.collection.text import read_texts
from gradewise.collection.tokens import BLOCK
from gradewise.collection.trec import parse_runs
from gradewise.parallel import thread_map

_BATCH = BLOCK  # so that a batch is parsed at once

Named = tuple[str, Any]


def join_runs(
    qrels: Qrels,
    runs: Sequence[Named],
    *,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    scores: bool = False,
    progress: Callable[[str], None] | None = None,
) -> list[RunHits]:
    """Read runs, given as (name, source), and find their judged documents, batch by batch.

    `progress` is called with each name.
    """

    def load(batch: list[Named]) -> RunHits:
        entries = read_batch(batch)
        hits = hits_of(
            qrels, entries, runs=len(batch), ties=ties, seed=seed, depth=depth, scores=scores
        )
        for name, _ in batch:
            if progress is not None:
                progress(name)
        return hits

    return thread_map(load, plan_batches(runs))


def plan_batches(runs: Sequence[Named]) -> list[list[Named]]:
    """Group neighbouring (name, source) pairs that are small text files; others stay alone."""
    batches: list[list[Named]] = []
    room = -1  # of the last batch; nothing may join one that is not of text files
    for name, source in runs:
        size = _text_size(source)
        if size is None or size > room:
            batches.append([])
            room = -1 if size is None else _BATCH
        batches[-1].append((name, source))
        if size is not None:
            room -= size
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
    try:
        is_text = path.is_file() and not starts_as_parquet(path)
    except ValueError:  # a name that no file can have
        return None
    return path.stat().st_size if is_text else None
