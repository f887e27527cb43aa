"""Informativeness: how well a ranked list can be inferred from the value of a measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import OptionError, counted
from gradewise.jobs import Tell, do_all
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.meta.forms import form_of
from gradewise.meta.maximum_entropy import solve
from gradewise.progress import watched
from gradewise.showing import Shown
from gradewise.stats.correlations import kendall_tau
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars as pl

INFERRED = ("P@10", "Rprec", "AP", "nDCG")
_BATCH = 500_000  # chances that are solved together; 90 MB at 2 grades


@dataclass(frozen=True, eq=False)
class Informativeness(Shown):
    """Errors of the precision-recall curves inferred from the value of a measure.

    `rms[measure, threshold, list]` and `mae` compare precision at the ranks where recall changes,
    with documents of at least a grade as relevant; NaN if there are none. `inferred[measure, what,
    list]` is the expected value of another measure, `actual[what, list]` its actual value. Means
    exclude lists that did not converge.
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

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: measure, threshold, lists, rms, mae, not_converged, not_certified."""
        import polars as pl

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
        import polars as pl

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
    jobs
        Number of processes. A script that uses more than one must guard its main part with
        `if __name__ == "__main__"`, as `multiprocessing` requires.
    keep
        Folder for partial results; interrupted work resumes from there.
    progress
        Called with the number of lists after each batch.
    """
    parsed = as_measures(measures)
    chosen, counts = _chosen_lists(judged, least, least_top)
    size = int(judged.retrieved[chosen].max())
    values = score_judged(judged, [*parsed, *INFERRED])
    flat = values.values.reshape(len(judged), -1)
    place = {measure: index for index, measure in enumerate(values.measures)}
    batches = np.array_split(chosen, -(-len(chosen) * size // _BATCH))
    work = [
        _Work(measure, judged, batch, counts[:, batch], flat[batch, place[measure]])
        for measure in parsed
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
        tuple(map(str, parsed)),
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

    Bootstrap samples of topics keep the lists of a topic together.
    """
    good = result.converged.all(axis=0) & ~np.isnan(result.rms).any(axis=(0, 1))
    if not good.any():
        raise OptionError(
            "no list converged for all measures with relevant documents at every threshold"
        )
    errors, topic = result.rms[:, :, good].mean(axis=1), result.topic[good]
    topics = np.unique(topic)
    owner = np.searchsorted(topics, topic)
    sums = np.array([np.bincount(owner, row, len(topics)) for row in errors])
    weights = topic_weights(len(topics), replicates=replicates, seed=seed)
    sampled = (weights @ sums.T) / (weights @ np.bincount(owner, minlength=len(topics)))[:, None]
    shares = np.bincount(np.argmin(sampled, axis=1), minlength=len(errors)) / replicates
    return Advice(result.measures, errors.mean(axis=1), shares)


def _chosen_lists(judged: Judged, least: int, least_top: int) -> tuple[Ints, Floats]:
    """Return the lists to study, and how many documents of each level lists retrieve."""
    hits, levels = judged.relevant_hits, len(judged.scale)
    if not levels:
        raise OptionError("there are no relevant documents, so nothing can be inferred")
    cell = hits.list * levels + hits.level - 1
    counts = np.bincount(cell, minlength=len(judged) * levels).reshape(-1, levels).T
    enough = (counts.sum(axis=0) >= max(least, 1)) & (counts[-1] >= least_top)
    if not enough.any():
        raise OptionError(
            f"none of {counted(len(judged), 'list')} has {least} relevant documents and "
            f"{least_top} of grade {judged.scale[-1]}; lower least or least_top"
        )
    return np.flatnonzero(enough), counts.astype(np.float64)


@dataclass(frozen=True)
class _Work:
    """A measure and a batch of lists, with what they retrieve and the values they have."""

    measure: Measure
    judged: Judged
    batch: Ints
    counts: Floats
    target: Floats

    @property
    def amount(self) -> int:
        """How many lists there are."""
        return len(self.batch)

    def do(self, shared: None, tell: Tell) -> dict[str, Floats]:
        """Solve the lists, and compare curves and values."""
        judged, batch = self.judged, self.batch
        lists = Lists(judged.scale, judged.counts, judged.topic[batch], judged.retrieved[batch])
        size = int(lists.retrieved.max())
        inside = np.arange(size)[:, None] < lists.retrieved
        form = form_of(self.measure, lists, size)
        solution = solve(form, self.counts, self.target, inside)
        rms, mae = _curve_errors(solution.p, judged, batch)
        others = [form_of(parse_measure(what), lists, size) for what in INFERRED]
        return {
            "rms": rms,
            "mae": mae,
            "inferred": np.array([other.value(solution.p) for other in others]),
            "converged": solution.converged.astype(np.float64),
            "certified": solution.certified.astype(np.float64),
        }

    def name(self, shared: None = None) -> str:
        """Return a name that changes with the measure, the lists and their judgments."""
        hits, batch = self.judged.hits, self.batch
        low, high = np.searchsorted(hits.list, [batch[0], batch[-1] + 1])
        digest = blake2b(str(self.measure).encode(), digest_size=16)
        columns = [column[low:high] for column in (hits.list, hits.rank, hits.level)]
        rest = (batch, self.judged.counts, self.judged.scale, self.judged.retrieved[batch])
        for array in (*columns, *rest):
            digest.update(np.ascontiguousarray(array).astype(np.int64).tobytes())
        return digest.hexdigest()


def _curve_errors(p: Floats, judged: Judged, batch: Ints) -> tuple[Floats, Floats]:
    """Compare real and inferred precision where recall changes, [threshold, list]."""
    hits, levels = judged.relevant_hits, len(judged.scale)
    rms, mae = np.full((2, levels, len(batch)), np.nan)
    expected = np.cumsum(p[:, ::-1], axis=1)[:, ::-1].cumsum(axis=0)  # of a level and above
    rank = np.arange(1, len(p) + 1)
    edges = np.searchsorted(hits.list, [batch, batch + 1])
    for index, (low, high) in enumerate(edges.T.tolist()):
        ranks, level = hits.rank[low:high], hits.level[low:high]
        for threshold in range(levels):
            real = ranks[level > threshold]
            if not len(real):
                continue
            found = np.arange(1, len(real) + 1)
            curve = expected[:, threshold, index]
            wrong = np.interp(found, curve, curve / rank) - found / real
            rms[threshold, index] = np.sqrt((wrong**2).mean())
            mae[threshold, index] = np.abs(wrong).mean()
    return rms, mae


def _run_means(values: Floats, run: Ints, runs: int) -> Floats:
    number = np.bincount(run, minlength=runs)
    return np.bincount(run, values, runs)[number > 0] / number[number > 0]
