"""Chances of grades from judges whose confusions are known from documents with a true grade.

P(g | labels) ∝ p(g) Π_j π_j(g, l_j)^(1/T). With T = 1 judges err independently. Models that share
training data or prompts err together, so that their labels are worth fewer independent ones; T is
the temperature at which the documents with a true grade are predicted best (least log loss).
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError
from gradewise.libraries import optimize
from gradewise.meta.judging.dawid_skene import Estimate, confusions
from gradewise.meta.judging.panel import NONE

_RANGE = (np.log(0.2), np.log(50.0))  # of the temperature's logarithm
_SMOOTHING = 1.0  # added to every count of a judge's confusions


def calibrate(labels: Ints, grades: int, known: Ints) -> Estimate:
    """Return chances of grades for documents without a true grade; the others are certain.

    Parameters
    ----------
    labels
        The grades 0, 1, ... that judges gave, [judge, document]; NONE where there is none.
    grades
        How many grades there are.
    known
        The true grade of documents, NONE where it is not known.
    """
    sure = known != NONE
    if not sure.any():
        raise OptionError(
            "calibrated labels need a judge whose labels are the truth for some documents"
        )
    truth = np.eye(grades)[known[sure]]
    prior = (truth.sum(axis=0) + _SMOOTHING) / (len(truth) + grades * _SMOOTHING)
    confusion = confusions(labels[:, sure], truth, _SMOOTHING)
    evidence = _evidence(labels, confusion)

    def loss(logarithm: float) -> float:
        chances = _temper(prior, evidence[sure], float(np.exp(logarithm)))
        return float(-np.log(chances[truth.astype(np.bool_)]).mean())

    found = optimize.minimize_scalar(loss, bounds=_RANGE, method="bounded")
    temperature = float(np.exp(found.x))
    chances = _temper(prior, evidence, temperature)
    chances[sure] = truth
    return Estimate(chances, prior, confusion, 1, temperature)


def _evidence(labels: Ints, confusion: Floats) -> Floats:
    """Return Σ_j log π_j(g, l_j) for each document and grade."""
    logs = np.zeros((labels.shape[1], confusion.shape[1]))
    for row, table in zip(labels, np.log(confusion), strict=True):
        labeled = row != NONE
        logs[labeled] += table.T[row[labeled]]
    return logs


def _temper(prior: Floats, evidence: Floats, temperature: float) -> Floats:
    logs = np.log(prior) + evidence / temperature
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))
