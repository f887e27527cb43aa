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
from gradewise.learn.nets.learning_rates import curves_frame, fit
from gradewise.learn.nets.network import score_rows
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.studies.folds import Fold
from gradewise.learn.trees.boosters import is_own
from gradewise.learn.trees.objective import PAIRWISE
from gradewise.libraries import pl
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure


@dataclass(frozen=True)
class NetTrial:
    """Which recipe to try on which fold, with which features and which share of its topics.

    One training serves all test measures: each chooses the epoch by its own value on the
    validation set, as Yilmaz & Robertson do. So does the objective (their footnote 3).
    """

    recipe: Recipe
    rates: tuple[float, ...]
    measures: tuple[Measure, ...]
    fold: int
    columns: tuple[int, ...] | None = None
    share: float = 1.0

    @property
    def choosers(self) -> tuple[Measure, ...]:
        """The measures that choose an epoch: the test measures, and the objective."""
        return tuple(dict.fromkeys((*self.measures, self.recipe.objective)))

    @property
    def amount(self) -> int:
        """How many epochs it takes."""
        return self.recipe.epochs * len(self.rates)

    def name(self, shared: Sequence[Fold]) -> str:
        """Return a name that changes with the trial and with the data of its fold."""
        return name_of(self, shared[self.fold])

    def do(self, shared: Sequence[Fold], tell: Tell) -> dict[str, Floats]:
        """Return `values[measure, topic]` on the test part, epochs, and learning curves.

        `by_objective[measure, topic]` are the values at the epoch that the objective chose;
        `curves[rate, epoch, column]` have the columns of `curves_frame`.
        """
        fold = shared[self.fold]
        train = sampled(fold.train, self.share, [self.recipe.seed, self.fold])
        train, held, test = (
            _chosen(part, self.columns) for part in (train, fold.validation, fold.test)
        )
        found = fit(self.recipe, self.rates, train, held, self.choosers, progress=tell)
        scores = [score_rows(best.weights, test.features) for best in found.best]
        count, own = len(self.measures), self.choosers.index(self.recipe.objective)
        seeds = (self.recipe.seed, self.fold)
        values, by_objective = (
            _tested(self.measures, test, chosen, found.data.scale, *seeds)
            for chosen in (scores[:count], [scores[own]] * count)
        )
        return {
            "values": values,
            "by_objective": by_objective,
            "scores": np.array(scores[:count]),
            "validation": np.array([best.value for best in found.best]),
            "epoch": np.array([best.epoch for best in found.best], np.float64),
            "curves": np.array(found.rows),
        }

    def frame_of(self, curves: Floats) -> "pl.DataFrame":
        """Return learning curves as a frame, as `NetRanker.curves_` has them."""
        rows = [[list(row) for row in epochs] for epochs in curves]
        return curves_frame(self.rates, rows, self.recipe.objective, self.choosers, validated=True)


@dataclass(frozen=True)
class TreeTrial:
    """Which trees to try on which fold; each test measure chooses how many of them to use."""

    parameters: tuple[tuple[str, Any], ...]
    trees: int
    seed: int
    measures: tuple[Measure, ...]
    fold: int

    @property
    def objective(self) -> str:
        """What is trained for: a measure, or the name of an objective of the booster's own."""
        return str(dict(self.parameters)["objective"])

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
        plain = is_own(self.objective) or self.objective == PAIRWISE
        own = None if plain else parse_measure(self.objective)
        choosers = dict.fromkeys((*self.measures, *([] if own is None else [own])))
        ranker = TreeRanker(**dict(self.parameters), eval_measure=tuple(choosers))
        ranker.fit(fold.train, eval_set=[fold.validation], progress=tell)
        chosen = [ranker.best_by(measure) for measure in self.measures]
        scores = [ranker.predict(fold.test, iterations=count) for count, _ in chosen]
        place = (ranker.scale_, self.seed, self.fold)
        values = _tested(self.measures, fold.test, scores, *place)
        by_objective = np.full(values.shape, np.nan)
        if own is not None:
            same = [ranker.predict(fold.test, iterations=ranker.best_by(own)[0])] * len(scores)
            by_objective = _tested(self.measures, fold.test, same, *place)
        return {
            "values": values,
            "by_objective": by_objective,
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
