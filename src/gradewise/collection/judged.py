"""Judged: for each list of each run, the ranks and grades of its judged documents.

A list is what one run retrieved for one topic. Its judged documents are its hits. Hits, how many
documents were retrieved, and how many documents of each grade the topic has: that is all that a
measure needs, and nothing downstream sees a document id.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.intents import Intents
from gradewise.collection.levels import NEGATIVE, count_levels
from gradewise.collection.pool import Negative, Pool
from gradewise.collection.sessions import Sessions
from gradewise.errors import GradewiseError, OptionError, did_you_mean
from gradewise.kernels import running
from gradewise.showing import Shown

if TYPE_CHECKING:
    from gradewise.collection.topics import TopicsLike


@dataclass(frozen=True, eq=False)
class Lists:
    """What a measure may know of lists besides their hits.

    `scale` holds the positive grades, ascending; a document's level is 0 if it is not relevant,
    else the position of its grade in the scale, from 1. `counts[t, i]` says how many documents
    of level i were judged for topic t. List l belongs to topic `topic[l]` and has
    `retrieved[l]` documents.
    """

    scale: Ints
    counts: Ints
    topic: Ints
    retrieved: Ints

    def __len__(self) -> int:
        return len(self.topic)

    @staticmethod
    def of_documents(scale: Ints, levels: Ints, sizes: Ints) -> "Lists":
        """Make a list for each topic that holds all its judged documents.

        `levels` are those of the documents, list after list; list l has `sizes[l]` of them.
        """
        topic = np.arange(len(sizes))
        counts = count_levels(topic.repeat(sizes), levels, topics=len(sizes), scale=scale)
        return Lists(scale, counts, topic, sizes)

    def per_list(self, per_topic: Floats | Ints) -> Floats:
        """Return a value of topics as a value of lists."""
        return np.asarray(per_topic, np.float64)[self.topic]

    @cached_property
    def at_least(self) -> Ints:
        """RB(1)..RB(c) for each topic: how many documents have at least each level."""
        return np.cumsum(self.counts[:, :0:-1], axis=1)[:, ::-1]

    def relevant(self, grade: int = 1) -> Ints:
        """Return how many documents of each topic have at least a grade."""
        return self.counts[:, self.first_level(grade) :].sum(axis=1)

    def first_level(self, grade: int) -> int:
        """Return the lowest level whose grade is at least a grade; c+1 if there is none."""
        return int(np.searchsorted(self.scale, grade)) + 1


@dataclass(frozen=True, eq=False)
class Hits:
    """Judged documents: the list, rank and level of each, ordered by list and rank.

    All hits of a collection are kept in small integers; those that are chosen, in large ones.
    """

    list: NDArray[np.integer]
    rank: NDArray[np.integer]
    level: NDArray[np.integer]
    lists: int

    def where(self, chosen: Bools) -> "Hits":
        """Return the hits that are chosen."""
        index = np.flatnonzero(chosen)  # quicker than three times by yes and no
        list_, rank, level = (
            column[index].astype(np.int64) for column in (self.list, self.rank, self.level)
        )
        return Hits(list_, rank, level, self.lists)

    @cached_property
    def first(self) -> Ints:
        """For each hit, the position of the first hit of its list."""
        return np.searchsorted(self.list, np.arange(self.lists))[self.list]

    def running(self, counted: Bools | None = None) -> Ints:
        """For each hit, how many hits of its list, or counted ones, are at its rank or above."""
        if counted is None:
            return np.arange(1, len(self.list) + 1) - self.first
        total = np.concatenate([[0], np.cumsum(counted)])
        running: Ints = total[1:] - total[self.first]
        return running

    def running_sums(self, values: Floats) -> Floats:
        """For each hit, the sum of a value per hit over the hits of its list down to it."""
        return running.running_sums(np.asarray(self.list, np.int64), values)

    def sums(self, values: Floats | Ints) -> Floats:
        """Add up a value per hit over each list."""
        return np.asarray(np.bincount(self.list, weights=values, minlength=self.lists), np.float64)

    def counts(self, counted: Bools | None = None) -> Ints:
        """Count the hits of each list, or those that are chosen."""
        chosen = self.list if counted is None else self.list[counted]
        return np.bincount(chosen, minlength=self.lists)


@dataclass(frozen=True, eq=False)
class Judged(Shown, Lists):
    """The hits of every list of every run: list `r * len(topics) + t` is run r on topic t.

    A topic that a run misses has an empty list. `negative` says what documents with a grade
    below 0 are: judged and not relevant, or in the pool and not judged (as in trec_eval). `pool`
    contains all judged documents, retrieved or not, and `hit_rows` the row of each hit in it, so
    lists can be scored under other judgments without another join.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    hits: Hits
    extra_topics: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    negative: Negative = "nonrelevant"
    hit_scores: Floats | None = field(default=None, repr=False)
    unjudged_scores: Floats | None = field(default=None, repr=False)
    pool: Pool | None = field(default=None, repr=False)
    hit_rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    notes: tuple[str, ...] = ()  # what was assumed when runs were read
    sessions: Sessions | None = field(default=None, repr=False)  # queries, if lists have several
    _kept: dict[Hashable, Floats] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def of_levels(
        lists: Lists,
        levels: Ints,
        *,
        judged: Bools | None = None,
        runs: Sequence[str] | None = None,
        topics: Sequence[str] | None = None,
        scores: Floats | None = None,
    ) -> "Judged":
        """Make the hits of lists from the levels of their documents.

        Parameters
        ----------
        lists
            The lists; there must be as many for each run as there are topics.
        levels
            The level of each document in rank order, list after list.
        judged
            Which of the documents are judged; all by default.
        runs, topics
            Names; numbers by default.
        scores
            The score of each document.
        """
        owner = np.arange(len(lists)).repeat(lists.retrieved)
        begins = np.cumsum(lists.retrieved) - lists.retrieved
        rank = np.arange(1, len(owner) + 1) - begins.repeat(lists.retrieved)
        hits, unjudged = Hits(owner, rank, levels, len(lists)), None
        if scores is not None:
            seen = True if judged is None else judged
            unjudged = hits.sums(np.where(seen, 0.0, np.abs(scores)))
            scores = scores if judged is None else scores[judged]
        number = len(lists.counts)
        return Judged(
            lists.scale,
            lists.counts,
            lists.topic,
            lists.retrieved,
            runs=tuple(runs or map(str, range(len(lists) // number))),
            topics=tuple(topics or map(str, range(number))),
            hits=hits if judged is None else hits.where(judged),
            hit_scores=scores,
            unjudged_scores=unjudged,
        )

    def keep(self, key: Hashable, make: Callable[[], Floats]) -> Floats:
        """Return what measures derive from the hits alike, made once."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @property
    def intents(self) -> Intents | None:
        """The intents of the judgments, if they name any."""
        return None if self.pool is None else self.pool.intents

    @cached_property
    def by_intent(self) -> "Judged":
        """The lists with their relevant documents once more for each intent, in place of topics."""
        from gradewise.collection.by_intent import split_by_intent

        return split_by_intent(self)

    @property
    def known_pool(self) -> Pool:
        """All judged documents; an error if these lists were not made by `judge`."""
        if self.pool is None:
            raise OptionError(
                "these lists do not include all judged documents of their topics, so their "
                "judgments cannot be changed; make them with gw.judge"
            )
        return self.pool

    @cached_property
    def relevant_hits(self) -> Hits:
        """The hits with a positive grade."""
        return self.hits.where(self.hits.level > 0)

    def hits_of(self, grade: int) -> Hits:
        """Return the hits with at least a grade."""
        hits, least = self.relevant_hits, self.first_level(grade)
        return hits if least <= 1 else hits.where(hits.level >= least)

    @cached_property
    def is_judged(self) -> Bools:
        """Which hits were judged: all, or all but those with a negative grade."""
        if self.negative == "unjudged":
            return self.hits.level > NEGATIVE
        return np.ones(len(self.hits.level), np.bool_)

    def cut(self, depth: int) -> "Judged":
        """Return the same lists with only the first `depth` documents of each."""
        if self.unjudged_scores is not None:
            raise GradewiseError("lists with scores can be cut only when they are joined")
        return self._keep(self.hits.rank <= depth, retrieved=np.minimum(self.retrieved, depth))

    @cached_property
    def condensed(self) -> "Judged":
        """Return the lists without their unjudged documents."""
        kept = self._keep(self.is_judged, retrieved=self.hits.counts(self.is_judged))
        hits = kept.hits
        rank = np.arange(len(hits.rank)) - hits.first + 1
        unjudged = None if self.unjudged_scores is None else np.zeros(len(self))
        sessions = None if self.sessions is None else self.sessions.condensed(hits)
        return replace(
            kept, hits=replace(hits, rank=rank), unjudged_scores=unjudged, sessions=sessions
        )

    def with_grades(self, grades: Ints, *, negative: Negative | None = None) -> "Judged":
        """Return the same lists under other judgments of the same documents.

        Topics and scale stay as they are: thresholds keep their meaning when no document has a
        grade any more.

        Parameters
        ----------
        grades
            The new grade of each judged document, in the order of the qrels: a grade that occurs
            in the judgments, 0, or a negative number.
        negative
            What grades below 0 mean, as in `judge`; the same as before by default.

        Examples
        --------
        >>> import gradewise as gw
        >>> import numpy as np
        >>> judged = gw.judge({"t": {"a": 1, "b": 0}}, {"mine": {"t": {"a": 2.0, "b": 1.0}}})
        >>> gw.score_judged(judged.with_grades(np.array([0, 1])), "AP").summary()
        array([[0.5]])
        """
        pool, rows = self.known_pool, self.hit_rows
        new = pool.with_grades(grades, self.scale)
        rule = self.negative if negative is None else negative
        return replace(
            self,
            hits=replace(self.hits, level=new.level[rows]),
            counts=new.counts(self.scale, topics=len(self.topics), negative=rule),
            pool=new,
            negative=rule,
        )

    def with_judgments(self, kept: Bools) -> "Judged":
        """Return the same lists as if only some documents had been judged.

        A topic stays when none of its judged documents does. `kept` has a value for each judged
        document, in the order of the qrels.
        """
        pool, rows = self.known_pool, self.hit_rows
        new, chosen = pool.where(kept), kept[rows]
        lists = self._keep(chosen, retrieved=self.retrieved)
        unjudged = self.unjudged_scores
        if unjudged is not None and self.hit_scores is not None:
            unjudged = unjudged + self.hits.sums(np.where(chosen, 0.0, np.abs(self.hit_scores)))
        return replace(
            lists,
            pool=new,
            hit_rows=(np.cumsum(kept) - 1)[rows[chosen]],
            counts=new.counts(self.scale, topics=len(self.topics), negative=self.negative),
            unjudged_scores=unjudged,
        )

    def without(self, dropped: Bools) -> "Judged":
        """Return the lists and the judgments without some documents; those below move up.

        `dropped` has a value for each judged document, in the order of the qrels.
        """
        gone = dropped[self.hit_rows]
        lists = self.with_judgments(~dropped)
        rank = (self.hits.rank - self.hits.running(gone))[~gone].astype(np.int64)
        unjudged = self.unjudged_scores
        return replace(
            lists,
            hits=replace(lists.hits, rank=rank),
            retrieved=self.retrieved - self.hits.counts(gone),
            unjudged_scores=unjudged,
        )

    def of_topics(self, topics: "TopicsLike") -> "Judged":
        """Return the lists of some topics; `notes` says how many were kept.

        Parameters
        ----------
        topics
            A file with a topic on each line; ids, as a list or as comma-separated text; a rule
            that counts judged documents, such as "R(2) > 0"; or a regular expression that may match
            anywhere in an id.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels = {"401": {"a": 1}, "402": {"b": 1}, "501": {"c": 1}}
        >>> judged = gw.judge(qrels, {"401": {"a": 1.0}}).of_topics("^4")
        >>> judged.topics, judged.notes
        (('401', '402'), ('kept 2 of 3 topics (^4)',))
        """
        from gradewise.collection.topic_subsets import keep_topics
        from gradewise.collection.topics import describe_choice, select_topics

        kept = select_topics(self.topics, topics, judged=self)
        return replace(keep_topics(self, kept), notes=(*self.notes, describe_choice(topics, kept)))

    def list_of(self, run: str, topic: str) -> "Judged":
        """Return the list of one run for one topic."""
        from gradewise.collection.topic_subsets import keep_topics

        for kind, name, known in (("run", run, self.runs), ("topic", topic, self.topics)):
            if name not in known:
                raise OptionError(f"there is no {kind} {name!r}{did_you_mean(name, known)}")
        lists = keep_topics(self, np.array(self.topics) == topic)
        number = self.runs.index(run)
        chosen = lists._keep(lists.hits.list == number, retrieved=lists.retrieved[[number]])
        unjudged, sessions = lists.unjudged_scores, lists.sessions
        return replace(
            chosen,
            topic=lists.topic[[number]],
            runs=(run,),
            hits=replace(chosen.hits, list=np.zeros_like(chosen.hits.list), lists=1),
            extra_topics=self.extra_topics[:0],
            unjudged_scores=None if unjudged is None else unjudged[[number]],
            sessions=None if sessions is None else sessions.of_lists(np.array([number])),
        )

    @property
    def hit_grades(self) -> Ints:
        """The grade of each hit; -1 for all negative ones if the judged documents are not known."""
        if self.pool is not None:
            return self.pool.grades[self.hit_rows]
        return np.concatenate([[0], self.scale, [-1]])[self.hits.level]

    def _keep(self, chosen: Bools, *, retrieved: Ints) -> "Judged":
        scores = None if self.hit_scores is None else self.hit_scores[chosen]
        rows = self.hit_rows if self.pool is None else self.hit_rows[chosen]
        return replace(
            self,
            hits=self.hits.where(chosen),
            retrieved=retrieved,
            hit_scores=scores,
            hit_rows=rows,
        )
