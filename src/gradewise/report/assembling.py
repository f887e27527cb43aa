"""One HTML file put together from files of packages: a template, a style and scripts.

Nothing is fetched from anywhere. The styles and the program are allowed by their digests and
nothing else is, so that no name in the data can become markup or code.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files

Place = tuple[str, str]  # a package and the name of a file in it


def assemble_page(template: Place, style: Place, program: str, parts: Mapping[str, str]) -> str:
    """Return a page; `parts` are what stands for {{name}} in the template, as HTML."""
    css = read_place(style)
    script = '"use strict";\n{\n' + program + "}\n"
    policy = (
        f"default-src 'none'; script-src {_allow(script)}; style-src {_allow(css)}; "
        "base-uri 'none'; form-action 'none'"
    )
    known = {**parts, "policy": policy, "style": css, "script": script}
    pieces = read_place(template).split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:  # once over the template, so that data is never taken for a place
        name, _, rest = piece.partition("}}")
        filled += [known[name], rest]
    # A name that is no valid Unicode must not keep the page from being written.
    return "".join(filled).encode("utf-8", "replace").decode("utf-8")


def join_scripts(scripts: Sequence[Place]) -> str:
    """Return the scripts one after the other."""
    return "\n".join(map(read_place, scripts))


def read_place(place: Place) -> str:
    """Return the text of a file of a package."""
    package, name = place
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _allow(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
