"""Judgment noise: how much of the variance of scores comes from the judgments.

Kishida (2005, §3.3) takes the value of topic h under the a-th judgment as v_ha = μ_h + e_ha. The
mean of a run over L topics then has the variance (σ_μ² + σ_d²) / L (eq 24): σ_μ² is the variance
of μ_h among topics, σ_d² the mean over topics of the variance of e_ha among judgments (eq 25).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import InputError, MeasureError, OptionError, check_between, check_least
from gradewise.libraries import pl, special
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure, refuse_intents, refuse_preferences
from gradewise.progress import go_through, watched
from gradewise.showing import Shown

Flips = Mapping[int, Mapping[int, float]]
_SINGLE = "judgment noise changes a single grade per document"


@dataclass(frozen=True, eq=False)
class JudgmentNoise(Shown):
    """The values of runs under repeated judgments, by run and topic.

    `means[r, h]` and `variances[r, h]` are the mean and variance of run r's value for topic h over
    the sets of judgments; `observed[r]` is the average variance between topics under a single set.
    `original[r, h]` is the value under the given judgments, NaN if there are none.
    """

    measure: Measure
    runs: tuple[str, ...]
    replicates: int
    original: Floats
    means: Floats
    variances: Floats
    observed: Floats

    @property
    def topics(self) -> int:
        """How many topics there are, L."""
        return int(self.means.shape[1])

    @property
    def mean(self) -> Floats:
        """The mean of each run over topics and judgments."""
        return np.asarray(self.means.mean(axis=1))

    @property
    def sigma_mu2(self) -> Floats:
        """σ_μ² of each run: the variance of topics' means (divisor L - 1).

        It contains σ_d² / replicates, since the means are estimated.
        """
        return np.asarray(self.means.var(axis=1, ddof=1))

    @property
    def sigma_d2(self) -> Floats:
        """σ_d² of each run: the mean over topics of the variance among judgments."""
        return np.asarray(self.variances.mean(axis=1))

    @property
    def total(self) -> Floats:
        """σ_μ² + σ_d² of each run."""
        return self.sigma_mu2 + self.sigma_d2

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each run.

        Its columns are run, measure, value (under the judgments as given), mean, sigma_mu2,
        sigma_d2, total and standard_error (of the mean over these topics, eq 24).
        """
        return pl.DataFrame(
            {
                "run": list(self.runs),
                "measure": [str(self.measure)] * len(self.runs),
                "value": self.original.mean(axis=1),
                "mean": self.mean,
                "sigma_mu2": self.sigma_mu2,
                "sigma_d2": self.sigma_d2,
                "total": self.total,
                "standard_error": np.sqrt(self.total / self.topics),
            }
        ).with_columns(pl.col("value").fill_nan(None))

    def plan(self, half_width: float, *, level: float = 0.95) -> "pl.DataFrame":
        """Return how many topics a confidence interval of the mean needs, a row for each run.

        Columns are run, measure, half_width, level, topics_needed, and topics_without_noise: the
        number needed if judgments did not vary.
        """
        number = len(self.runs)
        return pl.DataFrame(
            {
                "run": list(self.runs),
                "measure": [str(self.measure)] * number,
                "half_width": [float(half_width)] * number,
                "level": [float(level)] * number,
                "topics_needed": topics_needed(self.total, half_width, level=level),
                "topics_without_noise": topics_needed(self.sigma_mu2, half_width, level=level),
            }
        )


def topics_needed(variance: Floats, half_width: float, *, level: float = 0.95) -> Ints:
    """Return the smallest number of topics for a t interval of the given half-width.

    Examples
    --------
    >>> import numpy as np
    >>> topics_needed(np.array([0.04, 0.01]), 0.05)
    array([64, 18])
    """
    if not half_width > 0:
        raise OptionError(f"half_width must be positive, not {half_width}")
    check_between(0, 1, level=level)
    tail = (1 + level) / 2
    # The normal quantile is below that of t: a number to start from that is never too large.
    needed = np.maximum(np.ceil(special.ndtri(tail) ** 2 * variance / half_width**2), 2)
    while True:
        half = special.stdtrit(needed - 1, tail) * np.sqrt(variance / needed)
        short = half > half_width
        if not short.any():
            return needed.astype(np.int64)
        needed += short


