"""Informativeness: how well a ranked list can be inferred from the value of a measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_choice, counted
from gradewise.jobs import do_all
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure, refuse_preferences
from gradewise.meta.inference import INFERRED, Inference
from gradewise.progress import watched
from gradewise.showing import Shown
from gradewise.stats.correlations import kendall_tau
from gradewise.stats.resampling import topic_weights

BASELINE = "R/N"  # the name of inference without a measure
_BATCH = 500_000  # chances that are solved together; 90 MB at 2 grades


@dataclass(frozen=True, eq=False)
class Informativeness(Shown):
    """Errors of the precision-recall curves inferred from the value of a measure.

    `rms[measure, threshold, list]` and `mae` compare precision at the ranks where recall changes,
    with documents of at least a grade as relevant; NaN if there are none. `inferred[measure, what,
    list]` is the expected value of another measure, `actual[what, list]` its actual value. Means
    exclude lists that did not converge. The row `R/N`, if asked for, is what can be inferred
    without a measure: each rank holds a relevant document with the same probability.
    """

    measures: tuple[str, ...]
    grades: tuple[int, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    run: Ints
    topic: Ints
    rms: Floats
    mae: Floats
    inferred: Floats
    actual: Floats
    converged: Bools
    certified: Bools
    judged: Judged = field(repr=False)

    def distribution(self, run: str, topic: str, measure: MeasureLike) -> "pl.DataFrame":
        """Return the distribution that was inferred for a list from a measure.

        A frame: rank, grade (the actual one; 0 if not relevant), and for each grade its
        probability at that rank, as `P(0)`, `P(1)`, ….

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels = {"t": {"a": 1, "b": 0, "c": 1, "d": 0}}
        >>> judged = gw.judge(qrels, {"mine": {"t": {"a": 4, "b": 3, "c": 2, "d": 1}}})
        >>> result = gw.meta.informativeness(judged, "P@1", least=1, least_top=1)
        >>> result.distribution("mine", "t", "P@1")["P(1)"].round(3).to_list()
        [1.0, 0.333, 0.333, 0.333]
        """
        name = BASELINE if measure == BASELINE else str(parse_measure(measure))
        for kind, given, known in (
            ("run", run, self.runs),
            ("topic", topic, self.topics),
            ("measure", name, self.measures),
        ):
            check_choice(kind, given, known)
        where = (self.run == self.runs.index(run)) & (self.topic == self.topics.index(topic))
        if not where.any():
            raise OptionError(
                f"{run} on {topic} was not studied: it has too few relevant documents"
            )
        index = self.runs.index(run) * len(self.topics) + self.topics.index(topic)
        p = _infer_lists(self.judged, name, np.array([index]))[..., 0]
        columns = {"rank": np.arange(1, len(p) + 1), "grade": _actual_grades(self.judged, index)}
        chances = np.column_stack([np.maximum(1 - p.sum(axis=1), 0), p])
        for grade, chance in zip((0, *self.grades), chances.T, strict=True):
            columns[f"P({grade})"] = chance
        return pl.DataFrame(columns)

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: measure, threshold, lists, rms, mae, not_converged, not_certified."""
        rows = []
        for m, measure in enumerate(self.measures):
            good = self.converged[m]
            for t, grade in enumerate(self.grades):
                used = good & ~np.isnan(self.rms[m, t])
                rows.append(
                    (
                        measure,
                        grade,
                        int(used.sum()),
                        float(self.rms[m, t, used].mean()) if used.any() else None,
                        float(self.mae[m, t, used].mean()) if used.any() else None,
                        int((~good).sum()),
                        int((good & ~self.certified[m]).sum()),
                    )
                )
        names = ["measure", "threshold", "lists", "rms", "mae", "not_converged", "not_certified"]
        return pl.DataFrame(rows, schema=names, orient="row")

    @property
    def inferences(self) -> "pl.DataFrame":
        """A frame: measure, inferred, rms (over lists), rms_runs and tau_runs (over run means)."""
        rows = []
        for m, measure in enumerate(self.measures):
            good = self.converged[m]
            for w, what in enumerate(INFERRED):
                guess, real = self.inferred[m, w, good], self.actual[w, good]
                means = [
                    _run_means(values, self.run[good], len(self.runs)) for values in (guess, real)
                ]
                rows.append(
                    (
                        measure,
                        what,
                        float(np.sqrt(((guess - real) ** 2).mean())),
                        float(np.sqrt(((means[0] - means[1]) ** 2).mean())),
                        float(kendall_tau(*means)) if len(means[0]) > 1 else None,
                    )
                )
        names = ["measure", "inferred", "rms", "rms_runs", "tau_runs"]
        return pl.DataFrame(rows, schema=names, orient="row").fill_nan(None)


