"""Figures of what was judged: relevant documents of topics, and their ideal lists."""

from collections.abc import Mapping
from typing import Any

from gradewise.arrays import Floats, Ints
from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, by_measure, themed


def relevant_curves(counts: Mapping[int, Ints], name: str) -> Any:
    """Draw how many documents of at least each grade topics have, the most first."""
    labels = [f"grade {grade} or more" for grade in counts]
    rows = [
        (label, place, max(int(number), 0))
        for label, numbers in zip(labels, counts.values(), strict=True)
        for place, number in enumerate(numbers, 1)
    ]
    frame = pl.DataFrame(rows, schema=["at least", "topic", "number"], orient="row")
    chart = (
        alt.Chart(frame)
        .mark_line()
        .encode(
            x=alt.X("topic:Q", title="topics, sorted separately for each grade"),
            y=alt.Y(
                "number:Q",
                title="relevant documents",
                scale=alt.Scale(type="symlog"),
                axis=alt.Axis(values=[0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]),
            ),
            **by_measure(labels, "at least"),
        )
    )
    return themed(chart.properties(width=380, height=240, title=f"Relevant documents, {name}"))


def ideal_curves(ideal: Floats, constants: Mapping[str, float], name: str) -> Any:
    """Draw the ideal DCG of topics, the largest first, and constants to compare it with."""
    frame = pl.DataFrame({"topic": list(range(1, len(ideal) + 1)), "ideal": ideal})
    lines = pl.DataFrame({"label": list(constants), "value": list(constants.values())})
    curve = (
        alt.Chart(frame)
        .mark_line(color=COLORS[0])
        .encode(
            x=alt.X("topic:Q", title="topics, sorted"),
            y=alt.Y("ideal:Q", title="ideal DCG"),
        )
    )
    base = alt.Chart(lines).encode(y="value:Q")
    rules = base.mark_rule(color=COLORS[1], strokeDash=[5, 3])
    text = base.mark_text(align="right", dy=-6, color=COLORS[1]).encode(
        x=alt.value("width"), text="label:N"
    )
    chart = alt.layer(curve, rules, text)
    return themed(chart.properties(width=380, height=240, title=f"Ideal lists, {name}"))
