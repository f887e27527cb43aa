"""A fitted click model: what it says of ranks and documents, and how well it predicts clicks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.clicks.fitting import Fitted
from gradewise.clicks.log import ClickLog, find_pairs
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels
from gradewise.errors import OptionError, check_least, counted
from gradewise.libraries import pl

if TYPE_CHECKING:
    import polars

    from gradewise.meta.judging.soft_labels import SoftLabels

FLOOR = 1e-6  # chances of clicks are at least so far from 0 and 1 when they are tested


@dataclass(frozen=True, eq=False)
class Prediction:
    """How well a model predicts the clicks of a log.

    `log_likelihood` is the mean over sessions of the log-probability of all clicks, given those
    above; `perplexity` the mean over ranks of 2^(-mean log2 P(click or no click)), where P does not
    know the clicks above: 1 is perfect, and 2 is a coin flip. `by_rank` has rank, rows and
    perplexity.
    """

    log_likelihood: float
    perplexity: float
    by_rank: "polars.DataFrame"


@dataclass(frozen=True, eq=False, repr=False)
class ClickModel:
    """A click model that `fit` has estimated.

    `appeal` and `satisfaction` have a value for each pair of topic and document of `log`;
    `relevance` is the probability that a user who examines the document clicks and is satisfied,
    which is the appeal if the model has no satisfaction.
    """

    name: str
    title: str
    log: ClickLog
    fitted: Fitted
    chances: Callable[..., tuple[Floats, Floats]]
    satisfies: bool

    def __repr__(self) -> str:
        topics, docs = counted(len(self.log.topics), "topic"), counted(len(self.appeal), "document")
        return f"ClickModel({self.title}, {topics}, {docs})"

    @property
    def converged(self) -> bool:
        """Whether EM met its tolerance."""
        return self.fitted.converged

    @property
    def iterations(self) -> int:
        """How many iterations it took."""
        return self.fitted.steps

    @property
    def appeal(self) -> Floats:
        """The probability that each pair is clicked when it is examined."""
        return self.fitted.appeal

    @property
    def satisfaction(self) -> Floats:
        """The probability that each pair satisfies once clicked; 1 if it is not modeled."""
        found = self.fitted.satisfaction
        return found if self.name == "bayesian" else np.ones(len(self.appeal))

    @property
    def go_on(self) -> float:
        """The probability of going on from an unsatisfying document (dynamic Bayesian model)."""
        return self.fitted.go_on

    @property
    def relevance(self) -> Floats:
        """The probability that each pair satisfies a user who examines it."""
        return self.appeal * self.satisfaction

    @property
    def examination(self) -> Floats:
        """The examination of ranks 1, 2, ... relative to the first (position-based model)."""
        if self.name != "position":
            raise OptionError(f"the {self.title} has no examination by rank; fit 'position'")
        return self.fitted.seen[1:, 0]

    @property
    def browsing(self) -> Floats:
        """The examination of rank r after a last click at rank l, [r, l] (user browsing model)."""
        if self.name != "browsing":
            raise OptionError(f"the {self.title} has no browsing table; fit 'browsing'")
        return self.fitted.seen

    def test(self, log: ClicksLike) -> Prediction:
        """Return how well the model predicts the clicks of other sessions.

        Documents that the model has not seen get the mean appeal of those that it has.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}
        >>> log = gw.simulate.clicks(qrels, run, 4000, shuffle="swap", seed=1)
        >>> training, held_out = log.split(0.5, seed=1)
        >>> round(gw.clicks.fit(training).test(held_out).perplexity, 1)
        1.4
        """
        read = read_clicks(log)
        alone, given = self._chances_of(read)
        happened = read.click > 0
        logs = np.log(np.where(happened, given, 1 - given))
        of_lists = np.bincount(read.list_of_row, weights=logs, minlength=len(read))
        bits = np.log2(np.where(happened, alone, 1 - alone))
        rows = np.bincount(read.rank, minlength=read.deepest + 1)
        total = np.bincount(read.rank, weights=bits, minlength=read.deepest + 1)
        ranks = np.flatnonzero(rows)
        perplexity = 2 ** (-total[ranks] / rows[ranks])
        columns = {"rank": ranks, "rows": rows[ranks], "perplexity": perplexity}
        return Prediction(float(of_lists.mean()), float(perplexity.mean()), pl.DataFrame(columns))

    def _chances_of(self, log: ClickLog) -> tuple[Floats, Floats]:
        known = (self.log.topics, self.log.docs, self.log.edges)
        place = find_pairs(known, (log.topics, log.docs, log.edges))[log.pair]
        appeal = _or_mean(self.appeal, place, self.log.shown)
        if self.satisfies:
            satisfaction = _or_mean(self.fitted.satisfaction, place, self.log.clicked)
            found = self.chances(self.fitted, log, appeal, satisfaction)
        else:
            found = self.chances(self.fitted, log, appeal)
        alone, given = (np.clip(each, FLOOR, 1 - FLOOR) for each in found)
        return alone, given

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: topic, doc, shown, clicks, relevance, and what it is made of."""
        log = self.log
        columns = {
            "topic": pl.Series(list(log.topics)).gather(log.topic_of_pair),
            "doc": log.docs.to_list(),
            "shown": log.shown,
            "clicks": log.clicked,
            "relevance": self.relevance,
        }
        if self.name == "bayesian":
            columns |= {"appeal": self.appeal, "satisfaction": self.satisfaction}
        return pl.DataFrame(columns)

    def qrels(self, grades: int | Sequence[float] = 4, *, min_shown: int = 1) -> Qrels:
        """Return grades derived from the relevance, for evaluation and training.

        Parameters
        ----------
        grades
            The number of positive grades: documents that were clicked are split by relevance into
            this many parts of about equal size, and documents that never were get grade 0. Or the
            ascending edges of the grades: 0 below the first, then 1, and so on.
        min_shown
            Documents that were shown fewer times are left out, and so count as unjudged.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels, run = {"q": {"a": 2, "b": 0}}, {"q": {"b": 2, "a": 1}}
        >>> log = gw.simulate.clicks(qrels, run, 4000, shuffle="swap", seed=1)
        >>> gw.clicks.fit(log).qrels([0.1, 0.5]).to_dict()
        {'q': {'b': 0, 'a': 2}}
        """
        check_least(1, min_shown=min_shown)
        kept = np.flatnonzero(self.log.shown >= min_shown)
        if not len(kept):
            raise OptionError(f"no document was shown {min_shown} times or more")
        values, clicked = self.relevance[kept], self.log.clicked[kept] > 0
        if isinstance(grades, int):
            check_least(1, grades=grades)
            shares = np.arange(1, grades) / grades
            found = values[clicked] if clicked.any() else np.zeros(1)
            level = 1 + np.searchsorted(np.quantile(found, shares), values, "right")
            level = np.where(clicked, level, 0)
        else:
            edges = np.asarray(grades, np.float64)
            if not len(edges) or (np.diff(edges) <= 0).any():
                raise OptionError(f"edges of grades must be ascending numbers, not {list(grades)}")
            level = np.searchsorted(edges, values, "right")
        return _as_qrels(self.log, kept, level)

    def relevance_of(self, topics: Sequence[str], docs: Sequence[str]) -> Floats:
        """Return the relevance of documents, given the topic and the document of each row.

        It is NaN where the log has no such document: for labels of rows of features.

        Examples
        --------
        >>> import gradewise as gw
        >>> log = gw.clicks.read_clicks([("s", "q", "a", 1, 1), ("s", "q", "b", 2, 0)])
        >>> gw.clicks.fit(log, "cascade").relevance_of(["q", "q"], ["a", "x"]).round(2).tolist()
        [0.67, nan]
        """
        if len(topics) != len(docs):
            raise OptionError(f"there are {len(topics)} topics but {len(docs)} documents")
        each = np.arange(len(docs) + 1, dtype=np.int64)
        place = self.log.pairs_of(list(map(str, topics)), Ids.from_strings(map(str, docs)), each)
        return np.append(self.relevance, np.nan)[place]

    def soft_labels(self, *, min_shown: int = 1) -> "SoftLabels":
        """Return the relevance as uncertain binary labels, for `gw.meta.soft_scores`.

        Parameters
        ----------
        min_shown
            Documents that were shown fewer times are left out.
        """
        from gradewise.clicks.soft import soft_labels

        check_least(1, min_shown=min_shown)
        return soft_labels(self.log, self.relevance, np.flatnonzero(self.log.shown >= min_shown))


def _or_mean(values: Floats, place: Ints, weight: Ints) -> Floats:
    """Return values of places, and the mean where there is no place."""
    mean = float((values * weight).sum() / max(int(weight.sum()), 1))
    return np.append(values, mean)[place]


def _as_qrels(log: ClickLog, kept: Ints, grades: Ints) -> Qrels:
    """Return grades of some pairs as judgments."""
    sizes = np.bincount(log.topic_of_pair[kept], minlength=len(log.topics))
    there = np.flatnonzero(sizes)
    names = tuple(log.topics[topic] for topic in there.tolist())
    return Qrels(names, offsets_of(sizes[there]), log.docs.take(kept), grades.astype(np.float64))
