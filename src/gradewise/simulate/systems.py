"""Simulated runs for judgments that exist, by systems that agree as real ones do.

All systems see the same appeal of a document: its grade, weighed by how easy the topic is, and a
part that has nothing to do with relevance, so that they retrieve the same nonrelevant documents
too. A system adds a skill, which varies from topic to topic, a taste for high grades, and noise of
its own; some documents it misses altogether, as a system misses what shares no term with the topic,
and by a few it is fooled.
Documents that nobody judged have less appeal, since pools hold what real systems retrieved first.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.accepted import QrelsLike
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.run import Run
from gradewise.errors import OptionError, check_least

# Found by search, so that the figures in docs/reference/simulate.md resemble those of real runs.
WORTH, STEP = 2.1, 0.35  # of grade 1, and of each grade above it
EASE = 0.4  # spread of topics, of the logarithm
WHIMS = 0.15  # spread of a system's skill over topics
TASTE = 0.3  # spread of systems in what a higher grade is worth, of the logarithm
MISSES = 0.2  # the largest share of documents that a system misses
LURES, LURE = (
    3.0,
    10.0,
)  # the largest number of documents of a topic that a system takes for the best
_LATE, _FAR = 1e3, 1e6  # more than scores differ by, and more than that


def runs(
    qrels: QrelsLike,
    runs: int = 20,
    depth: int = 1000,
    *,
    skill: tuple[float, float] = (0.5, 1.0),
    agreement: float = 0.8,
    pooling: float = 3.0,
    seed: int = 0,
) -> dict[str, Run]:
    """Simulate runs for given judgments.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes.
    runs, depth
        Number of runs, and of documents that a run has for each topic.
    skill
        Lowest and highest skill; 0 ignores relevance.
    agreement
        From 0 to 1: the share of what is not relevance that systems have in common. The higher it
        is, the more documents two runs share.
    pooling
        How much less appeal unjudged documents have than judged ones. At 0, the judgments are a
        random sample; at 2, the first hundred documents of a run are mostly judged.
    seed
        The same seed gives the same runs.

    Returns
    -------
    dict[str, Run]
        Runs by name. Their quality does not follow from their number.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"t": {"a": 2, "b": 1, "c": 0}}
    >>> found = gw.simulate.runs(qrels, runs=2, depth=5, seed=1)
    >>> found["run1"]
    Run('run1', 1 topic, 5 documents)
    """
    plan = SystemPlan(runs, depth, skill, agreement, pooling, seed)
    field = Field.of(read_qrels(qrels), plan)
    return {name: field.run(plan, number) for number, name in enumerate(plan.names)}


@dataclass(frozen=True)
class SystemPlan:
    """What to simulate; see `runs` for the meaning of each part."""

    runs: int
    depth: int
    skill: tuple[float, float]
    agreement: float
    pooling: float
    seed: int

    def __post_init__(self) -> None:
        check_least(1, runs=self.runs, depth=self.depth)
        low, high = self.skill
        if not 0 <= low <= high:
            raise OptionError(f"skill must be two ascending numbers of 0 or more, not {self.skill}")
        if not 0 <= self.agreement <= 1:
            raise OptionError(f"agreement must be from 0 to 1, not {self.agreement}")
        check_least(0, pooling=self.pooling)

    @property
    def names(self) -> list[str]:
        """The names of the runs."""
        width = len(str(self.runs))
        return [f"run{number:0{width}d}" for number in range(1, self.runs + 1)]

    @property
    def skills(self) -> Floats:
        """The skill of each run, evenly spaced, in random order."""
        rng = np.random.default_rng([self.seed, 0])
        return rng.permutation(np.linspace(*self.skill, self.runs))


@dataclass(frozen=True, eq=False)
class Field:
    """The documents that systems choose from, topic by topic: judged ones, then unjudged ones.

    `topic`, `level` and `shared` have a row for each of them; `ease` one for each topic.
    """

    topics: tuple[str, ...]
    docs: Ids
    topic: Ints
    level: Ints
    shared: Floats
    ease: Floats

    @staticmethod
    def of(qrels: Qrels, plan: SystemPlan) -> "Field":
        """Draw what all systems see alike."""
        rng = np.random.default_rng([plan.seed, 1])
        topics = len(qrels.topics)
        judged = np.arange(topics).repeat(qrels.sizes)
        unjudged = np.arange(topics).repeat(2 * plan.depth)
        owner = np.concatenate([judged, unjudged])
        names = Ids.from_strings(f"UNJUDGED-{number:06d}" for number in range(2 * plan.depth))
        docs = [qrels.docs, names.take(np.tile(np.arange(2 * plan.depth), topics))]
        shared = rng.normal(size=len(owner))
        shared[len(judged) :] -= plan.pooling
        level = np.maximum(qrels.levels, 0).astype(np.int64)
        order = np.argsort(owner, kind="stable")
        return Field(
            qrels.topics,
            Ids.concatenate(docs).take(order),
            owner[order],
            np.concatenate([level, np.zeros(len(unjudged), np.int64)])[order],
            shared[order],
            np.exp(EASE * rng.normal(size=topics)),
        )

    def run(self, plan: SystemPlan, number: int) -> Run:
        """Return what one system retrieves."""
        rng = np.random.default_rng([plan.seed, 2, number])
        skill = plan.skills[number] + WHIMS * rng.normal(size=len(self.topics))
        taste = STEP * np.exp(TASTE * rng.normal())
        worth = np.where(self.level > 0, WORTH + taste * (self.level - 1), 0.0)
        own = rng.normal(size=len(self.level))
        lured = rng.uniform(0, LURES) / np.bincount(self.topic)[self.topic]
        own += LURE * (rng.random(len(own)) < lured)
        score = (np.maximum(skill, 0) * self.ease)[self.topic] * worth
        score += np.sqrt(plan.agreement) * self.shared + np.sqrt(1 - plan.agreement) * own
        missed = rng.random(len(score)) < MISSES * rng.uniform(0.6, 1)
        return self._best(plan, plan.names[number], score, missed)

    def _best(self, plan: SystemPlan, name: str, score: Floats, missed: Bools) -> Run:
        """Return the first documents of each topic; missed ones come after all others."""
        order = np.argsort(_FAR * self.topic + missed * _LATE - score)
        begins = np.searchsorted(self.topic, np.arange(len(self.topics) + 1))
        rank = np.arange(len(order)) - begins[self.topic]
        rows = order[rank < plan.depth]
        offsets = np.arange(len(self.topics) + 1) * plan.depth
        scores = np.tile(np.arange(plan.depth, 0, -1.0), len(self.topics))
        return Run(self.topics, offsets, self.docs.take(rows), scores, name, name)