@watched("samples")
def judgment_noise(
    judged: Judged,
    measure: str | Measure,
    *,
    flips: Flips,
    replicates: int = 100,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> JudgmentNoise:
    """Simulate repeated judgments, and decompose the variance of scores.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measure
        A measure whose summary is the mean over topics.
    flips
        Probability that a document of one grade is judged another, independently for each
        document: {1: {0: 0.1, 2: 0.05}} makes a tenth of the documents of grade 1 nonrelevant, and
        a twentieth grade 2. A document has the same grade in all runs.
    replicates
        Number of simulated sets of judgments.
    seed
        Random seed.
    progress
        Called with 1 after each replicate.

    Examples
    --------
    >>> import gradewise as gw
    >>> made = gw.simulate.collection(topics=20, runs=2, depth=50, seed=1)
    >>> judged = gw.judge(made.qrels, made.runs)
    >>> noise = gw.meta.judgment_noise(judged, "AP", flips={1: {0: 0.2}, 0: {1: 0.02}})
    >>> noise.frame.columns[4:7]
    ['sigma_mu2', 'sigma_d2', 'total']
    >>> bool((noise.sigma_d2 > 0).all() and (noise.sigma_d2 < noise.sigma_mu2).all())
    True
    """
    parsed = mean_measure(measure)
    check_least(2, replicates=replicates)
    refuse_preferences(judged.pool, _SINGLE)
    if len(judged.topics) < 2:
        raise InputError("judgment noise needs at least 2 topics")
    judge = _Judge.of(judged, flips)
    original = _values(parsed, judged)
    rng = np.random.default_rng(seed)
    means, squares = np.zeros_like(original), np.zeros_like(original)
    observed = np.zeros(len(original))
    for number in go_through(range(1, replicates + 1), progress):
        values = _values(parsed, judged.with_grades(judge.draw(rng)))
        distance = values - means
        means += distance / number  # Welford: no large sums of squares
        squares += distance * (values - means)
        observed += values.var(axis=1, ddof=1) / replicates
    variances = squares / (replicates - 1)
    return JudgmentNoise(parsed, judged.runs, replicates, original, means, variances, observed)


def mean_measure(measure: str | Measure) -> Measure:
    """Return a measure, if its summary is the mean over topics."""
    parsed = parse_measure(measure)
    refuse_intents(parsed, _SINGLE)
    if parsed.aggregate != "mean":
        raise MeasureError(
            f"{parsed} is not averaged over topics; judgment noise needs a measure that is"
        )
    return parsed


def _values(measure: Measure, judged: Judged) -> Floats:
    values = measure.values(judged)
    if np.isnan(values).any():
        place = int(np.argmax(np.isnan(values)))
        run, topic = divmod(place, len(judged.topics))
        raise MeasureError(
            f"{measure} is undefined for run {judged.runs[run]} and topic {judged.topics[topic]}, "
            "so it has no variance"
        )
    return values.reshape(len(judged.runs), len(judged.topics))


@dataclass(frozen=True, eq=False)
class _Judge:
    """Draws grades: for each grade that may flip, its rows, other grades and chances summed."""

    grades: Ints
    choices: tuple[tuple[Ints, Ints, Floats], ...]

    @staticmethod
    def of(judged: Judged, flips: Flips) -> "_Judge":
        given = judged.known_pool.grades
        _check_flips(flips, given, judged.scale)
        choices = []
        for grade, others in sorted(flips.items()):
            # The last choice is the grade itself, for what the chances leave.
            grades = np.array([*others, grade], np.int64)
            rows = np.flatnonzero(given == grade)
            choices.append((rows, grades, np.cumsum(list(others.values()))))
        return _Judge(given, tuple(choices))

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return a new grade for every judged document."""
        grades = self.grades.copy()
        for rows, others, chances in self.choices:
            grades[rows] = others[np.searchsorted(chances, rng.random(len(rows)), "right")]
        return grades


def _check_flips(flips: Flips, grades: Ints, positive: Ints) -> None:
    scale = {0, *positive.tolist()}
    known = scale | set(np.unique(grades).tolist())
    if not flips:
        raise OptionError("flips is empty, so judgments would not vary")
    for grade, others in flips.items():
        for other, chance in others.items():
            if grade not in known or other not in scale or other == grade:
                raise OptionError(
                    f"flips cannot turn grade {grade} into {other}; "
                    f"the grades are {' '.join(map(str, sorted(known)))}"
                )
            if not 0 <= chance <= 1:
                raise OptionError(f"flips[{grade}][{other}] must be between 0 and 1, not {chance}")
        if sum(others.values()) > 1 + 1e-12:
            raise OptionError(
                f"flips[{grade}] sums to {sum(others.values()):g}; it must sum to at most 1"
            )
