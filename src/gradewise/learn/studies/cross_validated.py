"""What cross-validation found: means, tests between objectives, and the papers' tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError, did_you_mean
from gradewise.frames import long_frame
from gradewise.learn.studies.seeds import by_topic, seed_errors, seed_p
from gradewise.libraries import pl
from gradewise.noise import drop_noise
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Marked, Table

SELF, PAIR = "•", "°"
ValidationName = Literal["test", "objective"]
VALIDATIONS: dict[ValidationName, Choice] = {
    "test": Choice(lambda result: result.by_test, "each test measure"),
    "objective": Choice(lambda result: result.by_objective, "the measure trained for"),
}


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Values on test topics: `values[algorithm, train measure, test measure, seed, topic]`.

    `by_test` are the values where each test measure chose the epoch, or the number of trees;
    `by_objective` those where the measure trained for did, NaN for a booster's own objectives;
    `values` are one of them, by `validate_by`. Topics are those of all folds in order. Significance
    tests are paired over topics and use means over seeds; if data were `redrawn` for each seed,
    they use the topics of all seeds. `scores[algorithm, train measure, row]` are those of the test
    documents for the first seed, at the epoch that the first test measure chose.
    `epochs[algorithm, train measure, test measure, seed, fold]` are the epochs, or numbers of
    trees, that test measures chose; `validation`, of the same shape, are their values on validation
    topics, and `fold_of_topic[topic]` tells the fold. `pair` names two objectives to compare with
    each other.
    """

    algorithms: tuple[str, ...]
    train_measures: tuple[str, ...]
    test_measures: tuple[str, ...]
    seeds: tuple[int, ...]
    topics: tuple[str, ...]
    by_test: Floats
    by_objective: Floats
    scores: Floats
    epochs: Ints
    pair: tuple[str, str] | None = None
    alpha: float = 0.05
    redrawn: bool = False
    validate_by: ValidationName = "test"
    validation: Floats | None = None
    fold_of_topic: Ints | None = None

    @property
    def values(self) -> Floats:
        """The values, [algorithm, train measure, test measure, seed, topic]."""
        return np.asarray(choose("validate_by", self.validate_by, VALIDATIONS).function(self))

    @property
    def mean(self) -> Floats:
        """The mean over seeds and topics, [algorithm, train measure, test measure]."""
        return np.asarray(self.values.mean(axis=(3, 4)))

    @property
    def _by_topic(self) -> Floats:
        return by_topic(self.values, redrawn=self.redrawn)

    @property
    def error(self) -> Floats:
        """The standard error of the mean over topics."""
        return seed_errors(self.values, redrawn=self.redrawn)[0]

    def validated_by(self, name: ValidationName) -> "CrossValidation":
        """Return the same trainings, with the epoch chosen by "test" or by "objective"."""
        choose("validate_by", name, VALIDATIONS)
        if name == "objective" and np.isnan(self.by_objective).any():
            raise OptionError(
                "a booster's own objective is not a measure, so it cannot choose the number of "
                "trees; use validate_by='test'"
            )
        return replace(self, validate_by=name)

    def against(self, first: str, second: str) -> "pl.DataFrame":
        """Compare two objectives by each test measure.

        Columns: algorithm, test_measure, difference; standard_error, p and significant over
        topics, by the strict rule; error_of_seeds and p_of_seeds, by a t-test on the means of
        seeds, NaN with one seed.
        """
        a, b = (self._place(name) for name in (first, second))
        rows = []
        for n, algorithm in enumerate(self.algorithms):
            for m, test in enumerate(self.test_measures):
                gaps, scale = self.values[n, a, m] - self.values[n, b, m], self._scale(m)
                p = float(strict_test(by_topic(gaps, redrawn=self.redrawn), scale=scale))
                errors = map(float, seed_errors(gaps, redrawn=self.redrawn))
                mean = float(drop_noise(gaps.mean(keepdims=True), scale)[0, 0])
                row = (algorithm, test, mean, *errors, p, float(seed_p(gaps, scale=scale)))
                rows.append((*row, p <= self.alpha))
        columns = ["algorithm", "test_measure", "difference", "standard_error", "error_of_seeds"]
        columns += ["p", "p_of_seeds", "significant"]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def _place(self, name: str) -> int:
        if name not in self.train_measures:
            hint = did_you_mean(name, self.train_measures)
            raise OptionError(f"{name} is not one of the objectives trained for{hint}")
        return self.train_measures.index(name)

    def _p(self, first: int | None, second: int | None) -> Floats:
        """Return p of every algorithm and test measure; NaN where there is nothing to compare."""
        shape = (len(self.algorithms), len(self.test_measures))
        if first is None or second is None or first == second:
            return np.full(shape, np.nan)
        gaps = self._by_topic[:, first] - self._by_topic[:, second]
        tests = range(len(self.test_measures))
        return np.stack([strict_test(gaps[:, m], scale=self._scale(m)) for m in tests], axis=1)

    def _scale(self, test: int) -> float:
        """Return the largest value of a test measure, to which the noise is relative."""
        return float(np.abs(self.values[:, :, test]).max())

    @property
    def p_self(self) -> Floats:
        """P-values against training for the test measure itself; NaN if none was trained for it."""
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

        • marks a significant difference from training for the test measure itself; ° marks the
        better of the two objectives of `pair` where they differ significantly.
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
        over_seeds = self.values.mean(axis=4).std(axis=3, ddof=1 if len(self.seeds) > 1 else 0)
        axes = {
            "algorithm": self.algorithms,
            "train_measure": self.train_measures,
            "test_measure": self.test_measures,
        }
        columns = {"mean": self.mean, "standard_error": self.error}
        columns |= {"deviation_of_seeds": over_seeds, "p_self": self.p_self}
        frame = long_frame(axes, {**columns, "marks": self.marks})
        return frame.with_columns(pl.col("p_self").fill_nan(None))

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


def join_seeds(results: Sequence[CrossValidation]) -> CrossValidation:
    """Return results of different seeds as one, each on data drawn anew."""
    first = results[0]
    by_test, by_objective, epochs = (
        np.concatenate([getattr(result, name) for result in results], axis=3)
        for name in ("by_test", "by_objective", "epochs")
    )
    return replace(
        first,
        validation=None,  # each seed has its own folds
        fold_of_topic=None,
        seeds=tuple(seed for result in results for seed in result.seeds),
        topics=tuple(f"{r.seeds[0]}: {topic}" for r in results for topic in r.topics),
        by_test=by_test,
        by_objective=by_objective,
        epochs=epochs,
        redrawn=True,
    )
