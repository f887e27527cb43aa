"""A single list as Judged, from grades alone: no files, no document ids."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gradewise.collection.judged import Judged, Lists
from gradewise.collection.levels import to_levels
from gradewise.collection.pool import Pool
from gradewise.errors import GradewiseError


def judge_list(
    grades: Sequence[int | None],
    relevant: Mapping[int, int],
    *,
    scores: Sequence[float] | None = None,
) -> Judged:
    """Make a single judged list from its grades in rank order.

    Parameters
    ----------
    grades
        The grade at each rank; None where the document is unjudged.
    relevant
        How many documents of each grade the topic has, retrieved or not. It names every positive
        grade of the scale, with 0 where the topic has none; judged documents that are not
        relevant may be counted under 0 or negative grades, and are at least those in the list.
    scores
        The score at each rank, for measures that use scores.

    Examples
    --------
    >>> import gradewise as gw
    >>> judged = gw.judge_list([2, None, 1], {1: 10, 2: 1})
    >>> judged.hits.rank.tolist(), judged.hit_grades.tolist(), judged.counts.tolist()
    ([1, 3], [2, 1], [[0, 10, 1]])
    """
    for grade, count in relevant.items():
        if count < 0:
            raise GradewiseError(f"relevant[{grade}] is {count}; a count cannot be negative")
    listed = Counter(max(grade, 0) for grade in grades if grade is not None)
    for grade, number in listed.items():
        if grade > 0 and number > relevant.get(grade, 0):
            raise GradewiseError(
                f"the list has {number} documents of grade {grade}, but relevant says "
                f"{relevant.get(grade, 0)}; relevant counts all documents of the topic by grade"
            )
    given = None if scores is None else np.asarray(scores, np.float64)
    if given is not None and len(given) != len(grades):
        raise GradewiseError(f"there are {len(grades)} grades but {len(given)} scores")
    scale = np.array(sorted(grade for grade in relevant if grade > 0), np.int64)
    others = sum(count for grade, count in relevant.items() if grade <= 0) - listed[0]
    rest = [max(others, 0), *[relevant[grade] - listed[grade] for grade in scale.tolist()]]
    judged = np.array([grade is not None for grade in grades], np.bool_)
    own = np.array([grade for grade in grades if grade is not None], np.int64)
    pool = Pool(np.zeros(len(own), np.int64), own, to_levels(own, scale), np.array([rest]))
    counts = pool.counts(scale, topics=1, negative="nonrelevant")
    levels = np.zeros(len(grades), np.int64)
    levels[judged] = pool.level
    found = Judged.of_levels(
        Lists(scale, counts, np.zeros(1, np.int64), np.array([len(grades)])),
        levels,
        judged=judged,
        runs=["list"],
        topics=["topic"],
        scores=given,
    )
    return replace(found, pool=pool, hit_rows=np.arange(len(own)))
