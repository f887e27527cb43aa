"""The page of a report: one HTML file, put together from the files beside this one.

Nothing is fetched from anywhere. The styles and the program are allowed by their digests and
nothing else is, so that no name in the data can become markup or code.
"""

import base64
import hashlib
import html
from collections.abc import Sequence
from importlib.resources import files

SCRIPTS = (
    "data.js",
    "elements.js",
    "statistics.js",
    "tables.js",
    "charts.js",
    "leaderboard.js",
    "pairs.js",
    "topics.js",
    "thresholds.js",
    "simplex.js",
    "explorer.js",
    "agreement.js",
    "judgments.js",
    "making.js",
    "start.js",
)


def page_html(title: str, summary: Sequence[str], data: str) -> str:
    """Return the page; `data` is JSON that is safe inside a script element."""
    style = _read("page.css")
    script = '"use strict";\n{\n' + "\n".join(map(_read, SCRIPTS)) + "}\n"
    policy = (
        f"default-src 'none'; script-src {_allow(script)}; style-src {_allow(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "title": html.escape(title),
        "summary": "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in summary),
        "style": style,
        "script": script,
        "data": data,
    }
    page = _read("page.html")
    pieces = page.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:  # once over the template, so that data is never taken for a place
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    # A name that is no valid Unicode must not keep the page from being written.
    return "".join(filled).encode("utf-8", "replace").decode("utf-8")


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _allow(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
