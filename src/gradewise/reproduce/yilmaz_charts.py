"""Yilmaz & Robertson 2010: figures of results that the paper describes but does not print."""

from collections.abc import Sequence
from typing import Any

from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, themed, zero_rule


def dots(
    names: Sequence[str], values: Sequence[float], errors: Sequence[float], axis: str, title: str
) -> Any:
    """Draw a dot for each value, with two standard errors."""
    frame = pl.DataFrame(
        {
            "name": list(names),
            "value": list(values),
            "low": [value - 2 * error for value, error in zip(values, errors, strict=True)],
            "high": [value + 2 * error for value, error in zip(values, errors, strict=True)],
        }
    )
    y = alt.Y("name:N", sort=list(names), title=None, axis=alt.Axis(labelLimit=300))
    base = alt.Chart(frame).encode(y=y)
    chart = alt.layer(
        *([zero_rule()] if min(frame["low"]) < 0 else []),
        base.mark_rule(color=COLORS[1]).encode(x=alt.X("low:Q", title=axis), x2="high:Q"),
        base.mark_point(color=COLORS[1], size=30, filled=True, opacity=1).encode(x="value:Q"),
    )
    return themed(chart.properties(width=380, height=alt.Step(18), title=title))


def gains(rows: Sequence[tuple[str, float, float]], title: str) -> Any:
    """Draw differences in hundredths: a name, a difference and its standard error each."""
    names, values, errors = zip(*rows, strict=True)
    return dots(
        names,
        [100 * value for value in values],
        [100 * error for error in errors],
        "difference in hundredths, with two standard errors",
        title,
    )
