"""Which objective to train for, given the target measure, and how certain the choice is."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import MeasureError, OptionError, check_choice
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.nets.training import SEED_OF_TIES
from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import as_folds, joined
from gradewise.learn.studies.tuning import tune
from gradewise.learn.trees.boosters import BOOSTERS, BoosterName, is_own
from gradewise.learn.trees.objective import PAIRWISE
from gradewise.learn.trees.own_objectives import LABEL_GAINS
from gradewise.libraries import pl
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.meta.forms import form_of
from gradewise.meta.informativeness import informativeness
from gradewise.noise import order_best_first
from gradewise.progress import watched
from gradewise.stats.corrections import correct
from gradewise.stats.paired_tests import strict_test
from gradewise.stats.resampling import topic_weights

CANDIDATES = ("AP", "GAP", "eGAP", "xGAP", "nDCG")


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Candidate objectives for a target measure, and the evidence for each.

    `values[objective, topic]` are cross-validated values of the target; `rms[objective]` is the
    error of curves inferred from the objective alone, NaN where it is undefined; `shares` are the
    shares of bootstrap samples of topics in which an objective is the best. `baselines` are what a
    candidate has to beat: for nets, training for the target itself; for trees, the booster's own
    objective, as it is and with tuned gains. `tuned_gains` are the gains that validation chose most
    often; None for nets.
    """

    target: str
    objectives: tuple[str, ...]
    values: Floats
    rms: Floats
    shares: Floats
    crossval: CrossValidation
    alpha: float = 0.05
    baselines: tuple[str, ...] = ()
    tuned_gains: str | None = None

    @property
    def best(self) -> str:
        """The objective with the highest cross-validated mean of the target."""
        return self.objectives[int(order_best_first(self.values.mean(axis=1))[0])]

    @property
    def most_informative(self) -> str | None:
        """The objective from whose value the curves are inferred with the smallest error."""
        if np.isnan(self.rms).all():
            return None
        return self.objectives[int(np.nanargmin(self.rms))]

    def _values_of(self, name: str) -> Floats:
        return np.asarray(self.values[self.objectives.index(name)])

    def _p(self, name: str, baseline: str) -> float:
        gap = self._values_of(name) - self._values_of(baseline)
        return float(strict_test(gap, scale=float(np.abs(self.values).max())))

    def _is_better(self, name: str, baseline: str, p: float) -> bool:
        gap = self._values_of(name).mean() - self._values_of(baseline).mean()
        return bool(p <= self.alpha and gap > 0)

    @cached_property
    def baseline(self) -> str:
        """The last of `baselines` that is significantly better than those before it."""
        found = self.baselines[0]
        for name in self.baselines[1:]:
            if self._is_better(name, found, self._p(name, found)):
                found = name
        return found

    @cached_property
    def advice(self) -> str:
        """What to train for: the baseline, unless a candidate is significantly better than all.

        P-values are corrected (Holm) for the number of candidates.
        """
        rivals = [name for name in self.objectives if name not in self.baselines]
        winners = set(rivals)
        for baseline in self.baselines:
            adjusted = correct(np.array([self._p(name, baseline) for name in rivals]), "holm")
            winners &= {
                name
                for name, p in zip(rivals, adjusted.tolist(), strict=True)
                if self._is_better(name, baseline, p)
            }
        return max(winners, key=lambda name: self._values_of(name).mean(), default=self.baseline)

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame by descending mean: objective, mean, difference, standard_error, p, share, rms.

        Differences are from the baseline, and p is not corrected.
        """
        own = self._values_of(self.baseline)
        rows = []
        for n in order_best_first(self.values.mean(axis=1)):
            gap = self.values[n] - own
            error = float(gap.std(ddof=1) / np.sqrt(len(gap)))
            p = self._p(self.objectives[n], self.baseline)
            rms = None if np.isnan(self.rms[n]) else float(self.rms[n])
            mean = float(self.values[n].mean())
            row = (mean, float(gap.mean()), error, p, float(self.shares[n]), rms)
            rows.append((self.objectives[n], *row))
        columns = ["objective", "mean", "difference", "standard_error", "p", "share", "rms"]
        kinds = [pl.String, *[pl.Float64] * 6]
        return pl.DataFrame(rows, schema=dict(zip(columns, kinds, strict=True)), orient="row")

    def __str__(self) -> str:
        said = self._verdict()
        row = self.frame.row(0, named=True)
        said += f"; the highest cross-validated {self.target} is that of {self.best} "
        said += f"({row['mean']:.4f}), best in {row['share']:.0%} of bootstrap samples of topics"
        if self.best != self.baseline:
            said += (
                f", {row['difference']:+.4f} (standard error {row['standard_error']:.4f}) compared "
                f"with {self.baseline} (p = {row['p']:.3f} without correction)"
            )
        if self.most_informative is not None:
            said += f"; the most informative objective is {self.most_informative}"
        return said

    def _verdict(self) -> str:
        """Return the advice in a few words."""
        if self.advice not in self.baselines:
            return f"train for {self.advice}: significantly better than {self.baseline}"
        if self.advice == self.baselines[0]:
            return f"no difference; keep {self.baselines[0]}"
        return (
            f"keep {self.baselines[0]}, with gains={self.tuned_gains}: significantly better than "
            "its default gains, and no candidate is better still"
        )


@watched("steps")
def recommend(
    data: Any,
    target: MeasureLike = "nDCG@10",
    *,
    candidates: Sequence[MeasureLike] = CANDIDATES,
    algorithm: AlgorithmName | BoosterName = "lambdarank",
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
        Objectives to choose from. For trees, the booster's own objectives are added; its default
        one also with each choice of gains, and with the gains that the validation part of each
        fold chooses ("tuned").
    algorithm
        As for `crossval`; "lightgbm" or "xgboost" for trees, whose parameters are `trees`.
    replicates
        Number of bootstrap samples of topics, for the certainty of the choice.
    folds, seeds, alpha, jobs, keep, progress, options
        As for `crossval`.

    Notes
    -----
    Informativeness is that of `gw.meta.informativeness`, on rankings of test topics by rankers
    trained for the target.
    """
    check_choice("algorithm", algorithm, (*ALGORITHMS, *BOOSTERS))
    wanted = parse_measure(target)
    stock, variants = _own_objectives(algorithm)
    given = [one if is_own(one) or one == PAIRWISE else parse_measure(one) for one in candidates]
    others = () if stock is None else BOOSTERS[algorithm].objectives[1:]  # type: ignore[index]
    objectives: list[MeasureLike] = list(dict.fromkeys([wanted, *given, *others, *variants]))
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
    names, values = list(map(str, objectives)), result.values[0, :, 0].mean(axis=1)
    baselines: tuple[str, ...] = (str(wanted),)
    gains = None
    if stock:
        found, chosen = tune(result, variants)
        tuned = f"{stock}(gains=tuned)"
        baselines = (stock, tuned)
        names, values = [*names, tuned], np.vstack([values, found.mean(axis=0)])
        gains = _gains_of(variants[Counter(chosen.ravel().tolist()).most_common(1)[0][0]])
    weights = topic_weights(values.shape[1], replicates=replicates, seed=0)
    best = np.argmax(weights @ values.T, axis=1)
    tested = joined([fold.test for fold in parts])
    measures = [one if isinstance(one, Measure) else None for one in objectives]
    measures += [None] * (len(names) - len(measures))
    return Recommendation(
        str(wanted),
        tuple(names),
        values,
        _errors(tested.judged(result.scores[0, 0], seed=SEED_OF_TIES), measures),
        np.bincount(best, minlength=len(names)) / replicates,
        result,
        alpha,
        baselines,
        gains,
    )


