"""The Monte-Carlo test of local optimality of Donmez et al. and Yilmaz & Robertson (Table 5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError
from gradewise.learn.features import FeatureSet, check_width
from gradewise.learn.nets.network import Weights, score_rows
from gradewise.learn.nets.ranker import NetRanker
from gradewise.learn.nets.training import SEED_OF_TIES
from gradewise.learn.normalization import normalize
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.noise import drop_noise
from gradewise.progress import go_through, watched

STEPS = tuple(round(0.1 * n, 1) for n in range(1, 11))


@dataclass(frozen=True, eq=False)
class LocalOptimality:
    """How a measure changes when weights move: `change[direction, step]`.

    Only an improvement of more than `epsilon` counts against a local optimum.
    """

    measure: str
    value: float
    steps: tuple[float, ...]
    change: Floats
    epsilon: float

    @property
    def better(self) -> int:
        """The number of points with a higher value; where gains and losses cancel, it is not."""
        scale = abs(self.value) + float(np.abs(self.change).max())
        return int((drop_noise(self.change, scale) > 0).sum())

    @property
    def much_better(self) -> int:
        """The number of points whose value is higher by more than epsilon."""
        return int((self.change > self.epsilon).sum())

    @property
    def confidence(self) -> float:
        """Confidence that this is a local optimum; 0 if a better point was found.

        If at least a share 1 - c of all directions led up, k random directions would include one
        with probability 1 - c^k; Donmez et al. take k = 460 for 99% at c = .99.
        """
        if self.much_better:
            return 0.0
        return float(1 - 0.99 ** len(self.change))


@watched("nets")
def local_optimality(
    ranker: NetRanker,
    data: FeatureSet,
    measure: MeasureLike,
    *,
    directions: int = 460,
    steps: Sequence[float] = STEPS,
    epsilon: float = 0.003,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> LocalOptimality:
    """Move the weights of a trained net at random, and count how often a measure improves.

    Parameters
    ----------
    ranker
        A trained NetRanker.
    data
        Topics to evaluate it on: training or test topics.
    measure
        Any measure.
    directions, steps
        Number of directions drawn from the unit sphere, and the distances to move in each. 460
        directions without improvement mean a local optimum with 99% confidence.
    epsilon
        Ignore improvements up to this.
    seed
        The same seed gives the same directions, and the same order of equal scores.
    progress
        Called with 1 after each direction.
    """
    if directions < 1 or not steps or min(steps) <= 0:
        raise OptionError("give at least one direction, and steps above 0")
    chosen = parse_measure(measure)
    check_width(data.width, ranker.n_features_in_)
    scale = np.union1d(ranker.scale_, data.scale)
    x = normalize(data, ranker.normalize).features

    def value(scores: Floats) -> Floats:
        judged = data.judged(scores, scale=scale, seed=SEED_OF_TIES)
        return chosen.values(judged).reshape(-1, len(data)).mean(axis=1)

    at = float(value(score_rows(ranker.weights_, x))[0])
    inside = _before_activation(ranker.weights_, x)
    rng = np.random.default_rng(seed)
    change = np.empty((directions, len(steps)))
    for n in go_through(range(directions), progress):
        moved = _direction(ranker.weights_, rng)
        slope = _before_activation(moved, x)
        scores = [_scores(ranker.weights_, moved, inside, slope, step) for step in steps]
        change[n] = value(np.array(scores)) - at
    return LocalOptimality(str(chosen), at, tuple(steps), change, epsilon)


def _direction(weights: Weights, rng: np.random.Generator) -> Weights:
    """Draw a point of the unit sphere around the weights."""
    drawn = {name: rng.normal(size=array.shape) for name, array in weights.items()}
    length = np.sqrt(sum(float((array**2).sum()) for array in drawn.values()))
    return {name: (array / length).astype(np.float32) for name, array in drawn.items()}


def _before_activation(weights: Weights, x: Floats) -> Floats:
    """Return what goes into the hidden units, which is linear in the weights."""
    return np.asarray(x @ weights["weight0"].T + weights.get("bias0", np.float32(0)))


def _scores(weights: Weights, moved: Weights, inside: Floats, slope: Floats, step: float) -> Floats:
    part = inside + np.float32(step) * slope
    if "weight1" not in weights:
        return part[:, 0].astype(np.float64)
    last = weights["weight1"][0] + np.float32(step) * moved["weight1"][0]
    return (np.tanh(part) @ last).astype(np.float64)
