"""Sections that are about more than one set of lists: groups of topics, and releases."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gradewise.collection.attributes import AttributesLike
from gradewise.measures.releases import ReleasesLike
from gradewise.report.content import Findings
from gradewise.report.document import Report
from gradewise.report.groups import (
    attributes_of,
    given_attributes,
    groups_content,
    summarize_groups,
)
from gradewise.report.history import history_content
from gradewise.stats.by_release import compare_releases


def report_of(
    title: str,
    views: Sequence[Findings],
    *,
    drill: dict[str, Any] | None = None,
    attributes: AttributesLike | None = None,
    history: ReleasesLike | None = None,
) -> Report:
    """Put views into one page, with rankings (`drill`), groups of topics, and earlier releases."""
    given, topics, notes = given_attributes(views, attributes)
    shown, told = [], list[str]()
    for view in views:
        groups = attributes_of(view.scores, given, topics)
        shown.append(replace(view, groups=groups_content(view, groups)))
        if given:
            named = f"{view.name}: " if view.name else ""
            told += [named + each for each in summarize_groups(view.scores, groups)]
    if history is not None:
        found = compare_releases(history)
        shown[0] = replace(shown[0], history=history_content(found))
        told += [sentence for part in found.parts[:1] for sentence in part.findings()]
        notes = (*notes, *found.notes)
    shown[0] = replace(shown[0], warnings=[*shown[0].warnings, *notes])
    report = Report.of_views(title, shown, drill)
    return replace(report, summary=(*report.summary, *told))
