"""A single list as Judged, from grades alone: no files, no document ids."""

from collections.abc import Mapping, Sequence

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.qrels import NEGATIVE
from gradewise.errors import GradewiseError


def judged_list(
    grades: Sequence[int | None],
    relevant: Mapping[int, int],
    *,
    scores: Sequence[float] | None = None,
) -> Judged:
    """Make the hits of a single list from its grades in rank order.

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
    """
    scale = np.array(sorted(grade for grade in relevant if grade > 0), np.int64)
    counts = np.zeros((1, len(scale) + 1), np.int64)
    for grade, count in relevant.items():
        if count < 0:
            raise GradewiseError(f"relevant[{grade}] is {count}; a count cannot be negative")
        counts[0, _level(scale, grade)] += count
    judged = [(rank, grade) for rank, grade in enumerate(grades, 1) if grade is not None]
    for grade in {grade for _, grade in judged if grade > 0}:
        listed = sum(1 for _, other in judged if other == grade)
        if listed > relevant.get(grade, 0):
            raise GradewiseError(
                f"the list has {listed} documents of grade {grade}, and relevant says "
                f"{relevant.get(grade, 0)}; relevant counts all documents of the topic by grade"
            )
    level = np.array([_level(scale, grade) for _, grade in judged], np.int64)
    negative = np.array([grade < 0 for _, grade in judged], np.bool_)
    counts[0, 0] = max(counts[0, 0], int((level == 0).sum()))
    rank = np.array([rank for rank, _ in judged], np.int64)
    given = None if scores is None else np.asarray(scores, np.float64)
    if given is not None and len(given) != len(grades):
        raise GradewiseError(f"there are {len(grades)} grades and {len(given)} scores")
    return Judged(
        scale=scale,
        counts=counts,
        topic=np.zeros(1, np.int64),
        retrieved=np.array([len(grades)], np.int64),
        runs=("list",),
        topics=("topic",),
        hits=Hits(np.zeros(len(rank), np.int64), rank, np.where(negative, NEGATIVE, level), 1),
        hit_scores=None if given is None else given[rank - 1],
        unjudged_scores=None
        if given is None
        else np.array([np.abs(np.delete(given, rank - 1)).sum()]),
    )


def _level(scale: Ints, grade: int) -> int:
    return int(np.searchsorted(scale, grade)) + 1 if grade > 0 else 0
