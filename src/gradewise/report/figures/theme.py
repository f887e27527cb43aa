"""How figures look, for the color-blind and in print too, and how they are saved."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from gradewise.errors import GradewiseError, OptionError, did_you_mean
from gradewise.files import write_bytes
from gradewise.inert import pictured
from gradewise.libraries import alt, pl
from gradewise.report.figure_page import figure_html

# Okabe & Ito's colors, which differ for every common kind of color blindness; black last.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
GRADIENT: Final = "viridis"
KINDS = (".svg", ".png", ".pdf", ".html", ".json")
_GREY = "#555555"


def themed(chart: "alt.TopLevelMixin") -> Any:
    """Return a chart in the style of all figures."""
    style: Any = chart
    return (
        style.configure(
            font="Helvetica, Arial, sans-serif",
            background="white",
            # An SVG is laid out for one font and shown in another, which may be wider.
            padding={"left": 16, "right": 16, "top": 6, "bottom": 6},
        )
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
            labelFlush=False,
        )
        .configure_legend(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", labelLimit=320
        )
        .configure_header(titleFontWeight="normal", labelFontSize=11, titleFontSize=12)
        .configure_title(
            fontSize=13,
            anchor="start",
            fontWeight="bold",
            color="#222222",
            subtitleColor=_GREY,
            subtitleFontSize=11,
        )
        .configure_range(category=list(COLORS))
    )


def stated(chart: Any, finding: str, source: str | Sequence[str], *, letters: int = 76) -> Any:
    """Return a chart with what it shows as its title, and below what it shows it of.

    `letters` is how long a line above the chart may be.
    """
    return themed(chart.properties(title=titles(finding, source, letters)))


def titles(finding: str, source: str | Sequence[str], letters: int) -> Any:
    """Return a finding as title, and what it was found in below."""
    told = [source] if isinstance(source, str) else source
    return alt.Title(
        wrap(finding, letters),
        subtitle=[line for each in told for line in wrap(each, letters + letters // 5)],
        offset=12,
    )


def zero_rule(**axis: Any) -> Any:
    """Return a rule at 0 on the x axis, a layer for figures of differences."""
    x = alt.X("zero:Q", **axis)
    return alt.Chart(pl.DataFrame({"zero": [0.0]})).mark_rule(color=_GREY).encode(x=x)


def by_measure(names: Sequence[str], field: str = "measure") -> dict[str, Any]:
    """Return encodings that tell measures apart by color and by dashes, with one legend."""
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
    ending = Path(path).suffix.lower()
    if ending not in KINDS:
        near = did_you_mean(ending, KINDS)
        raise OptionError(f"{path}: a figure's name must end in {', '.join(KINDS)}{near}")


def figure_spec(chart: "alt.TopLevelMixin | dict[str, Any]") -> dict[str, Any]:
    """Return a figure as a Vega-Lite specification: a dictionary to edit, to keep or to embed.

    It holds all rows, as `datasets` called data1, data2 and so on. `save_figure` draws it again,
    and so does every tool that takes Vega-Lite, such as its online editor. Control characters in
    names are pictures of them: libraries that draw stop at some, and end the process at others.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=5, runs=2, depth=20, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> spec = gw.report.figures.figure_spec(gw.report.figures.leaderboard(gw.compare(scores)))
    >>> spec["title"]["text"] = "Ours"
    >>> sorted(spec["datasets"])
    ['data1']
    >>> gw.report.figures.save_figure(spec, "ours.svg")  # doctest: +SKIP
    """
    if isinstance(chart, dict):
        return _written_out_all(chart)
    drawn: Any = chart
    with alt.data_transformers.disable_max_rows():
        spec = _written_out_all(drawn.to_dict())
    names = {name: f"data{place}" for place, name in enumerate(spec.get("datasets", {}), 1)}
    if names:
        spec["datasets"] = {names[name]: rows for name, rows in spec["datasets"].items()}
    return _renamed_data(spec, names)


def _written_out_all(spec: dict[str, Any]) -> dict[str, Any]:
    return {name: _written_out(part) for name, part in spec.items()}


def _renamed_data(part: Any, names: dict[str, str]) -> Any:
    """Return a part of a specification in which data are called by other names."""
    if isinstance(part, list):
        return [_renamed_data(inner, names) for inner in part]
    if not isinstance(part, dict):
        return part
    return {
        name: {"name": names.get(inner["name"], inner["name"])}
        if name == "data" and isinstance(inner, dict) and set(inner) == {"name"}
        else inner
        if name == "datasets"
        else _renamed_data(inner, names)
        for name, inner in part.items()
    }


def _written_out(part: Any) -> Any:
    if isinstance(part, str):
        return pictured(part)
    if isinstance(part, dict):
        return {pictured(name): _written_out(inner) for name, inner in part.items()}
    return [_written_out(inner) for inner in part] if isinstance(part, list) else part


def save_figure(chart: "alt.TopLevelMixin | dict[str, Any]", path: str | os.PathLike[str]) -> None:
    """Save a chart as SVG, PNG, PDF, HTML or JSON, by the extension of its name.

    A chart is what the functions of this module return, or a Vega-Lite specification that
    `figure_spec` returned and that may have been edited since. JSON is that specification. HTML
    needs no network, and nothing that a name holds can run in it.
    """
    check_figure_path(path)
    kind = Path(path).suffix.lower()[1:]
    write_bytes(path, draw_as(kind, chart))


def draw_as(kind: str, chart: "alt.TopLevelMixin | dict[str, Any]") -> bytes:
    """Return a chart as the content of a file of a kind, such as "svg"."""
    spec = figure_spec(chart)
    if kind == "html":
        return figure_html(spec).encode()
    if kind == "json":
        return json.dumps(spec, indent=2, sort_keys=True).encode()
    import vl_convert

    options: dict[str, Any] = {"scale": 2} if kind == "png" else {}
    draw = getattr(vl_convert, f"vegalite_to_{kind}")
    try:
        drawn = draw(spec, vl_version=_vega_lite_version(), **options)
    except (ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise GradewiseError(f"the figure cannot be drawn ({reason})") from None
    return drawn.encode() if isinstance(drawn, str) else drawn


def _vega_lite_version() -> str:
    return ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
