"""Report: one HTML page on one set of topics, or on several."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gradewise.files import write_text
from gradewise.report.content import Findings, page_content
from gradewise.report.drill import deflate
from gradewise.report.packing import script_json
from gradewise.report.page import page_html
from gradewise.report.section import Section, check_section
from gradewise.showing import Shown


@dataclass(frozen=True, eq=False)
class Report(Shown):
    """A self-contained HTML page: text, data, styles and scripts in one file."""

    title: str
    summary: tuple[str, ...]
    notes: tuple[str, ...]
    content: dict[str, Any] = field(repr=False)

    @staticmethod
    def of_views(
        title: str, views: Sequence[Findings], drill: dict[str, Any] | None = None
    ) -> "Report":
        """Put what is shown of each set of topics into one page; `drill` is about all topics."""
        summary = [
            f"{view.name}: {sentence}" if view.name else sentence
            for view in views
            for sentence in view.summary
        ]
        notes = dict.fromkeys(
            f"{view.name}: {note}" if view.name else note
            for view in views
            for note in view.warnings
        )
        contents = [page_content(view) for view in views]
        named = bool(views[0].name)
        content = {"title": title, "views": contents} if named else contents[0]
        if drill is not None:
            content["drill"] = deflate(drill)
        return Report(title, tuple(summary), tuple(notes), content)

    @property
    def html(self) -> str:
        """The page."""
        first = self.content.get("views", [self.content])[0]
        return page_html(self.title, first["summary"], script_json(self.content))

    def section(self, name: str, *, state: str = "", height: int = 640) -> Section:
        """Return one section alone, such as "explorer" or "topics", for notebooks and other pages.

        A notebook shows it in a frame `height` pixels high. `state` is the part after # in the
        address of the page when it shows what the section should start with.
        """
        check_section(name)
        first = self.content.get("views", [self.content])[0]
        data = script_json(self.content)
        page = page_html(self.title, first["summary"], data, only=name, state=state.lstrip("#"))
        return Section(name, page, height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all."""
        write_text(path, self.html)
