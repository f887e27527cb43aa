"""What cross-validation found: means, tests between objectives, and the papers' tables."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError, did_you_mean
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Marked, Table

if TYPE_CHECKING:
    import polars as pl

SELF, PAIR = "•", "°"


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Values on test topics: `values[algorithm, train measure, test measure, seed, topic]`.

    Topics are those of all folds in order. Significance tests are paired over topics and use means
    over seeds. `scores[algorithm, train measure, row]` are those of the test documents for the
    first seed, at the epoch that the first test measure chose. `pair` names two objectives to
    compare with each other.
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
        """Compare two objectives: the difference, its standard error, and p by the strict rule."""
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
            raise OptionError(f"{name} is not one of the objectives trained for{hint}")
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
