"""Rows sorted by topic and run, as they stream by: scored as soon as topics are whole.

Memory holds some thousand rows, or the longest list. A row without a run is a judgment and comes
ahead of the lists of its topic; a row without a topic says what there is in the whole collection,
and comes ahead of a bucket.
"""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.ids import Ids
from gradewise.errors import GradewiseError, InputError
from gradewise.kernels import ids
from gradewise.scale.arrays import pa, to_arrow, to_floats, to_ids
from gradewise.scale.bucket import CELLS, Bucket, Collection, score_bucket, split_judgments
from gradewise.scale.columns import DOC, NUMBER, ORDER, RUN, TOPIC
from gradewise.scale.judgments import read_judgments
from gradewise.scale.lists import ids_are_blank, single_list
from gradewise.scale.outcome import problem_table
from gradewise.scale.settings import Settings

_NO_JUDGMENTS = pa.table({TOPIC: pa.array([], pa.string())})
CHUNK = 1 << 17  # rows that wait at most, but for those of the longest list


def header(runs: Sequence[str], grades: Sequence[int]) -> str:
    """Return what the first row of a bucket holds in place of a document."""
    return json.dumps({"runs": sorted(runs), "grades": sorted(grades)})


def score_stream(
    batches: Iterable[Any], settings: Settings, whole: Collection | None, where: str = ""
) -> Iterator[Any]:
    """Give wide tables for batches whose rows are sorted by topic and run, nulls first.

    `whole` is what there is in the collection, unless rows without a topic say it.
    """
    stream = _Stream(settings, whole, where)
    for batch in batches:
        for part in _at_headers(batch):
            if part.num_rows and part[TOPIC].null_count:
                yield from stream.flush()
                stream.whole = _read_header(part[DOC][0].as_py())
            else:
                yield from stream.add(part)
    yield from stream.flush()


def _at_headers(batch: Any) -> Iterator[Any]:
    """Cut a batch so that headers stand alone."""
    if not batch.num_rows or not batch[TOPIC].null_count:
        yield batch
        return
    places = np.flatnonzero(batch[TOPIC].is_null().to_numpy(zero_copy_only=False)).tolist()
    before = 0
    for place in places:
        yield batch.slice(before, place - before)
        yield batch.slice(place, 1)
        before = place + 1
    yield batch.slice(before)


def _read_header(text: str) -> Collection:
    found = json.loads(text)
    grades = {int(grade) for grade in found["grades"] if float(grade).is_integer()}
    return Collection(tuple(found["runs"]), np.array(sorted(grades), np.int64))


