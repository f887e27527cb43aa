"""Which rank each row of a run has: by score, and by a stated rule where scores are equal."""

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Ints
from gradewise.collection.entries import Entries
from gradewise.collection.ids import Ids
from gradewise.collection.ties import TIES, Ties
from gradewise.kernels import ids, ranking


def ranked_rows(run: Entries, *, ties: Ties = "trec", seed: int = 0) -> Ints:
    """Return all rows, topic by topic, best rank first.

    `ties="trec"` puts the document id that is greater as bytes first, as trec_eval does; "input"
    keeps the order of the input; "random" draws an order of the topic's documents from the seed.
    """
    seeds = list_seeds(Ids.from_strings(run.topics), ties, seed)
    return ranking.order_lists(
        run.docs.data, run.docs.offsets, run.numbers, run.offsets, TIES[ties].code, seeds
    )


def list_seeds(topics: Ids, ties: Ties, seed: int) -> NDArray[np.uint64]:
    """Return a seed for each list, by topic and seed alone: the same for the same run."""
    if ties != "random":
        return np.empty(0, np.uint64)
    return ids.hash_ids(topics.data, topics.offsets, seed % 2**64)
