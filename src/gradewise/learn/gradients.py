"""Losses of lists with their gradients in the scores, by the compiled kernels, as arrays."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.learn import kernels
from gradewise.learn.objectives import Tables

EVERYTHING = 1 << 62  # a depth that no list reaches


@dataclass(frozen=True)
class Losses:
    """The loss of each list, and its gradient in the score of each row."""

    loss: Floats
    gradient: Floats


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
    depth: int | None = None,
    plain: bool = False,
) -> Losses:
    """Return LambdaRank's losses, or RankNet's if `plain`; `sigma` is the slope of the logistic."""
    found = _empty(tables)
    kernels.lambda_lists(
        scores,
        ranked(scores, tables.offsets, rng),
        tables.levels,
        tables.offsets,
        tables.code,
        tables.kernel,
        tables.gain,
        tables.weight,
        sigma,
        EVERYTHING if depth is None else depth,
        plain,
        found.loss,
        found.gradient,
    )
    return found


def soft_losses(tables: Tables, scores: Floats, *, sigma: float = 1.0) -> Losses:
    """Return the negative soft measure of each list; `sigma` is the deviation of scores."""
    found = _empty(tables)
    rest = (sigma, found.loss, found.gradient)
    if tables.family == "pivot":
        kernels.soft_pivot_lists(scores, tables.levels, tables.offsets, tables.kernel, *rest)
    else:
        kernels.soft_gain_lists(
            scores, tables.levels, tables.offsets, tables.gain, tables.weight, *rest
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
