"""The figure of how much of the runs' lists is judged."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.collection.coverage import Coverage, coverage
from gradewise.collection.judged import Judged
from gradewise.errors import counted
from gradewise.frames import long_frame
from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, by_measure, stated

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


def _depth() -> Any:
    return alt.X("depth:Q", title="depth (documents)", scale=alt.Scale(type="log"))


def _share(name: str) -> Any:
    scale = alt.Scale(domain=[0, 1])
    return alt.Y(
        f"{name}:Q", title="judged share of documents", scale=scale, axis=alt.Axis(format="%")
    )


def _lines(fit: Coverage, depths: Sequence[int]) -> Any:
    axes = {"run": fit.runs, "depth": np.array(depths)}
    frame = long_frame(axes, {"judged": 1 - fit.unjudged_at(depths)})
    lines = alt.Chart(frame).mark_line(point=alt.OverlayMarkDef(size=18))
    looks = by_measure(list(fit.runs), "run")
    return _titled(lines.encode(x=_depth(), y=_share("judged"), **looks), fit, depths)


def _bands(fit: Coverage, depths: Sequence[int]) -> Any:
    levels = np.quantile(1 - fit.unjudged_at(depths), [0, 0.25, 0.5, 0.75, 1], axis=0)
    names = ["lowest", "lower", "middle", "upper", "highest"]
    frame = pl.DataFrame({"depth": list(depths), **dict(zip(names, levels, strict=True))})
    base = alt.Chart(frame).encode(x=_depth())
    chart = alt.layer(
        base.mark_area(opacity=0.15, color=COLORS[0]).encode(y=_share("lowest"), y2="highest:Q"),
        base.mark_area(opacity=0.3, color=COLORS[0]).encode(y=_share("lower"), y2="upper:Q"),
        base.mark_line(color=COLORS[0], point=alt.OverlayMarkDef(size=18)).encode(
            y=_share("middle")
        ),
    )
    return _titled(chart, fit, depths, "; line: median run, bands: half of the runs and all")


def _titled(chart: Any, fit: Coverage, depths: Sequence[int], more: str = "") -> Any:
    ends = [max((d for d in depths if d <= 10), default=depths[0]), depths[-1]]
    shares = np.median(1 - fit.unjudged_at(ends), axis=0)
    finding = f"In the median run, {shares[0]:.0%} of the top {ends[0]} are judged"
    finding += "" if ends[0] == ends[1] else f", and {shares[1]:.0%} of the top {ends[1]}"
    source = f"{counted(len(fit.runs), 'run')}, {fit.topics} topics{more}"
    return stated(chart.properties(width=420, height=260), finding, source, letters=62)
