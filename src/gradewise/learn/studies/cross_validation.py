"""Train for one measure, test with another: the tables of the papers, with their marks."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError, did_you_mean
from gradewise.jobs import do_all
from gradewise.learn.nets.ranker import NetRanker
from gradewise.learn.nets.training import Algorithm
from gradewise.learn.normalization import Normalise
from gradewise.learn.studies.folds import as_folds, on_common_scale
from gradewise.learn.studies.trials import TreeTrial, Trial
from gradewise.learn.trees.boosters import OWN_OBJECTIVES
from gradewise.learn.trees.boosters import Name as Booster
from gradewise.measures.evaluate import MeasureLike, as_measures
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Marked, Table

if TYPE_CHECKING:
    import polars as pl

SELF, PAIR = "•", "°"


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Values on test topics: `values[algorithm, train measure, test measure, seed, topic]`.

    Topics are those of all folds, one after the other, and tests are paired over them, on means
    over seeds. `scores[algorithm, train measure, row]` are those of the test documents, from the
    first seed, at the epoch that the first test measure chose. `pair` names two objectives that are
    compared with each other.
    """

    algorithms: tuple[str, ...]
    train_measures: tuple[str, ...]
    test_measures: tuple[str, ...]
    seeds: tuple[int, ...]
    topics: tuple[str, ...]
    values: Floats
    scores: Floats
    pair: tuple[str, str] | None = None
    alpha: float = 0.05

    @property
    def mean(self) -> Floats:
        """The mean over seeds and topics, [algorithm, train measure, test measure]."""
        return np.asarray(self.values.mean(axis=(3, 4)))

    @property
    def error(self) -> Floats:
        """The standard error of the mean over topics, of means over seeds."""
        by_topic = self.values.mean(axis=3)
        return np.asarray(by_topic.std(axis=-1, ddof=1) / np.sqrt(by_topic.shape[-1]))

    def against(self, first: str, second: str) -> "pl.DataFrame":
        """Compare two objectives: the difference, its standard error and p by the strict rule."""
        import polars as pl

        a, b = (self._place(name) for name in (first, second))
        by_topic = self.values.mean(axis=3)
        rows = []
        for n, algorithm in enumerate(self.algorithms):
            for m, test in enumerate(self.test_measures):
                differences = by_topic[n, a, m] - by_topic[n, b, m]
                error = differences.std(ddof=1) / np.sqrt(len(differences))
                p = float(strict_test(differences))
                rows.append((algorithm, test, differences.mean(), error, p, p <= self.alpha))
        columns = ["algorithm", "test_measure", "difference", "standard_error", "p", "significant"]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def _place(self, name: str) -> int:
        if name not in self.train_measures:
            hint = did_you_mean(name, self.train_measures)
            raise OptionError(f"{name} is not among the objectives{hint}")
        return self.train_measures.index(name)

    def _p(self, first: int | None, second: int | None) -> Floats:
        """Return p of every algorithm and test measure; NaN where there is nothing to compare."""
        shape = (len(self.algorithms), len(self.test_measures))
        if first is None or second is None or first == second:
            return np.full(shape, np.nan)
        by_topic = self.values.mean(axis=3)
        return strict_test(by_topic[:, first] - by_topic[:, second])

    @property
    def p_self(self) -> Floats:
        """P-values against training for the test measure itself; NaN if nothing was."""
        found = np.full(self.values.shape[:3], np.nan)
        for m, test in enumerate(self.test_measures):
            own = self.train_measures.index(test) if test in self.train_measures else None
            for n in range(len(self.train_measures)):
                found[:, n, m] = self._p(n, own)[:, m]
        return found

    @property
    def p_pair(self) -> Floats:
        """P-values of the two chosen objectives, [algorithm, test measure]."""
        if self.pair is None:
            return self._p(None, None)
        return self._p(*(self._place(name) for name in self.pair))

    @property
    def marks(self) -> list[list[list[str]]]:
        """The papers' marks, [algorithm][train measure][test measure].

        • differs from training for the test measure itself; ° stands at the better of the two
        chosen objectives, where they differ.
        """
        marks = [[["" for _ in self.test_measures] for _ in row] for row in self.p_self]
        for place in zip(*np.nonzero(self.p_self <= self.alpha), strict=True):
            a, n, m = map(int, place)
            marks[a][n][m] += SELF
        if self.pair is not None:
            ends = [self._place(name) for name in self.pair]
            for a, m in zip(*np.nonzero(self.p_pair <= self.alpha), strict=True):
                better = max(ends, key=lambda n: self.mean[a, n, m])
                marks[a][better][m] += PAIR
        return marks

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each algorithm, train measure and test measure."""
        import polars as pl

        over_seeds = self.values.mean(axis=4).std(axis=3, ddof=1 if len(self.seeds) > 1 else 0)
        p_self, marks = self.p_self, self.marks
        rows = [
            (
                algorithm,
                train,
                test,
                self.mean[a, n, m],
                self.error[a, n, m],
                over_seeds[a, n, m],
                None if np.isnan(p_self[a, n, m]) else p_self[a, n, m],
                marks[a][n][m],
            )
            for a, algorithm in enumerate(self.algorithms)
            for n, train in enumerate(self.train_measures)
            for m, test in enumerate(self.test_measures)
        ]
        schema = {
            "algorithm": pl.String,
            "train_measure": pl.String,
            "test_measure": pl.String,
            "mean": pl.Float64,
            "standard_error": pl.Float64,
            "deviation_of_seeds": pl.Float64,
            "p_self": pl.Float64,
            "marks": pl.String,
        }
        return pl.DataFrame(rows, schema=schema, orient="row")

    def table(self, digits: int = 4) -> Table:
        """Return the train measure × test measure table as the papers print it."""
        marks = self.marks
        rows = [
            [
                algorithm,
                train,
                *[
                    Marked(f"{self.mean[a, n, m]:.{digits}f}", marks[a][n][m])
                    for m in range(len(self.test_measures))
                ],
            ]
            for a, algorithm in enumerate(self.algorithms)
            for n, train in enumerate(self.train_measures)
        ]
        return Table(["algorithm", "trained for", *self.test_measures], rows, labels=2)


def crossval(
    data: Any,
    algorithms: Algorithm | Booster | Sequence[Algorithm | Booster],
    train_measures: MeasureLike | Iterable[MeasureLike],
    test_measures: MeasureLike | Iterable[MeasureLike],
    folds: int = 5,
    seeds: int | Sequence[int] = 5,
    *,
    pair: tuple[MeasureLike, MeasureLike] | None = None,
    alpha: float = 0.05,
    normalise: Normalise = "none",
    jobs: int = 1,
    keep: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    trees: Mapping[str, Any] | None = None,
    **options: Any,
) -> CrossValidation:
    """Train for some measures and test with others.

    Parameters
    ----------
    data
        A FeatureSet, which is cut into `folds` parts at random; several FeatureSets, which are
        the parts; or several Folds.
    algorithms
        "lambdarank", "softrank", "ranknet" or "listnet" for nets, "lightgbm" or "xgboost" for
        trees.
    train_measures, test_measures
        Objectives and test measures. A test measure chooses the epoch, or the number of trees, by
        its own value on the validation part, so that one training serves all of them. For trees
        the former may be objectives of the booster's own, such as "built-in".
    folds
        How many parts to cut a FeatureSet into. One is for testing, the one before it for
        validation.
    seeds
        How many seeds, or which. Values are averaged over them before they are tested.
    pair
        Two objectives to compare for the mark °.
    alpha
        The level of significance that the t-test, Wilcoxon's and the sign test must all reach.
    normalise
        Bring features of each topic to a common scale first: "none", "minmax" or "zscore".
    jobs
        How many processes to use. A script that asks for more than one must guard its main part
        with `if __name__ == "__main__"`, as `multiprocessing` demands.
    keep
        A folder for results as they are found; what lies there already is not computed again.
    progress
        Called with the number of epochs, or trees, done.
    trees
        Parameters of TreeRanker: n_estimators, truncation, num_leaves, ...
    options
        Parameters of NetRanker: hidden, optimizer, learning_rate, epochs, ...
    """
    trained, tested = _objectives(train_measures), as_measures(test_measures)
    named = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    chosen = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    if not named or not chosen:
        raise OptionError("give at least one algorithm and one seed")
    parts = [on_common_scale(fold, normalise) for fold in as_folds(data, folds, seed=0)]
    trials = [
        _tree_trial(algorithm, objective, seed, trees or {}, tested, fold)
        if algorithm == "lightgbm" or algorithm == "xgboost"
        else trial_of(NetRanker(algorithm, objective, seed=seed, **options), tested, fold)
        for algorithm in named
        for objective in trained
        for seed in chosen
        for fold in range(len(parts))
    ]
    found = do_all(trials, parts, jobs=jobs, keep=keep, progress=progress)
    shape = (len(named), len(trained), len(chosen), len(tested), -1)
    by_fold = [found[low : low + len(parts)] for low in range(0, len(found), len(parts))]
    values, scores = (
        np.array([np.concatenate([each[what] for each in whole], axis=1) for whole in by_fold])
        for what in ("values", "scores")
    )
    return CrossValidation(
        tuple(named),
        tuple(map(str, trained)),
        tuple(map(str, tested)),
        tuple(chosen),
        tuple(topic for fold in parts for topic in fold.test.topics),
        np.moveaxis(values.reshape(shape), 2, 3),
        scores.reshape(shape)[:, :, 0, 0],
        None if pair is None else (str(parse_measure(pair[0])), str(parse_measure(pair[1]))),
        alpha,
    )


def _objectives(given: MeasureLike | Iterable[MeasureLike]) -> tuple[MeasureLike, ...]:
    """Return objectives, each once: measures, and names of a booster's own."""
    items = [given] if isinstance(given, (str, Measure)) else list(given)
    found: list[MeasureLike] = []
    for item in items:
        found += [item] if item in OWN_OBJECTIVES else as_measures(item)
    return tuple(dict.fromkeys(found))


def _tree_trial(
    booster: Booster,
    objective: MeasureLike,
    seed: int,
    options: Mapping[str, Any],
    tested: Sequence[Measure],
    fold: int,
) -> TreeTrial:
    """Return the trial of trees on a fold, after a check of their parameters."""
    from gradewise.learn.trees.ranker import TreeRanker

    if "eval_measure" in options:
        raise OptionError("eval_measure cannot be given here: every test measure chooses by itself")
    parameters = {**options, "objective": str(objective), "booster": booster, "random_state": seed}
    ranker = TreeRanker(**parameters)
    ranker.trained_for()
    return TreeTrial(
        tuple(sorted(parameters.items())), ranker.n_estimators, seed, tuple(tested), fold
    )


def trial_of(ranker: NetRanker, tested: Sequence[Measure], fold: int, **rest: Any) -> Trial:
    """Return the trial of a ranker's parameters on a fold."""
    if ranker.validation_measure is not None or ranker.checkpoint is not None:
        raise OptionError(
            "validation_measure and checkpoint cannot be given here: every test measure chooses "
            "its own epoch, and results are kept in the folder `keep`"
        )
    return Trial(ranker.recipe(), tuple(ranker.rates()), tuple(tested), fold, **rest)
