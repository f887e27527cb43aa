"""One training: epochs of steps, restarts where it stalls, the best epoch for each measure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, rows_of_lists
from gradewise.errors import InputError, MeasureError, OptionError
from gradewise.learn.features import FeatureSet, check_width, topic_notes
from gradewise.learn.list_losses import NO_PULL
from gradewise.learn.nets.network import (
    Array,
    Weights,
    backward,
    forward,
    initial_weights,
    score_rows,
)
from gradewise.learn.nets.optimizers import OPTIMIZERS
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.nets.row_inputs import BIAS, NOTHING_GIVEN, RowInputs
from gradewise.learn.objectives import Tables, tables_of
from gradewise.learn.row_numbers import list_weights
from gradewise.measures.measure import Measure

SEED_OF_TIES = 0  # orders documents with equal scores when a trained net is evaluated
_INITIAL, _EPOCH = 0, 1  # streams of random numbers


@dataclass
class Best:
    """The best epoch by a measure on the validation set."""

    value: float = -np.inf
    epoch: int = 0
    weights: Weights = field(default_factory=dict)


@dataclass
class Progress:
    """How far a training has come: what a checkpoint holds besides weights."""

    epoch: int = 0
    restart: int = 0
    highest: float = -np.inf  # of the objective on the training set, since the last restart
    stalled: int = 0
    curves: list[list[float]] = field(default_factory=list)


class Training:
    """Trains a net on some data at one learning rate; `run_epoch` until `finished`.

    All random numbers follow from the seed, the position of the learning rate and the number of
    the epoch, so that a training resumed from a checkpoint gives the same net.
    """

    def __init__(
        self,
        recipe: Recipe,
        rate: float,
        place: int,
        data: "TrainingData",
        measures: Sequence[Measure],
    ) -> None:
        if not rate > 0:
            raise OptionError(f"learning_rate must be above 0, not {rate}")
        for measure in measures:
            if measure.uses_scores or not measure.higher_is_better:
                raise MeasureError(
                    f"{measure} cannot choose an epoch: it must depend on the ranking alone, and "
                    "be higher for better rankings"
                )
        self.recipe, self.rate, self.place = recipe, rate, place
        self.data, self.measures = data, tuple(measures)
        self.progress = Progress()
        self.best = [Best() for _ in self.measures]
        self._start()

    @property
    def finished(self) -> bool:
        """Whether all epochs are done."""
        return self.progress.epoch >= self.recipe.epochs

    def _random(self, stream: int, number: int) -> np.random.Generator:
        return np.random.default_rng([self.recipe.seed, self.place, stream, number])

    def _start(self) -> None:
        """Start from the net that is continued, the first time; else from new random weights."""
        given = self.data.given
        if given.net is not None and not self.progress.restart:
            self.weights = {name: array.copy() for name, array in given.net.items()}
        else:
            rng = self._random(_INITIAL, self.progress.restart)
            self.weights = initial_weights(self.data.train.width, self.recipe.hidden, rng)
        if given.biased is not None and BIAS not in self.weights:
            self.weights[BIAS] = np.zeros(len(given.biased.positions), np.float32)
        self.optimizer = OPTIMIZERS[self.recipe.optimizer](self.rate)
        self.progress.highest, self.progress.stalled = -np.inf, 0

    def run_epoch(self) -> None:
        """Pass once through the training lists, evaluate the net, and restart if it stalls."""
        progress = self.progress
        progress.epoch += 1
        rng = self._random(_EPOCH, progress.epoch)
        with np.errstate(over="ignore", invalid="ignore"):  # both are looked for
            loss = self._steps(rng)
            objective, row = self._value(int(rng.integers(2**31)))
        progress.curves.append([progress.epoch, progress.restart, loss, objective, *row])
        if objective > progress.highest:
            progress.highest, progress.stalled = objective, 0
            return
        progress.stalled += 1
        if progress.stalled >= self.recipe.patience:
            progress.restart += 1
            self._start()

    def _steps(self, rng: np.random.Generator) -> float:
        """Take a step for each batch of lists; return the mean loss before the steps."""
        recipe, total, order = self.recipe, 0.0, rng.permutation(self.data.useful)
        for low in range(0, len(order), recipe.batch_size):
            chosen = order[low : low + recipe.batch_size]
            tables, x, rows = self.data.batch(chosen)
            inside, scores = forward(self.weights, x)
            numbers = scores.astype(np.float64)
            given = self.data.given.rows(rows)
            if given.start is not None:
                numbers += given.start
            if given.biased is not None:
                numbers += self.weights[BIAS][given.biased.places]
            self._check_finite(numbers)
            pull = NO_PULL if given.shown is None else given.shown.pull
            found = recipe.losses(tables, numbers, rng, pull)
            if given.weight is not None:
                found = found.weighted(given.weight, tables.offsets)
            total += float(found.loss.sum())
            slope = (found.gradient / len(chosen)).astype(np.float32)
            gradient = backward(self.weights, x, inside, slope)
            if given.biased is not None:
                gradient[BIAS] = self._bias_gradient(slope, given.biased.places, len(chosen))
            self.optimizer.step(self.weights, gradient)
        for array in self.weights.values():
            self._check_finite(array)
        return total / len(order)

    def _bias_gradient(self, slope: Array, places: Ints, lists: int) -> Array:
        """Return the gradient in the bias of each position, of the loss and n b² reg / 2."""
        bias = self.weights[BIAS]
        counts = np.bincount(places, minlength=len(bias)) / lists
        found = np.bincount(places, slope, len(bias))
        return (found + self.recipe.bias_regularization * counts * bias).astype(np.float32)

    def _check_finite(self, numbers: NDArray[np.floating[Any]]) -> None:
        if not np.isfinite(numbers).all():
            raise OptionError(
                f"training diverged in epoch {self.progress.epoch}: scores are no longer "
                f"finite; try a learning rate below {self.rate:g}"
            )

    def _value(self, seed: int) -> tuple[float, list[float]]:
        """Return the objective on the training set, and measures on both sets, in turn."""
        data = self.data
        weights = {name: array.copy() for name, array in self.weights.items()}
        wanted = (self.recipe.objective, *self.measures)
        given = data.given
        train = mean_values(
            data.train, weights, wanted, data.scale, seed, weight=given.weight, start=given.start
        )
        chosen = train[1:]
        if data.validation is not None:
            held = {"weight": given.held_weight, "start": given.held_start}
            chosen = mean_values(data.validation, weights, self.measures, data.scale, seed, **held)
        for best, value in zip(self.best, chosen, strict=True):
            if value > best.value:
                best.value, best.epoch, best.weights = value, self.progress.epoch, weights
        pairs = zip(train[1:], chosen, strict=True)
        return train[0], [number for pair in pairs for number in pair]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training and validation sets, with the objective's tables for the former."""

    train: FeatureSet
    validation: FeatureSet | None
    scale: Ints
    tables: Tables
    useful: Ints
    notes: tuple[str, ...]
    given: RowInputs

    @cached_property
    def _single(self) -> list[Tables]:
        return [self.tables.take(np.array([topic])) for topic in range(len(self.train))]

    def batch(self, chosen: Ints) -> tuple[Tables, Array, Any]:
        """Return the tables and features of some lists, and which rows they are."""
        if len(chosen) == 1:
            single = self.train.rows_of(chosen[0])
            return self._single[chosen[0]], self.train.features[single], single
        rows = rows_of_lists(self.train.offsets, chosen)
        return self.tables.take(chosen), self.train.features[rows], rows


