"""compare_groups: where a run is better than another, and whether it depends on the topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.attributes import Attribute, AttributesLike, read_attributes
from gradewise.collection.topics import TopicsLike
from gradewise.errors import OptionError, check_between, check_runs, did_you_mean
from gradewise.measures.scores import Scores
from gradewise.noise import drop_noise, order_best_first
from gradewise.stats.compare import common_topics, refuse_geometric
from gradewise.stats.families import find_family
from gradewise.stats.found_groups import found_groups
from gradewise.stats.group_comparison import GroupComparison
from gradewise.stats.interaction import interaction_test
from gradewise.stats.intervals import t_interval
from gradewise.stats.measure_groups import MeasureGroups
from gradewise.stats.paired_tests import t_test


def compare_groups(
    scores: Scores,
    attributes: AttributesLike | Sequence[Attribute] | None = None,
    *,
    pair: tuple[str, str] | None = None,
    baseline: str | None = None,
    found: bool = True,
    alpha: float = 0.05,
    level: float = 0.95,
    topics: TopicsLike | None = None,
) -> GroupComparison:
    """Compare runs on groups of topics, and test whether differences depend on the group.

    Differences in each group are tested by paired t-tests. P-values are corrected for the number of
    groups, of all attributes, and for the number of pairs (Bonferroni); the intervals of a pair
    hold jointly for all groups. Whether a difference depends on an attribute is another question:
    being significant in one group and not in another does not answer it. Welch's test, corrected
    for the number of attributes and of pairs compared, does (see `stats.interaction_test`).

    Parameters
    ----------
    scores
        What `evaluate` returned, for at least two runs.
    attributes
        A path to CSV, TSV or parquet with a column of topics and one for each attribute; a frame
        with these columns; {topic: {attribute: value}}; or attributes that were read before.
    pair
        Two runs to compare.
    baseline
        The run to compare all others with. By default, the best run is compared with all others;
        because the data choose it, p-values are then corrected for all pairs.
    found
        Whether to add groups derived from scores and judgments: hard and easy topics, and topics
        with few and many documents of the highest grade.
    alpha, level
        Significance level, and confidence level of the intervals of all groups together.
    topics
        The topics to compare on, as for `evaluate`; all by default.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=3, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> found = gw.compare_groups(scores, pair=("run3", "run2"))
    >>> found.groups.select("attribute", "group", "size", "significant").rows()[:2]
    [('difficulty', 'hard', 10, True), ('difficulty', 'easy', 10, True)]
    """
    if topics is not None:
        scores = scores.of_topics(topics)
    check_between(0, 1, alpha=alpha, level=level)
    check_runs(len(scores.runs), "a comparison")
    refuse_geometric(scores.measures)
    _check_names(scores, pair, baseline)
    chosen, notes = _all_attributes(scores, attributes, found=found)
    parts = tuple(
        _Grouped.of(scores, index, chosen, pair).compare(pair, baseline, alpha, level)
        for index in range(len(scores.measures))
    )
    return GroupComparison(parts, chosen, pair, baseline, alpha, level, notes)


def _check_names(scores: Scores, pair: tuple[str, str] | None, baseline: str | None) -> None:
    if pair is not None and baseline is not None:
        raise OptionError("give a pair of runs or a baseline, not both")
    if pair is not None and (len(pair) != 2 or pair[0] == pair[1]):
        raise OptionError(f"a pair is two different runs, not {', '.join(pair)}")
    for run in (*(pair or ()), *([] if baseline is None else [baseline])):
        if run not in scores.runs:
            raise OptionError(f"there is no run {run!r}{did_you_mean(run, scores.runs)}")


def _all_attributes(
    scores: Scores, attributes: AttributesLike | Sequence[Attribute] | None, *, found: bool
) -> tuple[tuple[Attribute, ...], tuple[str, ...]]:
    """Return the attributes that are given and found, and what is to be said of them."""
    given: tuple[Attribute, ...] = ()
    notes: tuple[str, ...] = ()
    if isinstance(attributes, Sequence) and not isinstance(attributes, str):
        given = tuple(attributes)
    elif attributes is not None:
        given, notes = read_attributes(attributes, scores.topics)
    besides = [each.name for each in given]
    chosen = (*given, *(found_groups(scores, besides=besides) if found else ()))
    if not chosen:
        raise OptionError("there are no groups: no attributes are given, and none were found")
    return chosen, notes


@dataclass(frozen=True, eq=False)
class _Grouped:
    """The values of runs by one measure, values[run, topic], best run first, and the groups."""

    scores: Scores
    index: int
    runs: tuple[str, ...]
    values: Floats
    attributes: tuple[Attribute, ...]

    @staticmethod
    def of(
        scores: Scores,
        index: int,
        attributes: Sequence[Attribute],
        pair: tuple[str, str] | None,
    ) -> "_Grouped":
        """Take the topics that all runs share, or both of a pair."""
        shared = scores if pair is None else scores.of_runs(pair)
        values, _ = common_topics(shared, index)
        kept = np.asarray((shared.counted & ~np.isnan(shared.values[:, :, index])).all(axis=0))
        order = order_best_first(
            values.mean(axis=1), higher_is_better=scores.measures[index].higher_is_better
        )
        cut = tuple(_of_topics(each, kept) for each in attributes)
        runs = tuple(shared.runs[run] for run in order)
        return _Grouped(scores, index, runs, values[order], cut)

    def compare(
        self,
        pair: tuple[str, str] | None,
        baseline: str | None,
        alpha: float,
        level: float,
    ) -> MeasureGroups:
        """Compare the runs on each group."""
        first, second, family = self._pairs(pair, baseline)
        members = np.concatenate([each.members() for each in self.attributes])
        sizes = members.sum(axis=1)
        tested = int((sizes > 1).sum())
        each = 1 - (1 - level) / max(tested, 1)
        columns = [self._in_group(first, second, part, each) for part in members]
        numbers: dict[str, Any] = {
            name: np.stack([column[name] for column in columns], axis=-1) for name in columns[0]
        }
        between = self._between(first, second)
        return MeasureGroups(
            measure=self.scores.measures[self.index],
            runs=self.runs,
            attributes=self.attributes,
            first=first,
            second=second,
            family=family,
            tested=tested,
            topics=sizes,
            mean=np.stack([_mean(self.values[:, part]) for part in members], axis=-1),
            corrected=np.minimum(numbers["p"] * tested * family, 1.0),
            interaction=between,
            interaction_corrected=np.minimum(between * between.size, 1.0),
            alpha=alpha,
            winners=self._winners(members),
            **numbers,
        )

    def _pairs(self, pair: tuple[str, str] | None, baseline: str | None) -> tuple[Ints, Ints, int]:
        """Return the pairs that are shown, and how many are corrected for."""
        if pair is not None:
            a, b = (np.array([self.runs.index(run)]) for run in pair)
            return a, b, 1
        if baseline is None:
            others = np.arange(1, len(self.runs))
            return np.zeros_like(others), others, len(self.runs) * len(others) // 2
        family = find_family(self.values.mean(axis=1), self.runs.index(baseline))
        return *family.shown, len(family)

    @property
    def _scale(self) -> float:
        return float(np.abs(self.values).max())

    def _in_group(self, first: Ints, second: Ints, part: Bools, level: float) -> dict[str, Floats]:
        """Describe the differences of all pairs on the topics of a group."""
        differences = self.values[first][:, part] - self.values[second][:, part]
        clear = drop_noise(differences, self._scale)
        up, down = (clear > 0).sum(axis=1), (clear < 0).sum(axis=1)
        higher = self.scores.measures[self.index].higher_is_better
        nothing = np.full(len(first), np.nan)
        low, high, p = nothing, nothing, nothing
        if part.sum() > 1:
            low, high = t_interval(differences, level=level)
            p = t_test(differences, scale=self._scale)
        return {
            "difference": _mean(differences),
            "low": low,
            "high": high,
            "p": p,
            "wins": up if higher else down,
            "ties": (clear == 0).sum(axis=1),
            "losses": down if higher else up,
        }

    def _between(self, first: Ints, second: Ints) -> Floats:
        """Return p of each pair and attribute: that the difference is the same in all groups."""
        differences = self.values[first] - self.values[second]
        found = [
            interaction_test(differences, each.members(), scale=self._scale)
            for each in self.attributes
        ]
        return np.stack(found, axis=-1)

    def _winners(self, members: Bools) -> tuple[Ints, Floats]:
        """Return the best run of each group, and p of its lead over the best run of all topics."""
        higher = self.scores.measures[self.index].higher_is_better
        best = np.zeros(len(members), np.int64)
        p = np.full(len(members), np.nan)
        for group, part in enumerate(members):
            if part.any():
                means = self.values[:, part].mean(axis=1)
                best[group] = order_best_first(means, higher_is_better=higher)[0]
            if part.sum() > 1 and best[group]:
                lead = self.values[best[group], part] - self.values[0, part]
                p[group] = t_test(lead, scale=self._scale)
        return best, p


def _of_topics(attribute: Attribute, kept: Bools) -> Attribute:
    """Return the attribute of some topics, with all its groups."""
    return Attribute(
        attribute.name,
        attribute.groups,
        attribute.labels[kept],
        attribute.about,
        attribute.found,
    )


def _mean(values: Floats) -> Floats:
    """Return means along the last axis; NaN without any topic."""
    if not values.shape[-1]:
        return np.full(values.shape[:-1], np.nan)
    return np.asarray(values.mean(axis=-1))
