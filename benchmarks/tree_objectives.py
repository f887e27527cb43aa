"""What trees are worth that are trained for graded measures, beside the boosters' own objectives.

    python benchmarks/tree_objectives.py --data FOLDER   OHSUMED's five folds and simulated topics
    python benchmarks/tree_objectives.py --quick         few small simulated topics

FOLDER holds ohsumed/S1.txt.xz to S5.txt.xz (or set GRADEWISE_DATA). Each test measure chooses the
number of trees on the validation part. Differences from the booster's own objective are paired by
topic, on means over seeds: p is the largest of the t-test, Wilcoxon's and the sign test.
"""

import argparse
import os
from pathlib import Path

import numpy as np

import gradewise as gw
from gradewise.learn import (
    CrossValidation,
    FeatureSet,
    Fold,
    crossval,
    from_arrays,
)
from gradewise.reproduce.collections import ohsumed
from gradewise.tables import Table

OBJECTIVES = ("built-in", "nDCG", "AP", "GAP", "eGAP", "xGAP")
TREES = {
    "lightgbm": {
        "num_leaves": 7,
        "learning_rate": 0.05,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "feature_fraction": 0.5,
    },
    "xgboost": {"max_depth": 3, "eta": 0.1, "subsample": 0.8, "colsample_bynode": 0.5},
}


def two_questions(topics: int, seed: int) -> FeatureSet:
    """Return topics whose documents are relevant for one reason, and good for another.

    Ten features see whether a document is relevant, ten how good it is if it is relevant, ten see
    nothing: what separates grades is not what separates relevant documents from others.
    """
    rng = np.random.default_rng([seed, 3])
    sizes = np.maximum(rng.poisson(40, topics), 2)
    fits, good = rng.normal(size=(2, sizes.sum(), 1))
    x = rng.normal(size=(sizes.sum(), 30))
    x[:, :10] += 0.5 * fits
    x[:, 10:20] += 0.5 * good
    relevant = fits[:, 0] + 0.5 * rng.normal(size=len(x)) > 0.7
    grades = relevant * (1 + np.digitize(good[:, 0] + 0.5 * rng.normal(size=len(x)), [0.3, 1, 1.6]))
    return from_arrays(x, grades, group=sizes)


def rows_of(result: CrossValidation) -> list[list[str]]:
    """Return means with standard errors, and differences from the booster's own objective."""
    rows = []
    for objective in result.train_measures:
        cells = [result.algorithms[0], objective]
        own = result.frame.filter(train_measure=objective)
        versus = None if objective == "built-in" else result.against(objective, "built-in")
        for test in result.test_measures:
            mean, error = own.filter(test_measure=test).select("mean", "standard_error").row(0)
            cells.append(f"{mean:.4f} ({error:.4f})")
            if versus is None:
                cells.append("")
                continue
            gap, p = versus.filter(test_measure=test).select("difference", "p").row(0)
            cells.append(f"{gap:+.4f}{'*' if p <= result.alpha else ''} p={p:.2f}")
        rows.append(cells)
    return rows


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few small topics")
    parser.add_argument("--data", default=os.environ.get("GRADEWISE_DATA"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trees", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="folder for results, to take the work up again")
    options = parser.parse_args()
    counts = (20, 10, 20) if options.quick else (300, 150, 1000)
    trees, seeds = (5, 1) if options.quick else (options.trees, options.seeds)
    parts = [gw.simulate.features(n, 40, 50, seed=place) for place, n in enumerate(counts)]
    other = [two_questions(n, seed=place) for place, n in enumerate(counts)]
    size = "/".join(map(str, counts))
    tests = ["AP", "GAP", "eGAP(g=[0.1,0.2,0.3,0.4])", "nDCG@10", "ERR@10"]
    sets = [
        (f"{size} simulated topics, all grades of one worth", [Fold(*parts)], tests),
        (f"{size} simulated topics, relevant and good are two questions", [Fold(*other)], tests),
    ]
    if options.data and not options.quick:
        sets.insert(0, ("OHSUMED", ohsumed(Path(options.data)), ["AP", "GAP", "nDCG@10", "P@10"]))
    for name, data, tests in sets:
        rows: list[list[str]] = []
        for booster, settings in TREES.items():
            result = crossval(
                data,
                booster,
                OBJECTIVES,
                tests,
                seeds=seeds,
                jobs=options.jobs,
                keep=options.keep,
                trees={"n_estimators": trees, "n_jobs": 1, **settings},
            )
            rows += rows_of(result)
        header = [part for test in tests for part in (test, "difference")]
        table = Table(["booster", "trained for", *header], rows, labels=2)
        title = f"{name}: mean of {seeds} seeds (standard error over topics)"
        print(f"{title}\n\n{table.to_text()}", flush=True)


if __name__ == "__main__":
    main()
