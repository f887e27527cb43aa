"""The figure of precision-recall curves, graded or binary."""

from typing import Any

from gradewise.libraries import alt, pl
from gradewise.measures.curves import Curves
from gradewise.report.figures.theme import by_measure, stated


def precision_recall_curves(curves: Curves, *, points: int = 21, graded: bool = True) -> Any:
    """Draw the mean precision of runs at each recall, interpolated.

    `curves` come from `precision_recall`, graded by `g` or binary by `rel`; `graded` says which,
    for the titles of the axes.
    """
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
    means = frame.group_by("run", maintain_order=True).agg(pl.col("precision").mean())
    best = means.sort("precision", descending=True, maintain_order=True).row(0, named=True)
    finding = (
        f"{best['run']} has the highest {kind}precision over all levels of recall: "
        f"{best['precision']:.2f} on average"
    )
    topics = len(curves.judged.topics)
    source = f"{len(means)} runs, interpolated at {points} levels, mean over {topics} topics"
    return stated(chart.properties(width=360, height=320), finding, source, letters=58)
