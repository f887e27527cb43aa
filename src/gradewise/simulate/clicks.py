"""Simulated click logs: users of every click model, and users who differ in their thresholds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, offsets_of
from gradewise.choices import choose
from gradewise.clicks.interleaving import Interleaved
from gradewise.clicks.log import ClickLog, find_pairs
from gradewise.clicks.models import Model
from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.run import Run
from gradewise.errors import InputError, OptionError, check_least
from gradewise.kernels import ids

Shuffle = Literal["none", "random", "swap"]


@dataclass(frozen=True)
class _Habits:
    """What users do; see `clicks`."""

    click: float
    others: float
    decay: float
    stop: float
    go_on: float
    after_click: float
    has_thresholds: bool


def clicks(
    qrels: QrelsLike,
    run: RunLike | Interleaved,
    sessions: int = 1000,
    *,
    model: Model = "position",
    g: Sequence[float] | None = None,
    click: float = 0.9,
    others: float = 0.03,
    decay: float = 0.6,
    stop: float = 0.7,
    go_on: float = 0.9,
    after_click: float = 0.5,
    shuffle: Shuffle = "none",
    depth: int = 10,
    seed: int = 0,
) -> ClickLog:
    """Simulate the clicks of users who are shown a run.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes; unjudged documents are not relevant.
    run
        A run, or anything that `read_run` takes; or interleaved lists, which give a log with teams.
    sessions
        Number of lists that are shown, each for a topic of the run drawn at random.
    model
        Which users: "position" examine rank r with probability r^-decay; "browsing" also look
        closer below a click: with probability (r - l)^-decay + after_click · (1 - that), at most 1,
        if the last click was at l; "bayesian" go down the list, are satisfied by a click with
        probability `stop` times relevance, and otherwise go on with probability `go_on`; "cascade"
        do the same, but stop after each click, and always go on otherwise.
    g
        Shares of users who draw the line at each positive grade: documents at or above a user's
        threshold are relevant to that user. Without it, a document is relevant by degrees:
        its level over the highest.
    click, others
        The probability of clicking an examined document that is fully relevant, or not relevant.
    decay, stop, go_on, after_click
        See `model`. With `g`, cascade and Bayesian users stop after a click on a document that is
        relevant to them, with probability `stop` or, for cascade users, always.
    shuffle
        What is done to the lists before they are shown: "none", "random" order, or "swap": the
        first document trades places, with probability 1/2, with one at a rank drawn at random.
    depth
        Number of documents per list.
    seed
        The same seed gives the same log.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.simulate.clicks({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}, 100, seed=1)
    ClickLog(100 sessions, 1 topic, 2 documents, 200 rows, 9... clicks)
    """
    check_least(1, sessions=sessions, depth=depth)
    examine = choose("model", model, _MODELS)
    order = choose("shuffle", shuffle, _SHUFFLES)
    shares = (click, others, stop, go_on, after_click)
    if not all(0 <= share <= 1 for share in shares):
        raise OptionError("click, others, stop, go_on and after_click must be from 0 to 1")
    if isinstance(run, Interleaved) and shuffle != "none":
        raise OptionError("interleaved lists are shown as they are; leave shuffle out")
    judged = read_qrels(qrels)
    lists = (
        _of_teams(judged, run, depth)
        if isinstance(run, Interleaved)
        else _of_run(judged, read_run(run), depth)
    )
    rng = np.random.default_rng(seed)
    listed = rng.integers(0, len(lists.topic), sessions)
    pair = order(lists.pairs[listed], lists.sizes[listed], rng)
    there = pair >= 0
    level = np.where(there, np.append(lists.level, 0)[pair], 0)
    relevance = _relevance(level, judged, g, rng)
    habits = _Habits(click, others, decay, stop, go_on, after_click, g is not None)
    clicked = examine(relevance, there, habits, rng)
    rank = np.broadcast_to(np.arange(1, pair.shape[1] + 1), pair.shape)
    return ClickLog(
        lists.topics,
        lists.docs,
        lists.edges,
        Ids.from_strings([f"s{number}" for number in range(1, sessions + 1)]),
        offsets_of(there.sum(axis=1)),
        lists.topic[listed].astype(np.int32),
        pair[there].astype(np.int32),
        rank[there].astype(np.int32),
        clicked[there].astype(np.uint8),
        lists.teams,
        lists.team[listed][there].astype(np.int32) if lists.teams else np.zeros(0, np.int32),
    )


@dataclass(frozen=True, eq=False)
class _Lists:
    """Lists to be shown: pairs[list, rank - 1], -1 below the end of a list, and their teams.

    Pairs edges[t]:edges[t + 1] are those of topic t; `level` and `docs` are by pair, `topic` and
    `sizes` by list.
    """

    topics: tuple[str, ...]
    docs: Ids
    edges: Ints
    level: Ints
    topic: Ints
    sizes: Ints
    pairs: Ints
    teams: tuple[str, ...] = ()
    team: Ints = field(default_factory=lambda: np.zeros(0, np.int64))


def _of_run(qrels: Qrels, run: Run, depth: int) -> _Lists:
    """Return the first documents of each topic of a run."""
    if not len(run):
        raise InputError(f"{run.name}: there are no documents to click")
    rows = run.ranked()
    rank = np.arange(len(rows)) - run.offsets[:-1].repeat(run.sizes)
    docs = run.docs.take(rows[rank < depth])
    sizes = np.minimum(run.sizes, depth)
    edges = offsets_of(sizes)
    level = _levels(qrels, run.topics, docs, edges)
    pairs = _table(np.arange(len(docs)), sizes)
    return _Lists(run.topics, docs, edges, level, np.arange(len(sizes)), sizes, pairs)


def _of_teams(qrels: Qrels, made: Interleaved, depth: int) -> _Lists:
    """Return interleaved lists, down to a depth."""
    sizes = np.diff(made.offsets)
    kept = np.arange(len(made.team)) - made.offsets[:-1].repeat(sizes) < depth
    topic = made.topic.repeat(sizes)[kept]
    numbering = ids.Numbering()
    doc = numbering.add(made.docs.data, made.docs.offsets)[kept]
    known, pair = np.unique(topic * len(numbering) + doc, return_inverse=True)
    of_topic, code = np.divmod(known, len(numbering))
    docs = Ids(*numbering.column()).take(code)
    edges = offsets_of(np.bincount(of_topic, minlength=len(made.topics)))
    sizes = np.minimum(sizes, depth)
    return _Lists(
        made.topics,
        docs,
        edges,
        _levels(qrels, made.topics, docs, edges),
        made.topic,
        sizes,
        _table(pair, sizes),
        made.teams,
        _table(made.team[kept], sizes),
    )


def _levels(qrels: Qrels, topics: Sequence[str], docs: Ids, edges: Ints) -> Ints:
    """Return the level of each pair; 0 if it is not judged."""
    row = find_pairs((qrels.topics, qrels.docs, qrels.offsets), (topics, docs, edges))
    return np.maximum(np.append(qrels.levels, 0)[row], 0)


def _table(values: Ints, sizes: Ints) -> Ints:
    """Return the values of lists as a table, with -1 below the end of a list."""
    table = np.full((len(sizes), int(sizes.max(initial=1))), -1, np.int64)
    table[np.arange(table.shape[1]) < sizes[:, None]] = values
    return table


def _relevance(
    level: Ints, qrels: Qrels, g: Sequence[float] | None, rng: np.random.Generator
) -> Floats:
    """Return how relevant each document is to its user, from 0 to 1."""
    levels = max(len(qrels.scale), 1)
    if g is None:
        return level / levels
    shares = np.asarray(g, np.float64)
    if len(shares) != len(qrels.scale) or (shares < 0).any() or abs(shares.sum() - 1) > 1e-6:
        raise OptionError(
            f"g must have {len(qrels.scale)} shares that sum to 1, one for each positive grade, "
            f"not {list(g)}"
        )
    threshold = 1 + np.searchsorted(np.cumsum(shares)[:-1], rng.random(len(level)), "right")
    return (level >= threshold[:, None]).astype(np.float64)


def _appeal(relevance: Floats, habits: _Habits) -> Floats:
    return habits.others + (habits.click - habits.others) * relevance


def _by_position(
    relevance: Floats, there: Bools, habits: _Habits, rng: np.random.Generator
) -> Bools:
    seen = np.arange(1, there.shape[1] + 1) ** -habits.decay
    return (rng.random(there.shape) < seen * _appeal(relevance, habits)) & there


def _by_browsing(
    relevance: Floats, there: Bools, habits: _Habits, rng: np.random.Generator
) -> Bools:
    appeal, clicked = _appeal(relevance, habits), np.zeros(there.shape, np.bool_)
    last = np.zeros(len(there))
    for place in range(there.shape[1]):
        seen = (place + 1 - last) ** -habits.decay
        seen = np.where(last > 0, seen + habits.after_click * (1 - seen), seen)
        clicked[:, place] = (rng.random(len(there)) < seen * appeal[:, place]) & there[:, place]
        last = np.where(clicked[:, place], place + 1.0, last)
    return clicked


def _by_chain(relevance: Floats, there: Bools, habits: _Habits, rng: np.random.Generator) -> Bools:
    """Let users go down the list; a click satisfies with chance `stop` times relevance."""
    appeal, clicked = _appeal(relevance, habits), np.zeros(there.shape, np.bool_)
    here = np.ones(len(there), np.bool_)
    for place in range(there.shape[1]):
        now = here & (rng.random(len(there)) < appeal[:, place]) & there[:, place]
        satisfied = now & (rng.random(len(there)) < habits.stop * relevance[:, place])
        clicked[:, place] = now
        here &= ~satisfied & (rng.random(len(there)) < habits.go_on)
    return clicked


def _by_cascade(
    relevance: Floats, there: Bools, habits: _Habits, rng: np.random.Generator
) -> Bools:
    """Let users go down the list to the first click; those with thresholds, to a relevant one."""
    drawn = (rng.random(there.shape) < _appeal(relevance, habits)) & there
    ends = drawn & (relevance > 0) if habits.has_thresholds else drawn
    above: Ints = np.cumsum(ends, axis=1) - ends
    return drawn & (above == 0)


_MODELS: Final[dict[Model, Callable[..., Bools]]] = {
    "position": _by_position,
    "cascade": _by_cascade,
    "bayesian": _by_chain,
    "browsing": _by_browsing,
}


def _as_they_are(pairs: Ints, sizes: Ints, rng: np.random.Generator) -> Ints:
    return pairs


def _in_random_order(pairs: Ints, sizes: Ints, rng: np.random.Generator) -> Ints:
    key = np.where(pairs >= 0, rng.random(pairs.shape), 2.0)
    return np.take_along_axis(pairs, np.argsort(key, axis=1), axis=1)


def _swapped(pairs: Ints, sizes: Ints, rng: np.random.Generator) -> Ints:
    """Swap the first document with one at a random rank, in half of the lists."""
    found = pairs.copy()
    rows = np.flatnonzero((rng.random(len(pairs)) < 0.5) & (sizes > 1))
    other = 1 + (rng.random(len(rows)) * (sizes[rows] - 1)).astype(np.int64)
    found[rows, 0], found[rows, other] = pairs[rows, other], pairs[rows, 0]
    return found


_SHUFFLES: Final[dict[Shuffle, Callable[..., Ints]]] = {
    "none": _as_they_are,
    "random": _in_random_order,
    "swap": _swapped,
}
