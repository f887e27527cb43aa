"""Estimators of what runs are worth: clicks weighed by inverse propensities, relevance, or both."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice
from gradewise.clicks.log import ClickLog

Method = Literal["ips", "snips", "direct", "dr"]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What all runs share: clicks weighed by 1/θ, and the relevance of documents.

    `theta[row]` is θ of the row's rank and `weight[row]` 1/θ, `largest` at most. List l is in half
    `fold[l]`; `relevance[half, pair]` is what the other half lets one expect.
    """

    log: ClickLog
    theta: Floats
    weight: Floats
    largest: float
    relevance: Floats
    fold: Ints


def weigh_evidence(log: ClickLog, theta: Floats, clip: float | None, seed: int) -> Evidence:
    """Estimate relevance on both halves of the sessions; what is rarely seen is near the mean."""
    fold = np.random.default_rng(seed).permutation(len(log)) % 2
    halves = []
    for half in (0, 1):
        rows = fold[log.list_of_row] != half
        clicks = np.bincount(log.pair[rows], weights=log.click[rows], minlength=len(log.docs))
        seen = np.bincount(log.pair[rows], weights=theta[rows], minlength=len(log.docs))
        mean = clicks.sum() / max(float(seen.sum()), 1e-300)
        halves.append((clicks + mean) / (seen + 1))
    largest = np.inf if clip is None else clip
    return Evidence(log, theta, np.minimum(1 / theta, largest), largest, np.array(halves), fold)


Terms = tuple[Floats, Floats | Ints]  # of topics: what is summed, and what it is divided by


def _of_topics(log: ClickLog, rows: Floats) -> Floats:
    topic = log.topic[log.list_of_row]
    return np.asarray(np.bincount(topic, weights=rows, minlength=len(log.topics)), np.float64)


def _ips(evidence: Evidence, worth: Floats) -> Terms:
    log = evidence.log
    return _of_topics(log, log.click * evidence.weight * worth[log.pair]), log.lists_of_topic


def _snips(evidence: Evidence, worth: Floats) -> Terms:
    log = evidence.log
    return _ips(evidence, worth)[0], _of_topics(log, log.click * evidence.weight)


def _direct(evidence: Evidence, worth: Floats) -> Terms:
    log, total = evidence.log, np.zeros(len(evidence.log.topics))
    for half in (0, 1):
        lists = np.bincount(log.topic[evidence.fold == half], minlength=len(log.topics))
        expected = np.bincount(
            log.topic_of_pair, weights=worth * evidence.relevance[half], minlength=len(log.topics)
        )
        total += lists * expected
    return total, log.lists_of_topic


def _doubly_robust(evidence: Evidence, worth: Floats) -> Terms:
    log = evidence.log
    half = evidence.fold[log.list_of_row]
    expected = evidence.relevance[half, log.pair]
    # What counts is how much a document was examined on average over the sessions of its topic.
    examined = np.bincount(log.pair, weights=evidence.theta, minlength=len(log.docs))
    mean = examined / np.maximum(log.lists_of_topic[log.topic_of_pair], 1)
    weight = np.minimum(1 / np.maximum(mean, 1e-300), evidence.largest)[log.pair]
    surprise = weight * (log.click - evidence.theta * expected)
    total = _direct(evidence, worth)[0] + _of_topics(log, surprise * worth[log.pair])
    return total, log.lists_of_topic


def ratio_of(terms: Terms, draws: Ints | None) -> Floats:
    """Return Σ over Σ, for all topics or for each set of drawn topics."""
    above, below = terms
    if draws is None:
        return np.asarray(above.sum() / max(float(below.sum()), 1e-300))
    bottom = draws @ below
    return np.divide(draws @ above, bottom, out=np.full(len(draws), np.nan), where=bottom > 0)


METHODS: Final[dict[Method, Choice]] = {
    "ips": Choice(_ips, "inverse propensity scores"),
    "snips": Choice(_snips, "self-normalized inverse propensity scores"),
    "direct": Choice(_direct, "clicks over examinations"),
    "dr": Choice(_doubly_robust, "doubly robust"),
}
