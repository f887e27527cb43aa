"""Figures of how far apart runs could be: a heat map of many, and the topics of two."""

from typing import Any

import numpy as np

from gradewise.distance.matrix import Distances
from gradewise.distance.result import Med
from gradewise.frames import long_frame
from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, GRADIENT, stated, zero_rule


def distance_map(distances: Distances) -> Any:
    """Draw the distances of runs as a heat map, in the order of their clusters."""
    order = distances.order()
    names = [distances.runs[index] for index in order]
    count = len(names)
    values = distances.values[np.ix_(order, order)]
    cells = long_frame({"a": names, "b": names}, {"distance": values})
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
                "distance:Q",
                title=f"distance in {distances.measure}",
                scale=alt.Scale(scheme=GRADIENT, reverse=True),
            ),
            tooltip=["a:N", "b:N", alt.Tooltip("distance:Q", format=".3f")],
        )
    )
    a, b = np.unravel_index(values.argmax(), values.shape)
    finding = (
        f"{names[min(a, b)]} and {names[max(a, b)]} could differ most: by {values[a, b]:.2f} in "
        f"{distances.measure}"
    )
    source = (
        f"Largest difference that unjudged documents allow, {count} runs, mean over "
        f"{len(distances.topics)} topics; similar runs side by side"
    )
    sized = chart.properties(width=alt.Step(step), height=alt.Step(step))
    return stated(sized, finding, source, letters=max(44, count * step // 7))


def topic_ranges(result: Med) -> Any:
    """Draw, for each topic, the known difference of two runs and the range it could have."""
    a, b = result.names
    rows = [(each.topic, each.known, -each.b_over_a, each.a_over_b) for each in result.distances]
    frame = pl.DataFrame(rows, schema=["topic", "known", "low", "high"], orient="row")
    topics = frame.sort("known", descending=True)["topic"].to_list()
    y = alt.Y("topic:N", sort=topics, title=None)
    x = alt.X("low:Q", title=f"{result.measure}: {a} minus {b}")
    base = alt.Chart(frame)
    chart = alt.layer(
        zero_rule(),
        base.mark_rule(strokeWidth=3, opacity=0.5, color=COLORS[0]).encode(y=y, x=x, x2="high:Q"),
        base.mark_point(filled=True, size=45, opacity=1, color=COLORS[1]).encode(
            y=y, x="known:Q", tooltip=["topic:N", "known:Q", "low:Q", "high:Q"]
        ),
    )
    source = (
        f"Dots: judged documents only; bars: range over all grades of unjudged documents; "
        f"{len(rows)} topics, mean distance {result.value:.3f}"
    )
    sized = chart.properties(width=420, height=alt.Step(14))
    return stated(sized, result.conclusion, source, letters=66)
