"""Does it matter who judges? Rankings of runs, and significant differences, under each judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError
from gradewise.measures.grammar import MeasureLike
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.values import JudgedValues, judged_values
from gradewise.noise import order_best_first
from gradewise.showing import Shown
from gradewise.stats.compare import compare
from gradewise.stats.corrections import Correction
from gradewise.stats.correlations import ap_tau, correlate
from gradewise.stats.percentiles import spread_interval
from gradewise.stats.resampling import topic_weights
from gradewise.stats.tests import Test

if TYPE_CHECKING:
    import polars as pl

MEASURES = (
    "AP",
    "AP(rel=2)",
    "nDCG",
    "nDCG@10",
    "P@10",
    "RBP",
    "Q",
    "GAP",
    "xGAP",
    "eGAP",
)
Change = Literal["kept", "lost", "gained", "reversed"]
CHANGES: tuple[Change, ...] = ("kept", "lost", "gained", "reversed")
_CHUNK = 1 << 22  # numbers compared at a time


@dataclass(frozen=True, eq=False)
class JudgeEffect(Shown):
    """How the judgment of runs changes with the judge.

    `tau[measure, judge]` and `tau_ap` compare the ranking under each other judge with that under
    the reference; `samples[kind, measure, judge, replicate]` are both over resampled topics.
    `differs[judge, measure, a, b]` is the sign of a significant difference of runs, else 0.
    """

    reference: str
    judges: tuple[str, ...]
    values: JudgedValues
    tau: Floats
    tau_ap: Floats
    samples: Floats
    differs: Ints
    level: float

    @property
    def measures(self) -> list[str]:
        """The names of the measures."""
        return [str(measure) for measure in self.values.measures]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return self.values.notes

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each measure and judge.

        Columns: measure, judge; tau and tau_ap of the ranking with that under the reference, each
        with low and high; difference (mean over runs of the change of their means); pairs,
        kept, lost, gained and reversed (significant differences under both, the reference only,
        the judge only, and both with opposite signs); mover and moved (the run whose rank changes
        most, and by how much: negative is up).
        """
        rows = []
        for m, measure in enumerate(self.measures):
            for j, judge in enumerate(self.judges):
                rows.append(
                    (
                        measure,
                        judge,
                        *self._correlation(0, m, j),
                        *self._correlation(1, m, j),
                        float((self._means(judge)[:, m] - self._means()[:, m]).mean()),
                        len(self.values.runs) * (len(self.values.runs) - 1) // 2,
                        *[int(each.sum()) // 2 for each in self._changes(judge, m).values()],
                        *self._mover(judge, m),
                    )
                )
        correlations = "tau tau_low tau_high tau_ap tau_ap_low tau_ap_high"
        changes = f"pairs {' '.join(CHANGES)} mover moved"
        return frame_of(rows, f"measure judge {correlations} difference {changes}")

    @property
    def by_measure(self) -> "pl.DataFrame":
        """A frame of measures by how little they depend on the judge, the most stable first.

        Columns: measure; tau and tau_ap, means over the judges, each with low and high; best (the
        share of bootstrap samples of topics in which its mean τ is the highest); moved (the
        share of pairs of runs whose significance or sign changes, mean over judges) and reversed.
        """
        pairs = len(self.values.runs) * (len(self.values.runs) - 1)
        means = self.samples.mean(axis=2)  # kind, measure, replicate
        filled = np.where(np.isnan(means[0]), -np.inf, means[0])
        best = filled == filled.max(axis=0)
        wins = (best / best.sum(axis=0)).mean(axis=1)
        rows = []
        for m, measure in enumerate(self.measures):
            shares = [
                [float(found[kind].sum()) / pairs for kind in CHANGES]
                for found in (self._changes(judge, m) for judge in self.judges)
            ]
            _, lost, gained, turned = np.mean(shares, axis=0).tolist()
            found = [
                self._with_limits(float(tau[m].mean()), means[kind, m])
                for kind, tau in enumerate((self.tau, self.tau_ap))
            ]
            row = (measure, *found[0], *found[1], float(wins[m]), lost + gained + turned, turned)
            rows.append(row)
        rows.sort(key=lambda row: -row[1] if row[1] == row[1] else 2.0)
        columns = "tau tau_low tau_high tau_ap tau_ap_low tau_ap_high best moved reversed"
        return frame_of(rows, f"measure {columns}")

    @property
    def flips(self) -> "pl.DataFrame":
        """A frame with a row for each pair of runs whose significance or sign changes.

        Columns: measure, judge, change (lost, gained or reversed), run_a, run_b, reference and
        difference: run_a less run_b under the reference and under the judge.
        """
        rows: list[tuple[Any, ...]] = []
        runs = self.values.runs
        for m, measure in enumerate(self.measures):
            before = self._means()[:, m]
            for judge in self.judges:
                after = self._means(judge)[:, m]
                for kind, found in self._changes(judge, m).items():
                    if kind != "kept":
                        rows += [
                            (measure, judge, kind, runs[a], runs[b], *_less(before, after, a, b))
                            for a, b in zip(*np.nonzero(np.triu(found)), strict=True)
                        ]
        return frame_of(rows, "measure judge change run_a run_b reference difference")

    def ranks(self, measure: str, judge: str | None = None) -> Ints:
        """Return the rank of each run under a judge, or under the reference; 1 is best."""
        if measure not in self.measures:
            raise OptionError(f"{measure} was not studied (studied: {', '.join(self.measures)})")
        return _ranks(self._means(judge)[:, self.measures.index(measure)])

    def _means(self, judge: str | None = None) -> Floats:
        return np.asarray(self.values.means[self.values.judges.index(judge or self.reference)])

    def _with_limits(self, value: float, samples: Floats) -> tuple[float, float, float]:
        low, high = spread_interval(value, samples, self.level, least=-1.0, most=1.0)
        return value, float(low), float(high)

    def _correlation(self, kind: int, m: int, j: int) -> tuple[float, float, float]:
        value = (self.tau, self.tau_ap)[kind][m, j]
        return self._with_limits(float(value), self.samples[kind, m, j])

    def _changes(self, judge: str, m: int) -> dict[Change, Bools]:
        """Return which pairs of runs keep, lose, gain or reverse a significant difference."""
        before = self.differs[self.values.judges.index(self.reference), m]
        after = self.differs[self.values.judges.index(judge), m]
        return {
            "kept": (before * after) > 0,
            "lost": (before != 0) & (after == 0),
            "gained": (before == 0) & (after != 0),
            "reversed": (before * after) < 0,
        }

    def _mover(self, judge: str, m: int) -> tuple[str, int]:
        moved = _ranks(self._means(judge)[:, m]) - _ranks(self._means()[:, m])
        run = int(np.argmax(np.abs(moved)))
        return self.values.runs[run], int(moved[run])


def judge_effect(
    panel: Panel,
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike] = MEASURES,
    *,
    test: Test = "t",
    correction: Correction = "holm",
    alpha: float = 0.05,
    level: float = 0.95,
    replicates: int = 500,
    seed: int = 0,
) -> JudgeEffect:
    """Return how rankings of runs, and significant differences, depend on who judges.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`. Rankings are compared with those under its reference.
    judged
        At least two runs, joined by `Panel.join`.
    measures
        The measures to study. They see the labels of a judge on the panel's scale.
    test, correction, alpha
        The significance test of pairs of runs, as in `gw.compare`.
    level, replicates, seed
        Confidence level, number of bootstrap samples of topics, and random seed. All measures and
        judges share the samples.

    Notes
    -----
    τ_AP weighs disagreement at the top most. Intervals are the correlation ± z times its standard
    deviation over bootstrap samples of topics.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=4, depth=50, seed=1)
    >>> people = sample.qrels.to_dict()
    >>> strict = {t: {d: max(g - 1, 0) for d, g in docs.items()} for t, docs in people.items()}
    >>> panel = gw.meta.judges({"people": people, "strict": strict}, maps={"strict": "same"})
    >>> effect = gw.meta.judge_effect(panel, panel.join(sample.runs), ["AP", "nDCG"])
    >>> effect.frame.select("measure", "judge", "tau").rows()
    [('AP', 'strict', 1.0), ('nDCG', 'strict', 1.0)]
    """
    if len(judged.runs) < 2:
        raise OptionError("only 1 run was given; rankings need at least 2")
    values = judged_values(panel, judged, measures)
    places = [panel.place_of(name) for name in panel.others]
    first = panel.place_of(panel.reference)
    means = np.moveaxis(values.means, 2, 0)  # measure, judge, run
    weights = topic_weights(len(values.topics), replicates=replicates, seed=seed)
    found = np.zeros((2, len(values.measures), len(places), replicates))
    for m in range(len(values.measures)):
        found[:, m] = _sampled(values.values[..., m], weights, places, first)
    differs = np.stack(
        [_signs(values, name, test, correction, alpha, seed) for name in values.judges]
    )
    return JudgeEffect(
        panel.reference,
        tuple(panel.others),
        values,
        correlate(means[:, places], means[:, [first]], "tau"),
        ap_tau(means[:, places], means[:, [first]]),
        found,
        differs,
        level,
    )


