"""Figures, one function each, made with Altair; `save_figure` writes SVG, PNG, PDF or HTML."""

from gradewise.report.figures.correlation import agreement_map, scatter, threshold_curves
from gradewise.report.figures.coverage import judged_by_depth
from gradewise.report.figures.curves import precision_recall_curves
from gradewise.report.figures.discrimination import significance_curves
from gradewise.report.figures.distance import distance_map, topic_ranges
from gradewise.report.figures.experiment import convergence_curves
from gradewise.report.figures.groups import group_differences
from gradewise.report.figures.incompleteness import incompleteness_curves, pool_bias_bars
from gradewise.report.figures.informativeness import error_bars, sweep_curves
from gradewise.report.figures.judges import (
    bias_by_topic,
    confusion_map,
    measure_steadiness,
    rank_flips,
    width_curves,
)
from gradewise.report.figures.judgment_noise import judgment_noise_figure
from gradewise.report.figures.leaderboard import leaderboard
from gradewise.report.figures.learning import learning_curves
from gradewise.report.figures.pairs import difference_histogram, topic_dots
from gradewise.report.figures.releases import release_lines
from gradewise.report.figures.sensitivity import sensitivity_figure
from gradewise.report.figures.theme import figure_spec, save_figure

__all__ = [
    "agreement_map",
    "bias_by_topic",
    "confusion_map",
    "convergence_curves",
    "difference_histogram",
    "distance_map",
    "error_bars",
    "figure_spec",
    "group_differences",
    "incompleteness_curves",
    "judged_by_depth",
    "judgment_noise_figure",
    "leaderboard",
    "learning_curves",
    "measure_steadiness",
    "pool_bias_bars",
    "precision_recall_curves",
    "rank_flips",
    "release_lines",
    "save_figure",
    "scatter",
    "sensitivity_figure",
    "significance_curves",
    "sweep_curves",
    "threshold_curves",
    "topic_dots",
    "topic_ranges",
    "width_curves",
]
