"""Figures of two runs: each topic as two dots, and how often which difference occurs."""

from typing import Any

import numpy as np

from gradewise.errors import OptionError, did_you_mean
from gradewise.libraries import alt, pl
from gradewise.measures.grammar import parse_measure
from gradewise.measures.scores import Scores
from gradewise.report.figures.theme import COLORS, by_measure, stated
from gradewise.stats.intervals import t_interval


def topic_dots(scores: Scores, run_a: str, run_b: str, measure: str | None = None) -> Any:
    """Draw two runs on each topic, the topic that the first wins most clearly on top.

    `measure` is one of the scores' measures; the first if not given.
    """
    frame, name = _both(scores, run_a, run_b, measure)
    topics = frame.sort("difference", descending=True)["topic"].to_list()
    y = alt.Y("topic:N", sort=topics, title=None)
    color = alt.Color(
        "run:N", title=None, scale=alt.Scale(domain=[run_a, run_b], range=list(COLORS[:2]))
    )
    dots = frame.unpivot(["a", "b"], index="topic", variable_name="side").with_columns(
        run=_names(run_a, run_b)
    )
    line = alt.Chart(frame).mark_rule(color="#999999").encode(x="a:Q", x2="b:Q", y=y)
    points = (
        alt.Chart(dots)
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x=alt.X("value:Q", title=name),
            y=y,
            color=color,
            shape=alt.Shape("run:N", title=None, scale=alt.Scale(domain=[run_a, run_b])),
            tooltip=["topic:N", "run:N", alt.Tooltip("value:Q", format=".4f")],
        )
    )
    up, down = (int((sign * frame["difference"] > 0).sum()) for sign in (1, -1))
    finding = f"{run_a} has a higher {name} than {run_b} on {up} of {len(topics)} topics"
    finding += f", and a lower one on {down}"
    source = f"{name} of both runs on each topic, where {run_a} leads most on top"
    chart = alt.layer(line, points).properties(width=380, height=alt.Step(13))
    return stated(chart, finding, source, letters=62)


def difference_histogram(scores: Scores, run_a: str, run_b: str, measure: str | None = None) -> Any:
    """Draw a histogram of the differences of two runs over topics, and the mean difference.

    `measure` is one of the scores' measures; the first if not given.
    """
    frame, name = _both(scores, run_a, run_b, measure)
    mean = float(frame["difference"].to_numpy().mean())
    bars = (
        alt.Chart(frame)
        .mark_bar(color=COLORS[0])
        .encode(
            x=alt.X(
                "difference:Q",
                bin=alt.Bin(maxbins=24),
                title=f"{name}: {run_a} minus {run_b}",
            ),
            y=alt.Y(
                "count():Q", title="number of topics", axis=alt.Axis(tickMinStep=1, format="d")
            ),
        )
    )
    marks = pl.DataFrame({"at": [0.0, mean], "what": ["no difference", f"mean {mean:+.3f}"]})
    looks = by_measure(marks["what"].to_list(), "what")
    looks["color"].scale.range = ["#555555", COLORS[1]]
    rules = alt.Chart(marks).mark_rule(strokeWidth=2).encode(x="at:Q", **looks)
    finding = f"{run_a} minus {run_b} is {mean:+.3f} in {name} on average"
    if len(frame) > 1:
        low, high = t_interval(frame["difference"].to_numpy())
        finding += f", 95% interval {low:+.3f} to {high:+.3f}"
    chart = alt.layer(bars, rules).properties(width=380, height=220)
    return stated(chart, finding, f"{len(frame)} topics; Student's t interval", letters=62)


def _both(
    scores: Scores, run_a: str, run_b: str, measure: str | None
) -> tuple["pl.DataFrame", str]:
    """Return topic, a, b and difference for topics that both runs have, and the measure's name."""
    names = [str(each) for each in scores.measures]
    name = names[0] if measure is None else str(parse_measure(measure))
    for kind, given, known in (
        ("run", run_a, scores.runs),
        ("run", run_b, scores.runs),
        ("measure", name, names),
    ):
        if given not in known:
            raise OptionError(f"the scores have no {kind} {given!r}{did_you_mean(given, known)}")
    rows = [scores.runs.index(run_a), scores.runs.index(run_b)]
    a, b = scores.values[rows, :, names.index(name)]
    kept = scores.counted[rows].all(axis=0) & ~np.isnan(a - b)
    topics = [topic for topic, used in zip(scores.topics, kept, strict=True) if used]
    return pl.DataFrame(
        {"topic": topics, "a": a[kept], "b": b[kept], "difference": (a - b)[kept]}
    ), name


def _names(run_a: str, run_b: str) -> "pl.Expr":
    return pl.when(pl.col("side") == "a").then(pl.lit(run_a)).otherwise(pl.lit(run_b))
