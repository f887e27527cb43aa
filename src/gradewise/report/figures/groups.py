"""The figure of groups of topics: where a run is better than another."""

from typing import Any

from gradewise.errors import OptionError
from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, stated, zero_rule
from gradewise.stats.group_comparison import GroupComparison


def group_differences(comparison: GroupComparison, pair: int = 0, *, measure: int = 0) -> Any:
    """Draw the difference of two runs on each group of topics, with intervals that hold jointly.

    `pair` and `measure` are indexes into the comparison; by default, the pair that was named, or
    the best run and the next, by the first measure. Filled dots are significant.
    """
    part = comparison.parts[measure]
    if not 0 <= pair < len(part.first):
        raise OptionError(f"pair must be between 0 and {len(part.first) - 1}, not {pair}")
    a, b = part.runs[part.first[pair]], part.runs[part.second[pair]]
    frame = part.groups_frame().filter(run_a=a, run_b=b)
    frame = frame.with_columns(
        label=pl.format("{} ({})", "group", "size"),
        shown=pl.when("significant")
        .then(pl.lit("significant"))
        .otherwise(pl.lit("not significant")),
    )
    title, names = f"{part.measure}: {a} minus {b}", [each.name for each in comparison.attributes]
    panels = [
        _panel(frame.filter(attribute=name), name, title if name == names[-1] else None)
        for name in names
    ]
    chart = alt.vconcat(*panels, spacing=6).resolve_scale(x="shared", fill="shared")
    finding, dependence = part.findings(pair)
    return stated(chart, finding.rstrip("."), [dependence, comparison.test_words()], letters=74)


def _panel(frame: "pl.DataFrame", name: str, title: str | None) -> Any:
    """Draw the groups of one attribute; the last panel has the title of the axis."""
    labels = alt.Axis(labelLimit=200, minExtent=130)
    y = alt.Y("label:N", sort=frame["label"].to_list(), title=None, axis=labels)
    base = alt.Chart(frame).encode(y=y)
    fill = alt.Fill(
        "shown:N",
        title=None,
        scale=alt.Scale(domain=["significant", "not significant"], range=[COLORS[0], "white"]),
        legend=alt.Legend(symbolStrokeColor=COLORS[0], symbolStrokeWidth=2, orient="bottom"),
    )
    axis = alt.Axis(tickCount=6, labelFlush=False, labels=title is not None)
    dots = base.mark_point(size=60, opacity=1, stroke=COLORS[0], strokeWidth=2).encode(
        x=alt.X("difference:Q", title=title, axis=axis),
        fill=fill,
        tooltip=[
            "attribute:N",
            "group:N",
            "size:Q",
            alt.Tooltip("difference:Q", format="+.4f"),
            alt.Tooltip("p_corrected:Q", format=".4f"),
        ],
    )
    rules = base.mark_rule(color=COLORS[0], strokeWidth=2).encode(
        x=alt.X("low:Q", title=title, axis=axis), x2="high:Q"
    )
    about = alt.Title(name, fontSize=11, fontWeight="normal", offset=2)
    return alt.layer(zero_rule(title=title, axis=axis), rules, dots).properties(
        width=380, height=alt.Step(20), title=about
    )
