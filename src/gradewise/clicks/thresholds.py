"""thresholds: the share of users who draw the line between relevant and not at each grade."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import choose
from gradewise.clicks.climbing import climb
from gradewise.clicks.framed import Framed
from gradewise.clicks.log import UNJUDGED, ClickLog
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.clicks.threshold_users import (
    USERS,
    Sessions,
    UserKind,
    Users,
    group_sessions,
    project,
)
from gradewise.collection.accepted import QrelsLike
from gradewise.collection.reading import read_qrels
from gradewise.errors import InputError, check_between, check_least
from gradewise.libraries import pl
from gradewise.parallel import stream_map
from gradewise.progress import watched
from gradewise.stats.intervals import t_quantile
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, eq=False)
class ThresholdShares(Framed):
    """The share of users who draw the line at each positive grade.

    `g` is what `GAP(g=...)` takes, on the grades of `scale`; `low` and `high` bound it.
    `others` is the probability of clicking a document that is not relevant to the user, relative
    to one that is. For users by position, `examination` holds the probabilities that a document
    that is relevant to the user is clicked at ranks 1, 2, ...: examination times the probability of
    a click, which clicks alone cannot separate. For cascade users, `click`, `stop` and `go_on` are
    the probabilities of clicking an examined document that is relevant to the user, of stopping
    after that, and otherwise of going on.
    `samples[replicate, grade]` are the shares in resampled sets of topics.
    """

    users: Users
    scale: tuple[int, ...]
    g: tuple[float, ...]
    low: Floats
    high: Floats
    level: float
    others: float
    examination: Floats
    click: float
    stop: float
    go_on: float
    log_likelihood: float
    sessions: int
    topics: int
    samples: Floats
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: grade, share, low, high."""
        columns = {"grade": list(self.scale), "share": list(self.g)}
        return pl.DataFrame({**columns, "low": self.low, "high": self.high})

    @property
    def measure(self) -> str:
        """GAP for these users, with shares rounded to three decimals."""
        rounded = np.round(self.g, 3)
        rounded[int(np.argmax(rounded))] += 1 - rounded.sum()
        return f"GAP(g=[{','.join(f'{share:.3f}' for share in rounded)}])"


