"""make_report: from judgments and runs to a self-contained HTML report."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradewise.arrays import Bools, Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.attributes import AttributesLike
from gradewise.collection.join import assemble, join_runs
from gradewise.collection.judged import Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.run_join import JoinRule, RunJoin
from gradewise.collection.ties import TIES, Ties
from gradewise.collection.topics import TopicSets, TopicsLike
from gradewise.errors import OptionError, counted
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure, refuse_preferences, refuse_sessions
from gradewise.measures.missing import MISSING, Missing
from gradewise.measures.releases import ReleasesLike
from gradewise.measures.scores import Scores
from gradewise.progress import watched
from gradewise.report.added_sections import report_of
from gradewise.report.document import Report
from gradewise.report.drill import drill_content
from gradewise.report.judges_section import judges_content, make_panel
from gradewise.report.rankings import Rankings, find_rankings, ranking_depth
from gradewise.report.shown import chosen, shown_topics
from gradewise.report.sources import Source, describe_sources, find_versions
from gradewise.report.standings import Standings, find_all_standings
from gradewise.report.texts import Text, TextsLike, read_texts
from gradewise.report.titles import title_of
from gradewise.report.top_distances import RUNS, Lead, leads_of_best
from gradewise.report.views import About, split_topics, view_lists
from gradewise.stats.compare import refuse_geometric

DEFAULT_MEASURES = ("AP", "nDCG", "nDCG@10", "P@10", "RR", "GAP", "xGAP", "eGAP")
STEPS = 4  # what `progress` is told of besides each run


@dataclass(frozen=True)
class Settings:
    """How lists are ordered, cut and scored; see `evaluate`."""

    ties: Ties
    seed: int
    depth: int | None
    judged_only: bool
    missing: Missing
    distances: bool

    def rule(self, measures: Sequence[Measure], top: int, top_of: Bools | None) -> JoinRule:
        """Return how runs are joined; the first documents of lists are kept."""
        scores = any(measure.uses_scores for measure in measures)
        return JoinRule(self.ties, self.seed, self.depth, scores, top, top_of, hashed=True)

    def described(self) -> dict[str, str]:
        """Return the settings as the report shows them."""
        return {
            "Documents with equal scores": TIES[self.ties].title
            + (f", seed {self.seed}" if self.ties == "random" else ""),
            "Depth of lists": "all documents" if self.depth is None else str(self.depth),
            "Unjudged documents": "dropped" if self.judged_only else "not relevant",
            "Topics missing from a run": MISSING[self.missing].title,
        }


@watched("steps")
def make_report(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasureLike | Iterable[MeasureLike] = DEFAULT_MEASURES,
    *,
    title: str | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: Missing = "zero",
    topics: TopicsLike | TopicSets | None = None,
    attributes: AttributesLike | None = None,
    history: ReleasesLike | None = None,
    distances: bool = True,
    judges: Mapping[str, QrelsLike] | None = None,
    queries: TextsLike | None = None,
    docs: TextsLike | None = None,
    command: str = "gw.report.make_report",
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Make a report on runs: leaderboard, significance, topics, thresholds and judgments.

    Parameters
    ----------
    qrels, runs, ties, seed, depth, judged_only, missing
        As for `evaluate`.
    measures
        Measures; the report opens with the first.
    title
        Report title; by default, the runs and topics compared.
    topics
        The topics to report on, as for `evaluate`; or several sets, {name: topics}, between which
        the page switches.
    attributes
        Attributes of topics, such as intent or length: a path to CSV, TSV or parquet with a column
        of topics, a frame, or {topic: {attribute: value}}. Their groups are added to those derived
        from scores and judgments; see `compare_groups`.
    history
        Saved scores of releases, as a folder or {release: scores}: adds a section on how runs
        changed from release to release; see `compare_releases`.
    distances
        Whether to bound how far more judgments could change the lead of the best run.
    judges
        {name: qrels} of other judges, people or models, of the same documents: adds a section on
        how far they agree with `qrels`, and whether it matters. Runs are read once more for it.
    queries, docs
        Texts of topics and of documents, as for `read_texts`; the page shows them where it shows
        what two runs retrieved. Without them it shows ids.
    command
        The command to show in the report.
    progress
        Called with the name of each run after it has been read, and of each later step.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=10, runs=3, depth=50, seed=1)
    >>> report = gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10"])
    >>> report.summary[1]
    "It is significantly better than every other run (paired t-tests, ..."
    >>> report.save("report.html")  # doctest: +SKIP
    """
    parsed = as_measures(measures)
    refuse_geometric(parsed)
    for measure in parsed:
        refuse_sessions(measure, "a report shows a single list for each topic")
    settings = Settings(ties, seed, depth, judged_only, missing, distances and not judged_only)
    tell = progress or (lambda _: None)
    inputs = _read_inputs(qrels, runs, settings, parsed, progress)
    refuse_preferences(inputs.qrels, "a report is about grades; gw.compare takes preferences")
    lists = split_topics(inputs.judged, topics)
    scored = {
        name: score_judged(part, parsed, judged_only=judged_only, missing=missing)
        for name, part in lists.items()
    }
    tell("scores")
    standings = {name: find_all_standings(scores) for name, scores in scored.items()}
    tell("significance")
    leads = {name: _find_leads(inputs, standings[name], settings, scored[name]) for name in lists}
    rankings = _find_rankings(inputs, next(iter(standings.values()))[0])
    tell("distances")
    others = None
    if judges is not None:
        if topics is not None:
            raise OptionError("judges are studied on all topics; leave out topics or judges")
        others = _study_judges(inputs, runs, judges, settings, parsed)
    asked, held = _texts(queries, inputs.judged.topics), _texts(docs, rankings.names)
    told = [
        *_lacking("topic", queries, len(inputs.judged.topics) - len(asked)),
        *_lacking("document", docs, len(rankings.names) - len(held)),
    ]
    title = title or title_of(lists.get("", inputs.judged), inputs.sources)
    about = About(title, inputs.sources, command, settings.described(), find_versions())
    views = [
        view_lists(
            name,
            part.condensed if judged_only else part,
            scored[name],
            standings[name],
            leads[name],
            about,
            others,
            rankings,
            told,
        )
        for name, part in lists.items()
    ]
    drill = drill_content(
        rankings,
        inputs.judged,
        parsed,
        condensed=judged_only,
        queries=asked,
        docs=held,
    )
    return report_of(title, views, drill=drill, attributes=attributes, history=history)


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Judgments and runs as they were read and joined, and where they came from."""

    qrels: Qrels
    joins: Sequence[RunJoin]
    judged: Judged
    sources: list[Source]
    shown: Ints | None  # the places of the topics that the page shows, unless it shows all
    top: int  # how many documents of each list were kept


def _read_inputs(
    qrels: QrelsLike,
    runs: RunsLike,
    settings: Settings,
    measures: Sequence[Measure],
    progress: Callable[[str], None] | None,
) -> _Inputs:
    named, table = name_runs(runs), read_qrels(qrels)
    if progress is not None:
        progress("inputs")
    shown, top_of = shown_topics(len(table.topics), len(named)), None
    if shown is not None:
        top_of = chosen(table.topic_order[shown], len(table.topics))
    lists = len(named) * (len(table.topics) if shown is None else len(shown))
    top = ranking_depth(lists, settings.depth)
    joins = join_runs(table, named, settings.rule(measures, top, top_of), progress)
    sources = describe_sources(("qrels", qrels), named, joins)
    return _Inputs(table, joins, assemble(table, joins), sources, shown, top)


def _find_rankings(inputs: _Inputs, standings: Standings) -> Rankings:
    """Return the documents of lists; of many runs, those of the best."""
    order = standings.order
    return find_rankings(inputs.qrels, inputs.joins, inputs.judged, order, inputs.top, inputs.shown)


def _texts(given: TextsLike | None, wanted: Sequence[str]) -> dict[str, Text]:
    return {} if given is None else read_texts(given, wanted)


def _find_leads(
    inputs: _Inputs, standings: Sequence[Standings], settings: Settings, scores: Scores
) -> list[Lead]:
    """Bound the lead of the best run over the next ones, on the topics of the scores."""
    order = standings[0].order[:RUNS]
    if not settings.distances or len(order) < 2:
        return []
    topics = None if scores.topics == inputs.judged.topics else frozenset(scores.topics)
    qrels = inputs.qrels
    if inputs.shown is not None:
        if topics is not None:  # the first documents were kept for a sample of all topics
            return []
        qrels = qrels.of_topics(qrels.topic_order[inputs.shown])
    tops = [inputs.joins[run].top_run() for run in order]
    return leads_of_best(tops, qrels, ties=settings.ties, seed=settings.seed, topics=topics)


def _lacking(kind: str, given: TextsLike | None, number: int) -> list[str]:
    """Return a note if texts were given, but not of all."""
    if given is None or not number:
        return []
    return [f"{counted(number, kind)} {'has' if number == 1 else 'have'} no text"]


def _study_judges(
    inputs: _Inputs,
    runs: RunsLike,
    judges: Mapping[str, QrelsLike],
    settings: Settings,
    measures: Sequence[Measure],
) -> dict[str, Any]:
    if settings.judged_only:
        raise OptionError(
            "judges cannot be studied with judged_only, which drops different documents for each "
            "judge"
        )
    panel = make_panel(inputs.qrels, judges)
    rules = {"ties": settings.ties, "seed": settings.seed, "depth": settings.depth}
    return judges_content(panel, panel.join(dict(name_runs(runs)), **rules), measures)
