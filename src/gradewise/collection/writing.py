"""Qrels and runs to files: TREC text, or parquet by the ending of the name."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.entries import Entries
from gradewise.collection.ordering import ranked_rows
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.errors import GradewiseError
from gradewise.files import open_output, whole_file
from gradewise.libraries import pl

_BATCH = 100_000


def qrels_frame(qrels: Qrels) -> "pl.DataFrame":
    """Return qrels as a frame with columns topic, doc, grade, and intent if there are any."""
    rows, intents, grades = _judgments(qrels)
    topics = np.array(qrels.topic_column(), object)[rows].tolist()
    frame = pl.DataFrame({"topic": topics, "doc": qrels.docs.take(rows).to_list(), "grade": grades})
    return frame if qrels.intents is None else frame.with_columns(intent=pl.Series(intents))


def run_frame(run: Run, *, ties: Ties = "trec", seed: int = 0) -> "pl.DataFrame":
    """Return a run as a frame with columns topic, doc, rank, score, best rank first."""
    rows = ranked_rows(run, ties=ties, seed=seed)
    return pl.DataFrame(
        {
            "topic": run.topic_column(),
            "doc": run.docs.take(rows).to_list(),
            "rank": _ranks(run),
            "score": run.scores[rows],
        }
    )


def write_qrels(qrels: Qrels, path: str | os.PathLike[str]) -> None:
    """Write qrels as TREC text, or as parquet if the path ends in .parquet.

    Intents are in the second column of the text, or in a parquet column `intent`.
    """
    if Path(path).suffix.lower() == ".parquet":
        with whole_file(path) as temporary:
            qrels_frame(qrels).write_parquet(temporary)
        return
    _check_ids(qrels)
    rows, intents, grades = _judgments(qrels)
    with open_output(path) as file:
        for low, topics, docs in _batches(qrels, rows):
            part = slice(low, low + len(docs))
            lines = zip(topics, intents[part], docs, grades[part], strict=True)
            file.write("".join(f"{t} {i} {d} {g}\n" for t, i, d, g in lines).encode("utf-8"))


def write_run(
    run: Run, path: str | os.PathLike[str], *, tag: str | None = None, ties: Ties = "trec"
) -> None:
    """Write a run as TREC text, best rank first, or as parquet if the path ends in .parquet.

    Scores are written so that they read back as the same numbers.
    """
    if Path(path).suffix.lower() == ".parquet":
        with whole_file(path) as temporary:
            run_frame(run, ties=ties).write_parquet(temporary)
        return
    _check_ids(run)
    chosen = "_".join((tag or run.tag or run.name).split()) or "run"
    rows = ranked_rows(run, ties=ties)
    scores, ranks = run.scores[rows].tolist(), _ranks(run).tolist()
    with open_output(path) as file:
        for low, topics, docs in _batches(run, rows):
            part = slice(low, low + len(docs))
            lines = zip(topics, docs, ranks[part], scores[part], strict=True)
            text = "".join(f"{t} Q0 {d} {r} {s!r} {chosen}\n" for t, d, r, s in lines)
            file.write(text.encode("utf-8"))


def _judgments(qrels: Qrels) -> tuple[Ints, list[str], list[int]]:
    """Return the row, the intent and the grade of each judgment."""
    named = qrels.intents
    if named is None:
        return np.arange(len(qrels)), ["0"] * len(qrels), qrels.grades.tolist()
    intents = np.array(named.names, object)[named.intent].tolist()
    return named.row, intents, named.numbers.astype(np.int64).tolist()


def _ranks(run: Run) -> Ints:
    return np.arange(len(run)) - run.offsets[:-1].repeat(run.sizes) + 1


def _batches(entries: Entries, rows: Ints) -> Iterator[tuple[int, list[str], list[str]]]:
    topics = np.array(entries.topics, dtype=object).repeat(entries.sizes)
    for low in range(0, len(rows), _BATCH):
        part = rows[low : low + _BATCH]
        yield low, topics[part].tolist(), entries.docs.take(part).to_list()


def _check_ids(entries: Entries) -> None:
    """Raise an error if an id would not read back from TREC text."""
    named = entries.intents if isinstance(entries, Qrels) else None
    intents = () if named is None else named.names
    kinds = {"topic": entries.topics, "document": entries.docs.to_list(), "intent": intents}
    for kind, ids in kinds.items():
        for identifier in ids:
            encoded = identifier.encode("utf-8")
            if encoded.split() != [encoded]:
                _refuse(kind, identifier, "contains white space")
            if min(encoded) < 32:
                _refuse(kind, identifier, "contains a control character")
            if kind == "topic" and identifier.startswith(("#", "\ufeff")):
                _refuse(kind, identifier, "would read back as a comment or a byte-order mark")


def _refuse(kind: str, identifier: str, reason: str) -> None:
    raise GradewiseError(
        f"the {kind} id {identifier!r} {reason}, which TREC text cannot represent; write parquet "
        "instead"
    )
