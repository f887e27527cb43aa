"""read_qrels and read_run: whatever the source, the same two nouns."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.entries import Entries, gather
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.source import Source
from gradewise.collection.sources.text import TextSource

_ENDINGS = (".gz", ".zst", ".xz", ".bz2", ".txt", ".run", ".trec", ".res", ".tsv", ".parquet")


def read_qrels(source: QrelsLike) -> Qrels:
    """Read judgments.

    Parameters
    ----------
    source
        A path to TREC qrels (topic, iteration, document, grade) or to three columns (topic,
        document, grade), plain or compressed (gz, zst, xz, bz2: told by content); "-" for
        standard input; a parquet file; a dictionary {topic: {document: grade}}; a frame of polars
        or pandas, or a table of any library that speaks Arrow, with columns such as topic, doc,
        grade; `"irds:<id>"` for ir_datasets.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_qrels({"t1": {"a": 2, "b": 0}})
    Qrels(1 topic, 2 judged documents, grades 0 2)
    """
    if isinstance(source, Qrels):
        return source
    entries, _ = gather(open_source(source, grades=True))
    return Qrels(entries.topics, entries.offsets, entries.docs, entries.numbers)


def read_run(source: RunLike, name: str | None = None) -> Run:
    """Read what a system retrieved.

    Parameters
    ----------
    source
        A path to a TREC run (topic, Q0, document, rank, score, tag) or to three columns (topic,
        document, rank or score), plain or compressed (gz, zst, xz, bz2: told by content); "-" for
        standard input; a parquet file; a dictionary {topic: {document: score}}; a frame of polars
        or pandas, or a table of any library that speaks Arrow, with columns such as topic, doc,
        score; `"irds:<id>"` for ir_datasets. Of three columns without a header, the third is
        taken for a rank, or for a score if one of its numbers has a fraction.
    name
        What to call the run; the name of the file if not given.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_run({"t1": {"a": 3.2, "c": 1.1}}, name="bm25")
    Run('bm25', 1 topic, 2 documents)
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    return gather_run(open_source(source, grades=False), run_name(source) if name is None else name)


def gather_run(source: Source, name: str) -> Run:
    """Read all rows of a source as a run."""
    entries, whole = gather(source)
    if isinstance(source, TextSource) and source.is_guess and not whole:
        source.take_as_scores()
        entries = _negated(entries)
    return Run(
        entries.topics,
        entries.offsets,
        entries.docs,
        entries.numbers,
        name,
        source.tag(),
        source.notes,
    )


def _negated(entries: Entries) -> Entries:
    return replace(entries, numbers=-entries.numbers)


def run_name(source: Any) -> str:
    """Return what a run is called unless the user says: its file name without usual endings."""
    if isinstance(source, Run):
        return source.name
    if not isinstance(source, (str, os.PathLike)):
        return "run"
    name = Path(source).name
    while Path(name).suffix.lower() in _ENDINGS and Path(name).stem:
        name = Path(name).stem
    return name if name != "-" else "stdin"
