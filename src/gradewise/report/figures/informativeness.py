"""Figures of informativeness: errors of inferred curves by measure, and over thresholds."""

import re
from typing import Any

from gradewise.meta.informativeness import Informativeness
from gradewise.report.figures.theme import by_measure, themed

_GAP = re.compile(r"^(x|e)?GAP\(g=\[([0-9.]+),")


def error_bars(result: Informativeness) -> Any:
    """Draw the mean RMS error of inferred precision-recall curves, by measure and threshold."""
    import altair as alt

    chart = (
        alt.Chart(result.frame)
        .mark_bar()
        .encode(
            x=alt.X("rms:Q", title="mean RMS error of precision"),
            y=alt.Y("measure:N", sort=list(result.measures), title=None),
            color=alt.Color("threshold:N", title="relevant from grade", legend=None),
            row=alt.Row("threshold:N", title="relevant from grade"),
        )
        .properties(width=360, height=alt.Step(20))
    )
    lists = result.rms.shape[2]
    return themed(chart.properties(title=f"Curves inferred from one number, {lists} lists"))


def sweep_curves(result: Informativeness) -> Any:
    """Draw the error of GAP over g of the lowest grade, with other measures as level lines."""
    import altair as alt
    import polars as pl

    frame = result.frame.with_columns(
        g=pl.col("measure").map_elements(_first_g, return_dtype=pl.Float64),
        kind=pl.col("measure").str.replace(r"\(g=.*", ""),
    )
    names = frame["kind"].unique(maintain_order=True).to_list()
    looks = by_measure(names, "kind")
    grade = result.grades[0]
    x = alt.X("g:Q", title=f"g{grade}, share of users who accept grade {grade}")
    y = alt.Y("rms:Q", title="mean RMS error of precision", scale=alt.Scale(zero=False))
    swept = alt.Chart().mark_line(point=True).transform_filter("isValid(datum.g)")
    others = alt.Chart().mark_rule(strokeWidth=2).transform_filter("!isValid(datum.g)")
    chart = (
        alt.layer(swept.encode(x=x, y=y, **looks), others.encode(y=y, **looks), data=frame)
        .properties(width=300, height=240)
        .facet(column=alt.Column("threshold:N", title="relevant from grade"))
    )
    lists = result.rms.shape[2]
    return themed(chart.properties(title=f"Curves inferred from one number, {lists} lists"))


def _first_g(name: str) -> float | None:
    found = _GAP.match(name)
    return float(found[2]) if found else None
