"""The page of a report: one HTML file, put together from the files beside this one."""

import html
from collections.abc import Sequence

from gradewise.report.assembling import assemble_page, join_scripts, read_place

SCRIPTS = (  # what shows one set of topics
    "data.js",
    "elements.js",
    "statistics.js",
    "tables.js",
    "charts.js",
    "pairing.js",
    "verdict.js",
    "families.js",
    "contributions.js",
    "drill.js",
    "leaderboard.js",
    "scores.js",
    "pairs.js",
    "topics.js",
    "thresholds.js",
    "simplex.js",
    "explorer.js",
    "groups.js",
    "history.js",
    "agreement.js",
    "judgments.js",
    "judges.js",
    "making.js",
    "start.js",
)


def page_html(
    title: str, summary: Sequence[str], data: str, *, only: str = "", state: str = ""
) -> str:
    """Return the page; `data` is JSON that is safe inside a script element.

    `only` is the section to show, if not all, and `state` what stands behind # in its address.
    """
    embedded = {"only": only, "state": state}
    parts = {
        "embedded": "".join(f' data-{k}="{html.escape(v)}"' for k, v in embedded.items() if v),
        "title": html.escape(title),
        "summary": "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in summary),
        "data": data,
    }
    show = "function show(report) {\n" + join_scripts([(__package__, name) for name in SCRIPTS])
    before = join_scripts([(__package__, name) for name in ("embed.js", "address.js")])
    program = before + show + "}\n" + read_place((__package__, "views.js"))
    return assemble_page((__package__, "page.html"), (__package__, "page.css"), program, parts)
