"""Residual collections: documents that were judged in an earlier round are taken out.

TREC-COVID scored its rounds 2 to 5 so. A system may have seen the earlier judgments, and must gain
nothing from it: the documents leave its lists, where those below move up, and the judgments.
"""

from dataclasses import dataclass, replace

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.ids import Ids
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.errors import InputError, OptionError
from gradewise.kernels import joining

_ANY_DEPTH = 2**62


@dataclass(frozen=True, eq=False)
class Residual:
    """Judgments without the documents of an earlier round, ready to be joined with runs.

    `qrels` holds both, so that the join finds the documents to be removed; `seen` tells which.
    """

    qrels: Qrels
    seen: Bools

    def remove(self, judged: Judged, depth: int | None) -> Judged:
        """Take the documents that were judged before out of lists, and cut what is left."""
        kept = judged.without(self.seen)
        return kept if depth is None else kept.cut(depth)


def make_residual(qrels: Qrels, earlier: Qrels) -> Residual:
    """Tell apart what is judged anew and what was judged before, for the topics of the qrels.

    A topic of which nothing is judged anew is left out.
    """
    if qrels.preferences is not None or qrels.intents is not None:
        raise OptionError(
            "documents judged earlier can only be removed from graded judgments, not from "
            "preferences or judgments by intent"
        )
    new = np.ones(len(qrels), np.bool_)
    new[_rows_found(qrels, earlier)] = False
    if not new.any():
        raise InputError("all judged documents had been judged earlier; nothing is left to score")
    kept = np.flatnonzero(new)
    topic = np.arange(len(qrels.topics)).repeat(qrels.sizes)[kept]
    known = np.unique(topic)
    before, owner = _rows_of_topics(earlier, [qrels.topics[index] for index in known.tolist()])
    place = np.concatenate([np.searchsorted(known, topic), owner])
    order = np.argsort(place, kind="stable")
    docs = Ids.concatenate([qrels.docs.take(kept), earlier.docs.take(before)])
    numbers = np.concatenate([qrels.numbers[kept], np.zeros(len(before))])
    offsets = np.searchsorted(place[order], np.arange(len(known) + 1))
    topics = tuple(qrels.topics[index] for index in known.tolist())
    both = Qrels(
        topics,
        offsets.astype(np.int64),
        docs.take(order),
        numbers[order],
        assumed=qrels.assumed,
    )
    seen = (np.arange(len(order)) >= len(kept))[order]
    if qrels.sample is not None:
        rows = np.concatenate([kept, np.zeros(len(before), np.int64)])[order]
        both = replace(both, sample=qrels.sample.take(rows))
    return Residual(both, seen)


def _rows_found(qrels: Qrels, earlier: Qrels) -> Ints:
    """Return the rows of judged documents that were judged before, too."""
    topics = Ids.from_strings(earlier.topics)
    found = joining.join_lists(
        qrels.documents,
        earlier.docs.data,
        earlier.docs.offsets,
        earlier.numbers,
        earlier.offsets,
        qrels.topic_numbers.find(topics.data, topics.offsets),
        0,
        np.zeros(0, np.uint64),
        _ANY_DEPTH,
    )
    return np.asarray(found[2], np.int64)


def _rows_of_topics(earlier: Qrels, topics: list[str]) -> tuple[Ints, Ints]:
    """Return the rows that earlier judgments have for some topics, and the topic of each."""
    number = {topic: index for index, topic in enumerate(topics)}
    wanted = np.array([number.get(topic, -1) for topic in earlier.topics], np.int64)
    owner = wanted.repeat(earlier.sizes)
    rows = np.flatnonzero(owner >= 0)
    return rows, owner[rows]
