"""Whether the objective matters with fewer features and fewer training topics (Figure 4)."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError
from gradewise.jobs import do_all
from gradewise.learn.features import FeatureSet
from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.nets.training import SEED_OF_TIES
from gradewise.learn.normalization import Normalization
from gradewise.learn.studies.folds import Fold, normalize_fold
from gradewise.learn.studies.seeds import by_topic, seed_errors, seed_p
from gradewise.learn.studies.trials import net_trial
from gradewise.libraries import pl
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.noise import order_best_first
from gradewise.progress import watched
from gradewise.stats.paired_tests import strict_test


@dataclass(frozen=True, eq=False)
class DataStudy:
    """Values on test topics: `values[pair, features, share, objective, seed, topic]`.

    A pair is an objective and a test measure; objective 0 is the former, and objective 1 is the
    test measure itself. If data were `redrawn` for each seed, tests use the topics of all seeds.
    """

    algorithm: str
    pairs: tuple[tuple[str, str], ...]
    features: tuple[int, ...]
    shares: tuple[float, ...]
    seeds: tuple[int, ...]
    values: Floats
    alpha: float = 0.05
    redrawn: bool = False

    @property
    def differences(self) -> Floats:
        """Objective 0 minus objective 1, [pair, features, share, seed, topic]."""
        return np.asarray(self.values[..., 0, :, :] - self.values[..., 1, :, :])

    @property
    def p(self) -> Floats:
        """P-values of the two objectives by the strict rule, [pair, features, share]."""
        gaps = by_topic(self.differences, redrawn=self.redrawn)
        return self._each(strict_test, gaps)

    @property
    def p_of_seeds(self) -> Floats:
        """P-values by a t-test on the means of seeds, [pair, features, share]."""
        return self._each(seed_p, self.differences)

    def _each(self, test: Callable[..., Floats], gaps: Floats) -> Floats:
        """Test each pair, whose noise is relative to the largest value of its test measure."""
        scales = np.abs(self.values).max(axis=tuple(range(1, self.values.ndim)))
        return np.array([test(g, scale=s) for g, s in zip(gaps, scales.tolist(), strict=True)])

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: test_measure, objective, features, share, mean, standard_error and others.

        The others compare the two objectives of a pair: `error_of_difference`, which is paired over
        topics, and `error_of_seeds`; `p` and `significant`, over topics by the strict rule, and
        `p_of_seeds`, by a t-test on the means of seeds.
        """
        paired, seeds = seed_errors(self.differences, redrawn=self.redrawn)
        p, p_of_seeds = self.p, self.p_of_seeds
        error = seed_errors(self.values, redrawn=self.redrawn)[0]
        mean = self.values.mean(axis=(4, 5))
        rows = [
            (
                self.pairs[place[0]][1],
                self.pairs[place[0]][place[3]],
                self.features[place[1]],
                self.shares[place[2]],
                float(mean[place]),
                float(error[place]),
                float(paired[place[:3]]),
                float(seeds[place[:3]]),
                float(p[place[:3]]),
                float(p_of_seeds[place[:3]]),
                bool(p[place[:3]] <= self.alpha),
            )
            for place in np.ndindex(*mean.shape)
        ]
        columns = ["test_measure", "objective", "features", "share", "mean", "standard_error"]
        columns += ["error_of_difference", "error_of_seeds", "p", "p_of_seeds", "significant"]
        return pl.DataFrame(rows, schema=columns, orient="row")


@watched("epochs and trees")
def data_study(
    data: Fold,
    algorithm: AlgorithmName = "lambdarank",
    pairs: Sequence[tuple[MeasureLike, MeasureLike]] = (("AP", "P@10"), ("nDCG", "nDCG@10")),
    *,
    features: Sequence[int | None] = (None, 9, 2),
    shares: Sequence[float] = (0.1, 0.25, 0.5, 1.0),
    seeds: int | Sequence[int] = 3,
    alpha: float = 0.05,
    normalize: Normalization = "none",
    jobs: int = 1,
    keep: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> DataStudy:
    """Train for an informative measure and for the test measure itself, on less and less data.

    Parameters
    ----------
    data
        Topics to train on, to validate and to test.
    algorithm
        "lambdarank" or "softrank".
    pairs
        (objective, test measure): both are trained for, and the test measure is computed.
    features
        Numbers of features, chosen by the AP of each alone on the training topics; None for all.
    shares
        Shares of the training topics, sampled for each seed.
    seeds, alpha, normalize, jobs, keep, progress, options
        As for `crossval`.
    """
    chosen = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    named = [(parse_measure(a), parse_measure(b)) for a, b in pairs]
    if not (named and features and shares and chosen):
        raise OptionError("give at least one pair, number of features, share and seed")
    if any(not 0 < share <= 1 for share in shares):
        raise OptionError("shares must be above 0 and at most 1")
    data = normalize_fold(data, normalize)
    order = best_features(data.train)
    widths = [data.train.width if count is None else count for count in features]
    for width in widths:
        if not 1 <= width <= data.train.width:
            raise OptionError(f"features must be between 1 and {data.train.width}, not {width}")
    trials = [
        net_trial(
            {**options, "algorithm": algorithm, "objective": objective, "random_state": seed},
            [pair[1]],
            0,
            columns=None if width == data.train.width else tuple(sorted(order[:width])),
            share=float(share),
        )
        for pair in named
        for width in widths
        for share in shares
        for objective in pair
        for seed in chosen
    ]
    found = do_all(trials, [data], jobs=jobs, keep=keep, progress=progress)
    shape = (len(named), len(widths), len(shares), 2, len(chosen), len(data.test))
    return DataStudy(
        algorithm,
        tuple((str(a), str(b)) for a, b in named),
        tuple(widths),
        tuple(map(float, shares)),
        tuple(chosen),
        np.array([result["values"][0] for result in found]).reshape(shape),
        alpha,
    )


def join_studies(results: Sequence[DataStudy]) -> DataStudy:
    """Return results of different seeds as one, each on data drawn anew."""
    return replace(
        results[0],
        seeds=tuple(seed for result in results for seed in result.seeds),
        values=np.concatenate([result.values for result in results], axis=4),
        redrawn=True,
    )


def best_features(data: FeatureSet, measure: MeasureLike = "AP") -> list[int]:
    """Return features by how well each ranks alone, up or down, best first."""
    chosen = parse_measure(measure)

    def value(scores: Floats) -> float:
        return float(chosen.values(data.judged(scores, seed=SEED_OF_TIES)).mean())

    x = data.features.astype(np.float64)
    values = [max(value(x[:, n]), value(-x[:, n])) for n in range(data.width)]
    return order_best_first(np.array(values)).tolist()