class _Stream:
    """Rows that wait until their list, or their topic, is whole."""

    def __init__(self, settings: Settings, whole: Collection | None, where: str):
        self.settings, self.whole, self.where = settings, whole, where
        self.open = _OpenList()
        self.closed: list[Any] = []  # whole lists, in pieces
        self.rows = 0  # in `closed`
        self.long: _LongTopic | None = None  # a topic that does not fit into a chunk

    def add(self, batch: Any) -> Iterator[Any]:
        """Take rows; give what has become whole."""
        if not batch.num_rows:
            return
        heads = _heads(batch)
        if self.open.key == _key_of(batch):
            heads = heads[1:]
        if len(heads):
            first, last = int(heads[0]), int(heads[-1])
            self.open.add(batch.slice(0, first))
            yield from self._close()
            self._wait(batch.slice(first, last - first))
            batch = batch.slice(last)
            self.open = _OpenList(_key_of(batch))
        self.open.add(batch)
        if self.rows >= CHUNK:
            yield from self._score_waiting()

    def flush(self) -> Iterator[Any]:
        """Give all that is left; the bucket ends here."""
        yield from self._close()
        self.open = _OpenList()
        yield from self._score_waiting()
        yield from self._end_long()

    def _wait(self, piece: Any) -> None:
        self.closed.append(piece)
        self.rows += piece.num_rows

    def _close(self) -> Iterator[Any]:
        """End the open list."""
        if self.open.slim:
            yield from self._score_waiting(begin_long=True)
            self._long_topic().add_list(self.open)
            return
        for piece in self.open.pieces:
            self._wait(piece)

    def _score_waiting(self, *, begin_long: bool = False) -> Iterator[Any]:
        """Score the topics that are whole; join the lists of the last one if it is long."""
        table, heads = _joined(self.closed)
        self.closed, self.rows = [], 0
        if self.long is not None:
            mine = heads[1] if len(heads) > 1 else table.num_rows
            mine = mine if len(heads) and table[TOPIC][0].as_py() == self.long.topic else 0
            self.long.add(table.slice(0, mine))
            table, heads = table.slice(mine), heads[heads >= mine] - mine
            if table.num_rows or self.open.topic != self.long.topic:
                yield from self._end_long()
        last = int(heads[-1]) if len(heads) else 0
        if len(heads) and table[TOPIC][last].as_py() != self.open.topic:
            last = table.num_rows
        yield from self._score_topics(table.slice(0, last), heads[heads < last])
        rest = table.slice(last)
        if rest.num_rows >= CHUNK or (begin_long and rest.num_rows):
            self._long_topic().add(rest)
        elif rest.num_rows:
            self._wait_table(rest)

    def _wait_table(self, table: Any) -> None:
        for batch in table.to_batches():
            self._wait(batch)

    def _long_topic(self) -> "_LongTopic":
        """Return the topic of the open list, of which rows are not kept any more."""
        if self.long is None:
            assert self.open.topic is not None
            self.long = _LongTopic(self.open.topic, self._known, self.settings, self.where)
        return self.long

    def _end_long(self) -> Iterator[Any]:
        if self.long is not None:
            yield self.long.finish()
        self.long = None

    def _score_topics(self, table: Any, heads: Ints) -> Iterator[Any]:
        """Score whole topics, some at a time."""
        if not len(heads):
            return
        step = max(1, CELLS // max(len(self._known.runs), 1))
        borders = [*heads[::step].tolist(), table.num_rows]
        for low, high in itertools.pairwise(borders):
            judgments, rows = split_judgments(table.slice(low, high - low))
            yield score_bucket(judgments, rows, self._known, self.settings, self.where)

    @property
    def _known(self) -> Collection:
        if self.whole is None:
            raise GradewiseError(f"{self.where}rows came without the runs of the collection")
        return self.whole


class _OpenList:
    """The last list so far, in pieces; a long one is kept without its topic and run."""

    def __init__(self, key: tuple[str | None, str | None] = (None, None)):
        self.key = key
        self.pieces: list[Any] = []
        self.rows = 0
        self.slim = False

    @property
    def topic(self) -> str | None:
        """The topic of the list."""
        return self.key[0]

    def add(self, piece: Any) -> None:
        """Take more rows of the list."""
        self.pieces.append(_slim(piece) if self.slim else piece)
        self.rows += piece.num_rows
        if self.rows >= CHUNK and not self.slim and self.key[1] is not None:
            self.slim, self.pieces = True, [_slim(each) for each in self.pieces]

    @property
    def is_clean(self) -> bool:
        """Whether every row of a slim list has a document and a score."""
        return not any(
            ids_are_blank(to_ids(piece[DOC], DOC))
            or not np.isfinite(to_floats(piece[NUMBER], NUMBER)).all()
            for piece in self.pieces
        )

    def columns(self) -> tuple[Ids, Floats]:
        """Return the documents and scores of a slim list; forget the rows."""
        docs = [to_ids(piece[DOC], DOC) for piece in self.pieces]
        scores = [to_floats(piece[NUMBER], NUMBER) for piece in self.pieces]
        self.pieces = []
        joined = Ids.concatenate(docs)
        del docs  # one column after the other, so that none is held twice for long
        return joined, np.concatenate(scores)

    def taken(self) -> Any:
        """Return the rows, with what was left out as what takes no room; forget them."""
        table = pa.Table.from_batches(self.pieces)
        self.pieces = []
        table = table.combine_chunks()
        for name, value in zip((TOPIC, RUN), self.key, strict=True):
            places = pa.array(np.zeros(table.num_rows, np.int8))
            labels = pa.DictionaryArray.from_arrays(places, pa.array([value], pa.string()))
            table = table.append_column(name, labels)
        return table


class _LongTopic:
    """A topic whose lists are joined as they come, so that only hits are kept."""

    def __init__(self, topic: str, whole: Collection, settings: Settings, where: str):
        self.topic, self.whole, self.settings, self.where = topic, whole, settings, where
        self.bucket: Bucket | None = None
        self.problem: Any = None

    def add(self, table: Any) -> None:
        """Take whole lists; the judgments, if there are any, come with the first."""
        if table.num_rows:
            judgments, rows = split_judgments(table)
            self._take(judgments, rows)

    def add_list(self, open_list: _OpenList) -> None:
        """Take a single long list, in little more memory than its rows need."""
        topic, run = open_list.key
        if topic is None or run is None or self.settings.ties == "input" or not open_list.is_clean:
            self._take(_NO_JUDGMENTS, open_list.taken())  # which says what is wrong
            return
        docs, scores = open_list.columns()
        self._guard(lambda each: each.join(single_list(topic, run, docs, scores, each.names)))

    def finish(self) -> Any:
        """Return what was found."""
        if self.problem is not None:
            return self.problem
        self._take(_NO_JUDGMENTS, None)
        assert self.bucket is not None
        return self.bucket.finish()

    def _take(self, judgments: Any, rows: Any) -> None:
        def take(bucket: Bucket) -> None:
            if rows is not None and rows.num_rows:
                bucket.add(rows)

        self._guard(take, judgments)

    def _guard(self, take: Callable[[Bucket], None], judgments: Any = _NO_JUDGMENTS) -> None:
        """Let the bucket take lists; what is wrong with them is kept, or raised."""
        if self.problem is not None:
            return
        try:
            if self.bucket is None:
                qrels = read_judgments(judgments, self.whole.scale, self.where)
                self.bucket = Bucket(qrels, self.whole, self.settings, self.where)
            take(self.bucket)
        except InputError as error:
            if self.settings.strict:
                raise
            self.problem = problem_table(error, self.settings)


def _heads(batch: Any) -> Ints:
    """Return where lists begin."""
    topics, runs = to_ids(batch[TOPIC], TOPIC), to_ids(batch[RUN], RUN)
    return np.union1d(
        ids.find_changes(topics.data, topics.offsets), ids.find_changes(runs.data, runs.offsets)
    )


def _joined(pieces: list[Any]) -> tuple[Any, Ints]:
    """Return pieces as a table, and where its topics begin."""
    if not pieces:
        return pa.table({TOPIC: pa.array([], pa.string())}), np.zeros(0, np.int64)
    table = pa.Table.from_batches(pieces)
    topics = to_ids(table[TOPIC], TOPIC)
    return table, ids.find_changes(topics.data, topics.offsets)


def _slim(piece: Any) -> Any:
    """Return a copy of what differs between the rows of a list; batches keep all their columns."""
    columns = {DOC: to_arrow(to_ids(piece[DOC], DOC))}
    for name in (NUMBER, ORDER):
        if name in piece.schema.names:
            columns[name] = pa.array(to_floats(piece[name], name).copy())
    return pa.RecordBatch.from_pydict(columns)


def _key_of(batch: Any) -> tuple[str | None, str | None]:
    return batch[TOPIC][0].as_py(), batch[RUN][0].as_py()
