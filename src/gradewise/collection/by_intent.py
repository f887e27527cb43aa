"""Lists split by intent: the same hits under the judgments of each intent."""

from dataclasses import replace

import numpy as np

from gradewise.arrays import rows_of_lists
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.levels import to_levels
from gradewise.collection.pool import Pool
from gradewise.errors import OptionError


def split_by_intent(judged: Judged) -> Judged:
    """Return the lists with an intent in place of each topic.

    List `r * len(intents) + i` is run r on the topic of intent i; its hits are the documents that
    are relevant to the intent, so that it takes no more than there is to score. No document is
    looked up again: hits know their rows in the qrels.
    """
    intents = judged.intents
    if intents is None:
        raise OptionError("the judgments of these lists have no intents")
    runs, topics = len(judged.runs), len(judged.topics)
    levels = to_levels(intents.numbers, judged.scale).astype(np.int32)
    pool = Pool(intents.intent, intents.numbers, levels)
    relevant = levels > 0
    chosen = np.flatnonzero(relevant)
    offsets = np.concatenate([[0], np.cumsum(relevant)])[intents.offsets]
    judgments = chosen[rows_of_lists(offsets, judged.hit_rows)]
    hit = np.arange(len(judged.hit_rows)).repeat(np.diff(offsets)[judged.hit_rows])
    first_list = judged.hits.list // topics * len(intents)
    lists = first_list[hit] + intents.intent[judgments]
    order = np.argsort(lists, kind="stable")  # ranks ascend already
    hit, judgments = hit[order], judgments[order]
    hits = Hits(lists[order], judged.hits.rank[hit], levels[judgments], runs * len(intents))
    names = zip(intents.topic.tolist(), intents.names, strict=True)
    return replace(
        judged,
        counts=pool.counts(judged.scale, topics=len(intents), negative=judged.negative),
        topic=np.tile(np.arange(len(intents)), runs),
        retrieved=judged.retrieved.reshape(runs, topics)[:, intents.topic].ravel(),
        topics=tuple(f"{judged.topics[topic]}/{name}" for topic, name in names),
        hits=hits,
        hit_scores=None,
        unjudged_scores=None,
        pool=pool,
        hit_rows=judgments,
        sessions=None,
    )
