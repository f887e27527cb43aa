"""Figures of how measures stand missing judgments, and of what unique documents are worth."""

from typing import Any

import numpy as np

from gradewise.libraries import alt
from gradewise.meta.incompleteness import Incompleteness
from gradewise.meta.pool_bias import PoolBias
from gradewise.report.figures.theme import COLORS, by_measure, stated


def incompleteness_curves(result: Incompleteness) -> Any:
    """Draw τ with all judgments as judgments are removed, with bands over replicates."""
    looks = by_measure(result.measures)
    base = alt.Chart(result.frame).encode(
        x=alt.X(
            "rate:Q",
            title="share of the pool that is judged",
            scale=alt.Scale(domain=[1.0, 0.0]),
            axis=alt.Axis(format="%"),
        ),
    )
    scale = alt.Scale(zero=False)
    title = "τ with all judgments"
    chart = alt.layer(
        base.mark_area(opacity=0.1).encode(
            y=alt.Y("low:Q", title=title), y2="high:Q", color=looks["color"]
        ),
        base.mark_line(point=alt.OverlayMarkDef(size=20)).encode(
            y=alt.Y("tau:Q", title=title, scale=scale), **looks
        ),
    )
    lists = ", judged documents only" if result.judged_only else ""
    source = (
        f"Ranking of {len(result.runs)} runs on {result.topics} topics, fewer judgments{lists}; "
        f"means and 95% bands of {result.tau.shape[1]} series of samples"
    )
    sized = chart.properties(width=460, height=300)
    return stated(sized, _steadiest(result), source, letters=68)


def _steadiest(result: Incompleteness) -> str:
    """Say which measure keeps its ranking best with about half of the judgments."""
    place = int(np.abs(np.array(result.rates) - 0.5).argmin())
    tau = np.nan_to_num(result.tau[place]).mean(axis=0)
    best, worst = int(tau.argmax()), int(tau.argmin())
    finding = (
        f"With {result.rates[place]:.0%} of the pool judged, {result.measures[best]} keeps τ "
        f"{tau[best]:.2f}"
    )
    return finding + ("" if best == worst else f", {result.measures[worst]} {tau[worst]:.2f}")


def pool_bias_bars(result: PoolBias) -> Any:
    """Draw what each run loses without the documents that only its group found."""
    frame = result.frame
    order = frame.sort("change")["run"].unique(maintain_order=True).to_list()
    chart = (
        alt.Chart(frame)
        .mark_bar(color=COLORS[0])
        .encode(
            x=alt.X("change:Q", title="change in the mean"),
            y=alt.Y("run:N", sort=order, title=None, axis=alt.Axis(labelLimit=260)),
        )
        .properties(width=260, height=alt.Step(12))
        .facet(column=alt.Column("measure:N", title=None, sort=list(result.measures)))
    )
    change = result.without - result.full
    run, measure = np.unravel_index(np.abs(change).argmax(), change.shape)
    finding = (
        f"{result.runs[run]} depends most on documents that only its group found: "
        f"{change[run, measure]:+.3f} in {result.measures[measure]}"
    )
    if abs(change[run, measure]) < 0.0005:
        finding = "No run depends on documents that only its group found"
    source = f"{len(result.runs)} runs; each scored as if its group's own documents were unjudged"
    return stated(chart, finding, source, letters=44 * len(result.measures))
