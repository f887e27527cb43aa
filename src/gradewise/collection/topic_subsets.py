"""Lists of some topics only."""

from dataclasses import replace

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.judged import Judged
from gradewise.collection.pool import Pool


def keep_topics(judged: Judged, kept: Bools) -> Judged:
    """Return the lists and judged documents of the topics that are kept, in the same order.

    The scale stays that of all topics, so that thresholds keep their meaning.
    """
    lists = kept[judged.topic]
    chosen = np.flatnonzero(lists[judged.hits.list])
    number = _numbered(lists)
    hits = judged.hits
    rows, pool = judged.hit_rows, judged.pool
    if pool is not None:
        rows, pool = _numbered(kept[pool.topic])[rows[chosen]], _keep_pool(pool, kept)
    scores, unjudged = judged.hit_scores, judged.unjudged_scores
    sessions = judged.sessions
    return replace(
        judged,
        counts=judged.counts[kept],
        topic=_numbered(kept)[judged.topic[lists]],
        retrieved=judged.retrieved[lists],
        topics=tuple(judged.topics[place] for place in np.flatnonzero(kept)),
        hits=replace(
            hits,
            list=number[hits.list[chosen]].astype(hits.list.dtype),
            rank=hits.rank[chosen],
            level=hits.level[chosen],
            lists=int(lists.sum()),
        ),
        hit_scores=None if scores is None else scores[chosen],
        unjudged_scores=None if unjudged is None else unjudged[lists],
        pool=pool,
        hit_rows=rows,
        sessions=None if sessions is None else sessions.of_lists(np.flatnonzero(lists)),
    )


def _keep_pool(pool: Pool, kept: Bools) -> Pool:
    """Return the judged documents of some topics, which are numbered anew."""
    rows = kept[pool.topic]
    mine = replace(pool, intents=None).where(rows)
    rest = None if mine.rest is None else mine.rest[kept]
    intents = pool.intents
    if intents is not None:
        intents = intents.of_topics(np.flatnonzero(kept), np.flatnonzero(rows))
    return replace(mine, topic=_numbered(kept)[mine.topic], rest=rest, intents=intents)


def _numbered(kept: Bools) -> Ints:
    """Return the new number of everything that is kept."""
    return np.cumsum(kept, dtype=np.int64) - 1
