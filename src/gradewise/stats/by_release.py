"""compare_releases: how runs moved from release to release, and which changes are significant."""

from collections.abc import Iterable

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.qrels import report_order
from gradewise.collection.topics import TopicsLike
from gradewise.errors import OptionError, check_between
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.measures.releases import ReleasesLike, read_releases
from gradewise.measures.scores import Scores
from gradewise.noise import order_best_first
from gradewise.stats.changes import Changes, find_changes
from gradewise.stats.compare import refuse_geometric
from gradewise.stats.corrections import correct
from gradewise.stats.measure_releases import MeasureReleases
from gradewise.stats.release_comparison import ReleaseComparison


def compare_releases(
    releases: ReleasesLike,
    measures: MeasureLike | Iterable[MeasureLike] | None = None,
    *,
    alpha: float = 0.05,
    level: float = 0.95,
    topics: TopicsLike | None = None,
) -> ReleaseComparison:
    """Compare each release of runs with the one before, and the last with the first.

    Runs are known by their names. A change is that of the topics which a run has in both releases,
    with a paired t-test; if it shares fewer than half of them, means over different topics are
    compared (Welch's test), and the result says so. P-values of a measure are corrected for all its
    changes from release to release (Holm).

    Parameters
    ----------
    releases
        A folder of saved scores, or {release: scores} with the oldest first; see `read_releases`.
    measures
        Measures, by default all that every release has.
    alpha, level
        Significance level of corrected p-values, and confidence level of each interval.
    topics
        The topics to compare on, as for `evaluate`; all by default.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=2, depth=50, seed=1)
    >>> old, new = (gw.evaluate(sample.qrels, {"ours": run}, "AP") for run in sample.runs.values())
    >>> found = gw.compare_releases({"v1": old, "v2": new})
    >>> found.changes.select("run", "release", "shared", "significant").rows()
    [('ours', 'v1', None, None), ('ours', 'v2', 20, True)]
    """
    check_between(0, 1, alpha=alpha, level=level)
    read = read_releases(releases)
    held = read.scores
    if topics is not None:
        held = {name: scores.of_topics(topics) for name, scores in held.items()}
    chosen = _common_measures(held, measures)
    refuse_geometric(chosen)
    parts = tuple(_follow(held, measure, alpha, level) for measure in chosen)
    return ReleaseComparison(tuple(held), parts, alpha, level, read.notes)


def _common_measures(
    held: dict[str, Scores], wanted: MeasureLike | Iterable[MeasureLike] | None
) -> list[Measure]:
    if wanted is not None:
        asked = as_measures(wanted)
        for name, scores in held.items():
            for measure in asked:
                if measure not in scores.measures:
                    known = ", ".join(map(str, scores.measures))
                    raise OptionError(f"{name}: {measure} was not scored (scored: {known})")
        return list(asked)
    last = list(held.values())[-1]
    common = [
        measure
        for measure in last.measures
        if all(measure in each.measures for each in held.values())
        and measure.aggregate != "geometric"  # has no mean over topics to compare
    ]
    if not common:
        raise OptionError("the releases have no measure in common")
    return common


def _follow(
    held: dict[str, Scores], measure: Measure, alpha: float, level: float
) -> MeasureReleases:
    """Follow all runs through the releases by one measure."""
    values = _values(held, measure)
    known = np.asarray(~np.isnan(values).all(axis=2))  # [run, release]
    mean = np.full(known.shape, np.nan)
    mean[known] = np.nanmean(values[known], axis=-1)
    order = order_best_first(mean[:, -1], higher_is_better=measure.higher_is_better)
    values, known, mean = values[order], known[order], mean[order]
    previous = _previous(known)
    steps = _steps(values, previous, level)
    first, last = known.argmax(axis=1), known.shape[1] - 1 - known[:, ::-1].argmax(axis=1)
    ends = np.full(known.shape, -1)
    rows = np.arange(len(known))
    ends[rows, last] = np.where(first < last, first, -1)
    p = np.full(known.shape, np.nan)
    tested = ~np.isnan(steps.p)
    p[tested] = correct(steps.p[tested], "holm")
    names = _run_names(held)
    return MeasureReleases(
        measure=measure,
        releases=tuple(held),
        runs=tuple(names[place] for place in order),
        mean=mean,
        topics=(~np.isnan(values)).sum(axis=2),
        previous=previous,
        steps=steps,
        corrected=p,
        whole=_steps(values, ends, level).at(rows, last),
        alpha=alpha,
    )


def _run_names(held: dict[str, Scores]) -> list[str]:
    return list(dict.fromkeys(run for scores in held.values() for run in scores.runs))


def _values(held: dict[str, Scores], measure: Measure) -> Floats:
    """Return values[run, release, topic], NaN where there is none."""
    names = _run_names(held)
    topics = list(dict.fromkeys(topic for scores in held.values() for topic in scores.topics))
    topics = [topics[place] for place in report_order(topics)]
    row = {run: place for place, run in enumerate(names)}
    column = {topic: place for place, topic in enumerate(topics)}
    values = np.full((len(names), len(held), len(topics)), np.nan)
    for release, scores in enumerate(held.values()):
        found = scores.values[:, :, scores.measures.index(measure)]
        places = np.ix_([row[run] for run in scores.runs], [column[t] for t in scores.topics])
        block = values[:, release]
        block[places] = np.where(scores.counted, found, np.nan)
    return values


def _previous(known: Bools) -> Ints:
    """Return the release before each in which a run was scored, or -1; [run, release]."""
    places = np.where(known, np.arange(known.shape[1]), -1)
    before = np.full(known.shape, -1)
    before[:, 1:] = np.maximum.accumulate(places, axis=1)[:, :-1]
    return np.where(known, before, -1)


def _steps(values: Floats, previous: Ints, level: float) -> Changes:
    """Return the changes of all runs to each release from a previous one; [run, release]."""
    shape = previous.shape
    change, low, high, p = (np.full(shape, np.nan) for _ in range(4))
    found = Changes(change, low, high, p, np.zeros(shape, np.int64), np.zeros(shape, np.bool_))
    for release in range(shape[1]):
        for before in np.unique(previous[:, release][previous[:, release] >= 0]):
            rows = np.flatnonzero(previous[:, release] == before)
            made = find_changes(values[rows, before], values[rows, release], level=level)
            for target, part in zip(found, made, strict=True):
                target[rows, release] = part
    return found
