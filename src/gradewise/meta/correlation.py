"""Agreement of measures: rank correlations over runs, and over threshold probabilities."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, product

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.judged import Judged
from gradewise.collection.topics import TopicsLike
from gradewise.errors import OptionError, check_between
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.meta.topics import choose_runs, keep_topics
from gradewise.noise import all_equal
from gradewise.showing import Shown
from gradewise.stats.compare import refuse_geometric
from gradewise.stats.correlations import (
    Correlation,
    correlate,
    rms_difference,
    tau_matrix,
)
from gradewise.stats.resampling import topic_weights

GRADED = ("GAP", "xGAP", "eGAP")
BANDS = (0.8, 0.9)  # of Kendall's τ (Voorhees 2001)
BANDED: tuple[Correlation, ...] = ("tau", "tau_a")


@dataclass(frozen=True, eq=False)
class Agreement(Shown):
    """How measures agree: `tau[a, b]` over runs, its interval over topics, and the RMS difference.

    `means[m, r]` is the mean of measure m for run r over the selected topics.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    kind: Correlation
    means: Floats
    tau: Floats
    low: Floats
    high: Floats
    rms: Floats
    notes: tuple[str, ...]

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure_a, measure_b, tau, low, high, rms, rankings; each pair once.

        `rankings` says what τ is usually taken to mean: "equivalent" from 0.9 on, "different"
        below 0.8 (Voorhees 2001), and "similar" between; other correlations have no such bands.
        """
        a, b = np.triu_indices(len(self.measures), 1)
        if self.kind == "tau_ap":  # not symmetric: the reference is the second one
            a, b = np.nonzero(~np.eye(len(self.measures), dtype=bool))
        return pl.DataFrame(
            {
                "measure_a": [self.measures[index] for index in a],
                "measure_b": [self.measures[index] for index in b],
                "tau": self.tau[a, b],
                "low": self.low[a, b],
                "high": self.high[a, b],
                "rms": self.rms[a, b],
                **({"rankings": name_bands(self.tau[a, b])} if self.kind in BANDED else {}),
            }
        ).fill_nan(None)

    @property
    def scatter(self) -> "pl.DataFrame":
        """A frame with columns run, measure, mean."""
        frame = long_frame({"measure": self.measures, "run": self.runs}, {"mean": self.means})
        return frame.select("run", "measure", "mean")


def name_bands(tau: Floats) -> list[str | None]:
    """Return how rankings with each τ are usually called; None where τ is undefined."""
    names = ("different", "similar", "equivalent")
    return [
        None if np.isnan(each) else names[bisect(BANDS, round(each, 12))] for each in tau.tolist()
    ]


def correlation(
    judged: Judged,
    measures: Sequence[MeasureLike],
    *,
    kind: Correlation = "tau",
    topics: TopicsLike | None = None,
    above: float = 0.0,
    by: MeasureLike = "AP",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the rank correlation between each pair of measures over runs.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measures
        At least two measures.
    kind
        "tau" (Kendall's τ-b), "tau_a", "tau_ap" (the second measure is the reference),
        "spearman" or "pearson" (of the means themselves).
    topics
        The topics to use, as for `evaluate`: a rule such as "R(1) >= 10 * R(2) > 0", a file, ids or
        a regular expression; all by default.
    above, by
        Use only runs at or above this quantile of their means by the measure `by`, over all topics.
    level, replicates, seed
        Confidence level of the intervals, number of bootstrap samples of topics (0: no intervals)
        and random seed. A bootstrap sample has fewer distinct topics, which lowers agreement, so
        an interval tends to lie below its correlation.

    Notes
    -----
    Undefined values count as 0. Means that differ only by rounding errors are tied.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=5, depth=50, seed=1)
    >>> judged = gw.judge(sample.qrels, sample.runs)
    >>> gw.meta.correlation(judged, ["AP", "nDCG"], replicates=0).frame["tau"].to_list()
    [1.0]
    """
    parsed = as_measures(measures) if len(measures) else ()
    if len(parsed) < 2:
        raise OptionError("correlation needs at least 2 measures")
    refuse_geometric(parsed)
    chosen, runs = keep_topics(judged, topics), _good_runs(judged, above, by)
    values = score_judged(judged, parsed).values[runs][:, chosen]
    names = tuple(map(str, parsed))
    means = _means(values)
    tau = _matrix(means, kind)
    low, high = (
        np.where(np.isnan(tau), np.nan, bound)
        for bound in _intervals(values, kind, level, replicates, seed)
    )
    return Agreement(
        names,
        tuple(compress(judged.runs, runs)),
        tuple(compress(judged.topics, chosen)),
        kind,
        means,
        tau,
        low,
        high,
        rms_difference(means[:, None], means[None]),
        constant_notes(names, means),
    )


