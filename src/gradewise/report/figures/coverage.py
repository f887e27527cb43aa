"""The figure of how much of the runs' lists is judged."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.collection.coverage import Coverage, coverage
from gradewise.collection.judged import Judged
from gradewise.errors import counted
from gradewise.report.figures.theme import COLORS, by_measure, themed

DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
_NAMED = 8  # runs with a line of their own


def judged_by_depth(judged: Judged, depths: Sequence[int] = DEPTHS) -> Any:
    """Draw the judged share of the first documents of lists: a line for each run.

    With more than 8 runs, there are the middle run and bands for all runs and for half of them.
    """
    fit = coverage(judged)
    longest = int(judged.retrieved.max(initial=1))
    within = [depth for depth in depths if depth <= longest] or [1]
    return _lines(fit, within) if len(fit.runs) <= _NAMED else _bands(fit, within)


def _axes() -> dict[str, Any]:
    import altair as alt

    return {
        "x": alt.X("depth:Q", title="depth", scale=alt.Scale(type="log")),
        "scale": alt.Scale(domain=[0, 1]),
        "axis": alt.Axis(format="%"),
    }


def _lines(fit: Coverage, depths: Sequence[int]) -> Any:
    import altair as alt
    import polars as pl

    frame = pl.DataFrame(
        {
            "run": np.array(fit.runs, object).repeat(len(depths)).tolist(),
            "depth": list(depths) * len(fit.runs),
            "judged": (1 - fit.unjudged_at(depths)).ravel(),
        }
    )
    axes = _axes()
    y = alt.Y("judged:Q", title="judged", scale=axes["scale"], axis=axes["axis"])
    chart = (
        alt.Chart(frame)
        .mark_line(point=alt.OverlayMarkDef(size=18))
        .encode(x=axes["x"], y=y, **by_measure(list(fit.runs), "run"))
    )
    return _titled(chart, fit)


def _bands(fit: Coverage, depths: Sequence[int]) -> Any:
    import altair as alt
    import polars as pl

    levels = np.quantile(1 - fit.unjudged_at(depths), [0, 0.25, 0.5, 0.75, 1], axis=0)
    names = ["lowest", "lower", "middle", "upper", "highest"]
    frame = pl.DataFrame({"depth": list(depths), **dict(zip(names, levels, strict=True))})
    axes = _axes()
    base = alt.Chart(frame).encode(x=axes["x"])

    def y(name: str) -> Any:
        return alt.Y(f"{name}:Q", title="judged", scale=axes["scale"], axis=axes["axis"])

    chart = alt.layer(
        base.mark_area(opacity=0.15, color=COLORS[0]).encode(y=y("lowest"), y2="highest:Q"),
        base.mark_area(opacity=0.3, color=COLORS[0]).encode(y=y("lower"), y2="upper:Q"),
        base.mark_line(color=COLORS[0], point=alt.OverlayMarkDef(size=18)).encode(y=y("middle")),
    )
    return _titled(chart, fit)


def _titled(chart: Any, fit: Coverage) -> Any:
    about = f"Judged share of lists by depth, {counted(len(fit.runs), 'run')}, {fit.topics} topics"
    return themed(chart.properties(width=420, height=260, title=about))
