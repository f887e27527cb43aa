"""The random experiments whose expected outcomes are AP, GAP, xGAP and eGAP.

Each picks a document that is relevant to a user, at rank n, then one of the ranks m <= n, and asks
whether a user finds the document there relevant too. They differ in the users. Thresholds and
documents are levels from 1 to c, where level i is relevant to users with a threshold k <= i.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.choices import Choice
from gradewise.collection.judged import Judged
from gradewise.errors import MeasureError, check_between, check_least
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.measures.thresholds import probabilities
from gradewise.meta.one_list import check_one_list
from gradewise.showing import Shown

_POINTS = 60  # numbers of draws at which the mean is kept


@dataclass(frozen=True, eq=False)
class Experiment(Shown):
    """The mean outcome of random experiments as they are repeated.

    `means[m, i]` is the mean of the first `draws[i]` outcomes for measure m, with the interval
    `low` to `high`; `exact[m]` is the value of the measure, to which it converges.
    """

    measures: tuple[str, ...]
    draws: Ints
    means: Floats
    low: Floats
    high: Floats
    exact: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure, draws, mean, low, high, exact."""
        exact = np.broadcast_to(self.exact[:, None], self.means.shape)
        return long_frame(
            {"measure": self.measures, "draws": self.draws},
            {"mean": self.means, "low": self.low, "high": self.high, "exact": exact},
        )


