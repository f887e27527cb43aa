"""How nets are trained: one entry for each algorithm."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Floats
from gradewise.learn.list_losses import Losses, lambda_losses, listnet_losses, soft_losses
from gradewise.learn.objectives import Tables, check_soft, check_trainable
from gradewise.measures.measure import Measure

AlgorithmName = Literal["lambdarank", "softrank", "ranknet", "listnet"]
Compute = Callable[[Tables, Floats, np.random.Generator, float, int | None, Floats], Losses]


@dataclass(frozen=True)
class Algorithm:
    """A way to train a net.

    `compute` takes tables, scores, a source of random numbers, sigma, the truncation and weights of
    pairs by their better document, which only algorithms `of_pairs` use;
    `check` raises a MeasureError for objectives that the algorithm cannot use. The usual learning
    rate suits the scale of the gradients: sums over pairs of swaps, a measure, sums over pairs,
    probabilities.
    """

    title: str
    summary: str
    measures: str
    compute: Compute
    check: Callable[[Measure], None]
    learning_rate: float
    of_pairs: bool = False


ALGORITHMS: dict[AlgorithmName, Algorithm] = {
    "lambdarank": Algorithm(
        "LambdaRank",
        "RankNet's gradient of each pair, times the change in the measure if the two were swapped",
        "every pivot and gain-discount measure, RR, ERR",
        lambda t, s, rng, sigma, k, w: lambda_losses(t, s, rng, sigma=sigma, truncation=k, pull=w),
        check_trainable,
        0.003,
        of_pairs=True,
    ),
    "softrank": Algorithm(
        "SoftRank",
        "the gradient of the expected measure when scores have normal noise",
        "gain-discount measures, and pivot measures with discount 1/n: AP, GAP, eGAP, xGAP, GenAP",
        lambda t, s, rng, sigma, k, w: soft_losses(t, s, sigma=sigma),
        check_soft,
        0.3,
    ),
    "ranknet": Algorithm(
        "RankNet",
        "a baseline: the logistic loss of each pair",
        "none; the objective only decides when to restart",
        lambda t, s, rng, sigma, k, w: lambda_losses(
            t, s, rng, sigma=sigma, truncation=k, plain=True, pull=w
        ),
        check_trainable,
        0.00003,
        of_pairs=True,
    ),
    "listnet": Algorithm(
        "ListNet",
        "a baseline: the cross entropy of softmax(scores) under softmax(grades)",
        "none; the objective only decides when to restart",
        lambda t, s, rng, sigma, k, w: listnet_losses(t, s),
        check_trainable,
        0.03,
    ),
}
