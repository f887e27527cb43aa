"""A trial: train on a fold from a seed, choose the epoch by each test measure, and test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError
from gradewise.jobs import Tell
from gradewise.learn.features import FeatureSet
from gradewise.learn.nets.learning_rates import fit
from gradewise.learn.nets.network import score_rows
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.studies.folds import Fold
from gradewise.measures.measure import Measure


@dataclass(frozen=True)
class NetTrial:
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
        return name_of(self, shared[self.fold])

    def do(self, shared: Sequence[Fold], tell: Tell) -> dict[str, Floats]:
        """Return `values[measure, topic]` on the test part, and the epoch of each measure."""
        fold = shared[self.fold]
        train = sampled(fold.train, self.share, [self.recipe.seed, self.fold])
        train, held, test = (
            _chosen(part, self.columns) for part in (train, fold.validation, fold.test)
        )
        found = fit(self.recipe, self.rates, train, held, self.measures, progress=tell)
        scores = [score_rows(best.weights, test.features) for best in found.best]
        values = _tested(self.measures, test, scores, found.data.scale, self.recipe.seed, self.fold)
        return {
            "values": values,
            "scores": np.array(scores),
            "validation": np.array([best.value for best in found.best]),
            "epoch": np.array([best.epoch for best in found.best], np.float64),
        }


@dataclass(frozen=True)
class TreeTrial:
    """Which trees to try on which fold; each test measure chooses how many of them to use."""

    parameters: tuple[tuple[str, Any], ...]
    trees: int
    seed: int
    measures: tuple[Measure, ...]
    fold: int

    @property
    def amount(self) -> int:
        """How many trees are grown."""
        return self.trees

    def name(self, shared: Sequence[Fold]) -> str:
        """Return a name that changes with the trial and with the data of its fold."""
        return name_of(self, shared[self.fold])

    def do(self, shared: Sequence[Fold], tell: Tell) -> dict[str, Floats]:
        """Return `values[measure, topic]` on the test part, and the iteration of each measure."""
        from gradewise.learn.trees.ranker import TreeRanker

        fold = shared[self.fold]
        ranker = TreeRanker(**dict(self.parameters), eval_measure=self.measures)
        ranker.fit(fold.train, eval_set=[fold.validation], progress=tell)
        chosen = [ranker.best_by(measure) for measure in self.measures]
        scores = [ranker.predict(fold.test, iterations=count) for count, _ in chosen]
        values = _tested(self.measures, fold.test, scores, ranker.scale_, self.seed, self.fold)
        return {
            "values": values,
            "scores": np.array(scores),
            "validation": np.array([value for _, value in chosen]),
            "epoch": np.array([count for count, _ in chosen], np.float64),
        }


def net_trial(
    parameters: Mapping[str, Any], measures: Sequence[Measure], fold: int, **rest: Any
) -> NetTrial:
    """Return the trial of a net on a fold; `parameters` are those of NetRanker."""
    from gradewise.learn.nets.ranker import NetRanker

    ranker = NetRanker().set_params(**parameters)
    if ranker.eval_measure is not None or ranker.checkpoint is not None:
        raise OptionError(
            "eval_measure and checkpoint are not available here: each test measure chooses its own "
            "epoch, and results are kept in the folder `keep`"
        )
    return NetTrial(ranker.recipe(), tuple(ranker.rates()), tuple(measures), fold, **rest)


def tree_trial(parameters: Mapping[str, Any], measures: Sequence[Measure], fold: int) -> TreeTrial:
    """Return the trial of trees on a fold; `parameters` are those of TreeRanker."""
    from gradewise.learn.trees.ranker import TreeRanker

    if "eval_measure" in parameters:
        raise OptionError(
            "eval_measure is not available here: each test measure chooses its own number of trees"
        )
    ranker = TreeRanker(**parameters)
    ranker.trained_for()
    return TreeTrial(
        tuple(sorted(parameters.items())),
        ranker.n_estimators,
        parameters["random_state"],
        tuple(measures),
        fold,
    )


def name_of(trial: object, fold: Fold) -> str:
    """Return a name that changes with how a trial is written, and with the data of its fold."""
    digest = blake2b(repr(trial).encode(), digest_size=16)
    for part in (fold.train, fold.validation, fold.test):
        for array in (part.features, part.grades, part.offsets):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _tested(
    measures: Sequence[Measure],
    test: FeatureSet,
    scores: Sequence[Floats],
    scale: Ints,
    seed: int,
    fold: int,
) -> Floats:
    """Return the value of each measure for each topic, by the scores that the measure chose."""
    whole = np.union1d(scale, test.scale)
    judged = [test.judged(each, scale=whole, seed=[seed, fold]) for each in scores]
    return np.array([m.values(each) for m, each in zip(measures, judged, strict=True)])


def sampled(data: FeatureSet, share: float, seed: Sequence[int]) -> FeatureSet:
    """Return a share of the topics, at random; smaller shares lie within larger ones."""
    if share >= 1:
        return data
    count = max(1, round(share * len(data)))
    return data.take(np.sort(np.random.default_rng(list(seed)).permutation(len(data))[:count]))


def _chosen(data: FeatureSet, columns: tuple[int, ...] | None) -> FeatureSet:
    return data if columns is None else data.with_features(data.features[:, list(columns)])
