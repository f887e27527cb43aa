"""Maximum entropy for 5,000 lists of 1,000 ranks, GAP with two grades, beside scipy's SLSQP.

    python benchmarks/informativeness.py             everything, some minutes
    python benchmarks/informativeness.py --quick     few short lists, to see that it runs

SLSQP solves one list, which shows the ratio. For 1,000 ranks (`--slsqp 1000`) it took 4,044 s of
wall time, 1,000 s of them on the processor; the default lengths take seconds.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from gradewise.collection.judged import Lists
from gradewise.measures.grammar import parse_measure
from gradewise.meta.forms import Form, form_of
from gradewise.meta.maximum_entropy import solve

Problem = tuple[Form, np.ndarray, np.ndarray, np.ndarray]


def simulate(lists: int, ranks: int, least: int, seed: int) -> Problem:
    """Return GAP, counts, values and ranks of simulated lists with enough relevant documents."""
    rng = np.random.default_rng(seed)
    levels = np.zeros((ranks, lists), int)
    for column in range(lists):
        number = least + rng.poisson(20)
        places = np.unique(np.minimum(rng.geometric(rng.uniform(0.003, 0.05), 4 * number), ranks))
        chosen = rng.permutation(places)[:number] - 1
        levels[chosen, column] = 1 + (rng.random(len(chosen)) < 0.35)
    p = np.stack([levels == 1, levels == 2], axis=1).astype(float)
    counts = p.sum(axis=0)
    totals = np.vstack([np.zeros(lists), counts + rng.poisson(5, counts.shape)]).T.astype(int)
    totals[:, 1] += 1
    where = Lists(np.array([1, 2]), totals, np.arange(lists), np.full(lists, ranks))
    form = form_of(parse_measure("GAP"), where, ranks)
    return form, counts, form.value(p), np.ones((ranks, lists), bool)


def solve_batch(arguments: tuple[int, int, int, int]) -> tuple[float, int, int, int]:
    """Solve a batch; return seconds, lists, how many converged, and Newton steps."""
    problem = simulate(*arguments)
    begin = time.perf_counter()
    found = solve(*problem)
    seconds = time.perf_counter() - begin
    return seconds, len(found.converged), int(found.converged.sum()), int(np.median(found.steps))


def time_slsqp(problem: Problem) -> float:
    """Return the seconds that SLSQP takes for the first list, with exact gradients."""
    from scipy.optimize import minimize

    form, counts, target, inside = problem
    form, ranks = form.take(np.array([0])), len(inside)

    def cost(x: np.ndarray) -> tuple[float, np.ndarray]:
        p = x.reshape(ranks, 2)
        rest = (1 - p.sum(axis=1, keepdims=True)).clip(1e-12)
        slope = np.log(p.clip(1e-12)) - np.log(rest)
        return float((p * np.log(p.clip(1e-12))).sum() + (rest * np.log(rest)).sum()), slope.ravel()

    def wrong(x: np.ndarray) -> np.ndarray:
        p = x.reshape(ranks, 2, 1)
        return np.array([*(p.sum(axis=0)[:, 0] - counts[:, 0]), form.value(p)[0] - target[0]])

    def slopes(x: np.ndarray) -> np.ndarray:
        gradient = form.value_and_gradient(x.reshape(ranks, 2, 1))[1]
        rows = [np.tile(unit, ranks) for unit in np.eye(2)]
        return np.array([*rows, gradient.ravel()])

    start = np.tile(counts[:, 0] / ranks, ranks)
    begin = time.perf_counter()
    minimize(
        cost,
        start,
        jac=True,
        bounds=[(1e-9, 1)] * (2 * ranks),
        constraints={"type": "eq", "fun": wrong, "jac": slopes},
        method="SLSQP",
        options={"maxiter": 200},
    )
    return time.perf_counter() - begin


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few short lists")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slsqp", type=int, nargs="*", help="ranks of the lists for SLSQP")
    options = parser.parse_args()
    lists, ranks, size = (60, 100, 30) if options.quick else (5000, 1000, 500)
    work = [(size, ranks, 5, seed) for seed in range(lists // size)]
    begin = time.perf_counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        done = list(pool.map(solve_batch, work))
    total = time.perf_counter() - begin
    solving, solved, converged = (sum(row[i] for row in done) for i in range(3))
    print(
        f"{solved:,} lists of {ranks:,} ranks, GAP, 2 grades, at least 5 relevant: {total:.1f} s "
        f"with {options.jobs} processes ({solving:.1f} s of solving), {converged:,} converged, "
        f"{int(np.median([row[3] for row in done]))} Newton steps"
    )
    few = [solve_batch((size, ranks, 1, 100 + seed)) for seed in range(1 if options.quick else 2)]
    print(f"at least 1 relevant: {sum(r[2] for r in few) / sum(r[1] for r in few):.2%} converged")
    for short in options.slsqp or ((50,) if options.quick else (50, 100, 200)):
        problem = simulate(1, short, 5, seed=1)
        begin = time.perf_counter()
        solve(*problem)
        ours, theirs = time.perf_counter() - begin, time_slsqp(problem)
        each = solving / solved * short / ranks
        print(
            f"one list of {short} ranks: SLSQP {theirs:.2f} s, ours alone {ours:.3f} s, "
            f"ours in a batch about {each * 1000:.2f} ms: {theirs / each:,.0f} times"
        )


if __name__ == "__main__":
    main()
