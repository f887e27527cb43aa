"""Which measure to train for, given the target measure, and how certain the choice is."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import MeasureError, OptionError
from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.nets.training import SEED_OF_TIES
from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import as_folds, joined
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.meta.forms import form_of
from gradewise.meta.informativeness import informativeness
from gradewise.progress import watched
from gradewise.stats.paired_tests import strict_test
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars as pl

CANDIDATES = ("AP", "GAP", "eGAP", "xGAP", "nDCG")


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Candidate objectives for a target measure, and the evidence for each.

    `values[objective, topic]` are cross-validated values of the target; `rms[objective]` is the
    error of curves inferred from the objective alone, NaN where it is undefined; `shares` are the
    shares of bootstrap samples of topics in which an objective is the best.
    """

    target: str
    objectives: tuple[str, ...]
    values: Floats
    rms: Floats
    shares: Floats
    crossval: CrossValidation
    alpha: float = 0.05

    @property
    def best(self) -> str:
        """The objective with the highest cross-validated mean of the target."""
        return self.objectives[int(np.argmax(self.values.mean(axis=1)))]

    @property
    def most_informative(self) -> str | None:
        """The objective from whose value the curves are inferred with the smallest error."""
        if np.isnan(self.rms).all():
            return None
        return self.objectives[int(np.nanargmin(self.rms))]

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame by descending mean: objective, mean, difference, standard_error, p, share, rms.

        Differences are from training for the target itself.
        """
        import polars as pl

        own = self.values[self.objectives.index(self.target)]
        rows = []
        for n in np.argsort(-self.values.mean(axis=1), kind="stable"):
            gap = self.values[n] - own
            error = float(gap.std(ddof=1) / np.sqrt(len(gap)))
            p = float(strict_test(gap))
            rms = None if np.isnan(self.rms[n]) else float(self.rms[n])
            mean = float(self.values[n].mean())
            row = (mean, float(gap.mean()), error, p, float(self.shares[n]), rms)
            rows.append((self.objectives[n], *row))
        columns = ["objective", "mean", "difference", "standard_error", "p", "share", "rms"]
        kinds = [pl.String, *[pl.Float64] * 6]
        return pl.DataFrame(rows, schema=dict(zip(columns, kinds, strict=True)), orient="row")

    def __str__(self) -> str:
        row = self.frame.row(0, named=True)
        said = f"train for {self.best}: the highest cross-validated {self.target}"
        said += f" ({row['mean']:.4f}), best in {row['share']:.0%} of bootstrap samples of topics"
        if self.best != self.target:
            sure = "significant" if row["p"] <= self.alpha else "not significant"
            said += (
                f"; {row['difference']:+.4f} (standard error {row['standard_error']:.4f}) compared "
                f"with training for {self.target} itself, which is {sure} (p = {row['p']:.3f})"
            )
        if self.most_informative is not None:
            said += f"; the most informative objective is {self.most_informative}"
        return said


@watched("steps")
def recommend(
    data: Any,
    target: MeasureLike = "nDCG@10",
    *,
    candidates: Sequence[MeasureLike] = CANDIDATES,
    algorithm: AlgorithmName = "lambdarank",
    folds: int = 5,
    seeds: int | Sequence[int] = 3,
    alpha: float = 0.05,
    replicates: int = 1000,
    jobs: int = 1,
    keep: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Recommendation:
    """Rank objectives for a target measure, by cross-validation and by informativeness.

    Parameters
    ----------
    data
        A FeatureSet, parts or Folds, as for `crossval`.
    target
        The measure to optimize; it is a candidate too.
    candidates
        Objectives to choose from.
    replicates
        Number of bootstrap samples of topics, for the certainty of the choice.
    algorithm, folds, seeds, alpha, jobs, keep, progress, options
        As for `crossval`.

    Notes
    -----
    Informativeness is that of `gw.meta.informativeness`, on rankings of test topics by nets
    trained for the target.
    """
    wanted = parse_measure(target)
    objectives = list(dict.fromkeys([wanted, *map(parse_measure, candidates)]))
    parts = as_folds(data, folds, seed=0)
    result = crossval(
        parts,
        algorithm,
        objectives,
        [wanted],
        seeds=seeds,
        alpha=alpha,
        jobs=jobs,
        keep=keep,
        progress=progress,
        **options,
    )
    values = result.values[0, :, 0].mean(axis=1)
    topics = values.shape[1]
    weights = topic_weights(topics, replicates=replicates, seed=0)
    best = np.argmax(weights @ values.T, axis=1)
    tested = joined([fold.test for fold in parts])
    return Recommendation(
        str(wanted),
        tuple(map(str, objectives)),
        values,
        _errors(tested.judged(result.scores[0, 0], seed=SEED_OF_TIES), objectives),
        np.bincount(best, minlength=len(objectives)) / replicates,
        result,
        alpha,
    )


def _errors(judged: Any, objectives: Sequence[Measure]) -> Floats:
    """Return the mean error of curves inferred from each objective; NaN where there is none."""
    known = []
    for place, measure in enumerate(objectives):
        try:
            form_of(measure, judged, 1)
        except MeasureError:
            continue
        known.append(place)
    errors = np.full(len(objectives), np.nan)
    if not known:
        return errors
    try:
        found = informativeness(judged, [objectives[n] for n in known], least=5, least_top=1)
    except OptionError:  # no list has relevant documents enough
        return errors
    good = found.converged.all(axis=0) & ~np.isnan(found.rms).any(axis=(0, 1))
    if good.any():
        errors[known] = found.rms[:, :, good].mean(axis=(1, 2))
    return errors
