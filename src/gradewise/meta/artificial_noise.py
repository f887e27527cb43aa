"""Kishida's artificial case of judgment noise: documents with two probabilities of relevance."""

import numpy as np

from gradewise.arrays import Bools
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import OptionError, check_least
from gradewise.measures.measure import Measure
from gradewise.meta.judgment_noise import JudgmentNoise, mean_measure

_BLOCK = 1 << 21  # documents that are judged at once


def artificial_noise(
    theta: float,
    *,
    measure: str | Measure = "AP",
    topics: int = 50,
    documents: int = 10,
    replicates: int = 1000,
    seed: int = 0,
) -> JudgmentNoise:
    """Simulate Kishida's artificial case (§3.3, Table 2).

    Each topic has one list, which holds all its documents. The probability that a document is
    judged relevant is `theta` or 1 - `theta`, drawn with equal odds once for all judgments. (Step
    2-a of the paper swaps the two probabilities, which makes no difference here.)

    Examples
    --------
    >>> noise = artificial_noise(0.5, seed=1)
    >>> noise.mean.round(2), noise.sigma_d2.round(3)
    (array([0.61]), array([0.037]))
    """
    parsed = mean_measure(measure)
    if not 0 <= theta <= 1:
        raise OptionError(f"theta must be between 0 and 1, not {theta}")
    check_least(1, documents=documents)
    check_least(2, topics=topics, replicates=replicates)
    rng = np.random.default_rng(seed)
    chances = np.where(rng.integers(0, 10, (topics, documents)) < 5, theta, 1 - theta)
    block = max(1, _BLOCK // (topics * documents))
    values = np.concatenate(
        [
            parsed.values(_binary_lists(rng.random((size, topics, documents)) < chances))
            for size in _block_sizes(replicates, block)
        ]
    ).reshape(replicates, topics)
    return JudgmentNoise(
        parsed,
        ("artificial",),
        replicates,
        np.full((1, topics), np.nan),
        values.mean(axis=0)[None],
        values.var(axis=0, ddof=1)[None],
        values.var(axis=1, ddof=1).mean(keepdims=True),
    )


def _block_sizes(number: int, block: int) -> list[int]:
    return [min(block, number - start) for start in range(0, number, block)]


def _binary_lists(relevant: Bools) -> Judged:
    """Make a list, of a topic of its own, of each row along the last axis."""
    size = relevant.shape[-1]
    levels = relevant.reshape(-1).astype(np.int64)
    sizes = np.full(len(levels) // size, size)
    return Judged.of_levels(Lists.of_documents(np.array([1]), levels, sizes), levels)
