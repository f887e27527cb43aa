"""Figures of how measures stand missing judgments, and of what unique documents are worth."""

from typing import Any

from gradewise.meta.incompleteness import Incompleteness
from gradewise.meta.pool_bias import PoolBias
from gradewise.report.figures.theme import by_measure, themed


def incompleteness_curves(result: Incompleteness) -> Any:
    """Draw τ with the whole pool as judgments are taken away, with bands over replicates."""
    import altair as alt

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
    title = "τ with the whole pool"
    chart = alt.layer(
        base.mark_area(opacity=0.1).encode(
            y=alt.Y("low:Q", title=title), y2="high:Q", color=looks["color"]
        ),
        base.mark_line(point=alt.OverlayMarkDef(size=20)).encode(
            y=alt.Y("tau:Q", title=title, scale=scale), **looks
        ),
    )
    lists = ", judged documents only" if result.judged_only else ""
    about = (
        f"Ranking of {len(result.runs)} runs with fewer judgments{lists}, {result.topics} topics, "
        f"{result.tau.shape[1]} series of samples"
    )
    return themed(chart.properties(width=460, height=300, title=about))


def pool_bias_bars(result: PoolBias) -> Any:
    """Draw what each run loses without the documents that only its group found."""
    import altair as alt

    frame = result.frame
    order = frame.sort("change")["run"].unique(maintain_order=True).to_list()
    chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("change:Q", title="change of the mean"),
            y=alt.Y("run:N", sort=order, title=None, axis=alt.Axis(labelLimit=260)),
        )
        .properties(width=260, height=alt.Step(12))
        .facet(column=alt.Column("measure:N", title=None, sort=list(result.measures)))
    )
    title = "What a run loses if its group's unique documents had not been judged"
    return themed(chart.properties(title=title))
