"""What a report shows of each set of topics, with judgments or from scores alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gradewise.collection.coverage import coverage
from gradewise.collection.judged import Judged
from gradewise.collection.topic_subsets import keep_topics
from gradewise.collection.topics import TopicSets, TopicsLike
from gradewise.measures.scores import Scores
from gradewise.report.content import Findings
from gradewise.report.rankings import Rankings
from gradewise.report.shown import chosen, shown_topics
from gradewise.report.sources import Source
from gradewise.report.standings import Standings
from gradewise.report.summary import summarize_report, summarize_scores
from gradewise.report.thresholds import can_explore, gap_winners, pivot_triangles
from gradewise.report.top_distances import Lead
from gradewise.report.verdict import Evidence, find_verdicts

WITHOUT_JUDGMENTS = "made from scores: relevance thresholds and judgments are left out"

Split = TypeVar("Split", Judged, Scores)


@dataclass(frozen=True)
class About:
    """What a report says of itself: title, inputs, command, settings and versions."""

    title: str
    sources: list[Source]
    command: str
    settings: dict[str, str]
    versions: dict[str, str]


def split_topics(whole: Split, topics: TopicsLike | TopicSets | None) -> dict[str, Split]:
    """Return lists or scores by the name of a set of topics; "" without a name."""
    if topics is None:
        return {"": whole}
    sets = topics if isinstance(topics, Mapping) else {"": topics}
    return {name: whole.of_topics(chosen) for name, chosen in sets.items()}


def view_lists(
    name: str,
    judged: Judged,
    scores: Scores,
    standings: Sequence[Standings],
    leads: list[Lead],
    about: About,
    judges: dict[str, Any] | None = None,
    rankings: Rankings | None = None,
    told: Sequence[str] = (),
) -> Findings:
    """Return what is shown of lists that were scored."""
    fit = scores.coverage or coverage(judged)
    places = shown_topics(len(scores.topics), len(scores.runs))
    shown, counted = judged, scores.counted
    if places is not None:
        shown, counted = keep_topics(judged, chosen(places, len(judged.topics))), counted[:, places]
    grades, warnings = len(judged.scale), [*scores.notes, *told]
    triangles = pivot_triangles(shown) if can_explore(shown) else None
    winners = None
    if triangles is None:
        warnings.append(
            f"{grades:,} distinct positive grades are too many to explore thresholds, so that "
            "section is left out."
        )
    elif grades > 1:
        winners = gap_winners(triangles, shown, counted)
    own = None if rankings is None else np.isin(rankings.topics, scores.topics)
    evidence = Evidence(standings, winners, fit, leads, rankings, own)
    return Findings(
        name=name,
        summary=summarize_report(scores, standings[0], winners, fit, places),
        verdicts=find_verdicts(scores, evidence),
        shown=shown,
        places=places,
        scores=scores,
        fit=fit,
        standings=list(standings),
        triangles=triangles,
        best=scores.runs[standings[0].order[0]],
        leads=leads,
        warnings=warnings,
        judges=judges,
        **vars(about),
    )


def view_scores(
    name: str, scores: Scores, standings: Sequence[Standings], about: About
) -> Findings:
    """Return what is shown of scores without their judgments."""
    return Findings(
        name=name,
        summary=summarize_scores(scores, standings[0]),
        verdicts=find_verdicts(scores, Evidence(standings)),
        shown=None,
        places=shown_topics(len(scores.topics), len(scores.runs)),
        scores=scores,
        fit=None,
        standings=list(standings),
        triangles=None,
        best=scores.runs[standings[0].order[0]],
        leads=[],
        warnings=[*scores.notes, WITHOUT_JUDGMENTS],
        **vars(about),
    )
