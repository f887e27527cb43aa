"""A click log: which documents were shown to users at which ranks, and which they clicked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, offsets_of, rows_of_lists
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels
from gradewise.errors import OptionError, check_between, counted
from gradewise.kernels import ids, lookup
from gradewise.libraries import pl

if TYPE_CHECKING:
    import polars

UNJUDGED = -1  # the level of a document that the judgments do not have


@dataclass(frozen=True, eq=False, repr=False)
class ClickLog:
    """Lists that were shown to users, as flat arrays.

    Rows `offsets[l]:offsets[l + 1]` are list l, by rank: what session `sessions[l]` was shown for
    topic `topics[topic[l]]`. Each row has the `pair` that was shown, its `rank` and whether it was
    clicked. A pair is a document of a topic; pairs `edges[t]:edges[t + 1]` belong to `topics[t]`,
    and `docs` are their documents. In a log of interleaved lists, `team` is the one of `teams` that
    put the document there.

    Examples
    --------
    >>> import gradewise as gw
    >>> rows = [("s1", "q", "a", 1, 0), ("s1", "q", "b", 2, 1), ("s2", "q", "b", 1, 1)]
    >>> log = gw.clicks.read_clicks(rows)
    >>> log
    ClickLog(2 sessions, 1 topic, 2 documents, 3 rows, 2 clicks)
    >>> log.rank.tolist(), log.click.tolist()
    ([1, 2, 1], [0, 1, 1])
    """

    topics: tuple[str, ...]
    docs: Ids
    edges: Ints
    sessions: Ids
    offsets: Ints
    topic: NDArray[np.int32]
    pair: NDArray[np.int32]
    rank: NDArray[np.int32]
    click: NDArray[np.uint8]
    teams: tuple[str, ...] = ()
    team: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    notes: tuple[str, ...] = ()  # what was assumed when it was read

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        sizes = (
            counted(len(self), "session"),
            counted(len(self.topics), "topic"),
            counted(len(self.docs), "document"),
            counted(len(self.rank), "row"),
            counted(int(self.click.sum()), "click"),
        )
        return f"ClickLog({', '.join(sizes)})"

    @cached_property
    def deepest(self) -> int:
        """The largest rank."""
        return int(self.rank.max(initial=0))

    @cached_property
    def list_of_row(self) -> Ints:
        """The list of each row."""
        return np.arange(len(self)).repeat(np.diff(self.offsets))

    @cached_property
    def topic_of_pair(self) -> Ints:
        """The topic of each pair."""
        return np.arange(len(self.topics)).repeat(np.diff(self.edges))

    @cached_property
    def lists_of_topic(self) -> Ints:
        """How many lists each topic has."""
        return np.bincount(self.topic, minlength=len(self.topics))

    @cached_property
    def shown(self) -> Ints:
        """How often each pair was shown."""
        return np.bincount(self.pair, minlength=len(self.docs))

    @cached_property
    def clicked(self) -> Ints:
        """How often each pair was clicked."""
        return np.bincount(self.pair[self.click > 0], minlength=len(self.docs))

    def pairs_of(self, topics: Sequence[str], docs: Ids, edges: Ints) -> Ints:
        """Return the pair of each document of topics, -1 where the log has no such pair.

        Documents `edges[t]:edges[t + 1]` belong to `topics[t]`.
        """
        return find_pairs((self.topics, self.docs, self.edges), (topics, docs, edges))

    def levels(self, qrels: Qrels) -> Ints:
        """Return the level of each pair under judgments; UNJUDGED where they do not have it."""
        qrels.prepare()
        known = (qrels.topics, qrels.docs, qrels.offsets)
        row = find_pairs(known, (self.topics, self.docs, self.edges))
        return np.append(np.maximum(qrels.levels, 0), UNJUDGED)[row]

    def take(self, lists: Ints) -> "ClickLog":
        """Return some lists; topics and pairs keep their places."""
        rows = rows_of_lists(self.offsets, lists)
        return replace(
            self,
            sessions=self.sessions.take(lists),
            offsets=offsets_of(np.diff(self.offsets)[lists]),
            topic=self.topic[lists],
            pair=self.pair[rows],
            rank=self.rank[rows],
            click=self.click[rows],
            team=self.team[rows] if self.teams else self.team,
        )

    def split(self, share: float = 0.2, *, seed: int = 0) -> tuple["ClickLog", "ClickLog"]:
        """Return two logs: a random share of the sessions is held out, in the second.

        Examples
        --------
        >>> import gradewise as gw
        >>> log = gw.simulate.clicks({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}, 10)
        >>> training, held_out = log.split(0.2, seed=1)
        >>> len(training), len(held_out)
        (8, 2)
        """
        check_between(0, 1, share=share)
        if len(self) < 2:
            raise OptionError("a log with a single session cannot be split")
        order = np.random.default_rng(seed).permutation(len(self))
        held_out = min(max(1, round(share * len(self))), len(self) - 1)
        return self.take(np.sort(order[held_out:])), self.take(np.sort(order[:held_out]))

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: session, topic, doc, rank, click, and team if the lists were interleaved."""
        columns = {
            "session": pl.Series(self.sessions.to_list()).gather(self.list_of_row),
            "topic": pl.Series(list(self.topics)).gather(self.topic[self.list_of_row]),
            "doc": pl.Series(self.docs.to_list()).gather(self.pair),
            "rank": self.rank,
            "click": self.click,
        }
        if self.teams:
            columns["team"] = pl.Series(list(self.teams)).gather(self.team)
        return pl.DataFrame(columns)

    def rates(self) -> "polars.DataFrame":
        """Return how often each rank was shown and clicked: rank, shown, clicks, rate."""
        shown = np.bincount(self.rank, minlength=self.deepest + 1)
        clicks = np.bincount(self.rank[self.click > 0], minlength=self.deepest + 1)
        ranks = np.flatnonzero(shown)
        rate: Floats = clicks[ranks] / shown[ranks]
        columns = {"rank": ranks, "shown": shown[ranks], "clicks": clicks[ranks], "rate": rate}
        return pl.DataFrame(columns)


Pairs = tuple[Sequence[str], Ids, Ints]


def find_pairs(known: Pairs, asked: Pairs) -> Ints:
    """Return where each of the asked documents of topics stands among known ones, or -1."""
    numbering = ids.Numbering()
    names = Ids.from_strings(known[0])
    numbering.add(names.data, names.offsets)
    table = lookup.Lookup(known[1].data, known[1].offsets, np.asarray(known[2], np.int64))
    wanted = Ids.from_strings(asked[0])
    number = numbering.find(wanted.data, wanted.offsets)
    return table.find(number.repeat(np.diff(asked[2])), asked[1].data, asked[1].offsets)
