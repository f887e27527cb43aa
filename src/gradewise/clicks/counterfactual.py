"""What a run would be worth to the users of a log that another ranker has made.

A measure is additive if it is a sum over documents, Σ D(rank) · relevance. The relevance of a
document is the chance of a click when it is examined. A click at rank k of the log then stands for
1/θ_k relevant documents, with θ the examination of ranks.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats
from gradewise.choices import choose
from gradewise.clicks.estimators import METHODS, Method, ratio_of, weigh_evidence
from gradewise.clicks.framed import Framed
from gradewise.clicks.log import ClickLog, find_pairs
from gradewise.clicks.model import ClickModel
from gradewise.clicks.models import fit
from gradewise.clicks.propensities import Propensities
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.collection.accepted import RunsLike
from gradewise.collection.judged import Lists
from gradewise.collection.naming import read_runs
from gradewise.collection.run import Run
from gradewise.errors import InputError, MeasureError, OptionError, check_between, check_least
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.stats.percentiles import percentile_interval
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars

REPLICATES = 2000


@dataclass(frozen=True, eq=False)
class Counterfactual(Framed):
    """Estimates of what runs are worth, by run and measure.

    `values[run, measure]` lies between `low` and `high`; `coverage` is the share of the measure's
    weight that a run gives to documents that the log has shown. `samples[sample, run, measure]` are
    the estimates in resampled sets of topics.
    """

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    method: Method
    level: float
    values: Floats
    low: Floats
    high: Floats
    coverage: Floats
    samples: Floats

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: run, measure, value, low, high, coverage."""
        rows = [
            (run, str(measure), *[float(each[r, m]) for each in self._columns()])
            for r, run in enumerate(self.runs)
            for m, measure in enumerate(self.measures)
        ]
        names = ["run", "measure", "value", "low", "high", "coverage"]
        return pl.DataFrame(rows, schema=names, orient="row")

    def _columns(self) -> tuple[Floats, ...]:
        return self.values, self.low, self.high, self.coverage

    @property
    def pairs(self) -> "polars.DataFrame":
        """A frame: measure, run_a, run_b, difference, low, high; topics are resampled alike."""
        rows = []
        for m, measure in enumerate(self.measures):
            for a, b in combinations(range(len(self.runs)), 2):
                apart = self.samples[:, a, m] - self.samples[:, b, m]
                low, high = percentile_interval(apart, self.level)
                difference = float(self.values[a, m] - self.values[b, m])
                bounds = float(low), float(high)
                rows.append((str(measure), self.runs[a], self.runs[b], difference, *bounds))
        names = ["measure", "run_a", "run_b", "difference", "low", "high"]
        return pl.DataFrame(rows, schema=names, orient="row")


