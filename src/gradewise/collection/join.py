"""judge: which documents of runs were judged, and at which rank."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.assumptions import tell_once
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.pool import Negative, Pool
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.residual import make_residual
from gradewise.collection.run_join import (
    JoinedPart,
    JoinRule,
    ListHits,
    RunJoin,
    join_side_by_side,
    open_run,
    source_parts,
)
from gradewise.collection.sources.given import ColumnsLike, columns_for
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.several import RunOf
from gradewise.collection.sources.source import Part
from gradewise.collection.ties import TIES, Ties
from gradewise.errors import InputError, OptionError, check_choice, check_least
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
    residual: QrelsLike | None = None,
    scores: bool = False,
    columns: ColumnsLike | None = None,
    sessions: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Judged:
    """Join runs with judgments, whatever their sources.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes.
    runs
        One run, a list, or a dictionary {name: run}; each a Run or anything that `read_run`
        takes. Files are joined as they are read, so only their hits stay in memory.
    ties
        The order of documents with equal scores: "trec" (greater id first, as in trec_eval 10),
        "input" (as given) or "random" (drawn from `seed`).
    seed
        Seed of the random order of ties.
    depth
        Use only this many documents of each list.
    negative
        What grades below 0 mean: "nonrelevant", or "unjudged" as in trec_eval. In a pool with
        strata they are always unjudged.
    residual
        Judgments of an earlier round, whose documents are removed from the lists and from `qrels`
        before anything is ranked or cut (residual collection).
    scores
        Whether to keep the scores of documents, which only ADM needs.
    columns
        What the columns of files and frames contain, if their names do not say: roles in column
        order, as in "topic,doc,score", or names by role, as in {"topic": "q", "doc": "d", "score":
        "sim"}. A value with a grade applies to the judgments; one with a score or a rank, to the
        runs.
    sessions
        Whether runs contain several queries for each topic, and are anything that `read_sessions`
        takes. The list of a topic is then the lists of its queries, one after the other.
    progress
        Called with the name of each run when it has been read.

    Examples
    --------
    >>> import gradewise as gw
    >>> judged = gw.judge({"t": {"a": 2, "b": 1}}, {"t": {"b": 2.0, "x": 1.5, "a": 1.0}})
    >>> judged.hits.rank.tolist(), judged.hits.level.tolist()
    ([1, 3], [1, 2])
    """
    table, rule = open_qrels(qrels, columns), JoinRule(ties, seed, depth, scores)
    if sessions:
        from gradewise.collection.session_join import judge_sessions

        if residual is not None:
            raise OptionError("documents judged earlier cannot be removed from sessions")
        return judge_sessions(table, runs, rule, negative, progress)
    named = name_runs(runs, columns=columns)
    if residual is None:
        return assemble(table, join_runs(table, named, rule, progress), negative)
    rest = make_residual(table, open_qrels(residual, columns))
    check_depth(depth)
    joins = join_runs(rest.qrels, named, replace(rule, depth=None), progress)
    return rest.remove(assemble(rest.qrels, joins, negative), depth)


def open_qrels(qrels: QrelsLike, columns: ColumnsLike | None) -> Qrels:
    """Read judgments, with what is said of columns if that is said of judgments."""
    given = columns_for(columns, grades=True)
    if given is None or isinstance(qrels, Qrels):
        return read_qrels(qrels)
    return read_qrels(open_source(qrels, grades=True, given=given))


def join_runs(
    qrels: Qrels,
    named: Sequence[Named],
    rule: JoinRule,
    progress: Callable[[str], None] | None = None,
) -> list[RunJoin]:
    """Join runs, given as (name, source); what is wrong with any of them is told at once."""
    check_choice("ties", rule.ties, TIES)
    check_depth(rule.depth)
    qrels.prepare()
    joins, wrong = [], []
    for run in _join_all(qrels, named, rule):
        try:
            run.finish()
        except InputError as error:
            wrong.append(error)
        joins.append(run)
        if progress is not None:
            progress(run.name)
    if wrong:
        problems = [problem for error in wrong for problem in error.problems]
        if not problems:
            raise wrong[0]
        raise InputError(problems, sum(error.count for error in wrong if error.problems))
    return joins


def check_depth(depth: int | None) -> None:
    """Raise an OptionError unless lists can be cut so deep."""
    check_least(1, depth=depth)


def _join_all(qrels: Qrels, named: Sequence[Named], rule: JoinRule) -> Iterator[RunJoin]:
    """Join runs, batch after batch, all of them in one stream through the threads.

    Runs that share a source are joined side by side, as its batches come.
    """

    def parts() -> Iterator[tuple[list[RunJoin], Part]]:
        for _, group in groupby(named, key=_shared):
            runs = [open_run(qrels, name, source, rule) for name, source in group]
            opened.append(runs)
            for part in source_parts(runs):
                yield runs, part

    def work(item: tuple[list[RunJoin], Part]) -> tuple[list[RunJoin], list[JoinedPart]]:
        runs, part = item
        return runs, join_side_by_side(runs, part)

    opened: list[list[RunJoin]] = []
    done = 0
    for runs, joined in stream_map(work, parts()):
        while opened[done] is not runs:
            yield from opened[done]
            done += 1
        for run, part in zip(runs, joined, strict=True):
            run.add(part)
    for runs in opened[done:]:
        yield from runs


def _shared(item: Named) -> int:
    """Return a number that runs have in common if they share a source."""
    return id(item[1].shared if isinstance(item[1], RunOf) else item)


def make_pool(qrels: Qrels) -> Pool:
    """Return the judged documents, by the place of their topics."""
    return Pool(
        qrels.place.repeat(qrels.sizes),
        qrels.numbers,
        qrels.levels,
        intents=qrels.intents,
        sample=qrels.sample,
        preferences=qrels.preferences,
    )


def assemble(qrels: Qrels, runs: Sequence[RunJoin], negative: Negative = "nonrelevant") -> Judged:
    """Put the hits of runs side by side."""
    check_choice("negative", negative, ("nonrelevant", "unjudged"))
    topics = len(qrels.topics)
    lists = ListHits.concatenate(
        [replace(run.hits, topic=run.hits.topic + i * topics) for i, run in enumerate(runs)]
    )
    return place_lists(
        qrels,
        lists,
        [run.name for run in runs],
        negative=negative,
        with_scores=any(run.rule.scores for run in runs),
        extra_topics=np.array([len(run.strangers) for run in runs], np.int64),
        notes=(
            *qrels.notes,
            *(() if qrels.sample is None else (qrels.sample.note,)),
            *tell_once([(run.name, run.notes) for run in runs]),
        ),
    )


def place_lists(
    qrels: Qrels,
    lists: ListHits,
    names: Sequence[str],
    *,
    negative: Negative = "nonrelevant",
    with_scores: bool = False,
    extra_topics: Ints | None = None,
    notes: tuple[str, ...] = (),
) -> Judged:
    """Put lists where they belong among the lists of all runs and topics.

    `lists.topic` is the number of each list, run times the number of topics plus place of the
    topic; the numbers ascend.
    """
    size = len(names) * len(qrels.topics)
    retrieved, unjudged = np.zeros(size, np.int64), np.zeros(size)
    retrieved[lists.topic], unjudged[lists.topic] = lists.retrieved, lists.unjudged_scores
    pool = make_pool(qrels)
    if qrels.sample is not None and qrels.sample.stratum is not None:
        negative = "unjudged"  # in the pool, and not drawn
    owner = lists.topic.astype(np.int32).repeat(lists.counts)
    return Judged(
        scale=qrels.scale,
        counts=pool.counts(qrels.scale, topics=len(qrels.topics), negative=negative),
        topic=np.tile(np.arange(len(qrels.topics)), len(names)),
        retrieved=retrieved,
        runs=tuple(names),
        topics=tuple(qrels.topics[index] for index in qrels.topic_order),
        hits=Hits(owner, lists.rank, qrels.levels[lists.row], size),
        extra_topics=np.zeros(len(names), np.int64) if extra_topics is None else extra_topics,
        negative=negative,
        hit_scores=lists.scores if with_scores else None,
        unjudged_scores=unjudged if with_scores else None,
        pool=pool,
        hit_rows=lists.row,
        notes=notes,
    )
