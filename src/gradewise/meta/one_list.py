"""Criteria that study a single list."""

from gradewise.collection.judged import Judged
from gradewise.errors import OptionError


def check_one_list(judged: Judged) -> None:
    """Raise an OptionError unless there is exactly one list."""
    if len(judged) != 1:
        raise OptionError(
            f"expected a single list, but there are {len(judged)}; choose one with "
            "judged.list_of(run, topic)"
        )


def grades_by_rank(judged: Judged) -> list[int | None]:
    """Return the grade at each rank of a single list; None where the document is unjudged."""
    check_one_list(judged)
    grades: list[int | None] = [None] * int(judged.retrieved[0])
    for rank, grade in zip(judged.hits.rank.tolist(), judged.hit_grades.tolist(), strict=True):
        grades[rank - 1] = grade
    return grades
