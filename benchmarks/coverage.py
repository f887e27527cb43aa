"""How often confidence intervals of means hold the true mean, for few topics and skewed values.

    python benchmarks/coverage.py                    4,000 experiments, some minutes
    python benchmarks/coverage.py --quick            100 experiments, to see that it runs
    python benchmarks/coverage.py --figure FILE      also draw the coverage

The values resemble AP: beta distributions with the mean and the standard deviation of AP over the
topics of TREC-COVID's and Robust03's better runs (skewness .9 and .8), a mixture of
many hard and some easy topics (skewness 1.3), and differences between a run of each of the first
two kinds, correlated over topics as real runs are. Coverage should be .95.
"""

import argparse
import time

import numpy as np
from scipy import special

from gradewise.stats.intervals import INTERVALS
from gradewise.tables import Table

TOPICS = (10, 25, 50)
COVID, ROBUST = (1.35, 4.8), (0.83, 2.28)  # AP: mean .22 and .27, standard deviation .155 and .22
HARD, EASY, HARD_SHARE = (0.8, 9.0), (4.0, 4.0), 0.75
ALIKE = 0.75  # correlation of the normal variables behind the values of two runs


def _beta(
    rng: np.random.Generator, shape: tuple[float, float], size: tuple[int, int]
) -> np.ndarray:
    return rng.beta(*shape, size)


def _mixture(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    hard = rng.random(size) < HARD_SHARE
    return np.where(hard, _beta(rng, HARD, size), _beta(rng, EASY, size))


def _difference(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    topic = rng.standard_normal(size)
    first, second = (
        special.betaincinv(
            *shape,
            special.ndtr(np.sqrt(ALIKE) * topic + np.sqrt(1 - ALIKE) * rng.standard_normal(size)),
        )
        for shape in (ROBUST, COVID)
    )
    return first - second


def _mean(shape: tuple[float, float]) -> float:
    return shape[0] / sum(shape)


KINDS = {
    "AP, TREC-COVID": (lambda rng, size: _beta(rng, COVID, size), _mean(COVID)),
    "AP, Robust03": (lambda rng, size: _beta(rng, ROBUST, size), _mean(ROBUST)),
    "AP, hard topics": (_mixture, HARD_SHARE * _mean(HARD) + (1 - HARD_SHARE) * _mean(EASY)),
    "difference": (_difference, _mean(ROBUST) - _mean(COVID)),
}


def measure_coverage(
    experiments: int, replicates: int, seed: int = 0
) -> list[dict[str, str | int | float]]:
    """Return coverage, mean length and time of each interval for each kind of values."""
    rng, found = np.random.default_rng(seed), []
    for kind, (draw, truth) in KINDS.items():
        for topics in TOPICS:
            values = draw(rng, (experiments, topics))
            for name, interval in INTERVALS.items():
                begin = time.perf_counter()
                # Other resampled topics for each hundred experiments, which would share them.
                parts = [
                    interval.apply(part, level=0.95, replicates=replicates, seed=number)
                    for number, part in enumerate(
                        np.array_split(values, max(1, experiments // 100))
                    )
                ]
                low, high = np.concatenate(parts, axis=1)
                found.append(
                    {
                        "values": kind,
                        "topics": topics,
                        "interval": name,
                        "coverage": float(((low <= truth) & (truth <= high)).mean()),
                        "length": float(np.median(high - low)),
                        "milliseconds": 1e3 * (time.perf_counter() - begin) / experiments,
                    }
                )
    return found


def draw_figure(found: list[dict[str, str | int | float]], experiments: int, path: str) -> None:
    """Draw coverage by topics, one panel per kind of values."""
    import altair as alt
    import polars as pl

    from gradewise.report.figures.theme import save_figure, stated

    frame = pl.DataFrame(found)
    base = alt.Chart(frame).encode(
        x=alt.X("topics:O", title="topics", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("coverage:Q", scale=alt.Scale(zero=False), title="coverage of 95% intervals"),
        color=alt.Color("interval:N", sort=list(INTERVALS), title="interval"),
    )
    nominal = alt.Chart(frame).mark_rule(strokeDash=[4, 3]).encode(y=alt.datum(0.95))
    panels = alt.layer(nominal, base.mark_line(), base.mark_point(filled=True, size=40))
    chart = panels.properties(width=190, height=170).facet(
        alt.Facet("values:N", sort=list(KINDS), title=None), columns=2
    )
    few = frame.filter(pl.col("topics") == min(TOPICS)).group_by("interval")
    lowest, *_, highest = few.agg(pl.col("coverage").min()).sort("coverage").rows()
    finding = (
        f"With {min(TOPICS)} topics, {highest[0]} intervals cover the mean at least"
        f" {highest[1]:.1%} of the time, {lowest[0]} intervals {lowest[1]:.1%}"
    )
    save_figure(stated(chart, finding, f"{experiments:,} experiments for each point"), path)


def main() -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few experiments, to see that it runs")
    parser.add_argument("--figure", metavar="FILE", help="file to draw the coverage to")
    options = parser.parse_args()
    experiments, replicates = (100, 200) if options.quick else (4000, 2000)
    found = measure_coverage(experiments, replicates)
    error = np.sqrt(0.95 * 0.05 / experiments)
    print(f"Coverage of 95% intervals, {experiments} experiments, standard error {error:.4f}")
    rows = [
        [
            kind,
            str(topics),
            *[
                f"{one['coverage']:.3f}"
                for one in found
                if (one["values"], one["topics"]) == (kind, topics)
            ],
        ]
        for kind in KINDS
        for topics in TOPICS
    ]
    print(Table(["values", "topics", *INTERVALS], rows).to_text())
    for title, column, digits in (("Median length", "length", 3), ("ms", "milliseconds", 3)):
        means = {
            name: np.mean([one[column] for one in found if one["interval"] == name])
            for name in INTERVALS
        }
        print(title, ", ".join(f"{name} {mean:.{digits}f}" for name, mean in means.items()))
    if options.figure:
        draw_figure(found, experiments, options.figure)


if __name__ == "__main__":
    main()
