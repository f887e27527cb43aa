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
            judged = self._rows_with(run.docs.keys[low:high] ^ salts[slice(*block)].repeat(sizes))
            known = topic[slice(*block)] != _EMPTY
            if not known.all():
                judged[~known.repeat(sizes)] = _EMPTY
            found = np.flatnonzero(judged != _EMPTY)
            return np.stack([found + low, judged[found]])

        found = np.concatenate(thread_map(search, topic_blocks(run)), axis=1)
        pairs = self._checked(run, found)
        per_list = np.diff(np.searchsorted(pairs[0], run.offsets))
        return pairs[0], pairs[1], np.arange(len(run.topics)).repeat(per_list)

    def _rows_with(self, keys: Words) -> Ints:
        """Return the row of the qrels that has each key, _EMPTY if none has."""
        place = self._home(keys)
        found: Ints = self.slots[place]  # of all keys at once: most are settled here
        waiting = np.flatnonzero((self.keys[found] != keys) & (found != _EMPTY))
        keys, place = keys[waiting], place[waiting]
        while len(waiting):
            place = self._next(place)
            found[waiting] = judged = self.slots[place]
            left = np.flatnonzero((self.keys[judged] != keys) & (judged != _EMPTY))
            waiting, keys, place = waiting[left], keys[left], place[left]
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