def prepare(
    objective: Measure,
    train: FeatureSet,
    validation: FeatureSet | None,
    given: RowInputs = NOTHING_GIVEN,
) -> TrainingData:
    """Return both sets with the objective's tables, and notes on topics left out of training."""
    scale = train.scale
    if validation is not None:
        check_width(validation.width, train.width)
        scale = np.union1d(scale, validation.scale)
    tables = tables_of(objective, train.lists(scale), train.levels(scale))
    useful = np.flatnonzero(tables.useful)
    notes = topic_notes(train.grades, train.sizes)
    if not len(useful):
        size = len(train.grades)
        raise InputError(f"no topic to learn from (n_samples = {size}): {'; '.join(notes)}")
    return TrainingData(train, validation, scale, tables, useful, notes, given)


def mean_values(
    data: FeatureSet,
    weights: Weights,
    measures: Sequence[Measure],
    scale: Ints,
    seed: int,
    *,
    weight: Floats | None = None,
    start: Floats | None = None,
) -> list[float]:
    """Return the mean of measures over the topics when a net ranks their documents.

    `weight` weighs topics by the rows that they have; `start` is added to the scores of rows.
    """
    scores = score_rows(weights, data.features)
    judged = data.judged(scores if start is None else scores + start, scale=scale, seed=seed)
    shares = None if weight is None else list_weights(weight, data.sizes)
    return [float(np.average(measure.values(judged), weights=shares)) for measure in measures]
