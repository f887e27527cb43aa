"""Random experiments: the running mean of outcomes, and the value to which it converges."""

from typing import Any

import numpy as np

from gradewise.libraries import alt
from gradewise.meta.experiments import Experiment
from gradewise.report.figures.theme import COLORS, stated


def convergence_curves(result: Experiment) -> Any:
    """Draw the mean outcome by the number of draws, with its interval and the exact value."""
    base = alt.Chart().encode(
        x=alt.X(
            "draws:Q",
            title="draws",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(values=[10**power for power in range(10)], format="~s"),
        )
    )
    y = alt.Y("mean:Q", title="mean outcome", scale=alt.Scale(domain=[0, 1]))
    layers = alt.layer(
        base.mark_area(opacity=0.2, color=COLORS[0]).encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line(color=COLORS[0]).encode(y=y),
        alt.Chart().mark_rule(strokeDash=[4, 3]).encode(y="min(exact):Q"),
        data=result.frame,
    )
    chart = layers.properties(width=220, height=180).facet(
        facet=alt.Facet("measure:N", title=None, sort=list(result.measures)), columns=3
    )
    off = float(np.abs(result.means[:, -1] - result.exact).max())
    draws = int(result.draws[-1])
    finding = f"After {draws:,} draws, the mean outcome is within {off:.3f} of the measure's value"
    source = "Mean outcome of random experiments with 95% intervals; dashed: the measure's value"
    return stated(chart, finding, source, letters=44 * min(3, len(result.measures)))
