"""All judges of a panel together: the labels of documents, and coefficients of their agreement."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints, quotient
from gradewise.meta.judging.panel import Panel
from gradewise.stats.agreement import (
    count_coincidences,
    gwet_ac_of_counts,
    krippendorff_alpha,
    likeness_of_labels,
)


def label_counts(panel: Panel) -> Ints:
    """Return how many judges gave each document each level, [row, level]."""
    size = len(panel.scale)
    row = np.broadcast_to(np.arange(len(panel)), panel.levels.shape)[panel.labeled]
    cell = row * size + panel.levels[panel.labeled]
    return np.bincount(cell, minlength=len(panel) * size).reshape(-1, size)


@dataclass(frozen=True, eq=False)
class Together:
    """What the coefficients of all judges need, summed for each topic."""

    coincidences: Floats
    alike: Floats
    near: Floats
    pairs: Ints
    shares: Floats

    @staticmethod
    def of(panel: Panel) -> "Together":
        """Sum up the labels of a panel."""
        counts = label_counts(panel)
        labels = counts.sum(axis=1)

        def by_topic(values: Floats | Ints) -> Any:
            return np.add.reduceat(values, panel.offsets[:-1], axis=0)

        return Together(
            by_topic(count_coincidences(counts)),
            by_topic(np.nan_to_num(likeness_of_labels(counts))),
            by_topic(np.nan_to_num(likeness_of_labels(counts, weights="quadratic"))),
            by_topic(labels > 1),
            by_topic(counts / np.maximum(labels, 1)[:, None]),
        )

    def describe(self, weights: Ints) -> dict[str, Floats]:
        """Return the coefficients of samples of topics."""
        alike, near, shares = (weights @ each for each in (self.alike, self.near, self.shares))
        pairs = weights @ self.pairs
        return {
            "agreement": quotient(alike, pairs),
            "alpha": krippendorff_alpha(np.tensordot(weights, self.coincidences, axes=1)),
            "ac1": gwet_ac_of_counts(alike, pairs, shares),
            "ac2": gwet_ac_of_counts(near, pairs, shares, weights="quadratic"),
        }
