"""Precision–recall curves, graded and binary, as data."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, add_up
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.join import judge
from gradewise.collection.judged import Hits, Judged
from gradewise.errors import OptionError, check_least
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.parameters import PARAMETERS, Thresholds
from gradewise.measures.thresholds import draws_line, probabilities


@dataclass(frozen=True, eq=False)
class Curves:
    """Points of precision–recall curves, one for each relevant document retrieved."""

    judged: Judged
    hits: Hits
    recall: Floats
    precision: Floats

    @property
    def per_list(self) -> "pl.DataFrame":
        """A frame with columns run, topic, rank, recall, precision."""
        runs, topics = np.array(self.judged.runs, object), np.array(self.judged.topics, object)
        return pl.DataFrame(
            {
                "run": runs[self.hits.list // len(topics)].tolist(),
                "topic": topics[self.hits.list % len(topics)].tolist(),
                "rank": self.hits.rank,
                "recall": self.recall,
                "precision": self.precision,
            },
            schema={
                "run": pl.String,
                "topic": pl.String,
                "rank": pl.Int64,
                "recall": pl.Float64,
                "precision": pl.Float64,
            },
        )

    def averaged(self, points: int = 11) -> "pl.DataFrame":
        """Return the mean over topics of interpolated precision at evenly spaced recalls.

        Interpolated precision at a recall is the highest precision at that recall or beyond, 0 if
        the list does not reach it. The frame has columns run, recall, precision.
        """
        check_least(2, points=points)
        runs, topics = len(self.judged.runs), len(self.judged.topics)
        grid = np.linspace(0, 1, points)
        best = np.zeros((points, runs * topics))
        for index, level in enumerate(grid):
            reached = self.recall >= level - 1e-12
            np.maximum.at(best[index], self.hits.list[reached], self.precision[reached])
        means = best.reshape(points, runs, topics).mean(axis=2)
        return long_frame({"run": self.judged.runs, "recall": grid}, {"precision": means.T})


def precision_recall(
    qrels: QrelsLike, runs: RunsLike, *, g: Any = None, rel: int | None = None, **options: Any
) -> Curves:
    """Compute precision–recall curves of runs.

    With threshold probabilities `g`, curves are graded (Robertson, Kanoulas & Yilmaz 2010, §3.2):
    recall at rank n is Σ_{m <= n} G(r_m) / Σ_k R(k) G(k), and precision at a relevant document
    is the mean over the documents at or above it of G(min(r_n, r_m)) / G(r_n). GAP is the sum of
    precision times the step in recall. With `rel`, documents of at least that grade are relevant
    and all others are not, and AP is that sum. Without either, thresholds are equally likely.

    Parameters
    ----------
    qrels, runs, options
        As for `evaluate`: `ties` and `seed` are the options.
    g
        Threshold probabilities by ascending grade, or a dictionary by grade.
    rel
        The lowest relevant grade, for binary curves.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"t": {"a": 2, "b": 1}}
    >>> curves = gw.precision_recall(qrels, {"t": {"b": 3.0, "x": 2.0, "a": 1.0}}, g=[0.5, 0.5])
    >>> curves.per_list["recall"].round(3).to_list()
    [0.333, 1.0]
    >>> curves.per_list["precision"].round(3).to_list()
    [1.0, 0.5]
    """
    if g is not None and rel is not None:
        raise OptionError("give g for graded curves or rel for binary ones, not both")
    judged = judge(qrels, runs, **options)
    line = _line(judged, PARAMETERS["g"].check(g), rel)
    hits = judged.relevant_hits
    hits = hits.where(line[hits.level] > 0)
    collected, shared = np.zeros(len(hits.rank)), np.zeros(len(hits.rank))
    for level in range(1, len(line)):
        above = hits.running(hits.level == level)
        collected += line[level] * above
        shared += line[np.minimum(level, hits.level)] * above
    total = add_up(judged.counts[:, 1:], line[1:])[judged.topic[hits.list]]
    return Curves(judged, hits, collected / total, shared / (line[hits.level] * hits.rank))


def _line(judged: Judged, g: Thresholds, rel: int | None) -> Floats:
    """Return the share of users to whom a document of each level is relevant."""
    if rel is not None:
        return (np.arange(len(judged.scale) + 1) >= judged.first_level(rel)).astype(np.float64)
    return draws_line(probabilities(g, judged.scale, f"g={g}"))
