"""Finding the judged documents among the rows of a run."""

import numpy as np

from gradewise.arrays import Ints, Words
from gradewise.collection.entries import Entries, topic_blocks, topic_salt
from gradewise.parallel import thread_map

_EMPTY = -1


class JudgedDocuments:
    """The documents of qrels by topic and id, looked up for all rows of a run at once.

    An open-addressing table over 64-bit keys: NumPy has no hash table, and searching sorted keys
    takes several times as long. A row counts as found only if its bytes are the same, so that
    two ids with the same key cannot be mistaken for each other.
    """

    def __init__(self, qrels: Entries):
        self.qrels = qrels
        self.keys = qrels.docs.keys ^ topic_salt(np.arange(len(qrels.topics))).repeat(qrels.sizes)
        self.bits = max(8, (4 * len(self.keys)).bit_length())
        self.slots = np.full(1 << self.bits, _EMPTY, np.int32)
        waiting = np.arange(len(self.keys), dtype=np.int32)
        place = self._home(self.keys)
        while len(waiting):
            free = self.slots[place] == _EMPTY
            self.slots[place[free]] = waiting[free]
            left = self.slots[place] != waiting
            waiting, place = waiting[left], self._next(place[left])

    def find(self, run: Entries) -> tuple[Ints, Ints, Ints]:
        """Return the run's rows that are judged, their rows in the qrels, and their lists.

        Rows come in the order of the run.
        """
        topic = np.array([self.qrels.topic_index.get(name, _EMPTY) for name in run.topics])
        salts = topic_salt(np.maximum(topic, 0))

        def search(block: tuple[int, int]) -> Ints:
            low, high = (int(run.offsets[edge]) for edge in block)
            sizes = run.sizes[slice(*block)]
            keys = run.docs.keys[low:high] ^ salts[slice(*block)].repeat(sizes)
            known = topic[slice(*block)] != _EMPTY
            asked = np.arange(high - low) if known.all() else np.flatnonzero(known.repeat(sizes))
            judged = self._rows_with_keys(keys, asked)
            found = np.flatnonzero(judged != _EMPTY)
            return np.stack([found + low, judged[found]])

        found = np.concatenate(thread_map(search, topic_blocks(run)), axis=1)
        pairs = self._checked(run, found)
        per_list = np.diff(np.searchsorted(pairs[0], run.offsets))
        return pairs[0], pairs[1], np.arange(len(run.topics)).repeat(per_list)

    def _rows_with_keys(self, keys: Words, asked: Ints) -> Ints:
        """Return the row of the qrels that has each of the keys asked for, _EMPTY if none has."""
        found = np.full(len(keys), _EMPTY, np.int32)
        keys = keys[asked]
        place = self._home(keys)
        while len(asked):
            judged = self.slots[place]
            taken = np.flatnonzero(judged != _EMPTY)
            asked, keys, place, judged = asked[taken], keys[taken], place[taken], judged[taken]
            same = self.keys[judged] == keys
            good, other = np.flatnonzero(same), np.flatnonzero(~same)
            found[asked[good]] = judged[good]
            asked, keys, place = asked[other], keys[other], self._next(place[other])
        return found

    def _checked(self, run: Entries, pairs: Ints) -> Ints:
        """Keep the pairs whose documents have the same bytes, and mend the others.

        Topics need no check: their salts differ, so one document has different keys in them.
        """
        same = run.docs.equal(pairs[0], self.qrels.docs, pairs[1])
        if same.all():
            return pairs
        mended = []
        for row in pairs[0, ~same].tolist():  # another document has the key of this one
            topic = run.topics[int(np.searchsorted(run.offsets, row, "right")) - 1]
            judged = np.arange(len(self.qrels))[self.qrels.rows_of(topic)]
            equal = run.docs.equal(np.full(len(judged), row), self.qrels.docs, judged)
            mended += [(row, int(match)) for match in judged[equal]]
        found = np.array(mended, np.int64).reshape(-1, 2).T
        pairs = np.concatenate([pairs[:, same], found], axis=1)
        return pairs[:, np.argsort(pairs[0])]

    def _home(self, keys: Words) -> Ints:
        return (keys >> np.uint64(64 - self.bits)).astype(np.int64)

    def _next(self, place: Ints) -> Ints:
        return (place + 1) & (len(self.slots) - 1)