def estimate(
    log: ClicksLike,
    runs: RunsLike,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    method: Method = "dr",
    examination: "ClickModel | Propensities | Iterable[float] | None" = None,
    clip: float | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Counterfactual:
    """Estimate what runs would be worth to the users of a log.

    Parameters
    ----------
    log
        A ClickLog, or anything that `read_clicks` takes.
    runs
        What `evaluate` takes as runs.
    measures
        Additive measures: a sum over documents with a discount by rank that does not depend on
        other documents, such as DCG@10, P@5, RBP(p=0.8) or CG@10. Relevance is the probability of
        a click on an examined document, relative to the first rank.
    method
        "ips": every click counts 1/θ of its rank (inverse propensity scoring; Joachims, Swaminathan
        and Schnabel 2017). "snips": the same, divided by the sum of all 1/θ: the mean worth of a
        relevant document, which does not depend on how many clicks there are (self-normalized).
        "direct": the relevance of a document is its clicks over its examinations, Σ click / Σ θ.
        "dr": the direct estimate, corrected where clicks differ from it, by the inverse of the mean
        examination of a document over the sessions of its topic (doubly robust; Oosterhuis 2023).
        For the last two, relevance is estimated on one half of the sessions and used on the other.
    examination
        θ of ranks 1, 2, ...: numbers, a fitted position-based model, or what `propensities`
        returns. Estimated by the position-based model from all sessions by default.
    clip
        An upper limit on the weight of a click: more bias, less variance. None by default.
    level
        Confidence level of the intervals.
    replicates, seed
        Number of resampled sets of topics, and random seed. The intervals are about topics like
        these, and take θ as known.

    Notes
    -----
    Documents that the log has not shown count as not relevant, as unjudged documents do; `coverage`
    shows how much of a run they make up. Values are means over sessions.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"q": {"a": 1, "b": 0}, "r": {"c": 1, "d": 0}}
    >>> logged = {"q": {"b": 2, "a": 1}, "r": {"d": 2, "c": 1}}
    >>> other = {"q": {"a": 2, "b": 1}, "r": {"c": 2, "d": 1}}
    >>> log = gw.simulate.clicks(qrels, logged, 20000, seed=1)
    >>> theta = [1.0, 0.66]
    >>> found = gw.clicks.estimate(
    ...     log, {"logged": logged, "other": other}, "P@1", method="ips", examination=theta
    ... )
    >>> found.values.round(1).tolist()
    [[0.0], [0.9]]
    """
    chosen = choose("method", method, METHODS)
    check_between(0, 1, level=level)
    check_least(2, replicates=replicates)
    read = read_clicks(log)
    parsed = as_measures(measures)
    for measure in parsed:
        _check_additive(measure)
    named = read_runs(runs)
    theta = _theta_of_rows(examination, read)
    evidence = weigh_evidence(read, theta, clip, seed)
    worths = [[_worth(read, run, measure) for measure in parsed] for run in named.values()]
    parts = [[chosen.function(evidence, worth[0]) for worth in row] for row in worths]
    draws = topic_weights(len(read.topics), replicates=replicates, seed=seed)
    values = np.array([[ratio_of(part, None) for part in row] for row in parts])
    samples = np.moveaxis(
        np.array([[ratio_of(part, draws) for part in row] for row in parts]), -1, 0
    )
    low, high = percentile_interval(samples, level)
    coverage = np.array([[worth[1] for worth in row] for row in worths])
    names = tuple(named)
    return Counterfactual(names, parsed, method, level, values, low, high, coverage, samples)


def _check_additive(measure: Measure) -> None:
    if not (isinstance(measure, GainDiscount) and measure.static):
        raise MeasureError(
            f"{measure} is not additive: what a document adds depends on other documents; use "
            "DCG, CG, P, RBP or SDCG"
        )
    measure.check_cutoff()


def _theta_of_rows(examination: object, log: ClickLog) -> Floats:
    """Return θ of each row."""
    given: object = _fitted(log) if examination is None else examination
    if isinstance(given, ClickModel):
        given = given.examination
    elif isinstance(given, Propensities):
        given = given.values
    theta = np.asarray(given, np.float64)
    if theta.ndim != 1 or len(theta) < log.deepest:
        raise OptionError(
            f"examination needs a number for each of {log.deepest} ranks, not {theta.size}"
        )
    found = theta[log.rank - 1]
    wrong = ~(found > 0)
    if wrong.any():
        rank = int(log.rank[np.argmax(wrong)])
        raise OptionError(f"the examination of rank {rank} must be positive, not {theta[rank - 1]}")
    return found


def _fitted(log: ClickLog) -> ClickModel:
    """Fit the position-based model, unless the log does not tell examination."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fit(log, iterations=500)
    if not model.fitted.identified:
        raise OptionError(
            "no document was shown at two ranks for the same topic, so the examination of ranks "
            "cannot be estimated from the log; set examination"
        )
    return model


def _worth(log: ClickLog, run: Run, measure: Measure) -> tuple[Floats, float]:
    """Return what the relevance of each pair is worth in a run, and how much the log covers."""
    assert isinstance(measure, GainDiscount)
    rows = run.ranked()
    rank = np.arange(1, len(rows) + 1) - run.offsets[:-1].repeat(run.sizes)
    lists = Lists(np.array([1]), np.array([[0, 1]]), np.array([0]), np.array([rank.max(initial=1)]))
    gain = float(measure.gain(lists)[1])
    deepest = int(rank.max(initial=1))
    weights = measure.derivatives(lists, np.zeros(deepest, np.int64)) * gain
    pair = find_pairs(
        (log.topics, log.docs, log.edges), (run.topics, run.docs.take(rows), run.offsets)
    )
    worth = np.zeros(len(log.docs))
    known = pair >= 0
    worth[pair[known]] = weights[rank[known] - 1]
    there = np.isin(np.array(run.topics, object), np.array(log.topics, object))
    counts = there.repeat(run.sizes)
    total = float(weights[rank - 1][counts].sum())
    if not counts.any():
        raise InputError(f"{run.name}: none of its topics are in the log")
    return worth, float(weights[rank - 1][counts & known].sum()) / max(total, 1e-300)
