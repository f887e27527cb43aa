"""What stood where: the first documents of lists, and the hits below them of the leading runs.

Everything downstream of the join knows ranks and grades only. A page that shows why two runs differ
needs documents as well, so the first ones are kept while runs are read. How many are shown follows
from how many lists there are: a page has to stay small.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.ids import Ids
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.collection.run_join import RunJoin
from gradewise.kernels.ids import Numbering

TOP: Final = 20  # documents of a list that are shown at most
UNJUDGED: Final = 255
DEEP_RUNS: Final = 12  # of which all relevant documents are shown, at any rank
_FEWEST: Final = 10  # documents of a list that are shown at least
_CELLS: Final = 90_000  # documents of all lists together
_TOPICS: Final = 500


@dataclass(frozen=True, eq=False)
class Rankings:
    """Documents of lists.

    `topics` stand at `places` in the order of reporting, and `runs` are the runs. The document of
    run r for topic t at rank n + 1 is `docs[r, t, n]`, numbered within its topic from 1; 0 is no
    document. Document k of topic t is `names[document[first[t] + k - 1]]`, and its level is
    `level[first[t] + k - 1]`. `deep` are the runs of which all relevant documents are known: those
    below the first ones stand in `below`, rows of run, topic, rank and document.
    """

    places: Ints
    topics: tuple[str, ...]
    runs: Ints
    docs: Ints
    first: Ints
    document: Ints
    level: Ints
    names: list[str]
    deep: Ints
    below: Ints

    def used_ranks(self) -> Bools:
        """Return whether any list of topic t is known at rank n, as used[t, n - 1]."""
        depth = self.docs.shape[2]
        used = np.zeros((len(self.topics), int(self.below[:, 2].max(initial=depth))), np.bool_)
        used[:, :depth] = True
        used[self.below[:, 1], self.below[:, 2] - 1] = True
        return used

    def unjudged_in(self, runs: Sequence[int], topics: Bools, depth: int) -> tuple[int, int]:
        """Count distinct documents at the top of some runs, and the unjudged ones of them."""
        rows = np.flatnonzero(np.isin(self.runs, runs))
        seen = self.docs[rows][:, topics, :depth]
        offset = (self.first[:-1] - 1)[topics]
        found = np.unique((seen + offset[None, :, None])[seen > 0])
        return len(found), int((self.level[found] == UNJUDGED).sum())


def ranking_depth(lists: int, depth: int | None) -> int:
    """Return how many documents of each list are kept while runs are read."""
    kept = min(TOP, max(_FEWEST, _CELLS // max(lists, 1)))
    return kept if depth is None else min(kept, depth)


def find_rankings(
    qrels: Qrels,
    joins: Sequence[RunJoin],
    judged: Judged,
    order: Ints,
    top: int,
    shown: Ints | None,
) -> Rankings:
    """Return the documents of the first runs of an order, on the topics that are shown."""
    places = np.arange(len(judged.topics)) if shown is None else shown
    places = places[:_TOPICS]
    most = max(2, _CELLS // max(len(places) * top, 1))
    runs = np.sort(order[:most])
    deep = np.sort(order[: min(DEEP_RUNS, most)])
    place_of = np.full(len(judged.topics), -1)
    place_of[places] = np.arange(len(places))
    parts = [_top_rows(qrels, joins[run], place_of, place) for place, run in enumerate(runs)]
    rows = np.concatenate([part[0] for part in parts])
    known = _levels_at(judged, runs, place_of, rows)
    hits, hit_docs = _deep_hits(qrels, joins, deep, place_of, top)
    names = Numbering()
    columns = Ids.concatenate([*(part[1] for part in parts), hit_docs])
    number = names.add(columns.data, columns.offsets)
    topic = np.concatenate([rows[:, 1], hits[:, 1]])
    level = np.concatenate([known, hits[:, 3]])
    local, first, document, levels = _number_locally(topic, number, level, len(places))
    docs = np.zeros((len(runs), len(places), top), np.int64)
    docs[rows[:, 0], rows[:, 1], rows[:, 2]] = local[: len(rows)]
    below = np.column_stack([hits[:, :3], local[len(rows) :]])
    listed = Ids(*names.column()).to_list()
    topics = tuple(judged.topics[place] for place in places.tolist())
    return Rankings(places, topics, runs, docs, first, document, levels, listed, deep, below)


def _top_rows(qrels: Qrels, join: RunJoin, place_of: Ints, run: int) -> tuple[Ints, Ids]:
    """Return rows of run, topic and rank (from 0), and their documents."""
    rows, docs = [np.zeros((0, 3), np.int64)], [Ids.from_strings([])]
    for batch in join.top:
        number = qrels.topic_numbers.find(batch.topics.data, batch.topics.offsets)
        topic = np.where(number >= 0, place_of[qrels.place[np.maximum(number, 0)]], -1)
        sizes = np.diff(batch.edges)
        topics = topic.repeat(sizes)
        rank = np.arange(len(topics)) - (batch.edges[:-1] - batch.edges[0]).repeat(sizes)
        kept = np.flatnonzero(topics >= 0)
        rows.append(np.column_stack([np.full(len(kept), run), topics[kept], rank[kept]]))
        docs.append(batch.docs.take(kept))
    return np.concatenate(rows), Ids.concatenate(docs)


def _levels_at(judged: Judged, runs: Ints, place_of: Ints, rows: Ints) -> Ints:
    """Return the level of the document in each row of run, topic and rank."""
    if not len(rows):
        return np.zeros(0, np.int64)
    size = int(rows[:, 2].max()) + 1
    topics = int((place_of >= 0).sum())
    table = np.full((len(runs), topics, size), UNJUDGED)
    row_of = np.full(len(judged.runs), -1)
    row_of[runs] = np.arange(len(runs))
    hits = judged.hits
    run, topic = np.divmod(np.asarray(hits.list, np.int64), len(judged.topics))
    kept = (row_of[run] >= 0) & (place_of[topic] >= 0) & (hits.rank <= size) & judged.is_judged
    level = np.maximum(hits.level, 0)
    table[row_of[run[kept]], place_of[topic[kept]], hits.rank[kept] - 1] = level[kept]
    return np.asarray(table[rows[:, 0], rows[:, 1], rows[:, 2]])


def _deep_hits(
    qrels: Qrels,
    joins: Sequence[RunJoin],
    deep: Ints,
    place_of: Ints,
    top: int,
) -> tuple[Ints, Ids]:
    """Return relevant documents below the top: run (as a place in deep), topic, rank, level."""
    rows, docs = [np.zeros((0, 4), np.int64)], [Ids.from_strings([])]
    levels = np.asarray(qrels.levels, np.int64)
    for place, run in enumerate(deep):
        found = joins[run].hits
        topic = place_of[found.topic.repeat(found.counts)]
        level = levels[found.row]
        kept = np.flatnonzero((topic >= 0) & (level > 0) & (found.rank > top))
        columns = [np.full(len(kept), place), topic[kept], found.rank[kept], level[kept]]
        rows.append(np.column_stack(columns))
        docs.append(qrels.docs.take(np.asarray(found.row[kept], np.int64)))
    return np.concatenate(rows), Ids.concatenate(docs)


def _number_locally(
    topic: Ints, number: Ints, level: Ints, topics: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return numbers of documents within their topics from 1, the most frequent first."""
    size = int(number.max(initial=0)) + 1
    pairs, example, inverse, counts = np.unique(
        topic * size + number, return_index=True, return_inverse=True, return_counts=True
    )
    owner, document = np.divmod(pairs, size)
    order = np.lexsort((document, -counts, owner))
    first = np.searchsorted(owner, np.arange(topics + 1))
    local = np.empty(len(pairs), np.int64)
    local[order] = np.arange(len(pairs)) - first[owner[order]] + 1
    return local[inverse], first, document[order], level[example][order]
