"""Evaluation on one machine, out of core: values are written as lists are read.

Memory holds the judgments, the longest list and some thousand hits, however long the runs are. The
rows of a list must be neighbors, as in all runs that systems write.
"""

import contextlib
import ctypes
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Bools
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.naming import is_path, name_sources
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.sources.frames import is_parquet, parquet_files
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.several import Shared
from gradewise.collection.sources.source import Source
from gradewise.collection.ties import Ties
from gradewise.errors import InputError
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.missing import Missing
from gradewise.scale.arrays import from_numbers, from_strings, pa
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.fit import Fit
from gradewise.scale.outcome import JUDGED, STATUS
from gradewise.scale.parquet import parquet_runs
from gradewise.scale.remote import expand_remote, is_parquet_path, is_remote, reachable
from gradewise.scale.run_stream import RunStream, Scored
from gradewise.scale.sampling import in_sample
from gradewise.scale.settings import Settings
from gradewise.scale.totals import MEASURE, VALUE, RunningTotals, Totals
from gradewise.scale.writing import value_writer


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What is left of values that were written: their totals, and how runs and judgments fit."""

    totals: Totals
    fit: Fit
    notes: tuple[str, ...] = ()


def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasureLike | Iterable[MeasureLike],
    output: str | os.PathLike[str] | None = None,
    *,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: Missing = "zero",
    share: float = 1.0,
    progress: Callable[[int], None] | None = None,
) -> Evaluated:
    """Score runs of any size, and write per-topic values as they are computed.

    Parameters
    ----------
    qrels, runs, measures, ties, seed, depth, judged_only, missing
        As for `gradewise.evaluate`. The rows of a topic must be adjacent in a run.
    output
        A parquet file, or .csv, for run, topic, measure, value; nothing is written by default.
    share
        Score only this share of the judged topics, chosen by a hash of their ids and `seed`.
    progress
        Called with the number of rows that have been read.

    Examples
    --------
    >>> import gradewise as gw
    >>> run = {"t": {"b": 2.0, "a": 1.0}}
    >>> found = gw.scale.local.evaluate({"t": {"a": 1}}, {"mine": run}, ["AP", "RR"])
    >>> found.totals.summary()
    array([[0.5, 0.5]])
    """
    settings = Settings.of(
        measures,
        ties=ties,
        seed=seed,
        depth=depth,
        judged_only=judged_only,
        missing=missing,
        share=share,
    )
    table, named = read_qrels(reachable(qrels)), _expanded(name_sources(runs))
    table.prepare()
    _give_back_memory()
    running = RunningTotals([name for name, _ in named], settings.measures)
    chosen = _chosen_topics(table, settings)
    facts: list[dict[str, Any]] = []
    notes = [*table.notes, *([] if table.sample is None else [table.sample.note])]
    with _frugal_pool(), value_writer(output) as write:
        for name, source in named:
            stream = RunStream(table, name, source, settings, chosen)
            for part in stream.scored(progress):
                running.add(name, part.values)
                write(_value_batch(name, part, settings))
            facts += stream.counts()
            notes += [f"{name}: {note}" for note in stream.notes]
    topics = _topic_counts(table, chosen)
    return Evaluated(running.totals(), Fit.of_counts([*facts, *topics], []), tuple(notes))


@contextlib.contextmanager
def _frugal_pool() -> Iterator[None]:
    """Let pyarrow take memory from the C library, which keeps less of it than its own pool."""
    usual = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(usual)


def _give_back_memory() -> None:
    """Let the C library give back what it keeps after judgments were read, where it can."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _chosen_topics(qrels: Qrels, settings: Settings) -> Bools | None:
    if settings.share >= 1:
        return None
    found = (in_sample(topic, settings.share, settings.seed) for topic in qrels.topics)
    return np.fromiter(found, np.bool_, len(qrels.topics))


def _topic_counts(qrels: Qrels, chosen: Bools | None) -> list[dict[str, Any]]:
    relevant = np.logical_or.reduceat(qrels.levels > 0, qrels.offsets[:-1])
    if chosen is not None:
        relevant = relevant[chosen]
    without = 0 if qrels.preferences is not None else int((~relevant).sum())
    return [{RUN: "", STATUS: JUDGED, "rows": len(relevant), "without_relevant": without}]


def _expanded(named: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return (name, source) with parquet files opened, and those of several runs as such."""
    found: list[tuple[str, Any]] = []
    for name, source in expand_remote(named).items():
        if is_path(source) and _is_parquet(source):
            found += [(own or name, rows) for own, rows in parquet_runs(source)]
        elif is_path(source):
            found += _runs_of(name, open_source(reachable(source), grades=False))
        else:
            found.append((name, source))
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two runs are named {twice!r}")
    return found


def _is_parquet(path: str | os.PathLike[str]) -> bool:
    if is_remote(path):
        return is_parquet_path(str(path))
    return is_parquet(path) or bool(parquet_files(path))


def _runs_of(name: str, opened: Source) -> list[tuple[str, Any]]:
    """Return the runs of a file that names them in a column, or the only one."""
    if not opened.holds_runs:
        return [(name, opened)]
    return [(part.run, part) for part in Shared(opened).runs()]


def _value_batch(run: str, part: Scored, settings: Settings) -> Any:
    """Return the values of a run as rows of run, topic, measure, value."""
    size, count = part.values.shape
    topics = from_numbers(np.arange(size).repeat(count))
    measures = from_numbers(np.tile(np.arange(count), size))
    return pa.record_batch(
        {
            RUN: from_strings([run]).take(from_numbers(np.zeros(size * count, np.int64))),
            TOPIC: from_strings(part.topics).take(topics),
            MEASURE: from_strings(settings.names).take(measures),
            VALUE: from_numbers(part.values.ravel()),
        }
    )
