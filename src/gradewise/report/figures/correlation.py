"""Figures of how measures agree: a heat map, a scatter of two, and τ over thresholds."""

from typing import Any

import numpy as np

from gradewise.frames import long_frame
from gradewise.libraries import alt, pl
from gradewise.meta.correlation import BANDS, Agreement, ThresholdGrid
from gradewise.report.figures.theme import COLORS, GRADIENT, by_measure, stated


def agreement_map(agreement: Agreement) -> Any:
    """Draw the correlations of all measures as a heat map, each with its number.

    Numbers from 0.9 on are bold, those below 0.8 italic.
    """
    names = list(agreement.measures)
    cells = long_frame({"a": names, "b": names}, {"tau": agreement.tau}).fill_nan(None)
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
    text = base.encode(text=alt.Text("tau:Q", format=".2f"), color=ink)
    low, high = BANDS
    styles: tuple[tuple[dict[str, Any], str], ...] = (
        ({"fontStyle": "italic"}, f"datum.tau < {low}"),
        ({}, f"datum.tau >= {low} && datum.tau < {high}"),
        ({"fontWeight": "bold"}, f"datum.tau >= {high}"),
    )
    chart = alt.layer(
        base.mark_rect().encode(color=color),
        *(text.mark_text(fontSize=10, **style).transform_filter(rule) for style, rule in styles),
    )
    source = (
        f"{_symbol(agreement.kind)} between rankings of {len(agreement.runs)} runs on "
        f"{len(agreement.topics)} topics; bold from {high}, italic below {low}"
    )
    sized = chart.properties(width=alt.Step(46), height=alt.Step(28))
    return stated(sized, _least_agreement(agreement), source, letters=60)


def _least_agreement(agreement: Agreement) -> str:
    """Say which two measures agree least."""
    apart = np.tril(np.ones(agreement.tau.shape, np.bool_), -1) & ~np.isnan(agreement.tau)
    if not apart.any():
        return "No two measures can be compared"
    a, b = np.unravel_index(np.where(apart, agreement.tau, np.inf).argmin(), apart.shape)
    symbol, value = _symbol(agreement.kind), agreement.tau[a, b]
    return f"{agreement.measures[b]} and {agreement.measures[a]} agree least: {symbol} {value:.2f}"


def scatter(agreement: Agreement, first: int = 0, second: int = 1) -> Any:
    """Draw the means of runs by two measures against each other, with τ and RMS."""
    x, y = agreement.measures[first], agreement.measures[second]
    points = pl.DataFrame(
        {"run": list(agreement.runs), "x": agreement.means[first], "y": agreement.means[second]}
    )
    finding = (
        f"{x} and {y} rank the runs with {_symbol(agreement.kind)} "
        f"{agreement.tau[first, second]:.2f}"
    )
    source = (
        f"{len(agreement.runs)} runs, means over {len(agreement.topics)} topics; RMS difference "
        f"{agreement.rms[first, second]:.3f}"
    )
    chart = (
        alt.Chart(points)
        .mark_point(filled=True, size=35, opacity=0.7, color=COLORS[0])
        .encode(
            x=alt.X("x:Q", title=f"mean {x}"),
            y=alt.Y("y:Q", title=f"mean {y}"),
            tooltip=["run:N", "x:Q", "y:Q"],
        )
    )
    return stated(chart.properties(width=340, height=340), finding, source, letters=56)


def threshold_curves(grid: ThresholdGrid) -> Any:
    """Draw τ of each graded measure with each other one, as users' thresholds move.

    With two grades, g of the lower one lies along the axis; with more, the points of the grid
    follow each other, labeled with their g. Dashed lines are at τ = 0.8 and 0.9.
    """
    frame = grid.frame
    lowest = f"g{grid.grades[0]}"
    if len(grid.grades) == 2:
        x = alt.X(
            f"{lowest}:Q", title=f"{lowest}, share of users who accept grade {grid.grades[0]}"
        )
    else:
        names = [f"g{grade}" for grade in grid.grades]
        frame = frame.with_columns(
            point=pl.concat_str([pl.col(n).round(3).cast(pl.String) for n in names], separator=", ")
        )
        x = alt.X("point:N", sort=None, title=f"({', '.join(names)})")
    lines = (
        alt.Chart()
        .mark_line(point=alt.OverlayMarkDef(size=20))
        .encode(
            x=x,
            y=alt.Y("tau:Q", title="τ", scale=alt.Scale(zero=False)),
            **by_measure(grid.graded),
        )
    )
    bands = [
        alt.Chart().mark_rule(strokeDash=[3, 3], color="gray").encode(y=alt.datum(band))
        for band in BANDS
    ]
    chart = (
        alt.layer(*bands, lines, data=frame.filter(frame["measure"] != frame["other"]))
        .properties(width=210 if len(grid.grades) == 2 else 420, height=180)
        .facet(facet=alt.Facet("other:N", title=None, sort=list(grid.others)), columns=3)
    )
    source = (
        f"τ of graded with other measures over {len(grid.runs)} runs on {len(grid.topics)} topics, "
        f"by the shares of users who accept each grade; dashed at {BANDS[0]} and {BANDS[1]}"
    )
    return stated(chart, _least_on_grid(grid), source, letters=90)


def _least_on_grid(grid: ThresholdGrid) -> str:
    """Say where a graded measure agrees least with another one."""
    same = np.array([[name == other for other in grid.others] for name in grid.graded])
    known = np.where(np.isnan(grid.tau) | same, np.inf, grid.tau)
    if np.isinf(known).all():
        return "No two measures can be compared"
    point, graded, other = np.unravel_index(known.argmin(), known.shape)
    shares = ", ".join(f"{share:g}" for share in grid.probabilities[point].round(3))
    return (
        f"{grid.graded[graded]} agrees least with {grid.others[other]}, with τ "
        f"{known[point, graded, other]:.2f} at g = ({shares})"
    )


def _symbol(kind: str) -> str:
    symbols = {"tau": "τ", "tau_a": "τa", "tau_ap": "τ AP", "spearman": "Spearman", "pearson": "r"}
    return symbols[kind]
