"""The figure of discriminative power: achieved significance levels of all pairs of runs."""

from typing import Any

from gradewise.libraries import alt, pl
from gradewise.meta.discrimination import Discrimination
from gradewise.report.figures.theme import by_measure, stated

_SHOWN = 0.15  # levels above are of no interest


def significance_curves(result: Discrimination) -> Any:
    """Draw pairs of runs by achieved significance level; the nearer the origin, the better."""
    pairs = result.levels.shape[1]
    curves = result.curves.filter(pl.col("level") <= _SHOWN)
    lines = (
        alt.Chart(curves)
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X(
                "pair:Q",
                title=f"pairs of runs, of {pairs:,}, least significant first",
                scale=alt.Scale(domain=[0, pairs], nice=False),
            ),
            y=alt.Y("level:Q", title="achieved significance level"),
            **by_measure(result.measures),
        )
    )
    rules = (
        alt.Chart(pl.DataFrame({"alpha": list(result.alphas)}))
        .mark_rule(color="#888888", strokeDash=[2, 2])
        .encode(y="alpha:Q")
    )
    test = "paired bootstrap" if result.method == "bootstrap" else "randomized Tukey HSD"
    alpha = result.alphas[-1] if 0.05 not in result.alphas else 0.05
    told = (result.levels <= alpha).mean(axis=1)
    best, worst = int(told.argmax()), int(told.argmin())
    finding = (
        f"{result.measures[best]} tells {told[best]:.0%} of the pairs apart at level {alpha:g}"
    )
    if best != worst:
        finding += f", {result.measures[worst]} {told[worst]:.0%}"
    source = f"{test} test of {pairs:,} pairs of {len(result.runs)} runs on {result.topics} topics"
    chart = alt.layer(rules, lines).properties(width=440, height=300)
    return stated(chart, finding, source[0].upper() + source[1:], letters=64)
