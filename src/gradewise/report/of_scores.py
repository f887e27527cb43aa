"""report_scores: a report on scores alone, without the judgments behind them."""

from collections.abc import Sequence

from gradewise.collection.attributes import AttributesLike
from gradewise.collection.topics import TopicSets, TopicsLike
from gradewise.measures.releases import ReleasesLike
from gradewise.measures.scores import Scores
from gradewise.report.added_sections import report_of
from gradewise.report.document import Report
from gradewise.report.sources import Source, find_versions
from gradewise.report.standings import find_all_standings
from gradewise.report.titles import title_of
from gradewise.report.views import About, split_topics, view_scores
from gradewise.stats.compare import refuse_geometric


def report_scores(
    scores: Scores,
    *,
    title: str | None = None,
    topics: TopicsLike | TopicSets | None = None,
    attributes: AttributesLike | None = None,
    history: ReleasesLike | None = None,
    sources: Sequence[Source] = (),
    command: str = "gw.report.report_scores",
) -> Report:
    """Make a report on scores alone, such as saved ones.

    Without judgments, relevance thresholds, grades and the completeness of judgments are left out.

    Parameters
    ----------
    scores
        What `evaluate` or `read_scores` returned.
    title, topics, attributes, history, command
        As for `make_report`.
    sources
        Where the scores came from.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=10, runs=3, depth=50, seed=1)
    >>> scores = gw.read_scores(gw.evaluate(sample.qrels, sample.runs, "AP").per_topic)
    >>> gw.report.report_scores(scores).notes
    ('made from scores: relevance thresholds and judgments are left out',)
    """
    refuse_geometric(scores.measures)
    title = title or title_of(scores, sources)
    about = About(title, list(sources), command, {}, find_versions())
    sets = split_topics(scores, topics)
    views = [
        view_scores(name, part, find_all_standings(part), about) for name, part in sets.items()
    ]
    return report_of(title, views, attributes=attributes, history=history)
