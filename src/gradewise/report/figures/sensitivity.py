"""Sensitivity: how much a measure changes when the document at a rank gets another grade."""

from typing import Any

from gradewise.libraries import alt
from gradewise.meta.sensitivity import Sensitivity
from gradewise.report.figures.theme import stated

_MARKED = 60  # ranks up to which each has a point


def sensitivity_figure(found: Sensitivity) -> Any:
    """Draw the change of each measure by rank, a panel for each change of grade."""
    rows = [
        {**row, "panel": _panel(row["from_grade"], row["to_grade"])}
        for row in found.frame.fill_nan(None).drop_nulls(["rank", "change"]).iter_rows(named=True)
    ]
    panels = list(dict.fromkeys(row["panel"] for row in rows))
    last = max((row["rank"] for row in rows), default=1)
    # A line for ranks, a point for each where there are few: a lone rank makes no line.
    point = alt.OverlayMarkDef(size=22, filled=True) if last <= _MARKED else False
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=1.5, point=point)
        .encode(
            x=alt.X(
                "rank:Q",
                title="rank of the document",
                scale=alt.Scale(domain=[0, last], nice=False),
                axis=alt.Axis(values=list(range(0, last + 1, -(-last // 5))), format="d"),
            ),
            y=alt.Y("change:Q", title="change in the value"),
            color=alt.Color("measure:N", title="measure", sort=[str(m) for m in found.measures]),
        )
        .properties(width=210, height=150)
        .facet(
            facet=alt.Facet("panel:N", title=None, sort=panels),
            columns=min(3, max(1, len(panels))),
        )
    )
    source = "Change in the value when the document at one rank gets another grade"
    return stated(chart, _largest_change(rows), source, letters=34 * min(3, max(1, len(panels))))


def _largest_change(rows: list[dict[str, Any]]) -> str:
    """Say which change of a grade moves which measure most."""
    if not rows:
        return "There is no grade to change"
    most = max(rows, key=lambda row: abs(row["change"]))
    return (
        f"{most['measure']} changes most, by {most['change']:+.2f}, when {most['panel']} at rank "
        f"{most['rank']}"
    )


def _panel(old: int | None, new: int) -> str:
    return f"{'unjudged' if old is None else f'grade {old}'} becomes grade {new}"