@watched("lists")
def informativeness(
    judged: Judged,
    measures: MeasureLike | Sequence[MeasureLike],
    *,
    least: int = 5,
    least_top: int = 5,
    baseline: bool = False,
    jobs: int = 1,
    keep: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Informativeness:
    """Infer lists from the value of a measure, and return how far off they are.

    For each list and measure, find the maximum-entropy distribution under which the measure and
    the numbers of retrieved documents of each grade have their actual values. Its precision-recall
    curve is compared with the actual one.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measures
        Measures of either family: AP, GAP, eGAP, GenAP, Q, nDCG, RBP, P@k, Rprec and others.
    least, least_top
        Use only lists with at least this many relevant documents, and this many documents of the
        highest grade.
    baseline
        Add a row `R/N`, which is inferred from the numbers of retrieved documents alone. A measure
        is informative as far as its error is below that of this row.
    jobs
        Number of processes. A script that uses more than one must guard its main part with
        `if __name__ == "__main__"`, as `multiprocessing` requires.
    keep
        Folder for partial results; interrupted work resumes from there.
    progress
        Called with the number of lists after each batch.
    """
    refuse_preferences(judged.pool, "informativeness infers grades")
    parsed = as_measures(measures)
    chosen, counts = _chosen_lists(judged, least, least_top)
    size = int(judged.retrieved[chosen].max())
    values = score_judged(judged, [*parsed, *INFERRED])
    flat = values.values.reshape(len(judged), -1)
    place = {measure: index for index, measure in enumerate(values.measures)}
    batches = np.array_split(chosen, -(-len(chosen) * size // _BATCH))
    targets: list[tuple[Measure | None, Floats]] = [(m, flat[:, place[m]]) for m in parsed]
    if baseline:
        targets.append((None, np.zeros(len(flat))))
    work = [
        Inference(measure, judged, batch, counts[:, batch], target[batch])
        for measure, target in targets
        for batch in batches
    ]
    done = do_all(work, jobs=jobs, keep=keep, progress=progress)
    found = [done[low : low + len(batches)] for low in range(0, len(done), len(batches))]
    joined = {
        name: np.array([np.concatenate([part[name] for part in parts], axis=-1) for parts in found])
        for name in ("rms", "mae", "inferred", "converged", "certified")
    }
    topics = len(judged.topics)
    return Informativeness(
        (*map(str, parsed), *([BASELINE] if baseline else [])),
        tuple(int(grade) for grade in judged.scale),
        judged.runs,
        judged.topics,
        chosen // topics,
        chosen % topics,
        joined["rms"],
        joined["mae"],
        joined["inferred"],
        np.array([flat[chosen, place[parse_measure(what)]] for what in INFERRED]),
        joined["converged"].astype(np.bool_),
        joined["certified"].astype(np.bool_),
        judged,
    )


@dataclass(frozen=True)
class Advice:
    """The most informative measure, and how certain that is.

    `shares[m]` is the share of bootstrap samples of topics in which measure m is the best.
    """

    measures: tuple[str, ...]
    rms: Floats
    shares: Floats

    @property
    def best(self) -> str:
        """The measure with the smallest mean error over all thresholds."""
        return self.measures[int(np.argmin(self.rms))]

    def likely(self, level: float = 0.95) -> list[str]:
        """Return the smallest set of measures that contains the best one with this confidence."""
        order = np.argsort(-self.shares, kind="stable")
        needed = int(np.searchsorted(np.cumsum(self.shares[order]), level - 1e-12)) + 1
        return [self.measures[index] for index in sorted(order[:needed].tolist())]

    def __str__(self) -> str:
        return (
            f"the most informative measure is {self.best}; with 95% confidence it is one of "
            f"{', '.join(self.likely())}"
        )


def advise(result: Informativeness, *, replicates: int = 1000, seed: int = 0) -> Advice:
    """Return which of the measures is the most informative, by the mean RMS over thresholds.

    Bootstrap samples of topics keep the lists of a topic together. The row `R/N` cannot win.
    """
    names = tuple(name for name in result.measures if name != BASELINE)
    chosen = [result.measures.index(name) for name in names]
    good = result.converged[chosen].all(axis=0) & ~np.isnan(result.rms[chosen]).any(axis=(0, 1))
    if not good.any():
        raise OptionError(
            "no list converged for all measures with relevant documents at every threshold"
        )
    errors, topic = result.rms[chosen][:, :, good].mean(axis=1), result.topic[good]
    topics = np.unique(topic)
    owner = np.searchsorted(topics, topic)
    sums = np.array([np.bincount(owner, row, len(topics)) for row in errors])
    weights = topic_weights(len(topics), replicates=replicates, seed=seed)
    sampled = (weights @ sums.T) / (weights @ np.bincount(owner, minlength=len(topics)))[:, None]
    shares = np.bincount(np.argmin(sampled, axis=1), minlength=len(errors)) / replicates
    return Advice(names, errors.mean(axis=1), shares)


def _chosen_lists(judged: Judged, least: int, least_top: int) -> tuple[Ints, Floats]:
    """Return the lists to study, and how many documents of each level lists retrieve."""
    if not len(judged.scale):
        raise OptionError("there are no relevant documents, so nothing can be inferred")
    counts = _count_levels(judged)
    enough = (counts.sum(axis=0) >= max(least, 1)) & (counts[-1] >= least_top)
    if not enough.any():
        raise OptionError(
            f"none of {counted(len(judged), 'list')} has at least {least} relevant documents and "
            f"at least {least_top} of grade {judged.scale[-1]}; lower least or least_top"
        )
    return np.flatnonzero(enough), counts


def _count_levels(judged: Judged) -> Floats:
    """Return how many documents of each level from 1 lists retrieve, [a, l]."""
    hits, levels = judged.relevant_hits, len(judged.scale)
    cell = hits.list * levels + hits.level - 1
    counts = np.bincount(cell, minlength=len(judged) * levels).reshape(-1, levels).T
    return counts.astype(np.float64)


def _infer_lists(judged: Judged, name: str, lists: Ints) -> Floats:
    """Return the chances of levels at ranks that follow from a measure's value, p[n, a, l]."""
    measure, target = None, np.zeros(len(lists))
    if name != BASELINE:
        measure = parse_measure(name)
        target = score_judged(judged, [measure]).values.reshape(len(judged), -1)[lists, 0]
    solution, _ = Inference(measure, judged, lists, _count_levels(judged)[:, lists], target).infer()
    return solution.p


def _actual_grades(judged: Judged, index: int) -> Ints:
    """Return the grades of a list in rank order, 0 for what is not relevant."""
    hits, grades = judged.relevant_hits, np.zeros(judged.retrieved[index], np.int64)
    low, high = np.searchsorted(hits.list, [index, index + 1])
    grades[hits.rank[low:high] - 1] = judged.scale[hits.level[low:high] - 1]
    return grades


def _run_means(values: Floats, run: Ints, runs: int) -> Floats:
    number = np.bincount(run, minlength=runs)
    return np.bincount(run, values, runs)[number > 0] / number[number > 0]
