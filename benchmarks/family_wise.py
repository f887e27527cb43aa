"""How often 30 equally good runs are found to differ: the family-wise error of tests.

    python benchmarks/family_wise.py             300 experiments, some minutes
    python benchmarks/family_wise.py --quick     10 experiments, to see that it runs

Under the null hypothesis all runs are exchangeable. Topics make their values similar: AP of the
better half of the TREC-COVID runs has a mean of .22, a standard deviation of .16, a skewness of .9
and a correlation of .73 between runs over topics, and so have the values drawn here. "Tenths" are
the same values rounded to tenths, which have many ties, as P@10 has. An experiment is an error if
any of its 435 pairs is significant at .05. It should be at most .05 + 2 standard errors.
"""

import argparse

import numpy as np
from scipy import special

from gradewise.noise import order_best_first
from gradewise.stats.corrections import CORRECTIONS
from gradewise.stats.replicates import choose_replicates
from gradewise.stats.tests import TESTS
from gradewise.tables import Table

RUNS, TOPICS, ALPHA = 30, 50, 0.05
BETA = (1.35, 4.8)  # AP of TREC-COVID's better runs: mean .22, standard deviation .16
ALIKE = 0.75  # correlation of the normal variables behind the values
KINDS = ("AP-like", "tenths")
LEAST = "holm, best run only"  # corrected only for the pairs of the run that turned out best


def draw_values(rng: np.random.Generator, kind: str) -> np.ndarray:
    """Return values[run, topic] of exchangeable runs."""
    topic, own = rng.standard_normal((1, TOPICS)), rng.standard_normal((RUNS, TOPICS))
    chance = special.ndtr(np.sqrt(ALIKE) * topic + np.sqrt(1 - ALIKE) * own)
    values = special.betaincinv(*BETA, chance)
    return np.round(10 * values) / 10 if kind == "tenths" else values


def find_errors(values: np.ndarray, seed: int) -> dict[tuple[str, str], bool]:
    """Return, for each test and correction, whether any pair is significant."""
    first, second = np.triu_indices(RUNS, 1)
    differences = values[first] - values[second]
    best = order_best_first(values.mean(axis=1))[0]
    of_best = (first == best) | (second == best)
    found = {}
    for name, test in TESTS.items():
        replicates = choose_replicates(CORRECTIONS["holm"], len(first), ALPHA)
        if test.joint:
            p = test.apply(values, replicates=999, seed=seed)[first, second]
            found[name, "none"] = bool((p <= ALPHA).any())
            continue
        p = test.apply(differences, scale=values.max(), replicates=replicates, seed=seed)
        for correction, entry in CORRECTIONS.items():
            found[name, correction] = bool((entry.function(p) <= ALPHA).any())
        found[name, LEAST] = bool((CORRECTIONS["holm"].function(p[of_best]) <= ALPHA).any())
    return found


def measure_errors(kind: str, experiments: int, seed: int = 0) -> dict[tuple[str, str], float]:
    """Return the share of experiments with an error for each test and correction."""
    rng = np.random.default_rng(seed)
    results = [find_errors(draw_values(rng, kind), number) for number in range(experiments)]
    return {key: float(np.mean([one[key] for one in results])) for key in results[0]}


def main() -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few experiments, to see that it runs")
    parser.add_argument("--experiments", type=int, default=300, help="number of experiments")
    options = parser.parse_args()
    experiments = 10 if options.quick else options.experiments
    limit = ALPHA + 2 * np.sqrt(ALPHA * (1 - ALPHA) / experiments)
    columns = ["holm", "bonferroni", "bh", "none", LEAST]
    for kind in KINDS:
        shares = measure_errors(kind, experiments)
        rows = [
            [name, *[f"{shares[name, c]:.3f}" if (name, c) in shares else "" for c in columns]]
            for name in TESTS
        ]
        print(
            f"\n{kind}: share of {experiments} experiments with any significant pair, "
            f"{RUNS} equal runs, {TOPICS} topics; at most {limit:.3f} expected"
        )
        print(Table(["test", *columns], rows).to_text())


if __name__ == "__main__":
    main()
