"""Train for some measures, test with others, over folds and seeds."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gradewise.errors import OptionError, check_choice
from gradewise.jobs import do_all
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.normalization import Normalization
from gradewise.learn.studies.cross_validated import VALIDATIONS, CrossValidation, ValidationName
from gradewise.learn.studies.folds import as_folds, normalize_fold
from gradewise.learn.studies.trials import NetTrial, TreeTrial, net_trial, tree_trial
from gradewise.learn.trees.boosters import BOOSTERS, BoosterName, is_own
from gradewise.learn.trees.objective import PAIRWISE
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike, as_list, parse_measure
from gradewise.measures.measure import Measure
from gradewise.progress import watched


@watched("epochs and trees")
def crossval(
    data: Any,
    algorithms: AlgorithmName | BoosterName | Sequence[AlgorithmName | BoosterName],
    train_measures: MeasureLike | Iterable[MeasureLike],
    test_measures: MeasureLike | Iterable[MeasureLike],
    folds: int = 5,
    seeds: int | Sequence[int] = 5,
    *,
    pair: tuple[MeasureLike, MeasureLike] | None = None,
    validate_by: ValidationName = "test",
    alpha: float = 0.05,
    normalize: Normalization = "none",
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
        A FeatureSet, which is split into `folds` parts at random; several FeatureSets, which are
        the parts; or several Folds.
    algorithms
        "lambdarank", "softrank", "ranknet" or "listnet" for nets, "lightgbm" or "xgboost" for
        trees.
    train_measures, test_measures
        Objectives and test measures. One training serves all test measures. For trees, objectives
        can also be "pairwise" or the booster's own, such as "built-in" or
        "lambdarank(gains=linear)".
    folds
        Number of parts to split a FeatureSet into. Each part is tested on in turn, and the part
        before it is used for validation.
    seeds
        The number of seeds, or a list of them. Values are averaged over seeds before testing.
    pair
        Two objectives to compare; ° marks the better one.
    validate_by
        What chooses the epoch, or the number of trees, on the validation part: "test", each test
        measure by its own value, as in the papers; or "objective", the measure trained for.
        `validated_by` of the result gives the other one without training again.
    alpha
        The significance level that the t-test, the Wilcoxon test and the sign test must all reach.
    normalize
        Scale the features within each topic first: "none", "minmax" or "zscore".
    jobs
        Number of processes. A script that uses more than one must guard its main part with
        `if __name__ == "__main__"`, as `multiprocessing` requires.
    keep
        A folder for results. Interrupted work resumes from it.
    progress
        Called with the number of epochs, or trees, done.
    trees
        Parameters of TreeRanker: n_estimators, truncation, num_leaves, ...
    options
        Parameters of NetRanker: hidden, optimizer, learning_rate, epochs, ...
    """
    check_choice("validate_by", validate_by, VALIDATIONS)
    named = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    chosen = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    if not named or not chosen:
        raise OptionError("give at least one algorithm and one seed")
    trained, tested = _objectives(train_measures), as_measures(test_measures)
    parts = [normalize_fold(fold, normalize) for fold in as_folds(data, folds, seed=0)]
    trials = [
        _trial(algorithm, objective, seed, tested, fold, trees or {}, options)
        for algorithm in named
        for objective in trained
        for seed in chosen
        for fold in range(len(parts))
    ]
    found = do_all(trials, parts, jobs=jobs, keep=keep, progress=progress)
    shape = (len(named), len(trained), len(chosen), len(tested), -1)
    by_fold = [found[low : low + len(parts)] for low in range(0, len(found), len(parts))]
    values, by_objective, scores = (
        np.array([np.concatenate([each[what] for each in whole], axis=1) for whole in by_fold])
        for what in ("values", "by_objective", "scores")
    )
    epochs, seen = (
        np.array([np.array([each[what][: len(tested)] for each in whole]).T for whole in by_fold])
        for what in ("epoch", "validation")
    )
    result = CrossValidation(
        tuple(named),
        tuple(map(str, trained)),
        tuple(map(str, tested)),
        tuple(chosen),
        tuple(topic for fold in parts for topic in fold.test.topics),
        np.moveaxis(values.reshape(shape), 2, 3),
        np.moveaxis(by_objective.reshape(shape), 2, 3),
        scores.reshape(shape)[:, :, 0, 0],
        np.moveaxis(epochs.astype(np.int64).reshape(shape), 2, 3),
        None if pair is None else (str(parse_measure(pair[0])), str(parse_measure(pair[1]))),
        alpha,
        validation=np.moveaxis(seen.reshape(shape), 2, 3),
        fold_of_topic=np.arange(len(parts)).repeat([len(fold.test) for fold in parts]),
    )
    return result.validated_by(validate_by)


def _objectives(given: MeasureLike | Iterable[MeasureLike]) -> tuple[MeasureLike, ...]:
    """Return objectives, each once: measures, and names of a booster's own."""
    found: list[MeasureLike] = []
    for item in as_list(given):
        found += [item] if is_own(item) or item == PAIRWISE else as_measures(item)
    return tuple(dict.fromkeys(found))


def _trial(
    algorithm: str,
    objective: MeasureLike,
    seed: int,
    tested: Sequence[Measure],
    fold: int,
    trees: Mapping[str, Any],
    options: Mapping[str, Any],
) -> NetTrial | TreeTrial:
    """Return the trial of an algorithm on a fold, its parameters checked."""
    check_choice("algorithm", algorithm, (*ALGORITHMS, *BOOSTERS))
    if algorithm in BOOSTERS:
        given = {**trees, "objective": str(objective), "booster": algorithm, "random_state": seed}
        return tree_trial(given, tested, fold)
    given = {**options, "algorithm": algorithm, "objective": objective, "random_state": seed}
    return net_trial(given, tested, fold)
