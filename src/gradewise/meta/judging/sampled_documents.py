"""People on a sample of documents, a model on all: intervals for measures that add up documents.

If the value on a topic is Σ_d w_d h(r_d), with weights that do not depend on labels, it is a total
over documents: the model's total, and what people's sample says about its errors. On topic t with
D_t documents, of which people labeled a random n_t,
θ_t = λ Σ_d w_d ĥ_d + (D_t / n_t) Σ_{d in sample} w_d (h_d - λ ĥ_d), with the model's gains ĥ.

Other measures depend on pairs of documents, or on how many relevant ones there are. People then
have to label whole topics (`powered_scores`), or the pool has to be sampled for infNDCG, xinfAP or
statAP.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats, Ints, quotient
from gradewise.choices import choose
from gradewise.collection.judged import Judged
from gradewise.errors import InputError, MeasureError, check_between
from gradewise.libraries import special
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import NONE, Panel
from gradewise.meta.judging.values import checked_measures
from gradewise.showing import Shown
from gradewise.stats.prediction_powered import TARGETS, Target

if TYPE_CHECKING:
    import polars as pl

_COLUMNS = "people people_low people_high mean low high weight narrower labels_saved"


@dataclass(frozen=True, eq=False)
class PoweredDocuments(Shown):
    """Estimates from people's sample of documents; `totals` holds what each measure adds up.

    `sampled` and `total` count the documents that people and the model have labeled.
    """

    people: str
    model: str
    target: Target
    level: float
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    sampled: int
    total: int
    totals: tuple["Totals", ...]

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each run and measure.

        Columns: run, measure; people, people_low and people_high (people's sample alone); mean,
        low and high (with the model); weight (λ); narrower; labels_saved (what people alone would
        have to label in addition for an interval as short, on these topics).
        """
        rows: list[tuple[Any, ...]] = []
        for measure, totals in zip(self.measures, self.totals, strict=True):
            columns = self._columns(totals, np.arange(len(self.runs)), None)
            rows += [
                (run, str(measure), *[float(each[r]) for each in columns])
                for r, run in enumerate(self.runs)
            ]
        return frame_of(rows, f"run measure {_COLUMNS}")

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with a row for each pair of runs and measure: measure, run_a, run_b, as `frame`.

        All values are those of the difference of the two runs.
        """
        rows: list[tuple[Any, ...]] = []
        a, b = np.triu_indices(len(self.runs), 1)
        for measure, totals in zip(self.measures, self.totals, strict=True):
            columns = self._columns(totals, a, b)
            rows += [
                (str(measure), self.runs[x], self.runs[y], *[float(each[k]) for each in columns])
                for k, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True))
            ]
        return frame_of(rows, f"measure run_a run_b {_COLUMNS}")

    def _columns(self, totals: "Totals", first: Ints, second: Ints | None) -> list[Floats]:
        z = special.ndtri((1 + self.level) / 2)
        weight, means, errors = totals.estimate(first, second, self.target)
        ratio = quotient(errors[1], errors[0], 1.0)
        share = self.sampled / self.total
        needed = share / (share + ratio**2 * (1 - share))
        limits = [
            each
            for mean, error in zip(means, errors, strict=True)
            for each in (mean, mean - z * error, mean + z * error)
        ]
        return [*limits, weight, 1 - ratio, (needed - share) * self.total]


def powered_documents(
    panel: Panel,
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    model: str,
    people: str | None = None,
    target: Target = "these",
    level: float = 0.95,
) -> PoweredDocuments:
    """Return prediction-powered intervals when people have labeled a sample of each topic.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`. The model has labeled all documents; on each topic,
        people have labeled a random sample of them, of two documents or more.
    judged
        Runs, joined by `Panel.join`.
    measures
        Measures that add up documents with fixed weights, such as P@10, RBP, DCG@10 and SDCG@10.
    model, people
        The two judges; people are the panel's reference by default.
    target
        "these" for the mean over these topics, or "future" for future topics.
    level
        Confidence level.

    Notes
    -----
    λ is chosen for each run and measure to make the interval on these topics shortest, and clipped
    to [0, 1]. Quantiles are normal. A measure that looks at the first ten ranks uses few documents
    of a sample that is drawn from all; its intervals are wide.

    Examples
    --------
    >>> import gradewise as gw
    >>> import random
    >>> sample = gw.simulate.collection(topics=20, runs=2, depth=50, seed=1)
    >>> everything = sample.qrels.to_dict()
    >>> rng = random.Random(0)
    >>> some = {t: {d: g for d, g in docs.items() if rng.random() < 0.4}
    ...         for t, docs in everything.items()}
    >>> panel = gw.meta.judges({"people": some, "model": everything})
    >>> found = gw.meta.powered_documents(panel, panel.join(sample.runs), "RBP", model="model")
    >>> bool((found.frame["narrower"] > 0.9).all())  # here, the model judges as people do
    True
    """
    check_between(0, 1, level=level)
    choose("target", target, TARGETS)
    parsed = checked_measures(measures)
    for measure in parsed:
        if not (isinstance(measure, GainDiscount) and measure.static):
            raise MeasureError(
                f"{measure} is not a sum over documents with fixed weights; label whole topics, "
                "or choose a measure such as P@10, RBP or DCG@10"
            )
    trusted_by = panel.reference if people is None else people
    sample = _Sample.of(panel, trusted_by, model)
    return PoweredDocuments(
        trusted_by,
        model,
        target,
        level,
        judged.runs,
        parsed,
        int(sample.size.sum()),
        int(sample.total.sum()),
        tuple(sample.add_up(measure, judged) for measure in parsed),
    )


@dataclass(frozen=True, eq=False)
class Totals:
    """Totals of runs on topics, and the covariances of their errors.

    `trusted` and `seen[run, topic]` are people's and the model's totals, estimated from people's
    sample, and `predicted` the model's over all documents. `aa`, `ab` and `bb[run, run]` are the
    covariances between the first two of the mean over topics.
    """

    trusted: Floats
    seen: Floats
    predicted: Floats
    aa: Floats
    ab: Floats
    bb: Floats

    def estimate(
        self, first: Ints, second: Ints | None, target: Target
    ) -> tuple[Floats, tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Return λ, and means and standard errors alone and with the model.

        They are those of runs, or of differences if there are second ones.
        """
        aa, ab, bb = (_contrast(each, first, second) for each in (self.aa, self.ab, self.bb))
        trusted, seen, predicted = (
            each[first] - (0.0 if second is None else each[second])
            for each in (self.trusted, self.seen, self.predicted)
        )
        best = np.clip(quotient(ab, bb, 0.0), 0.0, 1.0)
        means, errors = [], []
        for weight in (np.zeros(len(best)), best):
            values = trusted + weight[:, None] * (predicted - seen)
            own = aa - 2 * weight * ab + weight**2 * bb
            topics = values.var(axis=1, ddof=1) / values.shape[1]
            means.append(values.mean(axis=1))
            errors.append(np.sqrt(np.maximum(own if target == "these" else topics, 0.0)))
        return best, (means[0], means[1]), (errors[0], errors[1])


def _contrast(covariance: Floats, first: Ints, second: Ints | None) -> Floats:
    own = covariance[first, first]
    if second is None:
        return own
    mixed = covariance[first, second] + covariance[second, first]
    return np.asarray(own + covariance[second, second] - mixed)


@dataclass(frozen=True, eq=False)
class _Sample:
    """The labels of people and of the model, and how many of each topic's documents have both."""

    people: Ints
    model: Ints
    topic: Ints
    size: Ints
    total: Ints

    @staticmethod
    def of(panel: Panel, people: str, model: str) -> "_Sample":
        mine, theirs = (panel.levels[panel.place_of(name)] for name in (people, model))
        both, topics = (mine != NONE) & (theirs != NONE), len(panel.topics)
        size = np.bincount(panel.topic[both], minlength=topics)
        total = np.bincount(panel.topic[theirs != NONE], minlength=topics)
        few = size < 2
        if few.any():
            raise InputError(
                f"topic {panel.topics[int(np.argmax(few))]} has fewer than 2 documents labeled by "
                f"{people} and {model}; a sample of documents needs 2 of every topic"
            )
        return _Sample(np.where(both, mine, NONE), theirs, panel.topic, size, total)

    def add_up(self, measure: Measure, judged: Judged) -> Totals:
        """Return what a measure adds up for every run."""
        assert isinstance(measure, GainDiscount)
        weight, gain = measure.hit_weights(judged), measure.gain(judged)
        rows, shape = judged.hit_rows, (len(judged.runs), len(judged.topics))
        labeled = self.model[rows] != NONE
        predicted = np.where(labeled, weight * gain[self.model[rows]], 0.0)
        sampled = np.flatnonzero(self.people != NONE)
        place = np.full(len(self.people), NONE)
        place[sampled] = np.arange(len(sampled))
        known = place[rows] != NONE
        run, column = judged.hits.list[known] // shape[1], place[rows[known]]
        trusted, seen = np.zeros((2, shape[0], len(sampled)))
        trusted[run, column] = (weight * gain[np.maximum(self.people[rows], 0)])[known]
        seen[run, column] = predicted[known]
        begins = np.searchsorted(self.topic[sampled], np.arange(shape[1]))
        return self._totals(
            trusted, seen, judged.hits.sums(predicted).reshape(shape), begins, sampled
        )

    def _totals(
        self, trusted: Floats, seen: Floats, predicted: Floats, begins: Ints, sampled: Ints
    ) -> Totals:
        topic, size = self.topic[sampled], self.size
        factor = self.total**2 * (1 - size / np.maximum(self.total, 1)) / (size * (size - 1.0))
        sums, away = [], []
        for each in (trusted, seen):
            total = np.add.reduceat(each, begins, axis=1)
            sums.append(total * self.total / size)
            away.append((each - (total / size)[:, topic]) * np.sqrt(factor)[topic])
        topics = len(size)
        aa, ab, bb = (away[a] @ away[b].T / topics**2 for a, b in ((0, 0), (0, 1), (1, 1)))
        return Totals(sums[0], sums[1], predicted, aa, ab, bb)
