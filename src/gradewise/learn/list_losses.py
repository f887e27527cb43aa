"""Losses of lists with their gradients in the scores, as arrays."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.kernels import lambda_pairs, soft_precisions, soft_ranks
from gradewise.learn.objectives import Tables
from gradewise.learn.row_numbers import list_weights

EVERYTHING = 1 << 62  # a depth that no list reaches
NO_PULL: Floats = np.empty(0)  # where all pairs weigh the same
EXACT_UP_TO = 400  # documents of a list whose soft ranks are not approximated


@dataclass(frozen=True)
class Losses:
    """The loss of each list, and its gradient in the score of each row."""

    loss: Floats
    gradient: Floats

    def weighted(self, weights: Floats, offsets: Ints) -> "Losses":
        """Return them with a weight for each row; lists count as their rows do on average."""
        shares = list_weights(weights, np.diff(offsets))
        return Losses(self.loss * shares, self.gradient * weights)


def ranked(scores: Floats, offsets: Ints, rng: np.random.Generator) -> Ints:
    """Return the rows of each list by falling score; equal scores in random order."""
    owner = np.arange(len(offsets) - 1).repeat(np.diff(offsets))
    return np.lexsort((rng.random(len(scores)), -scores, owner))


def lambda_losses(
    tables: Tables,
    scores: Floats,
    rng: np.random.Generator,
    *,
    sigma: float = 1.0,
    truncation: int | None = None,
    plain: bool = False,
    pull: Floats = NO_PULL,
) -> Losses:
    """Return LambdaRank's losses, or RankNet's if `plain`; `sigma` is the slope of the logistic.

    `pull` weighs the pairs in which a row has the higher grade.
    """
    found = _empty(tables)
    lambda_pairs.lambda_lists(
        scores,
        ranked(scores, tables.offsets, rng),
        tables.levels,
        tables.offsets,
        tables.code,
        tables.kernel,
        tables.gain,
        tables.weight,
        sigma,
        EVERYTHING if truncation is None else truncation,
        plain,
        pull,
        found.loss,
        found.gradient,
    )
    return found


def soft_losses(
    tables: Tables, scores: Floats, *, sigma: float = 1.0, exact_up_to: int = EXACT_UP_TO
) -> Losses:
    """Return the negative soft measure of each list; `sigma` is the deviation of scores.

    Gain-discount measures of lists of more than `exact_up_to` documents are approximated.
    """
    found = _empty(tables)
    rows = (scores, tables.levels, tables.offsets)
    if tables.family == "pivot":
        soft_precisions.soft_pivot_lists(*rows, tables.kernel, sigma, found.loss, found.gradient)
    else:
        soft_ranks.soft_gain_lists(
            *rows, tables.gain, tables.weight, sigma, exact_up_to, found.loss, found.gradient
        )
    return Losses(-found.loss, -found.gradient)


def listnet_losses(tables: Tables, scores: Floats) -> Losses:
    """Return ListNet's losses: cross entropies of softmax(scores) under softmax(grades)."""
    grades = np.concatenate([[0.0], tables.scale])[tables.levels]
    target, chance = (_softmax(numbers, tables.offsets) for numbers in (grades, scores))
    terms = -target * np.log(np.maximum(chance, np.finfo(np.float64).tiny))
    loss = np.add.reduceat(terms, tables.offsets[:-1])
    return Losses(loss, chance - target)


def _softmax(numbers: Floats, offsets: Ints) -> Floats:
    sizes = np.diff(offsets)
    above = numbers - np.maximum.reduceat(numbers, offsets[:-1]).repeat(sizes)
    powers = np.exp(above)
    return powers / np.add.reduceat(powers, offsets[:-1]).repeat(sizes)


def _empty(tables: Tables) -> Losses:
    return Losses(np.zeros(len(tables.offsets) - 1), np.zeros(len(tables.levels)))
