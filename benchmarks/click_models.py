"""Click models on large logs: seconds; and how often intervals of thresholds hold the truth.

    python benchmarks/click_models.py             10 million rows and 200 logs, some minutes
    python benchmarks/click_models.py --quick     small ones, to see that it runs

Models are fitted with as many iterations as are asked for, whatever they find. Thresholds are
estimated from simulated logs of 60 topics and 3,000 sessions, with 100 resampled sets of topics. A
log counts as covered for a grade if the 95% interval of its share holds the share that users were
simulated with.
"""

import argparse
import time
import warnings

import numpy as np

import gradewise as gw
from gradewise.clicks.log import ClickLog
from gradewise.tables import Table

USERS = [
    ("position", (0.5, 0.3, 0.2)),
    ("position", (0.8, 0.2)),
    ("cascade", (0.5, 0.3, 0.2)),
    ("cascade", (0.8, 0.2)),
]


def collection(topics: int, grades: int, seed: int, depth: int = 10) -> tuple[dict, dict]:
    """Make judgments of a few documents for each topic, and a run that ranks them at random."""
    rng = np.random.default_rng(seed)
    shares = [0.4, *[0.6 / grades] * grades]
    levels = rng.choice(grades + 1, (topics, depth), p=shares)
    qrels = {
        f"q{t}": {f"d{d}": int(level) for d, level in enumerate(row)}
        for t, row in enumerate(levels)
    }
    run = {topic: {doc: -int(doc[1:]) for doc in docs} for topic, docs in qrels.items()}
    return qrels, run


def log_of(rows: int) -> ClickLog:
    """Simulate a log with so many rows, in which every tenth session brings a new topic."""
    topics = max(rows // 100, 1)
    qrels, run = collection(topics, 3, 0)
    return gw.simulate.clicks(qrels, run, rows // 10, shuffle="random", seed=1)


def time_models(rows: int, iterations: int) -> Table:
    """Time every model."""
    begin = time.perf_counter()
    log = log_of(rows)
    print(f"{log}, simulated in {time.perf_counter() - begin:.1f} s\n")
    lines = []
    for model in ("position", "browsing", "cascade", "bayesian"):
        begin, cpu = time.perf_counter(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = gw.clicks.fit(log, model, iterations=iterations, tolerance=0.0)  # type: ignore[arg-type]
        seconds = time.perf_counter() - begin, time.process_time() - cpu
        lines.append([model, str(fitted.iterations), *[f"{each:.1f}" for each in seconds]])
    return Table(["model", "iterations", "seconds", "CPU seconds"], lines)


def cover(users: str, g: tuple[float, ...], logs: int, replicates: int) -> list[str]:
    """Return how often intervals hold the truth, and how wide they are."""
    model = "position" if users == "position" else "bayesian"
    held, widths, errors, seconds = [], [], [], 0.0
    for seed in range(logs):
        qrels, run = collection(60, len(g), seed)
        log = gw.simulate.clicks(qrels, run, 3000, model=model, g=g, stop=0.5, seed=seed)  # type: ignore[arg-type]
        begin = time.perf_counter()
        found = gw.clicks.thresholds(qrels, log, users=users, replicates=replicates, seed=seed)  # type: ignore[arg-type]
        seconds += time.perf_counter() - begin
        held.append((found.low <= g) & (np.array(g) <= found.high))
        widths.append(found.high - found.low)
        errors.append(np.abs(np.array(found.g) - g))
    each = np.mean(held, axis=0)
    return [
        users,
        str(list(g)),
        " ".join(f"{share:.3f}" for share in each),
        f"{np.mean(held):.3f}",
        f"{np.mean(errors):.3f}",
        f"{np.mean(widths):.3f}",
        f"{seconds / logs:.2f}",
    ]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small logs")
    parser.add_argument("--rows", type=int, help="rows of the log that models are timed on")
    parser.add_argument("--logs", type=int, help="logs that intervals are tested on")
    given = parser.parse_args()
    rows = given.rows or (100_000 if given.quick else 10_000_000)
    logs = given.logs or (5 if given.quick else 200)
    print(time_models(rows, 10 if given.quick else 100).to_text(), flush=True)
    header = ["users", "g", "covered by grade", "covered", "error", "width", "seconds a log"]
    for users, g in USERS:
        lines = [cover(users, g, logs, 50 if given.quick else 100)]
        print(Table(header, lines, labels=3).to_text(), flush=True)


if __name__ == "__main__":
    main()
