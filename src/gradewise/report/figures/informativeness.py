"""Figures of informativeness: errors of inferred curves by measure, and over thresholds."""

import re
from typing import Any

from gradewise.libraries import alt, pl
from gradewise.meta.informativeness import Informativeness
from gradewise.report.figures.theme import by_measure, stated

_GAP = re.compile(r"^(x|e)?GAP\(g=\[([0-9.]+),")


def error_bars(result: Informativeness) -> Any:
    """Draw the mean RMS error of inferred precision-recall curves, by measure and threshold."""
    chart = (
        alt.Chart(result.frame)
        .mark_bar()
        .encode(
            x=alt.X("rms:Q", title="mean RMS error of precision"),
            y=alt.Y("measure:N", sort=list(result.measures), title=None),
            color=alt.Color("threshold:N", title="lowest relevant grade", legend=None),
            row=alt.Row("threshold:N", title="lowest relevant grade"),
        )
        .properties(width=360, height=alt.Step(20))
    )
    return stated(chart, _most_informative(result), _source(result), letters=66)


def _most_informative(result: Informativeness) -> str:
    """Say from which measure precision is inferred best, at the lowest threshold."""
    frame = result.frame
    lowest = frame.filter(pl.col("threshold") == frame["threshold"].min()).drop_nulls("rms")
    if lowest.is_empty():
        return "No curve could be inferred"
    best = lowest.sort("rms", maintain_order=True).row(0, named=True)
    return (
        f"{best['measure']} says most about precision, which is inferred from it to within "
        f"{best['rms']:.3f}"
    )


def _source(result: Informativeness) -> str:
    return f"Precision-recall curves of {result.rms.shape[2]} lists, each inferred from one number"


def sweep_curves(result: Informativeness) -> Any:
    """Draw the error of GAP over g of the lowest grade, with other measures as level lines."""
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
        .facet(column=alt.Column("threshold:N", title="lowest relevant grade"))
    )
    return stated(chart, _most_informative(result), _source(result), letters=90)


def _first_g(name: str) -> float | None:
    found = _GAP.match(name)
    return float(found[2]) if found else None
