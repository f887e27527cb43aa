"""Simulated collections of any size, for examples, tests and benchmarks.

Topics differ in how many relevant documents they have and how hard these are to find; grades are
skewed, the highest being the rarest. Every document has an appeal that all runs see, made of its
grade and of noise that they share, so that runs retrieve much the same documents; better runs add
less noise of their own. What the first `pool_depth` ranks of the runs hold is judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.entries import Entries
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.errors import OptionError


@dataclass(frozen=True)
class Plan:
    """What to simulate; see `collection` for the meaning of each part."""

    topics: int = 50
    runs: int = 10
    depth: int = 1000
    grades: int = 2
    relevant: float = 40.0
    pool_depth: int = 100
    collection_size: int = 1_000_000
    ties: float = 0.01
    missing: float = 0.0
    seed: int = 0
    spread: float = 3.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("ties", "missing"):
                if not 0 <= value < 1:
                    raise OptionError(f"{field.name} must be at least 0 and below 1, not {value}")
            elif value < (least := 0 if field.name in ("seed", "pool_depth") else 1):
                raise OptionError(f"{field.name} must be at least {least}, not {value}")
        if self.candidates > self.collection_size:
            raise OptionError(
                f"a collection of {self.collection_size} documents is too small for depth "
                f"{self.depth}; give at least {self.candidates}"
            )

    @property
    def candidates(self) -> int:
        """How many documents of each topic any run may retrieve."""
        return int(self.spread * self.depth) + 20

    @property
    def run_names(self) -> list[str]:
        """The names of the runs; the quality of a run does not follow from its number."""
        width = len(str(self.runs))
        return [f"run{number:0{width}d}" for number in range(1, self.runs + 1)]

    @property
    def qualities(self) -> Floats:
        """How good each run is, from 0.4 to 1, in random order."""
        return np.random.default_rng([self.seed, 0]).permutation(np.linspace(0.4, 1, self.runs))


@dataclass(frozen=True, eq=False)
class Topic:
    """One simulated topic: documents and scores of each run, and what was judged.

    `documents[r, n]` and `scores[r, n]` are the document number and score at rank n+1 of run r,
    where `has_topic[r]`.
    """

    name: str
    documents: Ints
    scores: Floats
    has_topic: Bools
    judged: Ints
    grades: Ints


def simulate_topic(plan: Plan, number: int) -> Topic:
    """Simulate a topic; it depends on the plan and its number only."""
    rng = np.random.default_rng([plan.seed, number])
    documents = np.sort(rng.choice(plan.collection_size, plan.candidates, replace=False))
    grade = _draw_grades(plan, rng)
    difficulty = rng.uniform(0.6, 1.4)
    worth = np.concatenate([[0.0], 1.8 + 0.6 * np.arange(plan.grades)])
    appeal = difficulty * worth[grade] + rng.normal(size=plan.candidates)
    quality = plan.qualities[:, None]
    own = rng.normal(size=(plan.runs, plan.candidates))
    scores = quality * appeal + np.sqrt(1.2 - quality**2) * own
    order = np.argsort(-scores, axis=1, kind="stable")[:, : plan.depth]
    has_topic = (rng.random(plan.runs) >= plan.missing) | (number == 1)  # no run is empty
    ranked = np.take_along_axis(scores, order, axis=1)
    ranked = _with_ties(plan, rng, np.round(20 + 4 * ranked, 4))
    settled = np.lexsort((-order, -ranked), axis=1)  # equal scores: greater id first
    order, ranked = np.take_along_axis(order, settled, 1), np.take_along_axis(ranked, settled, 1)
    pooled = np.unique(order[has_topic, : plan.pool_depth])
    return Topic(
        name=str(100 + number),
        documents=documents[order],
        scores=ranked,
        has_topic=has_topic,
        judged=documents[pooled],
        grades=grade[pooled],
    )


def _draw_grades(plan: Plan, rng: np.random.Generator) -> Ints:
    """Draw a grade for each candidate: a skewed number of relevant ones, few of high grades."""
    most = plan.candidates // 3
    relevant = int(np.clip(np.round(plan.relevant * rng.lognormal(-0.3, 0.8)), 1, most))
    shares = rng.dirichlet(6.0 * 0.4 ** np.arange(plan.grades))
    grades = np.zeros(plan.candidates, np.int64)
    chosen = rng.choice(plan.candidates, relevant, replace=False)
    grades[chosen] = 1 + rng.choice(plan.grades, relevant, p=shares)
    return grades


def _with_ties(plan: Plan, rng: np.random.Generator, scores: Floats) -> Floats:
    """Give a share of the documents the score of the one above."""
    same = rng.random(scores.shape) < plan.ties
    same[:, 0] = False
    rank = np.where(same, 0, np.arange(scores.shape[1]))
    return np.take_along_axis(scores, np.maximum.accumulate(rank, axis=1), axis=1)


@dataclass(frozen=True, eq=False)
class Simulated:
    """A simulated collection: judgments and runs by name."""

    qrels: Qrels
    runs: dict[str, Run]


def collection(
    topics: int = 50,
    runs: int = 10,
    depth: int = 1000,
    *,
    grades: int = 2,
    relevant: float = 40.0,
    pool_depth: int = 100,
    collection_size: int = 1_000_000,
    ties: float = 0.01,
    missing: float = 0.0,
    seed: int = 0,
    spread: float = 3.0,
) -> Simulated:
    """Simulate judgments and runs in memory.

    Parameters
    ----------
    topics, runs, depth
        How many topics and runs there are, and how many documents a run has for a topic.
    grades
        How many positive grades; they are 1, 2, ...
    relevant
        About how many relevant documents a topic has; the number is skewed.
    pool_depth
        How many ranks of each run are judged. A small value makes sparse judgments, `depth` deep
        ones.
    collection_size
        How many documents there are in total.
    ties
        The share of documents with the same score as the one above.
    missing
        The share of topics that a run misses.
    seed
        The same seed gives the same collection.
    spread
        How many documents the runs of a topic draw from, as a multiple of `depth`. The more there
        are, the less runs have in common, and the more of what they retrieve is unjudged.

    Examples
    --------
    >>> import gradewise as gw
    >>> collection = gw.simulate.collection(topics=3, runs=2, depth=20, seed=1)
    >>> collection.runs["run1"]
    Run('run1', 3 topics, 60 documents)
    """
    plan = Plan(
        topics=topics,
        runs=runs,
        depth=depth,
        grades=grades,
        relevant=relevant,
        pool_depth=pool_depth,
        collection_size=collection_size,
        ties=ties,
        missing=missing,
        seed=seed,
        spread=spread,
    )
    made = [simulate_topic(plan, number) for number in range(1, topics + 1)]
    judged = _entries([(topic.name, topic.judged, topic.grades) for topic in made])
    simulated = {}
    for index, name in enumerate(plan.run_names):
        rows = _entries(
            [(t.name, t.documents[index], t.scores[index]) for t in topics_of(made, index)]
        )
        simulated[name] = Run(rows.topics, rows.offsets, rows.docs, rows.numbers, name, name)
    return Simulated(Qrels(judged.topics, judged.offsets, judged.docs, judged.numbers), simulated)


def _entries(parts: Sequence[tuple[str, Ints, Floats | Ints]]) -> Entries:
    """Make entries of (topic, document numbers, values) triples."""
    documents = np.concatenate([documents for _, documents, _ in parts])
    return Entries(
        tuple(name for name, _, _ in parts),
        np.cumsum([0, *[len(values) for _, _, values in parts]]),
        Ids.from_strings(map(document_id, documents.tolist())),
        np.concatenate([values.astype(np.float64) for _, _, values in parts]),
    )


def topics_of(topics: Sequence[Topic], run: int) -> Sequence[Topic]:
    """Return the topics that a run has."""
    return [topic for topic in topics if topic.has_topic[run]]


def document_id(number: int) -> str:
    """Return the id of a document by its number."""
    return f"DOC-{number:08d}"
