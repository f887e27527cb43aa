"""combine_judges: the labels of several judges as one distribution over grades per document."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import choose
from gradewise.errors import OptionError
from gradewise.meta.judging.calibrated import calibrate
from gradewise.meta.judging.dawid_skene import Estimate, dawid_skene, votes
from gradewise.meta.judging.panel import NONE, Panel
from gradewise.meta.judging.soft_labels import SoftLabels

Method = Literal["majority", "agreement", "dawid-skene", "ordinal", "calibrated"]


@dataclass(frozen=True)
class Combination:
    """A way to combine labels[judge, row] with `grades` grades, some rows of which are known."""

    function: Callable[[Ints, int, Ints], Estimate]
    title: str


def combine_judges(
    panel: Panel,
    method: Method = "dawid-skene",
    *,
    judges: Sequence[str] | None = None,
    truth: str | None = None,
) -> SoftLabels:
    """Combine the labels of judges into a distribution over grades for every document.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`.
    method
        "majority" (shares of votes), "agreement" (votes weighted by how often a judge agrees with
        the majority), "dawid-skene" (each judge confuses grades in their own way, estimated from
        the labels alone), "ordinal" (the same at each threshold between grades) or "calibrated"
        (confusions from documents with a true grade, which `truth` must give, and as confident as
        these documents show the judges should be).
    judges
        The judges to combine; all by default.
    truth
        A judge whose labels are taken as correct: documents that this judge has labeled have
        certain grades, and the others' confusions are learned from them (for "calibrated") or
        from all documents.

    Notes
    -----
    Dawid and Skene's model assumes that judges err independently. Models that share training data
    or prompts do not, and its chances are then overconfident; `SoftLabels.calibration` shows by how
    much. Of these methods, only "calibrated" corrects for this.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"a": {"t": {"x": 1, "y": 0}}, "b": {"t": {"x": 1, "y": 1}},
    ...          "c": {"t": {"x": 1, "y": 0}}}
    >>> labels = gw.meta.combine_judges(gw.meta.judges(qrels), "majority")
    >>> labels.chances.round(2).tolist()
    [[0.0, 1.0], [0.67, 0.33]]
    >>> labels.qrels().to_dict()
    {'t': {'x': 1, 'y': 0}}
    """
    names = [name for name in panel.judges if name != truth] if judges is None else list(judges)
    if truth in names:
        raise OptionError(f"{truth} cannot both be the truth and be combined with others")
    if not names:
        raise OptionError("there are no judges left to combine")
    combination = choose("method", method, COMBINATIONS)
    labels = panel.levels[[panel.place_of(name) for name in names]]
    known = np.full(len(panel), NONE) if truth is None else panel.levels[panel.place_of(truth)]
    found = combination.function(labels, len(panel.scale), known)
    return SoftLabels(
        panel, method, tuple(names), found.chances, found.confusion, found.temperature, truth
    )


def _majority(labels: Ints, grades: int, known: Ints) -> Estimate:
    return _by_votes(labels, grades, known, np.ones(len(labels)))


def _agreement(labels: Ints, grades: int, known: Ints) -> Estimate:
    """Weigh judges by the share of their labels that the majority, or the truth, agrees with."""
    chosen = np.where(known == NONE, votes(labels, grades).argmax(axis=1), known)
    compared = np.ones(len(known), np.bool_) if (known == NONE).all() else known != NONE
    labeled = (labels != NONE) & compared
    right = (labeled & (labels == chosen)).sum(axis=1)
    return _by_votes(labels, grades, known, right / np.maximum(labeled.sum(axis=1), 1))


def _by_votes(labels: Ints, grades: int, known: Ints, weights: Floats) -> Estimate:
    chances = votes(labels, grades, weights)
    sure = known != NONE
    chances[sure] = np.eye(grades)[known[sure]]
    confusion = np.stack([_table(row, chances, grades) for row in labels])
    return Estimate(chances, chances.mean(axis=0), confusion, 1)


def _dawid_skene(labels: Ints, grades: int, known: Ints) -> Estimate:
    return dawid_skene(labels, grades, known=known)


def _ordinal(labels: Ints, grades: int, known: Ints) -> Estimate:
    """Ask, for each grade, whether a document has at least that one (Raykar et al. 2010)."""
    above = [
        dawid_skene(
            np.where(labels == NONE, NONE, labels >= grade),
            2,
            known=np.where(known == NONE, NONE, known >= grade),
        ).chances[:, 1]
        for grade in range(1, grades)
    ]
    # The questions are asked apart; a document has a grade only if it has all those below it.
    reached = np.minimum.accumulate(np.array(above).reshape(grades - 1, labels.shape[1]), axis=0)
    ends = np.ones((1, labels.shape[1])), np.zeros((1, labels.shape[1]))
    chances = -np.diff(np.concatenate([ends[0], reached, ends[1]]), axis=0).T
    confusion = np.stack([_table(row, chances, grades) for row in labels])
    return Estimate(chances, chances.mean(axis=0), confusion, 1)


def _table(row: Ints, chances: Floats, grades: int) -> Floats:
    """Return how a judge's labels follow from the chances, [true, given]."""
    counts = np.stack([chances[row == grade].sum(axis=0) for grade in range(grades)], axis=1)
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)


COMBINATIONS: dict[Method, Combination] = {
    "majority": Combination(_majority, "shares of votes"),
    "agreement": Combination(_agreement, "votes weighted by agreement with the majority"),
    "dawid-skene": Combination(_dawid_skene, "Dawid and Skene's model"),
    "ordinal": Combination(_ordinal, "Dawid and Skene's model at each threshold"),
    "calibrated": Combination(calibrate, "confusions and certainty from true grades"),
}
