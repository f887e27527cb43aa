"""A trial: train on a fold from a seed, choose the epoch by each test measure, and test."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.features import FeatureSet
from gradewise.learn.fitting import fit
from gradewise.learn.folds import Fold
from gradewise.learn.net import score_rows
from gradewise.learn.training import Recipe
from gradewise.measures.measure import Measure


@dataclass(frozen=True)
class Trial:
    """Which recipe to try on which fold, with which features and which share of its topics.

    One training serves all test measures: each chooses the epoch by its own value on the
    validation set, as Yilmaz & Robertson do.
    """

    recipe: Recipe
    rates: tuple[float, ...]
    measures: tuple[Measure, ...]
    fold: int
    columns: tuple[int, ...] | None = None
    share: float = 1.0

    @property
    def amount(self) -> int:
        """How many epochs it takes."""
        return self.recipe.epochs * len(self.rates)

    def name(self, shared: Sequence[Fold]) -> str:
        """Return a name that changes with the trial and with the data of its fold."""
        digest = blake2b(repr(self).encode(), digest_size=16)
        fold = shared[self.fold]
        for part in (fold.train, fold.validation, fold.test):
            for array in (part.features, part.grades, part.offsets):
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def do(self, shared: Sequence[Fold]) -> dict[str, Floats]:
        """Return `values[measure, topic]` on the test part, and the epoch of each measure."""
        fold = shared[self.fold]
        train = sampled(fold.train, self.share, [self.recipe.seed, self.fold])
        parts = [_chosen(part, self.columns) for part in (train, fold.validation, fold.test)]
        found = fit(self.recipe, self.rates, parts[0], parts[1], self.measures)
        test = parts[2]
        scale = np.union1d(found.data.scale, test.scale)
        values, scores = [], []
        for measure, best in zip(self.measures, found.best, strict=True):
            scores.append(score_rows(best.weights, test.features))
            judged = test.judged(scores[-1], scale=scale, seed=[self.recipe.seed, self.fold])
            values.append(measure.values(judged))
        return {
            "values": np.array(values),
            "scores": np.array(scores),
            "validation": np.array([best.value for best in found.best]),
            "epoch": np.array([best.epoch for best in found.best], np.float64),
        }


def sampled(data: FeatureSet, share: float, seed: Sequence[int]) -> FeatureSet:
    """Return a share of the topics, at random; smaller shares lie within larger ones."""
    if share >= 1:
        return data
    count = max(1, round(share * len(data)))
    return data.take(np.sort(np.random.default_rng(list(seed)).permutation(len(data))[:count]))


def _chosen(data: FeatureSet, columns: tuple[int, ...] | None) -> FeatureSet:
    return data if columns is None else data.with_features(data.features[:, list(columns)])
