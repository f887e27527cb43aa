"""The figure of a repeated table: numbers that a paper prints, and ours."""

from collections.abc import Sequence
from typing import Any

from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, themed, zero_rule


def side_by_side(
    names: Sequence[str],
    printed: Sequence[float],
    ours: Sequence[float],
    errors: Sequence[float | None],
    title: str,
) -> Any:
    """Draw printed numbers as rings and ours as dots, with two standard errors if there are any."""
    frame = pl.DataFrame(
        {
            "name": list(names),
            "paper": list(printed),
            "ours": list(ours),
            "low": [o - 2 * (e or 0) for o, e in zip(ours, errors, strict=True)],
            "high": [o + 2 * (e or 0) for o, e in zip(ours, errors, strict=True)],
        }
    )
    y = alt.Y("name:N", sort=list(names), title=None, axis=alt.Axis(labelLimit=300))
    base = alt.Chart(frame).encode(y=y)
    meaning = "ring: the paper; dot: ours" + (", with two standard errors" if any(errors) else "")
    x = alt.X("paper:Q", title=meaning, axis=alt.Axis(tickCount=6))
    lowest = min([*printed, *frame["low"]])
    chart = alt.layer(
        *([zero_rule()] if lowest < 0 else []),
        base.mark_rule(color=COLORS[1]).encode(x=alt.X("low:Q", title=meaning), x2="high:Q"),
        base.mark_point(color=COLORS[0], size=110, strokeWidth=2).encode(x=x),
        base.mark_point(color=COLORS[1], size=25, filled=True, opacity=1).encode(x="ours:Q"),
    )
    return themed(chart.properties(width=380, height=alt.Step(18), title=title))
