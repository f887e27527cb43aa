"""Circularity: whether a judge favors runs that were made with it.

A judge who is generous, or who spreads runs wider apart, changes all runs. What is left when that
is taken out is favor: the means of runs under the judge are regressed on those under the reference,
over the runs of all other families, and a family's favor is how far its runs lie above that line on
average. Every family is left out in turn, so that the favor of one can be compared with what
families get that have nothing to do with the judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_between, counted, did_you_mean
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.values import judged_values
from gradewise.showing import Shown
from gradewise.stats.percentiles import percentile_interval
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars as pl

_LEAST = 3  # runs that a line needs, with one to spare


@dataclass(frozen=True, eq=False)
class Circularity(Shown):
    """How much a judge favors each family of runs, by measure.

    `favor[measure, judge, family]`, `low`, `high` and `p` follow `measures`, `judges`, `families`.
    """

    reference: str
    level: float
    measures: tuple[Measure, ...]
    judges: tuple[str, ...]
    families: tuple[str, ...]
    sizes: Ints
    favor: Floats
    low: Floats
    high: Floats
    p: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each measure, judge and family.

        Columns: measure, judge, family, runs, favor (mean of the judge's values above what the
        other families' line predicts), low, high (over resampled topics and runs) and p (the share
        of random families of the same size with a favor as far from 0).
        """
        rows: list[tuple[Any, ...]] = [
            (
                str(measure),
                judge,
                family,
                int(self.sizes[f]),
                *[float(each[m, j, f]) for each in (self.favor, self.low, self.high, self.p)],
            )
            for m, measure in enumerate(self.measures)
            for j, judge in enumerate(self.judges)
            for f, family in enumerate(self.families)
        ]
        return frame_of(rows, "measure judge family runs favor low high p")


def circularity(
    panel: Panel,
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    families: Mapping[str, str],
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Circularity:
    """Test whether judges favor families of runs, beyond generosity and spread.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`; favor is relative to the reference.
    judged
        Runs, joined by `Panel.join`.
    measures
        Measures whose summary is a mean over topics.
    families
        {run: family}, such as the model that the runs were made with; two families or more. Runs
        that are not named are families of their own.
    level, replicates, seed
        Confidence level, number of bootstrap samples and of random families, and random seed.

    Notes
    -----
    Intervals come from resampling topics, and runs within the family and among the others. The
    interval of a family of one run does not know how much single runs vary; p does, since random
    families are made of the runs at hand.

    Examples
    --------
    The second judge considers whatever run "own" retrieves relevant:

    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=6, depth=40, seed=2)
    >>> runs, people = dict(sample.runs), sample.qrels.to_dict()
    >>> judge = {
    ...     t: {d: 2 if d in runs["run1"].ranking(t)[:5] else g for d, g in docs.items()}
    ...     for t, docs in people.items()
    ... }
    >>> panel = gw.meta.judges({"people": people, "judge": judge})
    >>> found = gw.meta.circularity(
    ...     panel, panel.join(runs), "nDCG@5", families={"run1": "own"}, replicates=200
    ... )
    >>> row = found.frame.filter(family="own").row(0, named=True)
    >>> row["low"] > 0.05, row["p"] < 0.2
    (True, True)
    """
    check_between(0, 1, level=level)
    for run in families:
        if run not in judged.runs:
            raise OptionError(f"families: there is no run {run!r}{did_you_mean(run, judged.runs)}")
    values = judged_values(panel, judged, measures)
    labels = [families.get(run, run) for run in judged.runs]
    names = tuple(dict.fromkeys(labels))
    member = np.array([[label == name for label in labels] for name in names])
    _check_sizes(names, member)
    judges = [panel.place_of(name) for name in panel.others]
    first = values.values[panel.place_of(panel.reference)]  # run, topic, measure
    shape = (len(values.measures), len(judges), len(names))
    found = np.zeros((4, *shape))
    rng = np.random.default_rng(seed)
    weights = topic_weights(len(values.topics), replicates=replicates, seed=seed)
    samples = [_draw_runs(rng, mine, replicates) for mine in member]
    shuffled = rng.permuted(np.tile(np.arange(len(labels)), (replicates, 1)), axis=1)
    for m in range(shape[0]):
        x = first[:, :, m]
        for j, place in enumerate(judges):
            y = values.values[place, :, :, m]
            found[:, m, j] = _study(x, y, member, weights, samples, shuffled, level)
    return Circularity(
        panel.reference,
        level,
        values.measures,
        tuple(panel.others),
        names,
        member.sum(axis=1),
        *found,
    )


def _check_sizes(names: tuple[str, ...], member: Bools) -> None:
    if len(names) < 2:
        raise OptionError("all runs belong to one family; favor needs others to compare with")
    for name, mine in zip(names, member, strict=True):
        if (~mine).sum() < _LEAST:
            others = counted(int((~mine).sum()), "run")
            raise OptionError(
                f"without family {name} there {'is' if others[0] == '1' else 'are'} {others}; "
                f"the line needs at least {_LEAST}"
            )


def _draw_runs(rng: np.random.Generator, mine: Bools, replicates: int) -> Ints:
    """Return how often each run is drawn, within its family and among the others."""
    counts = np.zeros((replicates, len(mine)), np.int64)
    for part in (np.flatnonzero(mine), np.flatnonzero(~mine)):
        even = np.full(len(part), 1 / len(part))
        counts[:, part] = rng.multinomial(len(part), even, size=replicates)
    return counts


def _study(
    x: Floats,
    y: Floats,
    member: Bools,
    weights: Ints,
    samples: list[Ints],
    shuffled: Ints,
    level: float,
) -> Floats:
    """Return favor, low, high and p of every family, from values [run, topic]."""
    means = x.mean(axis=1), y.mean(axis=1)
    share = weights / weights.shape[1]
    drawn = share @ x.T, share @ y.T  # replicate, run
    found = np.zeros((4, len(member)))
    ones = np.ones((1, x.shape[0]))
    for f, mine in enumerate(member):
        favor = float(_favor(means[0][None], means[1][None], mine[None], ones)[0])
        sampled = _favor(*drawn, np.broadcast_to(mine, drawn[0].shape), samples[f])
        low, high = percentile_interval(sampled, level)
        chance = _favor(
            np.broadcast_to(means[0], shuffled.shape),
            np.broadcast_to(means[1], shuffled.shape),
            mine[shuffled],
            np.ones(shuffled.shape),
        )
        extreme = np.abs(chance) >= abs(favor) - 1e-12
        p = (int(extreme.sum()) + 1) / (len(chance) + 1)
        found[:, f] = favor, float(low), float(high), p
    return found


def _favor(x: Floats, y: Floats, mine: Bools, times: Floats | Ints) -> Floats:
    """Return how far runs of a family lie above the line of the others; rows are samples."""
    inside, outside = np.where(mine, times, 0), np.where(mine, 0, times)
    number = outside.sum(axis=1)
    center_x, center_y = ((outside * each).sum(axis=1) / number for each in (x, y))
    away = x - center_x[:, None]
    square = (outside * away**2).sum(axis=1)
    together = (outside * away * (y - center_y[:, None])).sum(axis=1)
    slope = np.divide(together, square, out=np.zeros(len(square)), where=square > 1e-18)
    above = y - (center_y[:, None] + slope[:, None] * away)
    return np.asarray((inside * above).sum(axis=1) / inside.sum(axis=1))