@watched("samples")
def thresholds(
    qrels: QrelsLike,
    clicks: ClicksLike,
    *,
    users: Users = "position",
    level: float = 0.95,
    replicates: int = 200,
    iterations: int = 3000,
    tolerance: float = 1e-6,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> ThresholdShares:
    """Estimate where users draw the line between relevant and not, from judgments and clicks.

    A user has a threshold: documents of that grade and above are relevant to the user. Which users
    have which threshold is what GAP's `g` says; here it is estimated by EM from the documents that
    users clicked, where neither the user's threshold nor the examined ranks are observed.

    Parameters
    ----------
    qrels
        Graded judgments, or anything that `read_qrels` takes.
    clicks
        A ClickLog, or anything that `read_clicks` takes; its topics and documents are those of the
        judgments.
    users
        "position": users examine rank r with probability θ_r and click an examined document with
        probability a if it is relevant to them, and b if not; unjudged documents are left out.
        "cascade": users go down the list, click likewise, stop with some probability after
        clicking a document that is relevant to them, and otherwise go on with some probability;
        unjudged documents count as not relevant.
    level
        Confidence level of the intervals.
    replicates
        Number of resampled sets of topics for the intervals; 0 for none. Topics are resampled, not
        sessions, since sessions with the same list are alike.
    iterations, tolerance
        EM ends when a step changes no parameter by as much as the tolerance; otherwise after this
        many steps, with a warning.
    seed
        The same seed gives the same intervals.
    progress
        Called with 1 after each resampled set.

    Notes
    -----
    What clicks identify: the click rate of grade j at rank r is θ_r (b + (a - b) G(j)), with G(j)
    the share of thresholds up to j. Rates alone leave b and g mixed; the clicks of a session
    together separate them, since one threshold lies behind them all. g and b/a are identified if
    sessions show documents of several grades. θ and a are identified as their product only, except
    for cascade users, who all examine the first document. If no document of a grade was shown, the
    thresholds at it and at the next grade cannot be separated, and a note says so.

    Examples
    --------
    >>> import gradewise as gw
    >>> made = gw.simulate.collection(topics=20, runs=1, depth=10, grades=2, relevant=10.0, seed=1)
    >>> run = made.runs["run1"]
    >>> log = gw.simulate.clicks(made.qrels, run, 20000, g=[0.7, 0.3], seed=1)
    >>> found = gw.clicks.thresholds(made.qrels, log, replicates=0)
    >>> [round(share, 1) for share in found.g]
    [0.7, 0.3]
    >>> gw.GAP(g=found.g)
    GAP(g=[0.7...,0.2...])
    """
    kind = choose("users", users, USERS)
    check_between(0, 1, level=level)
    check_least(0, replicates=replicates)
    check_least(1, iterations=iterations)
    judged, log = read_qrels(qrels), read_clicks(clicks)
    levels, notes = _levels_of_rows(log, log.levels(judged), kind)
    scale = judged.scale
    if not len(scale):
        raise InputError("qrels: no document has a positive grade, so there are no thresholds")
    sessions = group_sessions(log, levels, len(scale))
    if not len(sessions.times):
        raise InputError(
            "clicks: no session shows a judged document; do its topics and ids match the judgments?"
        )
    notes = (*log.notes, *judged.notes, *notes, *_unseen_grades(sessions, scale))
    ends = _end(kind, sessions, sessions.times, kind.start(sessions), iterations, tolerance)
    at, likelihood, converged = ends
    if not converged:
        warnings.warn(
            f"thresholds did not converge in {iterations} steps; allow more iterations",
            stacklevel=3,
        )
    samples = _resampled(kind, sessions, at, replicates, seed, iterations, tolerance, progress)
    topics = len(np.unique(sessions.topic))
    low, high = _interval(at[: len(scale)], samples, topics, level)
    return _result(users, scale, at, (low, high), level, likelihood, sessions, samples, notes)


def _levels_of_rows(log: ClickLog, level: Ints, kind: UserKind) -> tuple[Ints, tuple[str, ...]]:
    """Return the level of each row, as users of a kind see unjudged documents, and notes."""
    rows = level[log.pair]
    unjudged = rows == UNJUDGED
    if not unjudged.any():
        return rows, ()
    share = f"{100 * unjudged.mean():.1f}% of the rows show unjudged documents"
    taken = "left out" if kind.unjudged == UNJUDGED else "counted as not relevant"
    return np.where(unjudged, kind.unjudged, rows), (f"{share}, which are {taken}",)


def _unseen_grades(sessions: Sessions, scale: Ints) -> tuple[str, ...]:
    """Say which thresholds cannot be told apart."""
    shown = np.bincount(sessions.level, minlength=len(scale) + 1)[1:]
    return tuple(
        f"no document of grade {scale[i]} was shown; the shares of thresholds {scale[i]} and "
        f"{scale[i + 1]} are not identified, only their sum is"
        if i + 1 < len(scale)
        else f"no document of grade {scale[i]} was shown; the share of threshold {scale[i]} is "
        "that of users for whom nothing they saw was relevant"
        for i in np.flatnonzero(shown == 0).tolist()
    )


def _end(
    kind: UserKind,
    sessions: Sessions,
    weight: Floats,
    start: Floats,
    iterations: int,
    tolerance: float,
) -> tuple[Floats, float, bool]:
    return climb(
        lambda at: kind.step(sessions, weight, at),
        lambda found: project(found, sessions.levels),
        start,
        tolerance=tolerance,
        iterations=iterations,
    )


def _resampled(
    kind: UserKind,
    sessions: Sessions,
    at: Floats,
    replicates: int,
    seed: int,
    iterations: int,
    tolerance: float,
    progress: Callable[[int], None] | None,
) -> Floats:
    """Return the shares in resampled sets of topics, [replicate, threshold]; none of one topic."""
    topics, place = np.unique(sessions.topic, return_inverse=True)
    if len(topics) < 2 or not replicates:
        return np.zeros((0, sessions.levels))
    weights = topic_weights(len(topics), replicates=replicates, seed=seed)

    def sample(weight: Ints) -> Floats:
        times = sessions.times * weight[place]
        return _end(kind, sessions, times, at, iterations, 10 * tolerance)[0][: sessions.levels]

    found = []
    for shares in stream_map(sample, list(weights)):
        found.append(shares)
        if progress is not None:
            progress(1)
    return np.array(found)


def _interval(g: Floats, samples: Floats, topics: int, level: float) -> tuple[Floats, Floats]:
    """Return g ± t · (standard deviation over resampled topics), within 0 and 1."""
    if len(samples) < 2:
        return np.full(len(g), np.nan), np.full(len(g), np.nan)
    half = t_quantile(topics, level) * samples.std(axis=0, ddof=1)
    return np.maximum(g - half, 0.0), np.minimum(g + half, 1.0)


def _result(
    users: Users,
    scale: Ints,
    at: Floats,
    bounds: tuple[Floats, Floats],
    level: float,
    likelihood: float,
    sessions: Sessions,
    samples: Floats,
    notes: tuple[str, ...],
) -> ThresholdShares:
    c = len(scale)
    rest = at[c:]
    by_position = users == "position"
    click, others, stop, go_on = (np.nan, rest[0], np.nan, np.nan) if by_position else rest
    shown = np.bincount(sessions.rank) > 0
    seen = np.where(shown[1:], rest[2:], np.nan) if by_position else np.zeros(0)
    return ThresholdShares(
        users,
        tuple(scale.tolist()),
        tuple(at[:c].tolist()),
        *bounds,
        level,
        float(others if by_position else others / click),
        seen,
        float(click),
        float(stop),
        float(go_on),
        likelihood,
        int(sessions.times.sum()),
        len(np.unique(sessions.topic)),
        samples,
        notes,
    )
