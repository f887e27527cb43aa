"""Figures of how far apart runs could be: a heat map of many, and the topics of two."""

from typing import Any

import numpy as np

from gradewise.distance.matrix import Distances
from gradewise.distance.result import Med
from gradewise.report.figures.theme import COLORS, GRADIENT, themed, zero_rule


def distance_map(distances: Distances) -> Any:
    """Draw the distances of runs as a heat map, in the order of their clusters."""
    import altair as alt
    import polars as pl

    order = distances.order()
    names = [distances.runs[index] for index in order]
    count = len(names)
    cells = pl.DataFrame(
        {
            "a": np.array(names, object).repeat(count).tolist(),
            "b": names * count,
            "distance": distances.values[np.ix_(order, order)].ravel(),
        }
    )
    many = count > 40
    step = 4 if many else 22
    axis = None if many else alt.Axis(labelLimit=200)
    chart = (
        alt.Chart(cells)
        .mark_rect()
        .encode(
            x=alt.X("b:N", sort=names, title=None, axis=None if many else alt.Axis(labelAngle=-40)),
            y=alt.Y("a:N", sort=names, title=None, axis=axis),
            color=alt.Color(
                "distance:Q", title="distance", scale=alt.Scale(scheme=GRADIENT, reverse=True)
            ),
            tooltip=["a:N", "b:N", alt.Tooltip("distance:Q", format=".3f")],
        )
    )
    title = (
        f"How far apart runs could be in {distances.measure}: {count} runs, "
        f"mean over {len(distances.topics)} topics"
    )
    return themed(chart.properties(width=alt.Step(step), height=alt.Step(step), title=title))


def topic_ranges(result: Med) -> Any:
    """Draw, for each topic, the known difference of two runs and the range it could have."""
    import altair as alt
    import polars as pl

    a, b = result.names
    rows = [(each.topic, each.known, -each.b_over_a, each.a_over_b) for each in result.distances]
    frame = pl.DataFrame(rows, schema=["topic", "known", "low", "high"], orient="row")
    topics = frame.sort("known", descending=True)["topic"].to_list()
    y = alt.Y("topic:N", sort=topics, title=None)
    x = alt.X("low:Q", title=f"{result.measure} of {a} less that of {b}")
    base = alt.Chart(frame)
    chart = alt.layer(
        zero_rule(),
        base.mark_rule(strokeWidth=3, opacity=0.5, color=COLORS[0]).encode(y=y, x=x, x2="high:Q"),
        base.mark_point(filled=True, size=45, opacity=1, color=COLORS[1]).encode(
            y=y, x="known:Q", tooltip=["topic:N", "known:Q", "low:Q", "high:Q"]
        ),
    )
    title = alt.TitleParams(
        f"Mean distance {result.value:.3f}, {len(rows)} topics",
        subtitle="Dots: judged documents alone. Bars: whatever unjudged documents are.",
    )
    return themed(chart.properties(width=420, height=alt.Step(14), title=title))
