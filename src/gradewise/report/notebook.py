"""What results look like in a notebook: a table, a figure, or both, without any network."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from html import escape
from typing import Any

import numpy as np

from gradewise.clicks.framed import Framed
from gradewise.collection.coverage import coverage
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.distance.matrix import Distances
from gradewise.distance.rbo import Overlaps, Rbo
from gradewise.distance.result import Med
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.meta.correlation import Agreement, ThresholdGrid
from gradewise.meta.discrimination import Discrimination
from gradewise.meta.experiments import Experiment
from gradewise.meta.flips import Flips
from gradewise.meta.incompleteness import Incompleteness
from gradewise.meta.informativeness import Informativeness
from gradewise.meta.judging.agreement import JudgeAgreement
from gradewise.meta.judging.circularity import Circularity
from gradewise.meta.judging.components import VarianceComponents
from gradewise.meta.judging.coverage import PoweredCoverage
from gradewise.meta.judging.effect import JudgeEffect
from gradewise.meta.judging.few_people import PoweredScores
from gradewise.meta.judging.next import NextDocuments
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.sampled_documents import PoweredDocuments
from gradewise.meta.judging.soft_labels import SoftLabels
from gradewise.meta.judging.soft_scores import SoftScores
from gradewise.meta.judging.topic_intervals import TopicIntervals
from gradewise.meta.judgment_noise import JudgmentNoise
from gradewise.meta.pool_bias import PoolBias
from gradewise.meta.prediction import Prediction
from gradewise.meta.sensitivity import Sensitivity
from gradewise.report import figures
from gradewise.report.document import Report
from gradewise.report.figures.theme import draw_as
from gradewise.report.judging import JudgingPage
from gradewise.report.section import Section, framed
from gradewise.stats.comparison import Comparison
from gradewise.stats.group_comparison import GroupComparison
from gradewise.stats.intervals import t_interval
from gradewise.stats.release_comparison import ReleaseComparison
from gradewise.tables import Table

_ROWS = 30  # more rows than that are not shown
_RUNS = 40  # nor are figures of more runs


@singledispatch
def html_of(result: object) -> str:
    """Return a result as HTML."""
    return f"<pre>{escape(repr(result))}</pre>"


def figure_html(chart: Any) -> str:
    """Return a figure as an SVG image in HTML, which needs no script and no network."""
    return f'<div style="overflow-x: auto">{draw_as("svg", chart).decode()}</div>'


def table_html(table: Table, rest: str = "row") -> str:
    """Return the first rows of a table, and how many more there are."""
    left = len(table.rows) - _ROWS
    shown = Table(table.header, table.rows[:_ROWS], table.labels).to_html()
    return shown + (f"<p>… and {counted(left, f'more {rest}')}</p>" if left > 0 else "")


@html_of.register
def _scores(scores: Scores) -> str:
    """Show means with 95% intervals where the summary is a mean over topics."""
    cells: list[list[str]] = [[run] for run in scores.runs]
    summary = scores.summary()
    for index, measure in enumerate(scores.measures):
        for row, (line, values) in enumerate(zip(cells, scores.values[:, :, index], strict=True)):
            used = values[scores.counted[row] & ~np.isnan(values)]
            line.append(_with_interval(summary[row, index], used, measure.aggregate))
    table = table_html(Table(["run", *map(str, scores.measures)], cells), "run")
    notes = "".join(f"<p>{escape(note)}</p>" for note in scores.notes)
    return (
        f"<p>Means over {counted(len(scores.topics), 'topic')}, 95% t intervals</p>{table}{notes}"
    )


def _with_interval(mean: float, values: Any, aggregate: str) -> str:
    if aggregate == "sum":
        return f"{mean:.0f}"
    if aggregate != "mean" or len(values) < 2:
        return f"{mean:.4f}"
    low, high = t_interval(values)
    return f"{mean:.4f} [{low:.4f}, {high:.4f}]"


@html_of.register
def _framed(result: Framed) -> str:
    return table_html(result.table())


@html_of.register
def _comparison(comparison: Comparison) -> str:
    table = table_html(comparison.table(), "run")
    told = f"<p>{escape(comparison.explanation())}</p>"
    few = len(comparison.parts[0].runs) <= _RUNS
    return table + told + (figure_html(figures.leaderboard(comparison)) if few else "")


@html_of.register
def _qrels(qrels: Qrels) -> str:
    grades, counts = np.unique(qrels.grades, return_counts=True)
    rows = [[str(g), str(n)] for g, n in zip(grades.tolist(), counts.tolist(), strict=True)]
    return _titled(qrels, Table(["grade", "judged documents"], rows))


@html_of.register
def _run(run: Run) -> str:
    if not run.topics:
        return _titled(run, Table(["rank", "document"], [], labels=2))
    topic = run.topics[0]
    best = run.ranking(topic)[:5]
    rows = [[topic, str(rank), document] for rank, document in enumerate(best, 1)]
    return _titled(run, Table(["topic", "rank", "document"], rows, labels=3))


@html_of.register
def _judged(judged: Judged) -> str:
    table = table_html(coverage(judged).table(), "run")
    few = len(judged.runs) <= _RUNS
    return table + (figure_html(figures.judged_by_depth(judged)) if few else "")


@html_of.register
def _report(report: Report) -> str:
    """Show the page itself, in a frame of its own."""
    return framed(report.html, 640, report.title)


@html_of.register
def _section(section: Section) -> str:
    return section.frame


@html_of.register
def _groups(comparison: GroupComparison) -> str:
    tables = "".join(table_html(table, "group") for table in comparison.tables())
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in comparison.sentences())
    return figure_html(figures.group_differences(comparison)) + tables + told


@html_of.register
def _releases(comparison: ReleaseComparison) -> str:
    tables = "".join(table_html(table, "run") for table in comparison.tables())
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in comparison.sentences())
    return figure_html(figures.release_lines(comparison)) + tables + told


@html_of.register
def _judging_page(page: JudgingPage) -> str:
    return f"<p>{escape(repr(page))}</p>"


@html_of.register
def _panel(panel: Panel) -> str:
    rows = [
        [name, str(int(labeled.sum())), " ".join(map(str, own)), str(scale_map)]
        for name, labeled, own, scale_map in zip(
            panel.judges, panel.labeled, panel.own_scales, panel.maps, strict=True
        )
    ]
    return _titled(panel, Table(["judge", "labels", "grades", "on the panel's scale"], rows, 4))


@html_of.register
def _med(result: Med) -> str:
    told = f"<p>{escape(result.conclusion)}</p>"
    return (
        told
        + table_html(Table.of_frame(result.summary))
        + figure_html(figures.topic_ranges(result))
    )


@html_of.register(Rbo)
@html_of.register(Overlaps)
@html_of.register(Flips)
@html_of.register(Prediction)
@html_of.register(Circularity)
@html_of.register(NextDocuments)
@html_of.register(PoweredDocuments)
@html_of.register(PoweredScores)
@html_of.register(SoftLabels)
@html_of.register(SoftScores)
@html_of.register(TopicIntervals)
@html_of.register(VarianceComponents)
def _frame(result: Any) -> str:
    return table_html(Table.of_frame(result.frame))


def _titled(result: object, table: Table) -> str:
    return f"<p>{escape(repr(result))}</p>" + table_html(table)


def _with_figure(draw: Callable[[Any], Any]) -> Callable[[Any], str]:
    return lambda result: figure_html(draw(result)) + table_html(Table.of_frame(result.frame))


# Results that are a frame, and the figure that people would rather look at.
_FIGURES: Sequence[tuple[type, Callable[[Any], Any]]] = (
    (Distances, figures.distance_map),
    (Agreement, figures.agreement_map),
    (ThresholdGrid, figures.threshold_curves),
    (Discrimination, figures.significance_curves),
    (Incompleteness, figures.incompleteness_curves),
    (Experiment, figures.convergence_curves),
    (Informativeness, figures.error_bars),
    (JudgeAgreement, figures.confusion_map),
    (JudgeEffect, figures.measure_steadiness),
    (JudgmentNoise, figures.judgment_noise_figure),
    (PoolBias, figures.pool_bias_bars),
    (PoweredCoverage, figures.width_curves),
    (Sensitivity, figures.sensitivity_figure),
)
for _kind, _draw in _FIGURES:
    html_of.register(_kind, _with_figure(_draw))