@dataclass(frozen=True, eq=False)
class ThresholdGrid(Shown):
    """How graded measures agree with others as the threshold probabilities change.

    `tau[i, m, o]` is the correlation of graded measure m, with threshold probabilities
    `probabilities[i]`, with measure o over runs.
    """

    grades: tuple[int, ...]
    probabilities: Floats
    graded: tuple[str, ...]
    others: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    tau: Floats
    notes: tuple[str, ...]

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a column for each g_k, and columns measure, other, tau."""
        points, graded, others = self.tau.shape
        columns = {
            f"g{grade}": self.probabilities[:, index].repeat(graded * others)
            for index, grade in enumerate(self.grades)
        }
        return pl.DataFrame(
            {
                **columns,
                "measure": np.tile(np.array(self.graded, object).repeat(others), points).tolist(),
                "other": list(self.others) * (points * graded),
                "tau": self.tau.ravel(),
            }
        ).fill_nan(None)


def threshold_grid(
    judged: Judged,
    *,
    graded: Sequence[str] = GRADED,
    others: Sequence[MeasureLike] = ("GAP", "AP", "nDCG", "RBP", "Bpref"),
    probabilities: Sequence[Sequence[float]] | None = None,
    step: float | None = None,
    kind: Correlation = "tau",
    topics: TopicsLike | None = None,
    above: float = 0.0,
    by: MeasureLike = "AP",
) -> ThresholdGrid:
    """Return how graded measures agree with others for many threshold probabilities.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    graded
        Names of measures with a parameter `g`.
    others
        Measures to compare with. A bare name from `graded` gets the same g at each point.
    probabilities, step
        The points g, or the step of a grid over all of them; by default 0.1 for two grades and
        0.2 for three or more.
    kind, topics, above, by
        As in `correlation`.
    """
    grades = tuple(int(grade) for grade in judged.scale)
    points = _points(grades, probabilities, step)
    chosen, runs = keep_topics(judged, topics), _good_runs(judged, above, by)
    with_g = {name: [_with_g(name, point) for point in points] for name in graded}
    columns = {
        str(other): with_g.get(str(other)) or [as_measures(other)[0]] * len(points)
        for other in others
    }
    scores = score_judged(judged, [m for row in (*with_g.values(), *columns.values()) for m in row])
    refuse_geometric(scores.measures)
    means = _means(scores.values[runs][:, chosen])
    place = {measure: index for index, measure in enumerate(scores.measures)}
    moving, beside = (
        np.stack([means[[place[measure] for measure in row]] for row in rows.values()], axis=1)
        for rows in (with_g, columns)
    )
    return ThresholdGrid(
        grades,
        points,
        tuple(with_g),
        tuple(columns),
        tuple(compress(judged.runs, runs)),
        tuple(compress(judged.topics, chosen)),
        correlate(moving[:, :, None], beside[:, None], kind),
        constant_notes([str(measure) for measure in scores.measures], means),
    )


def simplex(size: int, step: float) -> Floats:
    """Return all vectors of `size` multiples of `step` that sum to 1, first component rising."""
    parts = round(1 / step) if 1e-6 <= step <= 1 else 0
    if parts < 1 or abs(parts * step - 1) > 1e-9:
        raise OptionError(f"step must divide 1, as 0.1 does, but it is {step}")
    rows = [
        (*head, parts - sum(head))
        for head in product(range(parts + 1), repeat=size - 1)
        if sum(head) <= parts
    ]
    return np.array(rows, np.float64) / parts


def _points(
    grades: tuple[int, ...], probabilities: Sequence[Sequence[float]] | None, step: float | None
) -> Floats:
    if probabilities is not None:
        rows = [np.ravel(point) for point in probabilities]
        if not rows or any(len(row) != len(grades) for row in rows):
            raise OptionError(
                f"each point must have {len(grades)} probabilities, one for each grade "
                f"({', '.join(map(str, grades))})"
            )
        return np.array(rows, np.float64)
    if len(grades) < 2:
        raise OptionError("a grid of thresholds needs judgments with at least 2 positive grades")
    default = 0.1 if len(grades) == 2 else 0.2
    return simplex(len(grades), default if step is None else step)


def _with_g(name: str, point: Floats) -> Measure:
    return parse_measure(f"{name}(g=[{','.join(repr(float(p)) for p in point)}])")


def _good_runs(judged: Judged, above: float, by: MeasureLike) -> Bools:
    by = parse_measure(by)
    if above == 0:  # all of them, whatever can be scored
        return choose_runs(np.zeros(len(judged.runs)), above)
    return choose_runs(score_judged(judged, by).summary()[:, 0], above)


def _means(values: Floats) -> Floats:
    """Return means over topics, shape (measures, runs); an undefined value counts as 0."""
    return np.nan_to_num(values).mean(axis=1).T


def _matrix(means: Floats, kind: Correlation) -> Floats:
    return tau_matrix(means) if kind == "tau" else correlate(means[:, None], means[None], kind)


def _intervals(
    values: Floats, kind: Correlation, level: float, replicates: int, seed: int
) -> tuple[Floats, Floats]:
    """Return percentile intervals of all correlations, over resampled topics."""
    check_between(0, 1, level=level)
    measures = values.shape[2]
    if not replicates:
        nothing = np.full((measures, measures), np.nan)
        return nothing, nothing
    weights = topic_weights(values.shape[1], replicates=replicates, seed=seed)
    defined = np.nan_to_num(values)
    found = np.array(
        [_matrix(np.einsum("t,rtm->mr", draw / draw.sum(), defined), kind) for draw in weights]
    )
    found = np.where(np.isnan(found), 0.0, found)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def constant_notes(names: Sequence[str], means: Floats) -> tuple[str, ...]:
    """Name the measures that give all runs the same mean, means[measure, run]."""
    constant = all_equal(means)
    return tuple(
        f"{name} gives all runs the same mean ({row[0]:.4f}), so its correlations are undefined"
        for name, row, same in zip(names, means, constant, strict=True)
        if same
    )
