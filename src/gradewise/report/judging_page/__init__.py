"""The page to judge documents in: one HTML file, put together from the files beside this one."""

import html

from gradewise.report.assembling import assemble_page, join_scripts

_REPORT = "gradewise.report.page"
SCRIPTS = (
    (_REPORT, "elements.js"),
    (__package__, "state.js"),
    (__package__, "exporting.js"),
    (__package__, "showing.js"),
    (__package__, "keyboard.js"),
)


def judging_html(title: str, data: str) -> str:
    """Return the page; `data` is JSON that is safe inside a script element."""
    parts = {"title": html.escape(title), "data": data}
    template, style = (__package__, "page.html"), (__package__, "page.css")
    return assemble_page(template, style, join_scripts(SCRIPTS), parts)
