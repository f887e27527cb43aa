"""The figure of releases: how runs moved from one to the next."""

from typing import Any

import numpy as np

from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import by_measure, stated
from gradewise.stats.measure_releases import MeasureReleases
from gradewise.stats.release_comparison import ReleaseComparison

_NAMED = 6  # runs with a line of their own: those that changed most


def release_lines(comparison: ReleaseComparison, *, measure: int = 0) -> Any:
    """Draw the means of runs by release, and below them the changes since the previous release.

    Changes have their intervals; filled dots are significant. With more than 6 runs, those that
    changed most have colors, and the others are gray. `measure` is a place in the comparison.
    """
    part = comparison.parts[measure]
    named = _most_changed(part)
    frame = part.frame().with_columns(
        shown=pl.when("significant")
        .then(pl.lit("significant"))
        .otherwise(pl.lit("not significant"))
    )
    parts = [
        _means(part, frame, named),
        _changes(part, frame.filter(pl.col("run").is_in(named)), named),
    ]
    chart = alt.vconcat(*parts, spacing=18)
    finding = part.findings()[0]
    more = f"; {len(part.runs) - len(named)} other runs in gray" if len(part.runs) > _NAMED else ""
    source = [
        f"{len(comparison.releases)} releases, {len(part.runs)} runs{more}",
        comparison.explanation(),
    ]
    return stated(chart, finding.rstrip("."), source, letters=80)


def _most_changed(part: MeasureReleases) -> list[str]:
    """Return the runs whose largest change is largest, in the order of runs."""
    size = np.nan_to_num(np.abs(part.steps.change)).max(axis=1)
    places = np.sort(np.argsort(-size, kind="stable")[:_NAMED])
    return [part.runs[place] for place in places]


def _x(part: MeasureReleases, title: str | None) -> Any:
    axis = alt.Axis(labelAngle=-30 if max(map(len, part.releases)) > 8 else 0, labelLimit=120)
    scale = alt.Scale(domain=list(part.releases))
    return alt.X("release:N", scale=scale, title=title, axis=axis)


def _means(part: MeasureReleases, frame: "pl.DataFrame", named: list[str]) -> Any:
    y = alt.Y("mean:Q", title=f"mean {part.measure}", scale=alt.Scale(zero=False))
    own, others = pl.col("run").is_in(named), ~pl.col("run").is_in(named)
    gray = (
        alt.Chart(frame.filter(others))
        .mark_line(color="#bbbbbb", strokeWidth=1)
        .encode(x=_x(part, None), y=y, detail="run:N")
    )
    lines = (
        alt.Chart(frame.filter(own))
        .mark_line(point=alt.OverlayMarkDef(size=40, filled=True), strokeWidth=2)
        .encode(x=_x(part, None), y=y, **by_measure(named, "run"))
    )
    layers = [gray, lines] if len(part.runs) > len(named) else [lines]
    return alt.layer(*layers).properties(width=460, height=220)


def _changes(part: MeasureReleases, frame: "pl.DataFrame", named: list[str]) -> Any:
    """Draw the change of each run to each release, side by side."""
    moved = frame.drop_nulls("change")
    offset = alt.XOffset("run:N", sort=named)
    color = alt.Color("run:N", scale=alt.Scale(domain=named), legend=None)
    title = f"change in {part.measure}"
    y = alt.Y("low:Q", title=title)
    base = alt.Chart(moved).encode(x=_x(part, "release"), xOffset=offset)
    zero = (
        alt.Chart(pl.DataFrame({"zero": [0.0]}))
        .mark_rule(color="#555555")
        .encode(y=alt.Y("zero:Q", title=title))
    )
    shown = alt.Scale(domain=["significant", "not significant"], range=[1, 0])
    return alt.layer(
        zero,
        base.mark_rule(strokeWidth=2).encode(y=y, y2="high:Q", color=color),
        base.mark_point(size=45, filled=False, fill="white", opacity=1, strokeWidth=2).encode(
            y="change:Q", color=color
        ),
        base.mark_point(size=45, filled=True).encode(
            y="change:Q",
            color=color,
            opacity=alt.Opacity("shown:N", scale=shown, legend=None),
            tooltip=["run:N", "release:N", alt.Tooltip("change:Q", format="+.4f")],
        ),
    ).properties(width=460, height=150)
