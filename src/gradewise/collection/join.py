"""Joining runs with qrels: which retrieved documents were judged, at which rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints
from gradewise.collection.entries import Entries
from gradewise.collection.judged import Hits, Judged, Negative
from gradewise.collection.ordering import TIES, Ties, ranks_of
from gradewise.collection.qrels import NEGATIVE, Qrels
from gradewise.collection.run import Run
from gradewise.errors import InputError, check_choice


def judge_runs(
    qrels: Qrels,
    runs: Run | Sequence[Run],
    *,
    ties: Ties = "trec",
    seed: int = 0,
    negative: Negative = "nonrelevant",
    scores: bool = False,
) -> Judged:
    """Find the judged documents of runs.

    Parameters
    ----------
    ties
        The order of documents with equal scores: "trec" (greater id first, as trec_eval),
        "input" (as given) or "random" (drawn from `seed`).
    negative
        What grades below 0 mean: "nonrelevant", or "unjudged" as in trec_eval.
    scores
        Whether to keep the scores of documents, which only ADM needs.
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    parts = [hits_of(qrels, run, ties=ties, seed=seed, scores=scores) for run in runs]
    return assemble(qrels, [run.name for run in runs], parts, negative=negative)


@dataclass(frozen=True)
class RunHits:
    """The hits of one run, or of several: list r * topics + t belongs to run r and topic t."""

    list: NDArray[np.int32]
    rank: NDArray[np.int32]
    level: NDArray[np.int32]
    retrieved: Ints
    extra_topics: Ints
    scores: Floats | None = None
    unjudged_scores: Floats | None = None


def hits_of(
    qrels: Qrels,
    run: Entries,
    *,
    runs: int = 1,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    scores: bool = False,
) -> RunHits:
    """Find the judged documents of one run, or of several that share one object.

    `depth` cuts lists; `scores` keeps the scores of documents, which only ADM needs.
    """
    check_choice("ties", ties, TIES)
    rows, judged, lists = qrels.documents.find(run)
    ranks = ranks_of(run, rows, lists, ties=ties, seed=seed)
    topics = len(qrels.topics)
    topic = np.array([qrels.reported_at.get(name, -1) for name in run.topics], np.int64)
    owner = run.owner if len(run.owner) else np.zeros(len(run.topics), np.int64)
    known = topic >= 0
    number = owner * topics + topic
    retrieved = np.zeros(runs * topics, np.int64)
    retrieved[number[known]] = run.sizes[known]
    if depth is not None:
        kept = ranks <= depth
        rows, judged, lists, ranks = rows[kept], judged[kept], lists[kept], ranks[kept]
        retrieved = np.minimum(retrieved, depth)
    packed, judged, rows = _in_order((number << 32)[lists] | ranks, judged, rows)
    hit_list, hit_rank = (packed >> 32).astype(np.int32), packed.astype(np.int32)
    hit_scores = unjudged = None
    if scores:
        hit_scores = run.numbers[rows]
        total = _absolute_scores(run, ties, seed, depth)
        unjudged = np.zeros(runs * topics)
        unjudged[number[known]] = total[known]
        unjudged -= np.bincount(hit_list, np.abs(hit_scores), runs * topics)
    extra = np.bincount(owner[~known], minlength=runs)
    return RunHits(
        hit_list,
        hit_rank,
        qrels.levels[judged],
        retrieved,
        extra,
        hit_scores,
        unjudged,
    )


def _in_order(keys: Ints, *columns: Ints) -> tuple[Ints, ...]:
    """Return keys, all of them different, in ascending order, and columns in the same order."""
    wrong = np.flatnonzero(keys[1:] < keys[:-1])
    if not len(wrong):
        return keys, *columns
    turned = tuple(_turned(column, wrong) for column in (keys, *columns))
    if (turned[0][1:] > turned[0][:-1]).all():  # most ties are of two documents
        return turned
    order = np.argsort(keys, kind="stable")
    return tuple(column[order] for column in (keys, *columns))


def _turned(column: Ints, places: Ints) -> Ints:
    """Return a column in which the rows at places have traded places with the next ones."""
    turned = column.copy()
    turned[places], turned[places + 1] = column[places + 1], column[places]
    return turned


def _absolute_scores(run: Entries, ties: Ties, seed: int, depth: int | None) -> Floats:
    """Return Σ |score| over the documents of each list, down to a depth."""
    values = np.abs(run.numbers)
    if depth is not None:
        rows, lists = np.arange(len(run)), np.arange(len(run.topics)).repeat(run.sizes)
        values = np.where(ranks_of(run, rows, lists, ties=ties, seed=seed) <= depth, values, 0.0)
    return np.add.reduceat(values, run.offsets[:-1])


def assemble(
    qrels: Qrels,
    names: Sequence[str],
    parts: Sequence[RunHits],
    *,
    negative: Negative = "nonrelevant",
    scores: bool = False,
) -> Judged:
    """Put the hits of runs side by side."""
    check_choice("negative", negative, ("nonrelevant", "unjudged"))
    if not parts:
        raise InputError("there is no run to score")
    topics, runs = len(qrels.topics), len(names)
    first_list = accumulate([0, *[len(part.retrieved) for part in parts[:-1]]])
    hits = Hits(
        np.concatenate(
            [p.list + np.int32(first) for p, first in zip(parts, first_list, strict=True)]
        ),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.level for part in parts]),
        topics * runs,
    )
    with_scores = parts[0].scores is not None
    return Judged(
        scale=qrels.scale,
        counts=_count_levels(qrels, negative),
        topic=np.tile(np.arange(topics), runs),
        retrieved=np.concatenate([part.retrieved for part in parts]),
        runs=tuple(names),
        topics=tuple(qrels.topics[index] for index in qrels.topic_order),
        hits=hits,
        extra_topics=np.concatenate([part.extra_topics for part in parts]),
        negative=negative,
        hit_scores=_joined([part.scores for part in parts]) if with_scores else None,
        unjudged_scores=_joined([part.unjudged_scores for part in parts]) if with_scores else None,
    )


def _joined(parts: Sequence[Floats | None]) -> Floats:
    return np.concatenate([part for part in parts if part is not None])


def _count_levels(qrels: Qrels, negative: Negative) -> Ints:
    width = len(qrels.scale) + 1
    level = np.maximum(qrels.levels, 0)
    cell = np.arange(len(qrels.topics)).repeat(qrels.sizes) * width + level
    if negative == "unjudged":
        cell = cell[qrels.levels != NEGATIVE]
    counts = np.bincount(cell, minlength=len(qrels.topics) * width)
    return counts.reshape(len(qrels.topics), width)[qrels.topic_order]
