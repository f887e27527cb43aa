"""Documents with features and grades as web search has them, made on the spot.

Every document has a worth, from which its grade follows by thresholds, so that high grades are
rare, and an appearance, which is its worth and noise that all features share: no ranker can see
through that. Features see the appearance more or less well: a few strong ones, many weak ones, some
that rise in a step, some that work on half of the topics, copies of others, and pure noise. Every
topic has its own scale for each feature and is more or less hard.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import check_least
from gradewise.learn.features import FeatureSet, from_arrays

_LINES = (0.2, 0.9, 1.5, 2.1)  # of worth, between grades 0 to 4
_SHARED_NOISE = 1.2
_MAKEUP = (("strong", 0.02), ("weak", 0.38), ("edges", 0.1), ("some", 0.1), ("copies", 0.1))


@dataclass(frozen=True)
class FeaturePlan:
    """How many topics, documents of a topic (on average) and features to make."""

    topics: int = 2000
    documents: int = 40
    features: int = 382
    seed: int = 0

    def __post_init__(self) -> None:
        check_least(1, topics=self.topics, documents=self.documents)
        check_least(10, features=self.features)


def features(
    topics: int = 2000, documents: int = 40, features: int = 382, *, seed: int = 0, world: int = 0
) -> FeatureSet:
    """Make documents with features of mixed quality and grades from 0 to 4.

    Parameters
    ----------
    topics, documents, features
        How many topics, documents of a topic on average, and features.
    seed
        The same seed gives the same topics.
    world
        The same world gives features of the same quality, so that sets with different seeds may
        serve for training and for testing.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.simulate.features(30, 20, 12, seed=1)
    FeatureSet(30 topics, 585 documents, 12 features, grades 0 1 2 3 4)
    """
    plan = FeaturePlan(topics, documents, features, seed)
    rng = np.random.default_rng([plan.seed, 1])
    sizes = np.maximum(rng.poisson(plan.documents, plan.topics), 2)
    owner = np.arange(plan.topics).repeat(sizes)
    hard = rng.normal(-0.2, 0.4, plan.topics)[owner]
    worth = rng.normal(size=len(owner)) + hard
    appearance = (worth + _SHARED_NOISE * rng.normal(size=len(owner))) / np.hypot(1, _SHARED_NOISE)
    x = _features(appearance, owner, plan, np.random.default_rng([world, 2]), rng)
    return from_arrays(x, np.digitize(worth, _LINES), group=sizes)


def _features(
    appearance: Floats,
    owner: Ints,
    plan: FeaturePlan,
    world: np.random.Generator,
    rng: np.random.Generator,
) -> Floats:
    """Return features; `world` draws what they are, `rng` draws the documents."""
    counts = {kind: max(1, int(share * plan.features)) for kind, share in _MAKEUP}
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    kinds += ["noise"] * (plan.features - len(kinds))
    x = np.empty((len(appearance), plan.features), np.float32)
    rows, topics = len(appearance), plan.topics
    for n, kind in enumerate(kinds):
        quality = world.uniform(0.3, 0.6) if kind == "strong" else world.uniform(0.02, 0.25)
        line, source = world.choice(_LINES), int(world.integers(max(1, n)))
        chance = rng.normal(size=rows)
        seen = appearance
        if kind == "edges":
            seen = (appearance > line) * 2.0
        elif kind == "some":
            seen = (rng.random(topics) < 0.5)[owner] * appearance
        elif kind == "copies":
            seen, quality = x[:, source], 0.8
        elif kind == "noise":
            quality = 0.0
        value = quality * seen + np.sqrt(1 - quality**2) * chance
        spread, middle = np.exp(0.3 * rng.normal(size=topics)), 0.5 * rng.normal(size=topics)
        x[:, n] = value * spread[owner] + middle[owner]
    return x
