"""Intents: what the users of a topic may want, and how a document was graded for each of them.

Qrels that name intents (subtopics, aspects) judge a document once for each. A topic then has
several judgments of one document, which are kept here beside the single grade that measures
without intents use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, rows_of_lists
from gradewise.collection.levels import NEGATIVE
from gradewise.errors import InputError, did_you_mean


@dataclass(frozen=True, eq=False)
class Intents:
    """The grades of judged documents for each intent of their topic.

    Intents `begins[t]:begins[t + 1]` belong to the topic at place t of the report; they are called
    `names` and weigh `weights`. Judgments `offsets[r]:offsets[r + 1]` are those of row r of the
    qrels: `intent[j]` was judged, with the grade `numbers[j]`. `by_id` lists the rows of the qrels
    topic by topic, the greatest document id first.
    """

    begins: Ints
    names: tuple[str, ...]
    weights: Floats
    offsets: Ints
    intent: Ints
    numbers: Floats
    by_id: Ints

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def topic(self) -> Ints:
        """The place of each intent's topic."""
        return np.arange(len(self.begins) - 1).repeat(np.diff(self.begins))

    @cached_property
    def row(self) -> Ints:
        """The row of each judgment in the qrels."""
        return np.arange(len(self.offsets) - 1).repeat(np.diff(self.offsets))

    def sums(self, values: Floats) -> Floats:
        """Add up a value for each intent, on the last axis, over each topic."""
        return np.asarray(np.add.reduceat(values, self.begins[:-1], axis=-1), np.float64)

    def where(self, kept: Bools) -> "Intents":
        """Return the judgments of the rows that are kept; all intents stay."""
        judgments = rows_of_lists(self.offsets, np.flatnonzero(kept))
        sizes = np.diff(self.offsets)[kept]
        return replace(
            self,
            offsets=np.concatenate([[0], np.cumsum(sizes)]),
            intent=self.intent[judgments],
            numbers=self.numbers[judgments],
            by_id=(np.cumsum(kept) - 1)[self.by_id[kept[self.by_id]]],
        )

    def without(self, lost: Bools) -> "Intents":
        """Return the same judgments with a negative grade for the rows that are lost."""
        return replace(self, numbers=np.where(lost[self.row], float(NEGATIVE), self.numbers))

    def of_topics(self, places: Ints, rows: Ints) -> "Intents":
        """Return the intents of some topics, by their places, and the judgments of their rows."""
        own = rows_of_lists(self.begins, places)
        judgments = rows_of_lists(self.offsets, rows)
        place = np.zeros(len(self.names), np.int64)
        place[own] = np.arange(len(own))
        row = np.full(len(self.offsets) - 1, -1)
        row[rows] = np.arange(len(rows))
        by_id = row[self.by_id]
        sizes = np.diff(self.begins)[places]
        return replace(
            self,
            begins=np.concatenate([[0], np.cumsum(sizes)]),
            names=tuple(self.names[index] for index in own.tolist()),
            weights=self.weights[own],
            offsets=np.concatenate([[0], np.cumsum(np.diff(self.offsets)[rows])]),
            intent=place[self.intent[judgments]],
            numbers=self.numbers[judgments],
            by_id=by_id[by_id >= 0],
        )

    def weighted(
        self, topics: tuple[str, ...], weights: Mapping[str, Mapping[str, float]]
    ) -> "Intents":
        """Return the same intents with given weights; topics are those of the report, in order.

        Intents without a relevant document count for nothing: they need no weight, and weights of
        intents that nobody judged are passed over.
        """
        found = self.weights.copy()
        relevant = np.bincount(self.intent[self.numbers > 0], minlength=len(self)) > 0
        for topic, given in weights.items():
            if topic not in topics:
                raise InputError(
                    f"weights: there is no topic {topic!r}{did_you_mean(topic, topics)}"
                )
            _check_weights(topic, given)
            own = slice(*self.begins[topics.index(topic) :][:2].tolist())
            names = self.names[own]
            needed = [name for name, some in zip(names, relevant[own], strict=True) if some]
            if not given.keys() >= set(needed):
                raise InputError(
                    f"weights[{topic!r}]: expected the intents {', '.join(needed)}, "
                    f"found {', '.join(map(str, given))}"
                )
            found[own] = [given.get(name, 0.0) for name in names]
        return replace(self, weights=found)


def _check_weights(topic: str, given: Mapping[str, float]) -> None:
    weights = np.array(list(given.values()), np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise InputError(
            f"weights[{topic!r}]: weights must be 0 or more, and not all 0; "
            f"found {', '.join(map(str, given.values()))}"
        )
