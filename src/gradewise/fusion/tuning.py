"""tune: the weights of runs, chosen on some topics and tested on others."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.join import judge
from gradewise.collection.naming import name_runs
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.errors import OptionError
from gradewise.fusion.fuse import FusionRule
from gradewise.fusion.methods import METHODS, Method
from gradewise.fusion.normalizations import Normalize
from gradewise.fusion.tuned import EQUAL, TUNED, Setting, Tuned
from gradewise.measures.evaluate import evaluate
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure, refuse_sessions
from gradewise.noise import order_best_first
from gradewise.progress import watched

_FINEST, _COARSEST = 20, 5  # steps of a grid of weights


@watched("settings")
def tune(
    qrels: QrelsLike,
    runs: RunsLike,
    measure: MeasureLike,
    method: Method = "w_sum",
    *,
    normalize: Normalize | None = None,
    folds: int = 5,
    seed: int = 0,
    trials: int = 200,
    depth: int | None = None,
    ties: Ties = "trec",
    progress: Callable[[str], None] | None = None,
    **parameters: float | Sequence[float],
) -> Tuned:
    """Choose weights of runs for a measure, and test them by cross-validation over topics.

    Settings are tried on all topics; for each fold, the one that is best on the other folds is
    tested on it. Weights sum to 1: for few runs they lie on a grid, for more than 5 they are drawn
    at random; equal weights are among them, and win where nothing is better.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes. All judged topics count.
    runs
        A list or a dictionary {name: run}; each a Run or anything that `read_run` takes.
    measure
        The measure to tune for, such as "nDCG@10".
    method
        A method with weights, or one with parameters to try.
    normalize, depth, ties
        As for `fuse`.
    folds, seed
        How many parts to divide the topics into, and the seed of this split, of random weights and
        of ties in random order.
    trials
        Maximum number of weight vectors to try.
    progress
        Called with each setting when it has been tried.
    parameters
        Parameters of the method: a value, or a list of values to choose from.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=3, depth=50, seed=1)
    >>> tuned = gw.fusion.tune(sample.qrels, sample.runs, "nDCG@10", "rrf", trials=30)
    >>> list(tuned.values)
    ['tuned', 'equal weights', 'run1', 'run2', 'run3']
    >>> tuned.fuse(sample.runs).name
    'rrf'
    """
    parsed, table = parse_measure(measure), read_qrels(qrels)
    refuse_sessions(parsed, "fusion combines single lists")
    read = [read_run(source, name) for name, source in name_runs(runs)]
    lists = {"depth": depth, "ties": ties, "seed": seed}
    trial = Trial(table, read, parsed, method, normalize, lists)
    settings = trial.settings(_vary(parameters), trials, seed)
    parts = split_topics(len(trial.topics), folds, seed)
    values = np.array([trial.values(setting, progress) for setting in settings])
    signed = values if parsed.higher_is_better else -values
    chosen = [find_best(np.delete(signed, part, axis=1)) for part in parts]
    held_out = np.empty(values.shape[1])
    for part, best in zip(parts, chosen, strict=True):
        held_out[part] = values[best, part]
    topics = trial.topics
    return Tuned(
        measure=parsed,
        method=method,
        normalize=normalize,
        lists=lists,
        setting=settings[find_best(signed)],
        topics=topics,
        values={TUNED: held_out, EQUAL: values[0], **trial.single_values()},
        folds=tuple(tuple(topics[index] for index in part) for part in parts),
        fold_settings=tuple(settings[best] for best in chosen),
        tried=len(settings),
    )


class Trial:
    """Runs to be fused and scored with one setting after the other."""

    def __init__(
        self,
        qrels: Qrels,
        runs: Sequence[Run],
        measure: Measure,
        method: Method,
        normalize: Normalize | None,
        lists: Mapping[str, Any],
    ):
        if measure.aggregate != "mean":
            raise OptionError(f"{measure} is not a mean over topics; tuning needs one that is")
        self.qrels, self.measure, self.method, self.normalize = qrels, measure, method, normalize
        rule = FusionRule.of(method, normalize, {})
        self.stack = rule.stack(runs, topics=qrels.topics, **lists)
        self.lists = list(rule.prepare(self.stack))
        self.names = [run.name for run in runs]
        self.singles = evaluate(
            qrels, dict(zip(self.names, self.stack.runs, strict=True)), measure, **lists
        )

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics."""
        return self.singles.topics

    def settings(
        self, parameters: Sequence[Mapping[str, float]], trials: int, seed: int
    ) -> list[Setting]:
        """Return what to try: first equal weights with the first parameters."""
        weights = np.full((1, len(self.names)), 1 / len(self.names))
        if METHODS[self.method].weighted:
            weights = candidate_weights(len(self.names), trials, seed)
        if len(weights) * len(parameters) < 2:
            raise OptionError(
                f"{self.method} does not use weights, so there is nothing to tune; "
                "give a parameter several values"
            )
        settled = [METHODS[self.method].settle(self.method, given) for given in parameters]
        return [
            Setting(dict(zip(self.names, each.tolist(), strict=True)), given)
            for given, each in itertools.product(settled, weights)
        ]

    def values(self, setting: Setting, progress: Callable[[str], None] | None) -> Floats:
        """Fuse with a setting, and return the value of each topic."""
        rule = FusionRule.of(self.method, self.normalize, setting.parameters)
        fused = rule.fuse(self.stack.topics, self.lists, np.array(list(setting.weights.values())))
        judged = judge(self.qrels, fused, scores=self.measure.uses_scores, progress=_say_nothing)
        if progress is not None:
            progress(str(setting))
        return self.measure.values(judged)

    def single_values(self) -> dict[str, Floats]:
        """Return the values of each run by itself."""
        return {
            run: self.singles.values[index, :, 0] for index, run in enumerate(self.singles.runs)
        }


