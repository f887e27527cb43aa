"""read_qrels and read_run: whatever the source, the same two nouns."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gradewise.collection.columns import (
    from_dict,
    from_frame,
    from_ir_datasets,
    is_frame,
    read_parquet,
)
from gradewise.collection.entries import Entries
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.text import read_text
from gradewise.collection.trec import parse_qrels, parse_run
from gradewise.errors import InputError

_ENDINGS = (".gz", ".zst", ".xz", ".bz2", ".txt", ".run", ".trec", ".res", ".tsv", ".parquet")
_PARQUET = b"PAR1"


def read_qrels(source: Any) -> Qrels:
    """Read judgments.

    Parameters
    ----------
    source
        A path to TREC qrels (topic, iteration, document, grade) or to three columns (topic,
        document, grade), plain or compressed (gz, zst, xz, bz2: told by content); "-" for
        standard input; a parquet file; a dictionary {topic: {document: grade}}; a polars or
        pandas frame with columns such as topic, doc, grade; `"irds:<id>"` for ir_datasets.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_qrels({"t1": {"a": 2, "b": 0}})
    Qrels(1 topic, 2 judged documents, grades 0 2)
    """
    if isinstance(source, Qrels):
        return source
    entries = _read_rows(source, whole=True, what="qrels")
    if entries is None:
        entries = parse_qrels(read_text(source))
    return Qrels(entries.topics, entries.offsets, entries.docs, entries.numbers)


def read_run(source: Any, name: str | None = None) -> Run:
    """Read what a system retrieved.

    Parameters
    ----------
    source
        A path to a TREC run (topic, Q0, document, rank, score, tag) or to three columns (topic,
        document, rank) as for MS MARCO, plain or compressed (gz, zst, xz, bz2: told by content);
        "-" for standard input; a parquet file; a dictionary {topic: {document: score}}; a polars
        or pandas frame with columns such as topic, doc, score; `"irds:<id>"` for ir_datasets.
    name
        What to call the run; the name of the file if not given.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.read_run({"t1": {"a": 3.2, "c": 1.1}}, name="bm25")
    Run('bm25', 1 topic, 2 documents)
    """
    if isinstance(source, Run):
        run = source
        return run if name is None else Run(run.topics, run.offsets, run.docs, run.numbers, name)
    tag = None
    entries = _read_rows(source, whole=False, what="run")
    if entries is None:
        entries, tag = parse_run(read_text(source))
    chosen = name if name is not None else run_name(source)
    return Run(entries.topics, entries.offsets, entries.docs, entries.numbers, chosen, tag)


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


def _read_rows(source: Any, *, whole: bool, what: str) -> Entries | None:
    """Read a source that holds rows already; None if it is text."""
    if isinstance(source, Mapping):
        return from_dict(source, whole=whole, name=what)
    if is_frame(source):
        return from_frame(source, whole=whole, name=what)
    if isinstance(source, str) and source.startswith("irds:"):
        return from_ir_datasets(source.removeprefix("irds:"), whole=whole)
    if isinstance(source, (str, os.PathLike)):
        if starts_as_parquet(source):
            return from_frame(read_parquet(str(source)), whole=whole, name=str(source))
        return None
    if hasattr(source, "read"):
        return None
    raise InputError(
        f"{what}: expected a path, an open binary file, a dictionary or a frame, "
        f"not {type(source).__name__}"
    )


def starts_as_parquet(path: str | os.PathLike[str]) -> bool:
    """Tell parquet by both ends of a file, or by the first and its name."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            if file.read(4) != _PARQUET:
                return False
            file.seek(-min(4, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return file.read() == _PARQUET or Path(path).suffix.lower() == ".parquet"
    except (OSError, ValueError):
        return False
