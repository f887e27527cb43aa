"""Soft nDCG of long lists: CPU of the exact way and of the approximation, and how far they differ.

    python benchmarks/soft_ranks.py             lists of up to 2,000 documents, a minute or two
    python benchmarks/soft_ranks.py --quick     short ones, to see that it runs

All documents are relevant, which takes the longest. Scores have a standard deviation of 1: they are
normal, uniform, in two clusters, or in five values. CPU is the best of five, and the largest over
these, as errors are; the largest component of the gradient is printed beside its error.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from gradewise.learn.list_losses import Losses, soft_losses
from gradewise.learn.objectives import Tables, graded_tables
from gradewise.measures.grammar import parse_measure
from gradewise.tables import Table

SCORES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(-1, 1, n),
    "clusters": lambda rng, n: 0.2 * rng.normal(size=n) + rng.choice([-1, 1], n),
    "values": lambda rng, n: rng.integers(-2, 3, n) * 1.0,
}


def timed(tables: Tables, scores: np.ndarray, sigma: float, exact: int) -> tuple[float, Losses]:
    """Return CPU milliseconds, the best of five, and what was found."""
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        found = soft_losses(tables, scores, sigma=sigma, exact_up_to=exact)
        best = min(best, 1e3 * (time.process_time() - begin))
    return best, found


def compare(measure: str, size: int, sigma: float) -> list[str]:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    grades = rng.integers(1, 5, size).astype(float)
    tables = graded_tables(parse_measure(measure), grades, np.array([size]), 4)
    milliseconds, errors, steepest = np.zeros(2), np.zeros(2), 0.0
    for draw in SCORES.values():
        scores = draw(rng, size)
        scores /= scores.std()
        (slow, exact), (quick, near) = (timed(tables, scores, sigma, n) for n in (size, 0))
        milliseconds = np.maximum(milliseconds, [slow, quick])
        apart = np.abs(near.gradient - exact.gradient).max()
        errors = np.maximum(errors, [np.abs(near.loss - exact.loss).max(), apart])
        steepest = max(steepest, np.abs(exact.gradient).max())
    times = [f"{each:.1f}" for each in milliseconds]
    apart = [f"{each:.0e}" for each in (*errors, steepest)]
    return [measure, str(size), f"{sigma:g}", *times, *apart]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short lists")
    sizes = (100,) if parser.parse_args().quick else (500, 1000, 2000)
    rows = [
        compare(measure, size, sigma)
        for measure in ("nDCG", "nDCG@100")
        for size in sizes
        for sigma in (0.03, 0.1, 0.3, 1.0)
    ]
    header = ["measure", "documents", "sigma", "exact ms", "ms", "error", "of gradient", "largest"]
    print(Table(header, rows, labels=1).to_text())


if __name__ == "__main__":
    main()
