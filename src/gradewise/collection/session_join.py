"""judge_sessions: the lists of a session, one after the other, joined with its judgments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradewise.arrays import Ints, rows_of_lists
from gradewise.collection.join import assemble, join_runs, make_pool
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.pool import Negative
from gradewise.collection.qrels import Qrels
from gradewise.collection.run_join import JoinRule
from gradewise.collection.session_runs import (
    SessionRun,
    is_plain_run,
    is_session_run,
    read_sessions,
)
from gradewise.collection.sessions import Sessions
from gradewise.errors import InputError


def judge_sessions(
    qrels: Qrels,
    runs: Any,
    rule: JoinRule,
    negative: Negative,
    progress: Callable[[str], None] | None = None,
) -> Judged:
    """Join runs whose topics are sessions of several queries, with judgments of the sessions.

    The list of a session has the documents of its first query, then those of the second, and so
    on. A document that an earlier query has returned counts as unjudged: it is not found again.
    """
    if qrels.preferences is not None or qrels.sample is not None:
        raise InputError("sessions need graded judgments, not preferences or a sampled pool")
    named = _read_all(runs)
    queries = _count_queries(qrels, [run for _, run in named])
    expanded, rows = _for_each_query(qrels, queries)
    found = assemble(expanded, join_runs(expanded, named, rule, progress), negative)
    strange = [len(set(run.session) - qrels.topic_index.keys()) for _, run in named]
    return replace(
        _put_together(qrels, expanded, rows, found, queries),
        extra_topics=np.array(strange, np.int64),
        notes=(*qrels.notes, *found.notes),
    )


def _read_all(runs: Any) -> list[tuple[str, SessionRun]]:
    if is_session_run(runs):
        named: Sequence[tuple[str, Any]] = [("run", runs)]
    elif isinstance(runs, Mapping) and not is_plain_run(runs):
        named = [(str(name), source) for name, source in runs.items()]
    else:
        named = name_runs(runs)
    return [(name, read_sessions(source, name)) for name, source in named]


def _count_queries(qrels: Qrels, runs: Sequence[SessionRun]) -> Ints:
    """Return how many queries the sessions have at most, by the place of their topics."""
    queries = np.ones(len(qrels.topics), np.int64)
    for run in runs:
        for session, query in zip(run.session, run.query.tolist(), strict=True):
            index = qrels.topic_index.get(session)
            if index is not None:
                place = qrels.place[index]
                queries[place] = max(queries[place], query)
    return queries


def _for_each_query(qrels: Qrels, queries: Ints) -> tuple[Qrels, Ints]:
    """Return the judgments of sessions once for each query, and the row that each row was."""
    topic = qrels.topic_order.repeat(queries)
    number = np.arange(len(topic)) - (np.cumsum(queries) - queries).repeat(queries) + 1
    names = zip(topic.tolist(), number.tolist(), strict=True)
    rows = rows_of_lists(qrels.offsets, topic)
    offsets = np.concatenate([[0], np.cumsum(qrels.sizes[topic])])
    return (
        Qrels(
            tuple(f"{qrels.topics[index]} {query}" for index, query in names),
            offsets,
            qrels.docs.take(rows),
            qrels.numbers[rows],
        ),
        rows,
    )


def _put_together(
    qrels: Qrels, expanded: Qrels, rows: Ints, found: Judged, queries: Ints
) -> Judged:
    """Put the lists of queries one after the other, session by session.

    `rows` are the rows of the qrels that those of the expanded ones were.
    """
    sessions, number = len(queries), len(found.runs)
    firsts = np.cumsum(queries) - queries  # the first query of each session
    owner = np.arange(sessions).repeat(queries)  # the session of each query, in order
    place = expanded.topic_order  # the query that each topic of the lists is
    sizes = found.retrieved.reshape(number, -1)[:, np.argsort(place)]
    offsets = np.concatenate([[0], np.cumsum(np.tile(queries, number))])
    parts = Sessions.of_sizes(offsets, sizes.ravel())
    run, topic = np.divmod(found.hits.list, len(owner))
    lists = run * sessions + owner[place[topic]]
    rank = found.hits.rank + parts.begins[run * len(owner) + place[topic]]
    row = rows[found.hit_rows]
    order = np.lexsort((rank, lists))
    lists, rank, row = lists[order], rank[order], row[order]
    _, first = np.unique(lists.astype(np.int64) * len(qrels) + row, return_index=True)
    kept = np.sort(first)  # what an earlier query has found is not found again
    pool = make_pool(qrels)
    scores = unjudged = None
    if found.hit_scores is not None and found.unjudged_scores is not None:
        scores = found.hit_scores[order]
        again = np.delete(np.arange(len(lists)), kept)
        by_query = found.unjudged_scores.reshape(number, -1)[:, np.argsort(place)]
        unjudged = np.add.reduceat(by_query, firsts, axis=1).ravel()
        unjudged += np.bincount(lists[again], np.abs(scores[again]), number * sessions)
        scores = scores[kept]
    return replace(
        found,
        scale=qrels.scale,
        counts=pool.counts(qrels.scale, topics=sessions, negative=found.negative),
        topic=np.tile(np.arange(sessions), number),
        retrieved=np.add.reduceat(sizes, firsts, axis=1).ravel(),
        topics=tuple(qrels.topics[index] for index in qrels.topic_order),
        hits=Hits(lists[kept], rank[kept], qrels.levels[row[kept]], number * sessions),
        hit_scores=scores,
        unjudged_scores=unjudged,
        pool=pool,
        hit_rows=row[kept],
        sessions=parts,
    )
