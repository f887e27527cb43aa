"""Finding the judged documents among the rows of a run."""

import numpy as np

from gradewise.arrays import Ints, Words, joined
from gradewise.collection.entries import Entries, topic_blocks, topic_salt
from gradewise.parallel import thread_map

_HALF = np.uint64(32)
_MOST = np.uint64((1 << 32) - 1)


class JudgedDocuments:
    """The documents of qrels by topic and id, looked up for all rows of a run at once.

    An open-addressing table over 64-bit keys: NumPy has no hash table, and searching sorted keys
    takes several times as long. A row counts as found only if its bytes are the same, so that
    two ids with the same key cannot be mistaken for each other.
    """

    def __init__(self, qrels: Entries):
        self.qrels = qrels
        keys = qrels.docs.keys ^ topic_salt(np.arange(len(qrels.topics))).repeat(qrels.sizes)
        self.bits = max(8, (4 * len(keys)).bit_length())
        # Half of a key and, in the other half, its row + 1: one look settles most keys.
        self.table: Words = np.zeros(1 << self.bits, np.uint64)
        entries = _tags(keys) | np.arange(1, len(keys) + 1, dtype=np.uint64)
        place = self._home(keys)
        while len(entries):
            free = self.table[place] == 0
            self.table[place[free]] = entries[free]
            left = self.table[place] != entries
            entries, place = entries[left], self._next(place[left])

    def find(self, run: Entries) -> tuple[Ints, Ints, Ints]:
        """Return the run's rows that are judged, their rows in the qrels, and their lists.

        Rows come in the order of the run.
        """
        topic = np.array([self.qrels.topic_index.get(name, -1) for name in run.topics])
        salts = topic_salt(np.maximum(topic, 0))

        def search(block: tuple[int, int]) -> tuple[Ints, Ints]:
            low, high = (int(run.offsets[edge]) for edge in block)
            sizes = run.sizes[slice(*block)]
            keys = run.docs.keys[low:high] ^ salts[slice(*block)].repeat(sizes)
            rows, judged = self._rows_with(keys)
            known = topic[slice(*block)] >= 0
            if not known.all():
                kept = known.repeat(sizes)[rows]
                rows, judged = rows[kept], judged[kept]
            return rows + low, judged

        rows, judged = map(joined, zip(*thread_map(search, topic_blocks(run)), strict=True))
        rows, judged = self._checked(run, rows, judged)
        per_list = np.diff(np.searchsorted(rows, run.offsets))
        return rows, judged, np.arange(len(run.topics)).repeat(per_list)

    def _rows_with(self, keys: Words) -> tuple[Ints, Ints]:
        """Return which keys are in the table, and their rows of the qrels."""
        place, tags = self._home(keys), _tags(keys)
        entries = self.table.take(place, mode="clip")
        numbers = entries ^ tags  # row + 1 where tags are the same, else more than a row can be
        waiting = np.flatnonzero((numbers > _MOST) & (entries != 0))
        place, tags = place[waiting], tags[waiting]
        while len(waiting):
            place = self._next(place)
            entries = self.table.take(place, mode="clip")
            numbers[waiting] = other = entries ^ tags
            left = np.flatnonzero((other > _MOST) & (entries != 0))
            waiting, place, tags = waiting[left], place[left], tags[left]
        numbers -= np.uint64(1)  # of a free place with no tag, 0 becomes the largest
        found = np.flatnonzero(numbers < _MOST)
        return found, numbers[found].view(np.int64)

    def _checked(self, run: Entries, rows: Ints, judged: Ints) -> tuple[Ints, Ints]:
        """Keep the rows whose documents have the same bytes, and mend the others.

        Topics need no check: their salts differ, so one document has different tags in them.
        """
        same = run.docs.equal(rows, self.qrels.docs, judged)
        if same.all():
            return rows, judged
        mended = []
        for row in rows[~same].tolist():  # another document has the key of this one
            topic = run.topics[int(np.searchsorted(run.offsets, row, "right")) - 1]
            candidates = np.arange(len(self.qrels))[self.qrels.rows_of(topic)]
            equal = run.docs.equal(np.full(len(candidates), row), self.qrels.docs, candidates)
            mended += [(row, int(match)) for match in candidates[equal]]
        found = np.array(mended, np.int64).reshape(-1, 2).T
        pairs = np.concatenate([[rows[same], judged[same]], found], axis=1)
        rows, judged = pairs[:, np.argsort(pairs[0])]
        return rows, judged

    def _home(self, keys: Words) -> Ints:
        return (keys >> np.uint64(64 - self.bits)).view(np.int64)

    def _next(self, place: Ints) -> Ints:
        return (place + 1) & (len(self.table) - 1)


def _tags(keys: Words) -> Words:
    """Return the lower half of each key, as the upper half of a word."""
    return keys << _HALF
