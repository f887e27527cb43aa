"""judge: which documents of runs were judged, and at which rank."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.pool import Negative, Pool
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.run_join import (
    JoinedPart,
    JoinRule,
    RunJoin,
    open_run,
    source_parts,
)
from gradewise.collection.sources.source import Part
from gradewise.collection.ties import TIES, Ties
from gradewise.errors import InputError, OptionError, check_choice
from gradewise.parallel import stream_map
from gradewise.progress import watched

Named = tuple[str, Any]


@watched("runs")
def judge(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    negative: Negative = "nonrelevant",
    scores: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Judged:
    """Join runs with judgments, whatever their sources.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes.
    runs
        One run, a list, or a dictionary {name: run}; each a Run or anything that `read_run`
        takes. Files are joined as they are read, so that only their hits stay in memory.
    ties
        The order of documents with equal scores: "trec" (greater id first, as trec_eval 10),
        "input" (as given) or "random" (drawn from `seed`).
    seed
        Seed of the random order of ties.
    depth
        Use only so many documents of each list.
    negative
        What grades below 0 mean: "nonrelevant", or "unjudged" as in trec_eval.
    scores
        Whether to keep the scores of documents, which only ADM needs.
    progress
        Called with the name of each run when it has been read.

    Examples
    --------
    >>> import gradewise as gw
    >>> judged = gw.judge({"t": {"a": 2, "b": 1}}, {"t": {"b": 2.0, "x": 1.5, "a": 1.0}})
    >>> judged.hits.rank.tolist(), judged.hits.level.tolist()
    ([1, 3], [1, 2])
    """
    table, rule = read_qrels(qrels), JoinRule(ties, seed, depth, scores)
    return assemble(table, join_runs(table, name_runs(runs), rule, progress), negative)


def join_runs(
    qrels: Qrels,
    named: Sequence[Named],
    rule: JoinRule,
    progress: Callable[[str], None] | None = None,
) -> list[RunJoin]:
    """Join runs, given as (name, source); what is wrong with any of them is told at once."""
    check_choice("ties", rule.ties, TIES)
    if rule.depth is not None and rule.depth < 1:
        raise OptionError(f"depth must be at least 1, not {rule.depth}")
    qrels.prepare()
    joins, wrong = [], []
    for run in _join_all(qrels, named, rule):
        try:
            run.finish()
        except InputError as error:
            if not error.problems:
                raise
            wrong.append(error)
        joins.append(run)
        if progress is not None:
            progress(run.name)
    if wrong:
        problems = [problem for error in wrong for problem in error.problems]
        raise InputError(problems, sum(error.count for error in wrong))
    return joins


def _join_all(qrels: Qrels, named: Sequence[Named], rule: JoinRule) -> Iterator[RunJoin]:
    """Join runs, batch after batch, all of them in one stream through the threads."""

    def parts() -> Iterator[tuple[RunJoin, Part]]:
        for name, source in named:
            run = open_run(qrels, name, source, rule)
            opened.append(run)
            for part in source_parts(run):
                yield run, part

    def work(item: tuple[RunJoin, Part]) -> tuple[RunJoin, JoinedPart]:
        run, part = item
        return run, run.join_part(part)

    opened: list[RunJoin] = []
    done = 0
    for run, part in stream_map(work, parts()):
        while opened[done] is not run:
            yield opened[done]
            done += 1
        run.add(part)
    yield from opened[done:]


def assemble(qrels: Qrels, runs: Sequence[RunJoin], negative: Negative = "nonrelevant") -> Judged:
    """Put the hits of runs side by side."""
    check_choice("negative", negative, ("nonrelevant", "unjudged"))
    found = [run.hits for run in runs]
    topics = len(qrels.topics)
    retrieved = np.zeros((len(runs), topics), np.int64)
    unjudged = np.zeros((len(runs), topics))
    for index, hits in enumerate(found):
        retrieved[index, hits.topic] = hits.retrieved
        unjudged[index, hits.topic] = hits.unjudged_scores
    lists = [
        (hits.topic + index * topics).astype(np.int32).repeat(hits.counts)
        for index, hits in enumerate(found)
    ]
    row = np.concatenate([hits.row for hits in found])
    rank = np.concatenate([hits.rank for hits in found])
    pool = Pool(qrels.place.repeat(qrels.sizes), qrels.numbers, qrels.levels)
    with_scores = any(run.rule.scores for run in runs)
    return Judged(
        scale=qrels.scale,
        counts=pool.counts(qrels.scale, topics=topics, negative=negative),
        topic=np.tile(np.arange(topics), len(runs)),
        retrieved=retrieved.ravel(),
        runs=tuple(run.name for run in runs),
        topics=tuple(qrels.topics[index] for index in qrels.topic_order),
        hits=Hits(np.concatenate(lists), rank, qrels.levels[row], topics * len(runs)),
        extra_topics=np.array([len(run.strangers) for run in runs], np.int64),
        negative=negative,
        hit_scores=np.concatenate([hits.scores for hits in found]) if with_scores else None,
        unjudged_scores=unjudged.ravel() if with_scores else None,
        pool=pool,
        hit_rows=row,
        notes=tuple(f"{run.name}: {note}" for run in runs for note in run.notes),
    )
