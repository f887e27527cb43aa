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
            rows = np.arange(low, high)
            known = topic[slice(*block)] != _EMPTY
            if not known.all():
                kept = known.repeat(sizes)
                rows, keys = rows[kept], keys[kept]
            return self._find_keys(rows, keys)

        found = np.concatenate(thread_map(search, topic_blocks(run)), axis=1)
        pairs = self._checked(run, found)
        per_list = np.diff(np.searchsorted(pairs[0], run.offsets))
        return pairs[0], pairs[1], np.arange(len(run.topics)).repeat(per_list)

    def _find_keys(self, rows: Ints, keys: Words) -> Ints:
        """Return pairs (row, row of the qrels) that have the same key, in the order of rows."""
        place = self._home(keys)
        found_rows, found_judged = [], []
        while len(rows):
            judged = self.slots[place]
            taken = np.flatnonzero(judged != _EMPTY)
            rows, keys, place = rows[taken], keys[taken], place[taken]
            judged = judged[taken].astype(np.int64)
            same = self.keys[judged] == keys
            good, other = np.flatnonzero(same), np.flatnonzero(~same)
            found_rows.append(rows[good])
            found_judged.append(judged[good])
            rows, keys, place = rows[other], keys[other], self._next(place[other])
        if not found_rows:
            return np.zeros((2, 0), np.int64)
        return _in_row_order(np.concatenate(found_rows), np.concatenate(found_judged))

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
        return _in_row_order(*np.concatenate([pairs[:, same], found], axis=1))

    def _home(self, keys: Words) -> Ints:
        return (keys >> np.uint64(64 - self.bits)).astype(np.int64)

    def _next(self, place: Ints) -> Ints:
        return (place + 1) & (len(self.slots) - 1)


def _in_row_order(rows: Ints, judged: Ints) -> Ints:
    packed = np.sort((rows << 32) | judged)
    return np.stack([packed >> 32, packed & 0xFFFFFFFF])
