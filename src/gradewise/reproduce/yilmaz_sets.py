"""Yilmaz & Robertson 2010: the measures, and the data that the paper's training is applied to.

The paper's data are those of a commercial web search engine: 2,000 or 30,000 topics to train on,
1,000 for validation and 2,000 to test on, 382 features, 5 grades. The protocol is applied to
simulated sets, drawn anew for each seed, and to a public sample of MSLR-WEB, which is small.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.normalization import normalize
from gradewise.learn.studies.folds import Fold, rotated, split
from gradewise.reproduce.collections import mslr_sample
from gradewise.simulate import documents

# "In all our experiments": gain 2^grade - 1, discount log2(rank + 1).
NDCG = "nDCG(dcg='exp-log2')"
NDCG_10 = f"{NDCG}@10"
PAIRS = (("AP", "P@10"), (NDCG, NDCG_10))  # the more informative measure, and the one tested
OBJECTIVES = ("AP", "P@10", NDCG, NDCG_10)


def short(measure: str) -> str:
    """Return a measure's name as the paper has it; gains are the paper's throughout."""
    return measure.replace("(dcg='exp-log2')", "")


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

    topics: tuple[int, int, int] = (600, 300, 1000)
    documents: int = 40
    features: int = 382
    epochs: int = 15
    seeds: int = 3
    folds: int = 6  # of the sample of MSLR-WEB, with as many seeds as in
    sample_seeds: int = 2
    sample_epochs: int = 40
    rates: bool = True  # whether learning rates are chosen by the validation topics
    few: tuple[int, int] = (9, 2)
    shares: tuple[float, ...] = (0.1, 0.25, 0.5, 1.0)
    directions: int = 460  # of Table 5, searched in as many test topics as in
    searched: int = 300
    angles: int = 720
    times: int = 10  # as many training topics in Table 4, where the paper has 15 times as many


QUICK = Size(
    topics=(30, 15, 30),
    documents=20,
    features=20,
    epochs=2,
    seeds=2,
    folds=3,
    sample_seeds=1,
    sample_epochs=2,
    rates=False,
    shares=(0.5, 1.0),
    directions=5,
    angles=24,
    times=2,
)
# Of the simulated sets: nets are at their best within the first epochs. Of small sets.
RATES: dict[AlgorithmName, tuple[float, ...]] = {
    "lambdarank": (0.0001, 0.0003, 0.001),
    "softrank": (0.003, 0.01, 0.03),
}
SAMPLE_RATES: dict[AlgorithmName, tuple[float, ...]] = {
    "lambdarank": (0.001, 0.003, 0.01),
    "softrank": (0.03, 0.1, 0.3),
}


@dataclass(frozen=True)
class Sets:
    """The two sets: simulated topics for each seed and, from a folder, folds of MSLR-WEB's."""

    folder: Path | None
    size: Size
    seed: int

    def training(self, algorithm: AlgorithmName) -> dict[str, Any]:
        """Return epochs and learning rates for simulated sets."""
        rates = RATES[algorithm] if self.size.rates else None
        return {"epochs": self.size.epochs, "learning_rate": rates}

    def sample_training(self, algorithm: AlgorithmName) -> dict[str, Any]:
        """Return epochs and learning rates for MSLR-WEB and OHSUMED, which have few topics."""
        rates = SAMPLE_RATES[algorithm] if self.size.rates else None
        return {"epochs": self.size.sample_epochs, "learning_rate": rates}

    def simulated(self) -> Iterator[tuple[int, Fold]]:
        """Give each seed and its topics: documents, features and their quality are drawn anew.

        The seeds also are those of the nets.
        """
        for seed in range(self.seed, self.seed + self.size.seeds):
            yield seed, self.draw(seed)

    def draw(self, seed: int) -> Fold:
        """Return the simulated topics of a seed to train, validate and test on."""
        parts = [
            documents.features(
                topics, self.size.documents, self.size.features, seed=3 * seed + place, world=seed
            )
            for place, topics in enumerate(self.size.topics)
        ]
        return Fold(*[normalize(part, "zscore") for part in parts])

    @property
    def larger(self) -> "Sets":
        """Simulated topics only, with more topics to train on and fewer epochs."""
        train, held, test = self.size.topics
        epochs = max(2, round(3 * self.size.epochs / self.size.times))
        more = replace(self.size, topics=(self.size.times * train, held, test), epochs=epochs)
        return Sets(None, more, self.seed)

    @property
    def title(self) -> str:
        """What the simulated sets are, in a few words."""
        train, held, test = self.size.topics
        seeds = f"{self.size.seeds} seeds" if self.size.seeds > 1 else "one seed"
        return f"{train:,}/{held:,}/{test:,} simulated topics, {seeds}"

    @cached_property
    def sample(self) -> list[Fold]:
        """Folds of the sample of MSLR-WEB; none without a folder."""
        if self.folder is None:
            return []
        data = normalize(mslr_sample(self.folder), "zscore")
        return rotated(split(data, self.size.folds, seed=self.seed))

    @property
    def sample_title(self) -> str:
        """What the sample of MSLR-WEB is, in a few words."""
        topics = sum(len(fold.test) for fold in self.sample)
        seeds = f"{self.size.sample_seeds} seeds" if self.size.sample_seeds > 1 else "one seed"
        return f"{topics} topics of MSLR-WEB, {len(self.sample)} folds, {seeds}"

    @property
    def sample_seeds(self) -> list[int]:
        """The seeds of nets for MSLR-WEB."""
        return [self.seed + n for n in range(self.size.sample_seeds)]