def experiment(
    judged: Judged,
    measures: MeasureLike | Sequence[MeasureLike] = ("GAP", "xGAP", "eGAP"),
    *,
    draws: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Experiment:
    """Repeat the random experiment that defines a measure, and watch its mean converge.

    Parameters
    ----------
    judged
        A single list: from `gw.judge_list`, or chosen with `judged.list_of(run, topic)`.
    measures
        AP, GAP, xGAP or eGAP, without a cutoff.
    draws
        How often each experiment is repeated.
    level
        Confidence level of the intervals (Wilson) around the mean at each number of draws.
    seed
        Random seed; each measure gets its own stream.

    Notes
    -----
    A document that is relevant to a user is picked; if it was not retrieved, the outcome is 0.
    Otherwise a rank at or above its own is picked, and the outcome is 1 if the document there is
    relevant to a user too (Robertson et al. 2010, §3.1; Ferrante et al. 2014, §3-5).

    - AP: all users agree, and each relevant document is equally likely.
    - GAP: a document and a user are drawn until the document is relevant to the user, who also
      judges the second one.
    - xGAP: a user is drawn, then one of the documents relevant to that user. The second document is
      judged by another user, drawn from those to whom the first one is relevant.
    - eGAP: as xGAP, but the same user judges both documents.

    Examples
    --------
    >>> import gradewise as gw
    >>> judged = gw.judge_list([1, 0, 2], relevant={1: 2, 2: 1})
    >>> found = gw.meta.experiment(judged, "eGAP", draws=20_000, seed=1)
    >>> found.exact.round(3).item(), found.means[0, -1].round(2).item()
    (0.444, 0.44)
    """
    parsed = as_measures(measures)
    check_one_list(judged)
    check_least(1, draws=draws)
    check_between(0, 1, level=level)
    points = np.unique(np.geomspace(1, draws, _POINTS).round().astype(np.int64))
    streams = np.random.default_rng(seed).spawn(len(parsed))
    sums = np.array(
        [
            np.cumsum(_repeat(measure, judged, draws, rng))[points - 1]
            for measure, rng in zip(parsed, streams, strict=True)
        ]
    )
    return Experiment(
        tuple(map(str, parsed)),
        points,
        sums / points,
        *_wilson(sums, points, level),
        np.array([measure.values(judged)[0] for measure in parsed]),
    )


@dataclass(frozen=True)
class _Topic:
    """A list and its topic: the level at each rank, and the ranks of each level's documents.

    `documents[i]` holds a rank for each document of level i + 1, and 0 if it was not retrieved.
    """

    levels: Ints
    documents: list[Ints]
    g: Floats

    @staticmethod
    def of(measure: Measure, judged: Judged) -> "_Topic":
        hits, number = judged.relevant_hits, len(judged.scale)
        levels = np.zeros(int(judged.retrieved[0]) + 1, np.int64)  # rank 0 is no document
        levels[hits.rank] = hits.level
        documents = []
        for level in range(1, number + 1):
            found = hits.rank[hits.level == level]
            missed = max(int(judged.counts[0, level]) - len(found), 0)
            documents.append(np.concatenate([found, np.zeros(missed, np.int64)]))
        if hasattr(measure, "g"):
            g = probabilities(measure.g, judged.scale, str(measure))
        else:
            g = np.zeros(number)
            line = judged.first_level(getattr(measure, "rel", 1))
            g[line - 1 : line] = 1.0
        return _Topic(levels, documents, g)

    @property
    def counts(self) -> Ints:
        """R(1)..R(c)."""
        return np.array([len(ranks) for ranks in self.documents])

    def draw_thresholds(self, draws: int, rng: np.random.Generator) -> Ints:
        """Draw users: their thresholds, from 1, by g; c + 1 if no document could be relevant."""
        if not self.g.sum():
            return np.full(draws, len(self.g) + 1)
        return 1 + rng.choice(len(self.g), draws, p=self.g / self.g.sum())

    def draw_documents(self, least: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Draw a document of at least a level, for each; return its level and rank, or 0 and 0."""
        ranks = np.concatenate([*self.documents, np.zeros(1, np.int64)])
        levels = np.append(np.arange(1, len(self.g) + 1).repeat(self.counts), 0)
        begins = np.append(np.cumsum(self.counts) - self.counts, len(ranks) - 1)
        first, last = begins[least - 1], len(ranks) - 1
        some = first < last
        place = np.where(some, rng.integers(np.minimum(first, last - some), last + ~some), last)
        return levels[place], ranks[place]

    def agree(self, ranks: Ints, thresholds: Ints, rng: np.random.Generator) -> Bools:
        """Pick a rank at or above each; tell whether the document there reaches the threshold."""
        picked = rng.integers(1, np.maximum(ranks, 1), endpoint=True)
        return np.asarray((ranks > 0) & (self.levels[picked] >= thresholds))


def _one_user(topic: _Topic, draws: int, rng: np.random.Generator) -> Bools:
    """Run AP's experiment, which is eGAP's with one threshold, and eGAP's."""
    thresholds = topic.draw_thresholds(draws, rng)
    _, ranks = topic.draw_documents(thresholds, rng)
    return topic.agree(ranks, thresholds, rng)


def _two_users(topic: _Topic, draws: int, rng: np.random.Generator) -> Bools:
    """Run xGAP's experiment."""
    levels, ranks = topic.draw_documents(topic.draw_thresholds(draws, rng), rng)
    return topic.agree(ranks, _accepting_users(topic, levels, rng), rng)


def _document_and_user(topic: _Topic, draws: int, rng: np.random.Generator) -> Bools:
    """Run GAP's experiment: among all pairs of document and user, those that fit."""
    pairs = topic.counts * np.cumsum(topic.g)
    if not pairs.sum():
        return np.zeros(draws, np.bool_)
    levels = 1 + rng.choice(len(pairs), draws, p=pairs / pairs.sum())
    begins = np.cumsum(topic.counts) - topic.counts
    place = begins[levels - 1] + rng.integers(0, topic.counts[levels - 1])
    ranks = np.concatenate(topic.documents)[place]
    return topic.agree(ranks, _accepting_users(topic, levels, rng), rng)


def _accepting_users(topic: _Topic, levels: Ints, rng: np.random.Generator) -> Ints:
    """Draw users to whom documents of these levels are relevant: thresholds k <= level, by g."""
    line = np.concatenate([[0.0], np.cumsum(topic.g)])
    share = rng.random(len(levels)) * line[levels]
    return np.searchsorted(line, share, side="right")


EXPERIMENTS = {
    "AP": Choice(_one_user, "one threshold for all users"),
    "GAP": Choice(_document_and_user, "a document and a user together"),
    "xGAP": Choice(_two_users, "a user, a document, and another user"),
    "eGAP": Choice(_one_user, "a user, then a document"),
}


def _repeat(measure: Measure, judged: Judged, draws: int, rng: np.random.Generator) -> Bools:
    """Return the outcomes of a measure's experiment."""
    if measure.name not in EXPERIMENTS or measure.cutoff is not None or measure.judged_only:
        raise MeasureError(
            f"{measure} has no random experiment; choose {', '.join(EXPERIMENTS)}, without a cutoff"
        )
    run: Callable[..., Bools] = EXPERIMENTS[measure.name].function
    return run(_Topic.of(measure, judged), draws, rng)


def _wilson(sums: Ints, number: Ints, level: float) -> tuple[Floats, Floats]:
    """Return the Wilson interval of a proportion."""
    from scipy.special import ndtri

    z2 = float(ndtri((1 + level) / 2)) ** 2
    middle = (sums + z2 / 2) / (number + z2)
    share = sums / number
    half = np.sqrt(z2 * (number * share * (1 - share) + z2 / 4)) / (number + z2)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
