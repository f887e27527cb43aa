"""Statistics over all pairs of 143 runs, beside a loop over scipy.

    python benchmarks/statistics.py             everything, about a minute
    python benchmarks/statistics.py --quick     small sizes, to see that it runs

The loop over scipy takes a sample of the pairs, and its time is extrapolated to all of them.
"""

import argparse
import time
from collections.abc import Callable
from itertools import combinations

import numpy as np

import gradewise as gw
from gradewise.tables import Table

MEASURES = ["AP", "GAP", "xGAP", "eGAP", "nDCG", "RBP", "Bpref", "infAP"]
REPLICATES = 1000


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the shortest time of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return best


def against_scipy(values: np.ndarray, sampled: int) -> None:
    """Time tests of all pairs of runs, ours at once and scipy's pair by pair."""
    from scipy import stats

    first, second = np.triu_indices(len(values), 1)
    differences = values[first] - values[second]
    pairs = list(combinations(range(len(values)), 2))[:: max(1, len(first) // sampled)]

    def studentised(sample: np.ndarray, axis: int) -> np.ndarray:
        return sample.mean(axis=axis) / sample.std(axis=axis, ddof=1)

    def bootstrap(d: np.ndarray) -> object:
        return stats.bootstrap((d - d.mean(),), studentised, n_resamples=REPLICATES, method="basic")

    peers: dict[str, tuple[Callable[[np.ndarray], object], Callable[[], object]]] = {
        "bootstrap": (
            bootstrap,
            lambda: gw.stats.bootstrap_test(differences, replicates=REPLICATES),
        ),
        "randomization": (
            lambda d: stats.permutation_test(
                (d,), np.mean, permutation_type="samples", n_resamples=REPLICATES, vectorized=True
            ),
            lambda: gw.stats.randomization_test(differences, replicates=REPLICATES),
        ),
        "t": (lambda d: stats.ttest_1samp(d, 0), lambda: gw.stats.t_test(differences)),
        "wilcoxon": (stats.wilcoxon, lambda: gw.stats.wilcoxon_test(differences)),
        "sign": (
            lambda d: stats.binomtest(int((d > 0).sum()), int((d != 0).sum())),
            lambda: gw.stats.sign_test(differences),
        ),
    }
    rows = []
    for name, (one, all_pairs) in peers.items():
        ours = seconds(all_pairs)
        begin = time.perf_counter()
        for a, b in pairs:
            one(values[a] - values[b])
        theirs = (time.perf_counter() - begin) * len(first) / len(pairs)
        rows.append([name, f"{ours:.3f}", f"{theirs:.1f}", f"{theirs / ours:.0f}"])
    print(
        f"\n{len(first):,} pairs of {len(values)} runs, {values.shape[1]} topics, {REPLICATES} "
        f"replicates; scipy timed on {len(pairs)} pairs and extrapolated"
    )
    print(Table(["test", "seconds", "scipy loop", "times ours"], rows).to_text())


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    quick = parser.parse_args().quick
    sample = gw.simulate.collection(
        topics=30,
        runs=12 if quick else 143,
        depth=100 if quick else 1000,
        relevant=40,
        pool_depth=20,
        spread=6,
        seed=1,
    )
    judged = gw.judge(sample.qrels, sample.runs)
    values = gw.score_judged(judged, ["AP"]).values[:, :, 0]
    against_scipy(values, 20 if quick else 200)
    grid = seconds(lambda: gw.meta.threshold_grid(gw.judge(sample.qrels, sample.runs)), 1)
    loading = seconds(lambda: gw.judge(sample.qrels, sample.runs), 1)
    print(f"tau over the grid of g, 3 measures with 5 others: {max(grid - loading, 0):.2f} s")
    replicates = 1 if quick else 10
    took = seconds(lambda: gw.meta.incompleteness(judged, MEASURES, replicates=replicates), 1)
    print(
        f"incompleteness, {len(sample.runs)} runs, 11 rates, {replicates} replicates, "
        f"{len(MEASURES)} measures: {took:.1f} s"
    )


if __name__ == "__main__":
    main()
