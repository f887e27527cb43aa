"""How much of the attention each rank gets, from logs in which ranks were changed on purpose."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from gradewise.arrays import Floats, Ints, quotient
from gradewise.choices import Choice, choose
from gradewise.clicks.examination import Cells
from gradewise.clicks.framed import Framed
from gradewise.clicks.log import ClickLog
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.errors import InputError, check_between, check_least
from gradewise.libraries import pl
from gradewise.stats.intervals import t_quantile
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars

Method = Literal["random", "swap"]
Estimate = Callable[[Floats], Floats]  # of weights of topics, [sample, topic], by rank


@dataclass(frozen=True, eq=False)
class Propensities(Framed):
    """The examination of ranks 1, 2, ... relative to the first; NaN where it cannot be estimated.

    `low` and `high` bound it: t intervals of the logarithm, whose deviation is that over resampled
    topics.
    """

    method: str
    values: Floats
    low: Floats
    high: Floats
    level: float

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: rank, propensity, low, high; ranks without an estimate are left out."""
        known = np.flatnonzero(~np.isnan(self.values))
        columns = {"rank": known + 1, "propensity": self.values[known]}
        return pl.DataFrame({**columns, "low": self.low[known], "high": self.high[known]})


def propensities(
    log: ClicksLike,
    method: Method = "swap",
    *,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Propensities:
    """Estimate how much attention each rank gets, relative to the first, from interventions.

    Parameters
    ----------
    log
        A ClickLog, or anything that `read_clicks` takes.
    method
        "random": all lists were shuffled, so click rates of ranks differ by attention alone.
        "swap": documents were shown at several ranks for the same topic, because of random swaps
        or because rankers took turns. The clicks of the same document at two ranks are compared, as
        Mantel-Haenszel risk ratios of all pairs of ranks, which are combined by weighted least
        squares on their logarithms.
    level
        Confidence level of the intervals.
    replicates, seed
        Number of resampled sets of topics, and random seed.

    Notes
    -----
    Which ranks a document was shown at must not depend on users: chance, or another ranker, may
    decide. Without such rows, fit the position-based model, whose estimate rests on its assumptions
    alone.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"q": {"a": 1, "b": 0}, "r": {"c": 0, "d": 1}}
    >>> run = {"q": {"a": 2, "b": 1}, "r": {"c": 2, "d": 1}}
    >>> log = gw.simulate.clicks(qrels, run, 20000, shuffle="swap", seed=1)
    >>> gw.clicks.propensities(log).values.round(1).tolist()
    [1.0, 0.7]
    """
    chosen = choose("method", method, METHODS)
    check_between(0, 1, level=level)
    check_least(2, replicates=replicates)
    read = read_clicks(log)
    estimate: Estimate = chosen.function(read)
    topics = len(read.topics)
    values = estimate(np.ones((1, topics)))[0]
    if topics < 2:
        nothing = np.full(len(values), np.nan)
        return Propensities(method, values, nothing, nothing, level)
    samples = estimate(topic_weights(topics, replicates=replicates, seed=seed).astype(np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = t_quantile(topics, level) * np.nanstd(np.log(samples), axis=0, ddof=1)
    low, high = values * np.exp(-reach), values * np.exp(reach)
    return Propensities(method, values, low, high, level)


def _random(log: ClickLog) -> Estimate:
    """Return the estimator for shuffled lists: click rates of ranks."""
    width = log.deepest + 1
    key = log.topic[log.list_of_row].astype(np.int64) * width + log.rank
    shape = (len(log.topics), width)
    shown = np.bincount(key, minlength=shape[0] * width).reshape(shape)[:, 1:]
    clicks = np.bincount(key, weights=log.click, minlength=shape[0] * width).reshape(shape)[:, 1:]

    def estimate(weights: Floats) -> Floats:
        rate = quotient(weights @ clicks, weights @ shown)
        return quotient(rate, rate[:, :1])

    return estimate


def _swap(log: ClickLog) -> Estimate:
    """Return the estimator for documents at several ranks: ratios of all pairs of ranks."""
    from scipy import sparse

    width = log.deepest + 1
    topic, one, other, up, down = _compared(log)
    if not len(topic):
        raise InputError(
            "clicks: no document was shown at two ranks for the same topic, so propensities cannot "
            "be estimated from swaps; fit the position-based model instead"
        )
    used, column = np.unique(one * width + other, return_inverse=True)
    shape = (len(log.topics), len(used))
    ups, downs = (sparse.csr_matrix((each, (topic, column)), shape) for each in (up, down))
    first, second = np.divmod(used, width)

    def estimate(weights: Floats) -> Floats:
        tops, bottoms = (np.asarray((each.T @ weights.T).T) for each in (ups, downs))
        found = [_solved(first, second, *pair, width) for pair in zip(tops, bottoms, strict=True)]
        return np.array(found)

    return estimate


def _compared(log: ClickLog) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Return topic, both ranks and both terms of the risk ratio for pairs shown at two ranks."""
    cells = Cells.of(log, log.rank, log.deepest + 1)
    pair = np.arange(len(log.docs)).repeat(np.diff(cells.edges))
    parts = []
    for apart in range(1, log.deepest):
        here = np.flatnonzero(pair[apart:] == pair[:-apart]) if apart < len(pair) else pair[:0]
        if not len(here):
            break
        there = here + apart
        shown = cells.shown[here], cells.shown[there]
        both = (shown[0] + shown[1]).astype(np.float64)
        up = cells.clicked[there] * shown[0] / both
        down = cells.clicked[here] * shown[1] / both
        topic = log.topic_of_pair[pair[here]]
        parts.append((topic, cells.place[here].astype(np.int64), cells.place[there], up, down))
    if not parts:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, nothing, nothing.astype(float), nothing.astype(float)
    topic, one, other, up, down = (np.concatenate(each) for each in zip(*parts, strict=True))
    return topic, one, other, up, down


def _solved(first: Ints, second: Ints, up: Floats, down: Floats, width: int) -> Floats:
    """Return the examination of ranks 1, 2, ... from ratios of pairs of ranks.

    Minimizes Σ w (log e(second) - log e(first) - log up/down)², with w = 1 / (1/up + 1/down).
    """
    good = (up > 0) & (down > 0)
    first, second, up, down = first[good], second[good], up[good], down[good]
    weight = up * down / (up + down)
    laplacian = np.zeros((width, width))
    np.add.at(laplacian, (first, first), weight)
    np.add.at(laplacian, (second, second), weight)
    np.add.at(laplacian, (first, second), -weight)
    np.add.at(laplacian, (second, first), -weight)
    drive = np.zeros(width)
    ratio = weight * np.log(up / down)
    np.add.at(drive, second, ratio)
    np.add.at(drive, first, -ratio)
    known = _connected(first, second, width)
    found = np.full(width, np.nan)
    found[1] = 0.0
    free = np.flatnonzero(known & (np.arange(width) != 1))
    if len(free):
        found[free] = np.linalg.solve(laplacian[np.ix_(free, free)], drive[free])
    return np.exp(found[1:])


def _connected(first: Ints, second: Ints, width: int) -> np.ndarray:
    """Tell which ranks are compared with rank 1, directly or by way of others."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(first)), (first, second)), (width, width))
    _, label = connected_components(graph, directed=False)
    return np.asarray(label == label[1])


METHODS: Final[dict[Method, Choice]] = {
    "random": Choice(_random, "all lists were shuffled"),
    "swap": Choice(_swap, "documents were shown at several ranks"),
}
