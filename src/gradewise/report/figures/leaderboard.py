"""The leaderboard: means with intervals, and the groups of runs that do not differ."""

from typing import Any

from gradewise.report.figures.theme import COLORS, themed
from gradewise.stats.comparison import Comparison


def leaderboard(comparison: Comparison) -> Any:
    """Draw each measure's means with their intervals, best run first, and its groups."""
    import altair as alt

    frame = comparison.runs
    panels = []
    for part in comparison.parts:
        rows = frame.filter(measure=str(part.measure))
        base = alt.Chart(rows).encode(
            y=alt.Y("run:N", sort=list(part.runs), title=None, axis=alt.Axis(labelLimit=260))
        )
        title = f"{part.measure}, mean over {part.topics} topics"
        bounds = alt.X("low:Q", title=title, scale=alt.Scale(zero=False))
        panels.append(
            alt.layer(
                base.mark_rule(color=COLORS[0]).encode(x=bounds, x2="high:Q"),
                base.mark_point(color=COLORS[0], filled=True, size=50).encode(x="mean:Q"),
                base.mark_text(align="left", dx=6, fontSize=10, color="#444444").encode(
                    x="high:Q", text="group:N"
                ),
            ).properties(width=320, height=alt.Step(18))
        )
    meaning = alt.Title(comparison.explanation().split(". ")[0], fontSize=11, offset=12)
    return themed(alt.hconcat(*panels).properties(title=meaning))
