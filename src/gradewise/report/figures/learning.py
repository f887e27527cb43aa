"""Figures of training: learning curves, and what fewer features and topics do."""

from typing import TYPE_CHECKING, Any

from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import by_measure, stated, themed

if TYPE_CHECKING:
    from gradewise.learn.studies.less_data import DataStudy


def learning_curves(curves: "pl.DataFrame", *, title: str = "Learning curves") -> Any:
    """Draw measures on training and validation topics over epochs; vertical rules are restarts.

    `curves` is that of NetRanker: learning_rate, restart, epoch, data, measure, value; or that of
    TreeRanker, which has neither rates nor restarts, and trees in place of epochs.
    """
    if "restart" not in curves.columns:
        return _tree_curves(curves, title)
    frame = curves.filter(pl.col("measure") != "loss").with_columns(
        series=pl.concat_str(["measure", "data"], separator=", ")
    )
    restarts = (
        frame.filter(pl.col("restart") > 0)
        .group_by("learning_rate", "restart", maintain_order=True)
        .agg(pl.col("epoch").min())
    )
    lines = _lines(frame, "epoch")
    rules = alt.Chart(restarts).mark_rule(color="#bbbbbb", strokeDash=[2, 2]).encode(x="epoch:Q")
    rates = curves["learning_rate"].unique(maintain_order=True).to_list()
    parts = [
        alt.layer(
            rules.transform_filter(f"datum.learning_rate == {rate}"),
            lines.transform_filter(f"datum.learning_rate == {rate}"),
        ).properties(width=460, height=260, title=_rate_title(rate))
        for rate in rates
    ]
    return stated(alt.vconcat(*parts), _highest(frame, title), _SOURCE, letters=68)


def _rate_title(rate: float) -> Any:
    return alt.Title(f"learning rate {rate:g}", fontSize=11, fontWeight="normal")


_SOURCE = "Means over topics after each step of training; vertical rules are restarts"


def _highest(frame: "pl.DataFrame", title: str) -> str:
    """Say when a measure is highest on the data that tells when to stop."""
    data = frame["data"].unique(maintain_order=True).to_list()
    held = frame.filter(data=data[-1]).drop_nulls("value")
    if held.is_empty():
        return title
    held = held.filter(measure=held["measure"][0])
    best = held.sort("value", descending=True, maintain_order=True).row(0, named=True)
    finding = f"{best['measure']} on {best['data']} is highest after {best['epoch']} steps"
    return f"{title}: {finding}, {best['value']:.3f}"


def _lines(frame: "pl.DataFrame", title: str) -> Any:
    names = frame["series"].unique(maintain_order=True).to_list()
    return (
        alt.Chart(frame)
        .mark_line()
        .encode(
            x=alt.X("epoch:Q", title=title),
            y=alt.Y("value:Q", title="mean over topics", scale=alt.Scale(zero=False)),
            **by_measure(names, "series"),
        )
    )


def _tree_curves(curves: "pl.DataFrame", title: str) -> Any:
    frame = curves.with_columns(series=pl.concat_str(["measure", "data"], separator=", "))
    chart = _lines(frame, "trees").properties(width=460, height=260)
    return stated(chart, _highest(frame, title), _SOURCE, letters=68)


def study_curves(result: "DataStudy") -> Any:
    """Draw the test measure over the share of training topics, by objective and features.

    Bars reach one standard error of the paired difference up and down, so that two that do not
    touch are two standard errors apart.
    """
    error = pl.col("error_of_difference")
    frame = result.frame.with_columns(low=pl.col("mean") - error, high=pl.col("mean") + error)
    names = frame["objective"].unique(maintain_order=True).to_list()
    scale, series = alt.Scale(zero=False), by_measure(names, "objective")
    title = "mean over test topics"
    base = alt.Chart().encode(
        x=alt.X("share:Q", title="share of training topics", axis=alt.Axis(format="%")),
        color=series["color"],
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=25)).encode(
        y=alt.Y("mean:Q", title=title, scale=scale), strokeDash=series["strokeDash"]
    )
    bars = base.mark_rule().encode(y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q")
    chart = (
        alt.layer(bars, lines, data=frame)
        .properties(width=220, height=180)
        .facet(
            row=alt.Row("test_measure:N", title="tested with"),
            column=alt.Column("features:O", title="features"),
        )
        .resolve_scale(y="independent")
    )
    about = "Bars that do not overlap are two standard errors of the difference apart"
    title_of_all = alt.Title(f"{result.algorithm} with less training data", subtitle=about)
    return themed(chart.properties(title=title_of_all))