def _own_objectives(algorithm: str) -> tuple[str | None, list[str]]:
    """Return a booster's own objective, and the same with every choice of gains."""
    if algorithm not in BOOSTERS:
        return None, []
    stock = BOOSTERS[algorithm].objectives[0]
    return stock, [stock, *[f"{stock}(gains={name})" for name in LABEL_GAINS if name != "exp"]]


def _gains_of(variant: str) -> str:
    """Return the gains that a name holds; those of the stock objective are exponential."""
    return variant.partition("gains=")[2].rstrip(")") or "exp"


def _errors(judged: Any, objectives: Sequence[Measure | None]) -> Floats:
    """Return the mean error of curves inferred from each objective; NaN where there is none."""
    known: list[int] = []
    for place, measure in enumerate(objectives):
        try:
            if measure is not None:
                form_of(measure, judged, 1)
                known.append(place)
        except MeasureError:
            continue
    errors = np.full(len(objectives), np.nan)
    if not known:
        return errors
    try:
        chosen = [measure for n in known if (measure := objectives[n]) is not None]
        found = informativeness(judged, chosen, least=5, least_top=1)
    except OptionError:  # no list has relevant documents enough
        return errors
    good = found.converged.all(axis=0) & ~np.isnan(found.rms).any(axis=(0, 1))
    if good.any():
        errors[known] = found.rms[:, :, good].mean(axis=(1, 2))
    return errors
