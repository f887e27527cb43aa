"""The figure of discriminative power: achieved significance levels of all pairs of runs."""

from typing import Any

from gradewise.meta.discrimination import Discrimination
from gradewise.report.figures.theme import by_measure, themed

_SHOWN = 0.15  # levels above are of no interest


def significance_curves(result: Discrimination) -> Any:
    """Draw pairs of runs by achieved significance level; the nearer the origin, the better."""
    import altair as alt
    import polars as pl

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
    title = f"Discriminative power: {test} test, {len(result.runs)} runs, {result.topics} topics"
    return themed(alt.layer(rules, lines).properties(width=440, height=300, title=title))