def _say_nothing(_: str) -> None:
    """Keep the joins of single settings out of what a notebook shows."""


def _vary(parameters: Mapping[str, float | Sequence[float]]) -> list[dict[str, float]]:
    """Return all combinations of the values of parameters."""
    listed = [
        [value] if isinstance(value, (int, float)) else list(value) for value in parameters.values()
    ]
    return [dict(zip(parameters, values, strict=True)) for values in itertools.product(*listed)]


def candidate_weights(runs: int, trials: int, seed: int) -> Floats:
    """Return weights that sum to 1, equal ones first, then at most so many others.

    They are all points of a grid, as fine as trials allow; if that is coarse, they are the single
    runs and random points, drawn uniformly.
    """
    if trials < 1:
        raise OptionError(f"trials must be at least 1, not {trials}")
    equal = np.full((1, runs), 1 / runs)
    steps = next((n for n in range(_FINEST, 0, -1) if comb(n + runs - 1, n) <= trials), 0)
    if steps >= _COARSEST:
        return np.concatenate([equal, np.array(list(_compositions(steps, runs))) / steps])
    rng = np.random.default_rng(seed)
    drawn = rng.dirichlet(np.ones(runs), max(0, trials - runs))
    return np.concatenate([equal, np.eye(runs), drawn])[: trials + 1]


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Give the ways to write a number as an ordered sum of parts, 0 being one."""
    for bars in itertools.combinations(range(total + parts - 1), parts - 1):
        ends = (-1, *bars, total + parts - 1)
        yield tuple(high - low - 1 for low, high in itertools.pairwise(ends))


def split_topics(topics: int, folds: int, seed: int) -> list[Ints]:
    """Divide topics at random into parts of about equal size."""
    if not 2 <= folds <= topics:
        raise OptionError(
            f"folds must be from 2 to the number of judged topics, {topics}; not {folds}"
        )
    order = np.random.default_rng(seed).permutation(topics)
    return [np.sort(part) for part in np.array_split(order, folds)]


def find_best(values: Floats) -> int:
    """Return the setting with the greatest mean; the first one where several are equal."""
    return int(order_best_first(values.mean(axis=1))[0])
