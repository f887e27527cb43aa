"""How figures look, for the color-blind and in print too, and how they are saved."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gradewise.errors import OptionError
from gradewise.files import whole_file

if TYPE_CHECKING:
    import altair as alt

# Okabe & Ito's colors, which differ for every common kind of color blindness; black last.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
GRADIENT: Final = "viridis"
KINDS = (".svg", ".png", ".pdf", ".html", ".json")
_GREY = "#555555"


def themed(chart: "alt.TopLevelMixin") -> Any:
    """Return a chart in the style of all figures."""
    style: Any = chart
    return (
        style.configure(font="Helvetica, Arial, sans-serif", background="white")
        .configure_view(stroke=None)
        .configure_axis(
            gridColor="#e6e6e6",
            domainColor=_GREY,
            tickColor=_GREY,
            labelColor="#222222",
            titleColor="#222222",
            labelFontSize=11,
            titleFontSize=12,
            titleFontWeight="normal",
        )
        .configure_legend(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", labelLimit=320
        )
        .configure_title(fontSize=13, anchor="start", fontWeight="normal", subtitleColor=_GREY)
        .configure_range(category=list(COLORS))
    )


def zero_rule() -> Any:
    """Return a rule at 0 on the x axis, a layer for figures of differences."""
    import altair as alt
    import polars as pl

    return alt.Chart(pl.DataFrame({"zero": [0.0]})).mark_rule(color=_GREY).encode(x="zero:Q")


def by_measure(names: Sequence[str], field: str = "measure") -> dict[str, Any]:
    """Return encodings that tell measures apart by color and by dashes, with one legend."""
    import altair as alt

    scale = alt.Scale(domain=list(names))
    legend = alt.Legend(
        title=None, symbolOpacity=1, symbolType="stroke", symbolSize=250, symbolStrokeWidth=2
    )
    return {
        "color": alt.Color(f"{field}:N", scale=scale, legend=legend),
        "strokeDash": alt.StrokeDash(f"{field}:N", scale=scale, legend=legend),
    }


def check_figure_path(path: str | os.PathLike[str]) -> None:
    """Raise an OptionError unless a figure can be saved under that name."""
    if Path(path).suffix.lower() not in KINDS:
        raise OptionError(f"{path}: a figure's name must end in {', '.join(KINDS)}")


def save_figure(chart: "alt.TopLevelMixin", path: str | os.PathLike[str]) -> None:
    """Save a chart as SVG, PNG, PDF, HTML or JSON, by the ending of its name."""
    check_figure_path(path)
    kind = Path(path).suffix.lower()[1:]
    options: dict[str, Any] = {"scale_factor": 2} if kind == "png" else {}
    if kind == "html":
        options["inline"] = True  # no network needed to look at it
    with whole_file(path) as temporary:
        drawn: Any = chart
        drawn.save(str(temporary), format=kind, **options)
