"""Maximum entropy for 5,000 lists of 1,000 ranks, GAP with two grades, beside scipy's SLSQP.

    python benchmarks/informativeness.py             everything, about a minute
    python benchmarks/informativeness.py --quick     few short lists, to see that it runs

Seconds are those of the processor, over all threads. SLSQP solves one list, which shows the ratio;
for 1,000 ranks (`--slsqp 1000`) it took 1,000 s.
"""

import argparse
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from gradewise.collection.judged import Lists
from gradewise.measures.grammar import parse_measure
from gradewise.meta.forms import Form, form_of
from gradewise.meta.maximum_entropy import solve

Problem = tuple[Form, np.ndarray, np.ndarray, np.ndarray]


def draw_grades(ranks: int, least: int, typical: int, rng: np.random.Generator) -> np.ndarray:
    """Return a list with at least so many documents of either grade, near its top or less near.

    The number of relevant documents of a topic varies around a typical one, as does the share that
    is retrieved.
    """
    relevant = int(np.clip(typical * np.exp(rng.normal(0, 0.9)), 2 * least, 0.6 * ranks))
    number = max(2 * least, rng.binomial(relevant, rng.beta(4, 2)))
    depth = rng.uniform(0.4, 1.6) * np.log(np.arange(1, ranks + 1) + rng.exponential(4))
    places = rng.permutation(np.argsort(depth - rng.gumbel(size=ranks))[:number])
    high = rng.random(number) < rng.beta(3, 5)
    high[:least], high[least : 2 * least] = False, True
    grades = np.zeros(ranks, int)
    grades[places] = 1 + high
    return grades


def simulate(lists: int, ranks: int, least: int, typical: int, seed: int) -> Problem:
    """Return GAP, counts, values and ranks of simulated lists."""
    rng = np.random.default_rng(seed)
    grades = np.array([draw_grades(ranks, least, typical, rng) for _ in range(lists)]).T
    p = np.stack([grades == 1, grades == 2], axis=1).astype(float)
    counts = p.sum(axis=0)
    totals = np.vstack([np.zeros(lists), counts + rng.poisson(5, counts.shape)]).T.astype(int)
    where = Lists(np.array([1, 2]), totals, np.arange(lists), np.full(lists, ranks))
    form = form_of(parse_measure("GAP"), where, ranks)
    return form, counts, form.value(p), np.ones((ranks, lists), bool)


def solve_batches(
    batches: int, size: int, ranks: int, least: int, typical: int
) -> tuple[float, float, int]:
    """Return seconds of solving, the share of lists that converged, and the median of steps."""
    seconds, converged, steps = 0.0, [], []
    for seed in range(batches):
        problem = simulate(size, ranks, least, typical, seed)
        begin = time.process_time()
        found = solve(*problem)
        seconds += time.process_time() - begin
        converged.append(found.converged.mean())
        steps.extend(found.steps)
    return seconds, float(np.mean(converged)), int(np.median(steps))


def gradient(form: Form, p: np.ndarray) -> np.ndarray:
    """Return the gradient of a pivot measure in p, for one list."""
    d, table = form.discount[:, 0], form.kernel[..., 0]
    weighted = d[:, None] * (p @ table)
    above, below = np.cumsum(p, axis=0) - p, weighted.sum(axis=0) - np.cumsum(weighted, axis=0)
    return form.linear[..., 0] + d[:, None] * (above @ table.T) + below


def time_slsqp(problem: Problem) -> float:
    """Return the seconds that SLSQP takes for a list, with exact gradients."""
    from scipy.optimize import minimize

    form, counts, target, inside = problem
    ranks = len(inside)

    def cost(x: np.ndarray) -> tuple[float, np.ndarray]:
        p = x.reshape(ranks, 2)
        rest = (1 - p.sum(axis=1, keepdims=True)).clip(1e-12)
        slope = np.log(p.clip(1e-12)) - np.log(rest)
        return float((p * np.log(p.clip(1e-12))).sum() + (rest * np.log(rest)).sum()), slope.ravel()

    def wrong(x: np.ndarray) -> np.ndarray:
        p = x.reshape(ranks, 2, 1)
        return np.array([*(p.sum(axis=0)[:, 0] - counts[:, 0]), form.value(p)[0] - target[0]])

    def slopes(x: np.ndarray) -> np.ndarray:
        rows = [np.tile(unit, ranks) for unit in np.eye(2)]
        return np.array([*rows, gradient(form, x.reshape(ranks, 2)).ravel()])

    begin = time.process_time()
    minimize(
        cost,
        np.tile(counts[:, 0] / ranks, ranks),
        jac=True,
        bounds=[(1e-9, 1)] * (2 * ranks),
        constraints={"type": "eq", "fun": wrong, "jac": slopes},
        method="SLSQP",
        options={"maxiter": 200},
    )
    return time.process_time() - begin


def compare_with_slsqp(ranks: int) -> None:
    """Solve one list both ways, and print the ratio."""
    problem = simulate(1, ranks, 5, 15, seed=1)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads that wait for each other would count
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        theirs = pool.submit(time_slsqp, problem).result()
    begin = time.process_time()
    for _ in range(100):
        solve(*problem)
    ours = (time.process_time() - begin) / 100
    print(
        f"one list of {ranks} ranks: SLSQP {theirs:.2f} s, ours {1000 * ours:.2f} ms: "
        f"{theirs / ours:,.0f} times"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few short lists")
    parser.add_argument("--slsqp", type=int, nargs="*", help="ranks of the lists for SLSQP")
    options = parser.parse_args()
    batches, size, ranks = (2, 30, 100) if options.quick else (10, 500, 1000)
    lists = batches * size
    seconds, converged, steps = solve_batches(batches, size, ranks, 5, 45)
    print(
        f"{lists:,} lists of {ranks:,} ranks, GAP, at least 5 documents of either grade: "
        f"{seconds:.2f} s, {1e6 * seconds / lists:,.0f} µs a list, {converged:.2%} converged, "
        f"{steps} Newton steps"
    )
    few = solve_batches(1 if options.quick else 2, size, ranks, 1, 5)
    print(f"at least 1 of either, few in most lists: {few[1]:.2%} converged, {few[2]} Newton steps")
    for short in options.slsqp or ((50,) if options.quick else (50, 100, 200)):
        compare_with_slsqp(short)


if __name__ == "__main__":
    main()
