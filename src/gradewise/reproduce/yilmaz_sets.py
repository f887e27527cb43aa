"""Yilmaz & Robertson 2010: the data that the paper's training protocol is applied to.

The paper's data are those of a commercial web search engine: 2,000 topics to train on, 1,000 for
validation and 2,000 to test on, 382 features, 5 grades. The protocol is applied to a simulated set
of the same size, and to a public sample of MSLR-WEB, which is small.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.normalization import normalize
from gradewise.learn.studies.folds import Fold, rotated, split
from gradewise.reproduce.collections import mslr_sample
from gradewise.simulate import documents

PAIRS = (("AP", "P@10"), ("nDCG", "nDCG@10"))  # the more informative measure, and the one tested


@dataclass(frozen=True)
class Work:
    """How the work is done: processes, a folder for partial results, and progress."""

    jobs: int = 1
    keep: str | None = None
    progress: Callable[[int], None] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The same as arguments."""
        return {"jobs": self.jobs, "keep": self.keep, "progress": self.progress}


@dataclass(frozen=True)
class Size:
    """Size of the study: topics to train, validate and test on; documents, features, epochs."""

    topics: tuple[int, int, int] = (2000, 1000, 2000)
    documents: int = 40
    features: int = 382
    epochs: int = 300
    seeds: int = 1
    folds: int = 6  # of the sample of MSLR-WEB, with as many seeds as in
    sample_seeds: int = 5
    rates: bool = True  # whether learning rates are chosen by the validation topics
    few: tuple[int, int] = (9, 2)
    shares: tuple[float, ...] = (0.1, 0.25, 0.5, 1.0)
    directions: int = 460


QUICK = Size(
    topics=(30, 15, 30),
    documents=20,
    features=20,
    epochs=2,
    folds=3,
    sample_seeds=1,
    rates=False,
    shares=(0.5, 1.0),
    directions=10,
)
RATES: dict[AlgorithmName, tuple[float, ...]] = {
    "lambdarank": (0.001, 0.003, 0.01),
    "softrank": (0.03, 0.1, 0.3),
}


@dataclass(frozen=True)
class Sets:
    """The two sets: a fold of simulated topics and, from a folder, folds of MSLR-WEB's."""

    folder: Path | None
    size: Size
    seed: int

    def training(self, algorithm: AlgorithmName) -> dict[str, Any]:
        """Return epochs and learning rates."""
        rates = RATES[algorithm] if self.size.rates else None
        return {"epochs": self.size.epochs, "learning_rate": rates}

    @cached_property
    def simulated(self) -> Fold:
        """Simulated topics to train, validate and test on."""
        parts = [
            documents.features(
                topics, self.size.documents, self.size.features, seed=3 * self.seed + place
            )
            for place, topics in enumerate(self.size.topics)
        ]
        return Fold(*[normalize(part, "zscore") for part in parts])

    @cached_property
    def sample(self) -> list[Fold]:
        """Folds of the sample of MSLR-WEB; none without a folder."""
        if self.folder is None:
            return []
        data = normalize(mslr_sample(self.folder), "zscore")
        return rotated(split(data, self.size.folds, seed=self.seed))


def named(sets: Sets) -> list[tuple[str, Sequence[Fold], int]]:
    """Return the name, the folds and the number of seeds of each set."""
    train, held, test = sets.size.topics
    simulated = f"{train:,}/{held:,}/{test:,} simulated topics"
    found: list[tuple[str, Sequence[Fold], int]] = [(simulated, [sets.simulated], sets.size.seeds)]
    if sets.sample:
        topics = sum(len(fold.test) for fold in sets.sample)
        found.append((f"{topics} topics of MSLR-WEB", sets.sample, sets.size.sample_seeds))
    return found
