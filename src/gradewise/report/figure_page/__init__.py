"""The page of a figure: one HTML file with the chart, and the library that draws it."""

import html
from typing import Any

from gradewise.report.assembling import assemble_page, read_place
from gradewise.report.packing import script_json


def figure_html(spec: dict[str, Any], title: str = "Figure") -> str:
    """Return a page that draws a Vega-Lite chart, whatever the names in it hold."""
    import vl_convert

    library: Any = vl_convert  # whose stub asks for what it does not need
    drawing = library.javascript_bundle() + "\n" + read_place((__package__, "draw.js"))
    parts = {"title": html.escape(title), "data": script_json(spec)}
    return assemble_page((__package__, "page.html"), (__package__, "page.css"), drawing, parts)
