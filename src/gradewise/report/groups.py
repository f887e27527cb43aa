"""The section on groups of topics: who is in which group; the page compares any two runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.collection.attributes import Attribute, AttributesLike, read_attributes
from gradewise.measures.scores import Scores
from gradewise.report.content import Findings
from gradewise.report.packing import pack
from gradewise.report.standings import ALPHA, LEVEL
from gradewise.stats.by_group import compare_groups
from gradewise.stats.found_groups import found_groups
from gradewise.stats.intervals import t_quantile


def given_attributes(
    views: Sequence[Findings], attributes: AttributesLike | None
) -> tuple[tuple[Attribute, ...], list[str], tuple[str, ...]]:
    """Return attributes of the topics of all views, these topics, and what is to be said."""
    if attributes is None:
        return (), [], ()
    topics = list(dict.fromkeys(topic for view in views for topic in view.scores.topics))
    read = read_attributes(attributes, topics)
    return read.attributes, topics, read.notes


def attributes_of(
    scores: Scores, given: Sequence[Attribute], topics: Sequence[str]
) -> tuple[Attribute, ...]:
    """Return what is given and found of the topics of some scores, if it splits them."""
    if not given:
        return found_groups(scores)
    place = {topic: index for index, topic in enumerate(topics)}
    places = np.array([place[topic] for topic in scores.topics], np.int64)
    besides = [each.name for each in given]
    chosen = (*(each.of_topics(places) for each in given), *found_groups(scores, besides=besides))
    return tuple(each for each in chosen if len(each.groups) > 1)


def groups_content(found: Findings, attributes: Sequence[Attribute]) -> dict[str, Any] | None:
    """Return groups as the page takes them; None if there are none."""
    if not attributes:
        return None
    places = np.array(list(found.shown_places()), np.int64)
    tested = sum(int((each.sizes > 1).sum()) for each in attributes)
    level = 1 - (1 - LEVEL) / max(tested, 1)
    return {
        "attributes": [
            {
                "name": each.name,
                "about": each.about,
                "found": each.found,
                "groups": list(each.groups),
                "labels": pack(each.labels[places] + 1, "u1"),  # 0: in no group
            }
            for each in attributes
        ],
        "tested": tested,
        "quantiles": pack(t_quantile(np.arange(2, max(len(places), 2) + 1), level), "f8"),
    }


def summarize_groups(scores: Scores, attributes: Sequence[Attribute]) -> list[str]:
    """Say where the best run is better than the next, and whether that depends on the topics."""
    if len(scores.runs) < 2 or not attributes:
        return []
    first = scores.of_measures(scores.measures[:1])
    rules: dict[str, Any] = {"found": False, "alpha": ALPHA, "level": LEVEL}
    (best,) = compare_groups(first, attributes, **rules).parts
    (alone,) = compare_groups(first, attributes, pair=(best.runs[0], best.runs[1]), **rules).parts
    # The data chose the best run by its mean, not by what groups do to its lead.
    return [best.findings()[0], alone.findings()[1]]
