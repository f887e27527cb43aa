"""Pool bias: scores of runs without the documents that only their own group retrieved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_least, check_runs, did_you_mean
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.noise import merge_ties
from gradewise.showing import Shown


@dataclass(frozen=True, eq=False)
class PoolBias(Shown):
    """Means of runs with all judgments, and without the unique documents of their group.

    `full[run, measure]` and `without[run, measure]` are means; `unique[run]` is the number of
    relevant documents that only the run's group retrieved.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    groups: tuple[str, ...]
    unique: Ints
    full: Floats
    without: Floats
    full_rank: Ints
    without_rank: Ints

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: run, group, unique, measure, full, without, change, rank, rank_without."""
        groups = np.array(self.groups, object).repeat(len(self.measures))
        frame = long_frame(
            {"run": self.runs, "measure": self.measures},
            {
                "unique": self.unique.repeat(len(self.measures)),
                "full": self.full,
                "without": self.without,
                "change": self.without - self.full,
                "rank": self.full_rank,
                "rank_without": self.without_rank,
            },
        )
        return frame.insert_column(1, pl.Series("group", groups.tolist()))


def pool_bias(
    judged: Judged,
    measures: Sequence[MeasureLike],
    *,
    groups: Mapping[str, str] | None = None,
    depth: int | None = None,
) -> PoolBias:
    """Return how each run scores if its group's unique documents had not been judged.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measures
        The measures to study.
    groups
        {run: group}; by default, each run is its own group.
    depth
        Pool depth: how many documents of each list were judged; all by default.

    Notes
    -----
    For a run's rank without its group's unique documents, all runs are scored without them.
    """
    parsed = as_measures(measures)
    check_least(1, depth=depth)
    names = judged.runs
    check_runs(len(names), "pool bias")
    labels = _labels(names, groups)
    kinds = list(dict.fromkeys(labels))
    group_of_run = np.array([kinds.index(label) for label in labels])
    owner = _only_group(judged, group_of_run, len(kinds), depth)
    relevant = judged.known_pool.level > 0
    full = score_judged(judged, parsed).summary()
    without, place = np.empty_like(full), np.empty(full.shape, np.int64)
    unique = np.zeros(len(names), np.int64)
    for kind in range(len(kinds)):
        runs = np.flatnonzero(group_of_run == kind)
        unique[runs] = ((owner == kind) & relevant).sum()
        means = score_judged(judged.with_judgments(owner != kind), parsed).summary()
        without[runs], place[runs] = means[runs], _ranks(means)[runs]
    return PoolBias(
        tuple(map(str, parsed)), names, tuple(labels), unique, full, without, _ranks(full), place
    )


def _labels(names: Sequence[str], groups: Mapping[str, str] | None) -> list[str]:
    if groups is None:
        return list(names)
    for name in names:
        if name not in groups:
            raise OptionError(f"run {name!r} has no group{did_you_mean(name, groups)}")
    return [groups[name] for name in names]


def _only_group(judged: Judged, group_of_run: Ints, groups: int, depth: int | None) -> Ints:
    """Return, for each judged document, the only group that found it, or -1."""
    size, hits, rows = len(judged.known_pool), judged.hits, judged.hit_rows
    group = group_of_run[hits.list // len(judged.topics)]
    pooled = rows.astype(np.int64) * groups + group
    found = np.unique(pooled if depth is None else pooled[hits.rank <= depth])
    count = np.bincount(found // groups, minlength=size)
    owner = np.full(size, -1)
    single = found[count[found // groups] == 1]
    owner[single // groups] = single % groups
    return owner


def _ranks(means: Floats) -> Ints:
    """Return the place of each run, from 1; equal means have the same."""
    means = merge_ties(means.T).T
    return 1 + (means[None, :, :] > means[:, None, :]).sum(axis=1)
