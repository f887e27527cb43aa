"""Figures of how measures agree: a heat map, a scatter of two, and τ over thresholds."""

from typing import Any

import numpy as np

from gradewise.meta.correlation import Agreement, ThresholdGrid
from gradewise.report.figures.theme import COLORS, GRADIENT, by_measure, themed


def agreement_map(agreement: Agreement) -> Any:
    """Draw the correlations of all measures as a heat map, each with its number."""
    import altair as alt
    import polars as pl

    names = list(agreement.measures)
    count = len(names)
    cells = pl.DataFrame(
        {
            "a": np.array(names, object).repeat(count).tolist(),
            "b": names * count,
            "tau": agreement.tau.ravel(),
        }
    ).fill_nan(None)
    axis = alt.Axis(labelLimit=200, labelAngle=-40)
    base = alt.Chart(cells).encode(
        x=alt.X("b:N", sort=names, title=None, axis=axis),
        y=alt.Y("a:N", sort=names, title=None, axis=alt.Axis(labelLimit=200)),
    )
    lowest = min(0.5, float(np.nanmin(agreement.tau))) if not np.isnan(agreement.tau).all() else 0
    color = alt.Color(
        "tau:Q",
        title=_symbol(agreement.kind),
        scale=alt.Scale(scheme=GRADIENT, domain=[lowest, 1.0]),
    )
    ink = alt.condition(alt.datum.tau > (lowest + 1) / 2, alt.value("black"), alt.value("white"))
    chart = alt.layer(
        base.mark_rect().encode(color=color),
        base.mark_text(fontSize=10).encode(text=alt.Text("tau:Q", format=".2f"), color=ink),
    )
    title = (
        f"{_symbol(agreement.kind)} between measures, {len(agreement.runs)} runs, "
        f"{len(agreement.topics)} topics"
    )
    return themed(chart.properties(width=alt.Step(46), height=alt.Step(28), title=title))


def scatter(agreement: Agreement, first: int = 0, second: int = 1) -> Any:
    """Draw the means of runs by two measures against each other, with τ and RMS."""
    import altair as alt
    import polars as pl

    x, y = agreement.measures[first], agreement.measures[second]
    points = pl.DataFrame(
        {"run": list(agreement.runs), "x": agreement.means[first], "y": agreement.means[second]}
    )
    title = (
        f"{_symbol(agreement.kind)} {agreement.tau[first, second]:.3f}, "
        f"RMS difference {agreement.rms[first, second]:.3f}, {len(agreement.runs)} runs"
    )
    chart = (
        alt.Chart(points)
        .mark_point(filled=True, size=35, opacity=0.7, color=COLORS[0])
        .encode(x=alt.X("x:Q", title=x), y=alt.Y("y:Q", title=y), tooltip=["run:N", "x:Q", "y:Q"])
    )
    return themed(chart.properties(width=340, height=340, title=title))


def threshold_curves(grid: ThresholdGrid) -> Any:
    """Draw τ of each graded measure with each other one, as users' thresholds move.

    With two grades, g of the lower one lies along the axis; with more, the points of the grid
    follow each other, labelled with their g.
    """
    import altair as alt

    frame = grid.frame
    lowest = f"g{grid.grades[0]}"
    if len(grid.grades) == 2:
        x = alt.X(
            f"{lowest}:Q", title=f"{lowest}, share of users who accept grade {grid.grades[0]}"
        )
    else:
        import polars as pl

        names = [f"g{grade}" for grade in grid.grades]
        frame = frame.with_columns(
            point=pl.concat_str([pl.col(n).round(3).cast(pl.String) for n in names], separator=", ")
        )
        x = alt.X("point:N", sort=None, title=f"({', '.join(names)})")
    chart = (
        alt.Chart(frame.filter(frame["measure"] != frame["other"]))
        .mark_line(point=alt.OverlayMarkDef(size=20))
        .encode(
            x=x,
            y=alt.Y("tau:Q", title="τ", scale=alt.Scale(zero=False)),
            **by_measure(grid.graded),
        )
        .properties(width=210 if len(grid.grades) == 2 else 420, height=180)
        .facet(facet=alt.Facet("other:N", title=None, sort=list(grid.others)), columns=3)
    )
    title = f"τ with other measures, {len(grid.runs)} runs, {len(grid.topics)} topics"
    return themed(chart.properties(title=title))


def _symbol(kind: str) -> str:
    return {"tau": "τ", "tau_a": "τa", "tau_ap": "τ AP", "spearman": "Spearman"}[kind]
