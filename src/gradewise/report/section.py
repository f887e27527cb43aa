"""One section of a report alone, for notebooks and for pages of others."""

import os
import re
from dataclasses import dataclass, field
from html import escape
from typing import Final

from gradewise.errors import OptionError, did_you_mean
from gradewise.files import write_text
from gradewise.report.assembling import read_place
from gradewise.showing import Shown

_SECTION = re.compile(r'<section id="([a-z-]+)"')
SANDBOX: Final = "allow-scripts allow-downloads"  # no access to the page around it


@dataclass(frozen=True, eq=False)
class Section(Shown):
    """A section of a report as an HTML page of its own, which notebooks show in a frame."""

    name: str
    html: str = field(repr=False)
    height: int = 640

    @property
    def frame(self) -> str:
        """The section in a sandboxed frame, as HTML to put into a page."""
        return framed(self.html, self.height, f"Section {self.name} of a report")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all."""
        write_text(path, self.html)


def framed(page: str, height: int, title: str) -> str:
    """Return a page in a frame that may run its own program, and see nothing around it."""
    style = f"width: 100%; height: {height}px; border: 1px solid #ccc"
    return (
        f'<iframe srcdoc="{escape(page, quote=True)}" sandbox="{SANDBOX}" title="{escape(title)}" '
        f'style="{style}"></iframe>'
    )


def section_names() -> list[str]:
    """Return the names of the sections of a page."""
    return _SECTION.findall(read_place(("gradewise.report.page", "page.html")))


def check_section(name: str) -> None:
    """Raise an OptionError unless a page has such a section."""
    known = section_names()
    if name not in known:
        near = did_you_mean(name, known) or f"; the sections are {', '.join(known)}"
        raise OptionError(f"a report has no section {name!r}{near}")
