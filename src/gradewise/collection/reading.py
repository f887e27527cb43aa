"""read_qrels and read_run: whatever the source, the same two nouns."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.entries import (
    Entries,
    Piece,
    gather,
    group_rows,
    join_pieces,
    refuse_repeats,
)
from gradewise.collection.judging import gather_qrels
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.sample import Sample, inclusion_probabilities
from gradewise.collection.sources.given import ColumnsLike, parse_columns
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.ranx import is_ranx
from gradewise.collection.sources.several import RunOf, Shared, one_run, split_runs
from gradewise.collection.sources.source import Faults, Part, Source
from gradewise.collection.sources.text import TextSource
from gradewise.errors import InputError, Problem
from gradewise.parallel import stream_map

PACKED = (".gz", ".zst", ".xz", ".bz2")
ENDINGS = (
    *(".txt", ".run", ".trec", ".res", ".results", ".tsv", ".csv", ".json", ".jsonl", ".ndjson"),
    *(".parquet", ".pq"),
)


def read_qrels(source: QrelsLike, *, columns: ColumnsLike | None = None) -> Qrels:
    """Read judgments.

    Judgments by intent (subtopic) have the intent in the second column of TREC qrels, in a column
    `intent` of a frame, or as {topic: {intent: {document: grade}}}. The second column of a file is
    read as intents if it varies within a topic. What was assumed about the source is in `notes`.

    Parameters
    ----------
    source
        A path to TREC qrels (topic, iteration, document, grade), to three columns (topic,
        document, grade), to a sampled pool (topic, 0, document, stratum, grade; or topic,
        document, grade, method, probability), to CSV, TSV, JSON or JSON lines, plain or compressed
        (gz, zst, xz, bz2, detected by content); to parquet; to a BEIR or MTEB folder; "-" for
        standard input; an open binary file; a dictionary {topic: {document: grade}}; a polars or
        pandas frame, or a table of any library that speaks Arrow, with columns such as topic,
        doc, grade; rows as tuples, named tuples or dictionaries; ranx's Qrels;
        `"irds:<id>"` for ir_datasets.
    columns
        What the columns contain, if their names do not say: roles in column order, as in
        "topic,_,doc,grade", or names by role, as in {"topic": "q", "doc": "d", "grade": "points"}.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_qrels({"t1": {"a": 2, "b": 0}})
    Qrels(1 topic, 2 judged documents, grades 0 2)
    >>> gw.read_qrels({"java": {"island": {"a": 1}, "language": {"a": 0, "b": 2}}})
    Qrels(1 topic, 2 judged documents, grades 1 2, 2 intents)
    >>> gw.read_qrels([("t1", "a", 2), ("t1", "b", 0)]).notes
    ('qrels: read values as topic, document, grade',)
    """
    if isinstance(source, Qrels):
        return source
    given = None if columns is None else parse_columns(columns)
    opened = open_source(source, grades=True, given=given)
    found = gather_qrels(opened)
    sample = _read_sample(opened, found) if isinstance(opened, TextSource) else None
    return found if sample is None else replace(found, sample=sample)


def _read_sample(source: TextSource, entries: Entries) -> Sample | None:
    """Read how the documents of a text were drawn, if its layout tells it."""
    assert source.layout is not None
    columns = {
        name: gather(source.column_source(name, column))[0].numbers
        for name, column in source.layout.sampling
    }
    if "stratum" in columns:
        return Sample(stratum=columns["stratum"].astype(np.int64))
    if "probability" not in columns:
        return None
    probability = inclusion_probabilities(columns["method"], columns["probability"])
    wrong = np.flatnonzero((probability <= 0) | (probability > 1))
    if len(wrong):
        raise InputError([_wrong_chance(source, entries, probability, r) for r in wrong.tolist()])
    return Sample(probability=probability)


def _wrong_chance(source: Source, entries: Entries, probability: Floats, row: int) -> Problem:
    topic = entries.topics[int(np.searchsorted(entries.offsets, row, "right")) - 1]
    document = entries.docs.part(row, row + 1).to_list()[0]
    reason = f"the probability of document {document} is {probability[row]:g}"
    return Problem(f"{source.name}: topic {topic}", f"{reason}; it must be above 0 and at most 1")


def read_run(
    source: RunLike, name: str | None = None, *, columns: ColumnsLike | None = None
) -> Run:
    """Read what a system retrieved.

    What was assumed about the source is in `notes`.

    Parameters
    ----------
    source
        A path to a TREC run (topic, Q0, document, rank, score, tag), to three columns (topic,
        document, rank or score), to CSV, TSV, JSON or JSON lines, plain or compressed (gz, zst, xz,
        bz2, detected by content); to parquet; "-" for standard input; an open binary file; a
        dictionary {topic: {document: score}}, or {topic: [document, ...]} with the best one first;
        a polars or pandas frame, or a table of any library that speaks Arrow, with columns such
        as topic, doc, score; rows as tuples, named tuples or dictionaries; ranx's Run;
        `"irds:<id>"` for ir_datasets. Of three columns without names, the third is read as a
        rank, or as a score if one of its numbers has a fraction or a minus sign.
    name
        What to call the run; the name of the file if not given.
    columns
        What the columns contain, if their names do not say: roles in column order, as in
        "topic,doc,score" or "topic,_,doc,rank", or names by role, as in {"topic": "q", "doc": "d",
        "score": "sim"}. Without a score or a rank, rows are ranked in their order.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_run({"t1": {"a": 3.2, "c": 1.1}}, name="bm25")
    Run('bm25', 1 topic, 2 documents)
    >>> gw.read_run({"t1": ["a", "c"]}).ranking("t1")
    ['a', 'c']
    >>> gw.read_run([("t1", "a", 12), ("t1", "c", 7)], columns="topic,doc,rank").ranking("t1")
    ['c', 'a']
    """
    if isinstance(source, Run):
        return source if name is None else replace(source, name=name)
    given = None if columns is None else parse_columns(columns)
    opened = one_run(open_source(source, grades=False, given=given))
    return gather_run(opened, run_name(source) if name is None else name)


def gather_run(source: Source, name: str) -> Run:
    """Read all rows of a source as a run."""
    if isinstance(source, RunOf):
        shared = source.shared
        if shared.kept is None:
            shared.kept = _gather_shared(shared)
        return replace(shared.kept[source.run], name=name)
    entries, ranked = gather(source)
    if isinstance(source, TextSource) and source.is_guess and not ranked:
        source.take_as_scores()
        entries = _negated(entries)
    return _as_run(entries, source, name)


def _gather_shared(shared: Shared) -> dict[str, Run]:
    """Read all runs of a source in one pass."""
    sources, pieces = shared.runs(), [list[Piece]() for _ in shared.names]

    def split(part: Part) -> list[Piece]:
        with part as batch:
            return [Piece.copied(each) for each in split_runs(batch, shared.names)]

    faults = Faults(shared.source)
    for split_part in stream_map(split, shared.source.parts()):
        faults.add(split_part[0].told)
        for mine, piece in zip(pieces, split_part, strict=True):
            if len(piece.numbers):
                mine.append(piece)
    faults.check()
    found = {}
    for source, mine in zip(sources, pieces, strict=True):
        entries, order = group_rows(join_pieces(mine))
        refuse_repeats(entries, order, source)
        found[source.run] = _as_run(entries, source, source.run)
    return found


def _as_run(entries: Entries, source: Source, name: str) -> Run:
    numbers = entries.numbers
    if source.by_order:  # of which only the order is known
        numbers = entries.offsets[:-1].repeat(entries.sizes) - np.arange(len(numbers)) - 1.0
    return Run(
        entries.topics,
        entries.offsets,
        entries.docs,
        numbers,
        name,
        source.tag(),
        source.assumptions(),
    )


def _negated(entries: Entries) -> Entries:
    return replace(entries, numbers=-entries.numbers)


def run_name(source: Any) -> str:
    """Return what a run is called unless the user says: its file name without its ending.

    Of `bm25.v2.txt.gz`, the endings of the compression and of the format go, and nothing else.
    """
    if isinstance(source, Run):
        return source.name
    if isinstance(source, Source):
        source = source.origin
    if is_ranx(source):
        return str(source.name or "run")
    if not isinstance(source, (str, os.PathLike)):
        return "run"
    name = os.fsencode(Path(source).name).decode("utf-8", "backslashreplace")
    for endings in (PACKED, ENDINGS):
        if Path(name).suffix.lower() in endings and Path(name).stem:
            name = Path(name).stem
    return name if name != "-" else "stdin"