def _sampled(values: Floats, weights: Ints, places: Sequence[int], first: int) -> Floats:
    """Return τ and τ_AP of samples of topics, [kind, judge, replicate].

    `values[judge, run, topic]` are those of one measure.
    """
    step = max(1, _CHUNK // values.shape[1] ** 2 // len(places))
    parts = []
    for low in range(0, len(weights), step):
        share = weights[low : low + step] / weights.shape[1]
        means = np.moveaxis(values @ share.T, 2, 1)  # judge, replicate, run
        parts.append(
            [
                correlate(means[places], means[[first]], "tau"),
                ap_tau(means[places], means[[first]]),
            ]
        )
    return np.concatenate(parts, axis=2)


def _signs(
    values: JudgedValues, judge: str, test: Test, correction: Correction, alpha: float, seed: int
) -> Ints:
    """Return the sign of each significant difference of runs under a judge, [measure, a, b]."""
    compared = compare(
        values.scores(judge), test=test, correction=correction, alpha=alpha, seed=seed
    )
    signs = np.zeros((len(values.measures), len(values.runs), len(values.runs)), np.int64)
    for m, part in enumerate(compared.parts):
        places = np.array([values.runs.index(run) for run in part.runs])
        first, second = places[part.first], places[part.second]  # the better one comes first
        signs[m, first, second] = part.significant
        signs[m, second, first] = -part.significant.astype(np.int64)
    return signs


def _less(before: Floats, after: Floats, a: int, b: int) -> tuple[float, float]:
    return float(before[a] - before[b]), float(after[a] - after[b])


def _ranks(means: Floats) -> Ints:
    ranks = np.empty(len(means), np.int64)
    ranks[order_best_first(means)] = np.arange(1, len(means) + 1)
    return ranks
