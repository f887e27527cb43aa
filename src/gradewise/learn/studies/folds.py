"""Parts for training, validation and testing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import offsets_of
from gradewise.errors import InputError, OptionError, counted
from gradewise.learn.features import FeatureSet
from gradewise.learn.normalization import Normalization, normalize


@dataclass(frozen=True)
class Fold:
    """Topics to train on, to choose the epoch on, and to test on."""

    train: FeatureSet
    validation: FeatureSet
    test: FeatureSet

    def __post_init__(self) -> None:
        _check_widths((self.train, self.validation, self.test))


def _check_widths(parts: Sequence[FeatureSet]) -> None:
    widths = {part.width for part in parts}
    if len(widths) > 1:
        shown = ", ".join(map(str, sorted(widths)))
        raise InputError(f"parts must have the same number of features, but have {shown}")


def joined(parts: Sequence[FeatureSet]) -> FeatureSet:
    """Return the topics of several parts as one."""
    sizes = np.concatenate([part.sizes for part in parts])
    _check_widths(parts)
    return FeatureSet(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.grades for part in parts]),
        offsets_of(sizes),
        tuple(topic for part in parts for topic in part.topics),
        tuple(doc for part in parts for doc in part.docs),
    )


def rotated(parts: Sequence[FeatureSet]) -> list[Fold]:
    """Return as many folds as there are parts: test on each in turn, validate on the one before.

    Fold k takes the parts in the order k, k+1, ...: the last is for testing, the one before it
    for validation and the others are for training, as in
    LETOR: of S1 to S5, Fold 1 trains on S1 to S3, validates on S4 and tests on S5.
    """
    count = len(parts)
    if count < 3:
        raise OptionError(f"folds need at least 3 parts, but there are {count}")
    turns = [[parts[(first + n) % count] for n in range(count)] for first in range(count)]
    return [Fold(joined(turn[:-2]), turn[-2], turn[-1]) for turn in turns]


def split(data: FeatureSet, parts: int, *, seed: int = 0) -> list[FeatureSet]:
    """Split topics at random into parts of about equal size."""
    if not 3 <= parts <= len(data):
        raise OptionError(
            f"{counted(len(data), 'topic')} cannot be split into {parts} parts; folds need at "
            "least 3 parts, and each part at least one topic"
        )
    order = np.random.default_rng(seed).permutation(len(data))
    return [data.take(np.sort(chosen)) for chosen in np.array_split(order, parts)]


def normalize_fold(fold: Fold, method: Normalization) -> Fold:
    """Return a fold with features normalized by topic."""
    if method == "none":
        return fold
    return Fold(*[normalize(part, method) for part in (fold.train, fold.validation, fold.test)])


def as_folds(data: Any, folds: int, seed: int) -> list[Fold]:
    """Return folds of a FeatureSet, of parts, or as they are given."""
    if isinstance(data, FeatureSet):
        return rotated(split(data, folds, seed=seed))
    given = list(data)
    if given and all(isinstance(part, FeatureSet) for part in given):
        return rotated(given)
    if not given or not all(isinstance(fold, Fold) for fold in given):
        raise OptionError("data must be a FeatureSet, a list of them (parts), or a list of Folds")
    return given
