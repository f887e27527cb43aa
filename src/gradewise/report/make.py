"""make_report: from judgments and runs to a self-contained HTML report."""

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from gradewise import __version__
from gradewise.arrays import Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.coverage import coverage
from gradewise.collection.join import assemble, join_runs
from gradewise.collection.judged import Judged
from gradewise.collection.naming import name_runs
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.run_join import JoinRule, RunJoin
from gradewise.collection.ties import TIES, Ties
from gradewise.files import write_text
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.measures.missing import MISSING, Missing
from gradewise.progress import watched
from gradewise.report.content import Findings, page_content
from gradewise.report.packing import script_json
from gradewise.report.page import page_html
from gradewise.report.sources import Source, describe_sources
from gradewise.report.standings import find_standings
from gradewise.report.summary import summarize_report
from gradewise.report.thresholds import gap_winners, pivot_triangles
from gradewise.report.top_distances import RUNS, TOP, Lead, leads_of_best
from gradewise.showing import Shown
from gradewise.stats.compare import refuse_geometric

DEFAULT_MEASURES = ("AP", "nDCG", "nDCG@10", "P@10", "RR", "GAP", "xGAP", "eGAP")
STEPS = 4  # what `progress` is told of besides each run
_LIBRARIES = ("numpy", "scipy", "polars")


@dataclass(frozen=True)
class Settings:
    """How lists are ordered, cut and scored; see `evaluate`."""

    ties: Ties
    seed: int
    depth: int | None
    judged_only: bool
    missing: Missing
    distances: bool

    def rule(self, measures: Sequence[Measure]) -> JoinRule:
        """Return how runs are joined; the first documents of lists are kept for distances."""
        scores = any(measure.uses_scores for measure in measures)
        top = TOP if self.distances else 0
        top = top if self.depth is None else min(top, self.depth)
        return JoinRule(self.ties, self.seed, self.depth, scores, top, hashed=True)

    def described(self) -> dict[str, str]:
        """Return the settings as the report shows them."""
        return {
            "Documents with equal scores": TIES[self.ties].title
            + (f", seed {self.seed}" if self.ties == "random" else ""),
            "Depth of lists": "all documents" if self.depth is None else str(self.depth),
            "Unjudged documents": "dropped" if self.judged_only else "not relevant",
            "Topics missing from a run": MISSING[self.missing].title,
        }


@dataclass(frozen=True, eq=False)
class Report(Shown):
    """A self-contained HTML page: text, data, styles and scripts in one file."""

    title: str
    summary: tuple[str, ...]
    notes: tuple[str, ...]
    content: dict[str, Any] = field(repr=False)

    @property
    def html(self) -> str:
        """The page."""
        return page_html(self.title, self.summary, script_json(self.content))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all."""
        write_text(path, self.html)


@watched("steps")
def make_report(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasureLike | Iterable[MeasureLike] = DEFAULT_MEASURES,
    *,
    title: str = "Runs and judgments",
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: Missing = "zero",
    distances: bool = True,
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
        Report title.
    distances
        Whether to bound how far more judgments could change the lead of the best run.
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
    settings = Settings(ties, seed, depth, judged_only, missing, distances and not judged_only)
    tell = progress or (lambda _: None)
    inputs = _read_inputs(qrels, runs, settings, parsed, progress)
    judged = inputs.judged
    scores = score_judged(judged, parsed, judged_only=judged_only, missing=missing)
    judged = judged.condensed if judged_only else judged
    tell("scores")
    standings = [find_standings(scores, index) for index in range(len(parsed))]
    tell("significance")
    order = np.argsort(-standings[0].mean, kind="stable")[:RUNS]
    leads = _find_leads(inputs, order, settings)
    tell("distances")
    triangles = pivot_triangles(judged)
    winners = gap_winners(triangles, judged, scores.counted) if len(judged.scale) > 1 else None
    fit = scores.coverage or coverage(judged)
    found = Findings(
        title=title,
        summary=summarize_report(scores, standings[0], winners, fit),
        judged=judged,
        scores=scores,
        fit=fit,
        standings=standings,
        triangles=triangles,
        best=scores.runs[order[0]],
        leads=leads,
        sources=inputs.sources,
        command=command,
        settings=settings.described(),
        versions=_versions(),
        warnings=scores.notes,
    )
    return Report(title, tuple(found.summary), tuple(scores.notes), page_content(found))


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Judgments and runs as they were read and joined, and where they came from."""

    qrels: Qrels
    joins: Sequence[RunJoin]
    judged: Judged
    sources: list[Source]


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
    joins = join_runs(table, named, settings.rule(measures), progress)
    sources = describe_sources(("qrels", qrels), named, joins)
    return _Inputs(table, joins, assemble(table, joins), sources)


def _find_leads(inputs: _Inputs, order: Ints, settings: Settings) -> list[Lead]:
    """Bound the lead of the best run, the first in an order, over the others."""
    if not settings.distances or len(order) < 2:
        return []
    tops = [inputs.joins[run].top_run() for run in order]
    return leads_of_best(tops, inputs.qrels, ties=settings.ties, seed=settings.seed)


def _versions() -> dict[str, str]:
    libraries = {name: version(name) for name in _LIBRARIES}
    return {"gradewise": __version__, "Python": platform.python_version(), **libraries}
