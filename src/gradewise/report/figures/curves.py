"""The figure of precision-recall curves, graded or binary."""

from typing import Any

from gradewise.measures.curves import Curves
from gradewise.report.figures.theme import by_measure, themed


def precision_recall_curves(curves: Curves, *, points: int = 21, graded: bool = True) -> Any:
    """Draw the mean precision of runs at each recall, interpolated.

    `curves` come from `precision_recall`, graded by `g` or binary by `rel`; `graded` says which,
    for the titles of the axes.
    """
    import altair as alt

    frame = curves.averaged(points)
    kind = "graded " if graded else ""
    unit = alt.Scale(domain=[0, 1])
    chart = (
        alt.Chart(frame)
        .mark_line(point=alt.OverlayMarkDef(size=18))
        .encode(
            x=alt.X("recall:Q", title=f"{kind}recall", scale=unit),
            y=alt.Y("precision:Q", title=f"{kind}precision", scale=unit),
            **by_measure(list(curves.judged.runs), "run"),
        )
    )
    about = f"{kind}precision and recall, mean over {len(curves.judged.topics)} topics"
    title = about[0].upper() + about[1:]
    return themed(chart.properties(width=360, height=320, title=title))
