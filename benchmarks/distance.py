"""Distances and overlaps of runs: AP with nothing judged, beside HiGHS, and matrices of many runs.

Times are CPU seconds.

python benchmarks/distance.py             everything, about a minute
python benchmarks/distance.py --quick     short lists and few runs, to see that it runs
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import gradewise as gw

Run = dict[str, dict[str, float]]


def two_runs(k: int, shared: float, seed: int) -> tuple[Run, Run]:
    """Return two lists of k documents in random order that have a share in common."""
    rng = np.random.default_rng(seed)
    common = [f"d{i}" for i in range(int(k * shared))]
    lists = [common + [f"{side}{i}" for i in range(k - len(common))] for side in "ab"]
    first, second = (
        {"t": {each[i]: -float(rank) for rank, i in enumerate(rng.permutation(k))}}
        for each in lists
    )
    return first, second


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def time_highs(k: int) -> tuple[float, float]:
    """Return the seconds that HiGHS takes for one side of AP@k, and the lead that it finds.

    Nothing is judged. The program has a variable for each document and for each pair of them.
    """
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array

    first, second = two_runs(k, 1.0, seed=1)
    ranks = [{d: n for n, d in enumerate(run["t"], 1)} for run in (first, second)]
    documents = list(first["t"])
    y, z = (np.array([rank[d] for d in documents]) for rank in ranks)
    a, b = np.triu_indices(k, 1)
    weight = 1 / np.maximum(y[a], y[b]) - 1 / np.maximum(z[a], z[b])
    size = k + len(a)
    rows: list[tuple[int, int, int]] = []
    limits: list[tuple[float, float]] = []
    for pair, (i, j) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        both = k + pair
        if weight[pair] > 0:
            for one in (i, j):
                rows += [(len(limits), both, 1), (len(limits), one, -1)]
                limits.append((-np.inf, 0.0))
        else:
            rows += [(len(limits), both, 1), (len(limits), i, -1), (len(limits), j, -1)]
            limits.append((-1.0, np.inf))
    row, column, factor = (np.array(part) for part in zip(*rows, strict=True))
    matrix = csr_array((factor, (row, column)), shape=(len(limits), size))
    begin = time.process_time()
    found = 0.0
    while True:  # Dinkelbach: no ratio is above one for which nothing is above 0
        cost = np.concatenate([1 / y - 1 / z - found, weight])
        solved = milp(
            -cost,
            integrality=np.arange(size) < k,
            bounds=(0, 1),
            constraints=LinearConstraint(matrix, *np.array(limits).T),
            options={"mip_rel_gap": 0.0},
        )
        chosen = solved.x[:k] > 0.5
        if -solved.fun <= 1e-9 or not chosen.any():
            break
        inside = chosen[a] & chosen[b]
        total = (1 / y - 1 / z)[chosen].sum() + weight[inside].sum()
        found = float(total / chosen.sum())
    return time.process_time() - begin, found


def overlap_by_sets(first: list[str], second: list[str], p: float) -> float:
    """Return the extrapolated overlap of two lists of one length, prefix by prefix."""
    seen: tuple[set[str], set[str]] = (set(), set())
    total, agreement = 0.0, 0.0
    for depth, pair in enumerate(zip(first, second, strict=True), 1):
        for prefix, document in zip(seen, pair, strict=True):
            prefix.add(document)
        agreement = len(seen[0] & seen[1]) / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total + agreement * p ** len(first)


def time_ap(depths: tuple[int, ...]) -> None:
    print("AP@k, nothing judged, all documents in both lists / half of them, with assignments:")
    gw.distance.med(*two_runs(10, 1.0, seed=0), None, "AP@10")  # imports
    before = None
    for k in depths:
        times = [
            seconds(lambda k=k, s=s: gw.distance.med(*two_runs(k, s, seed=1), None, f"AP@{k}"))
            for s in (1.0, 0.5)
        ]
        growth = ""
        if before is not None:
            power = np.log(times[0] / before[1]) / np.log(k / before[0])
            growth = f", growing as k^{power:.1f}"
        before = (k, times[0])
        print(f"  k = {k:4d}: {times[0]:7.3f} s / {times[1]:7.3f} s{growth}")


def compare_with_highs(k: int) -> None:
    theirs, found = time_highs(k)
    first, second = two_runs(k, 1.0, seed=1)
    result = gw.distance.med(first, second, None, f"AP@{k}")
    ours = seconds(lambda: gw.distance.med(first, second, None, f"AP@{k}"))
    same = abs(found - result["t"].a_over_b) < 1e-6
    print(
        f"one side by HiGHS, k = {k}: {theirs:.2f} s, both sides by ours {ours:.3f} s: "
        f"{theirs / ours:.0f} times; same value: {'yes' if same else 'NO'}"
    )


def time_matrices(runs: int, topics: int, depth: int) -> None:
    made = gw.simulate.collection(
        topics=topics, runs=runs, depth=depth, relevant=60, pool_depth=10, seed=1
    )
    size = f"{runs} runs x {topics} topics x {depth} ranks"
    for measure in ("RBP(p=0.8)", "SDCG@20", f"SDCG@{depth}", "P@10"):
        took = seconds(lambda m=measure: gw.distance.med_matrix(made.runs, made.qrels, m))
        print(f"matrix of {size}, {measure}: {took:.1f} s")
    few = dict(list(made.runs.items())[: max(runs // 5, 2)])
    for measure in ("nDCG@10", "AP@20", f"nDCG@{depth}", "ERR@20", "GAP@20"):  # pair by pair
        took = seconds(lambda m=measure: gw.distance.med_matrix(few, made.qrels, m))
        each = 1000 * took / (len(few) * (len(few) - 1) / 2 * topics)
        print(f"matrix of {len(few)} of the runs, {measure}: {took:.1f} s, {each:.2f} ms a pair")
    found = gw.distance.rbo_matrix(made.runs)
    took = seconds(lambda: gw.distance.rbo_matrix(made.runs))
    pairs = runs * (runs - 1) // 2 * topics
    names = list(made.runs)[:2]
    lists = [[made.runs[name].ranking(topic) for name in names] for topic in made.qrels.topics]
    values = [overlap_by_sets(*pair, 0.9) for pair in lists]
    by_sets = seconds(lambda: [overlap_by_sets(*pair, 0.9) for pair in lists]) / topics
    same = abs(np.mean(values) - found.extrapolated[0, 1]) < 1e-12
    print(
        f"matrix of {size}, RBO: {took:.1f} s, {by_sets * pairs / took:.0f} times as fast as "
        f"prefixes as sets; same value: {'yes' if same else 'NO'}"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short lists and few runs")
    options = parser.parse_args()
    time_ap((20, 50) if options.quick else (50, 100, 200, 500, 1000))
    for k in (8,) if options.quick else (20, 30):
        compare_with_highs(k)
    time_matrices(*((6, 3, 50) if options.quick else (143, 30, 1000)))


if __name__ == "__main__":
    main()
