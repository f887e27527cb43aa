"""Rank-biased overlap by longer and longer prefixes, as Webber, Moffat and Zobel 2010 define it.

A list is a sequence of groups, best first; a group holds the documents that have equal scores.
"""

import math
from collections.abc import Mapping, Sequence

Groups = Sequence[Sequence[str]]


def _ranks(groups: Groups) -> dict[str, int]:
    """Webber et al. 2010 section 4: tied documents all have the first of their ranks."""
    ranks: dict[str, int] = {}
    for group in groups:
        first = len(ranks) + 1
        for document in group:
            ranks[document] = first
    return ranks


def _prefix(ranks: Mapping[str, int], d: int) -> set[str]:
    """S_:d, the documents at ranks down to d."""
    return {document for document in ranks if ranks[document] <= d}


def _overlap_and_sizes(s: Mapping[str, int], t: Mapping[str, int], d: int) -> tuple[int, int, int]:
    """X_d, |S_:d| and |T_:d|."""
    s_d = _prefix(s, d)
    t_d = _prefix(t, d)
    return len(s_d & t_d), len(s_d), len(t_d)


def _sum_of_agreements(s: Groups, t: Groups, p: float) -> float:
    """RBO of lists so long that what follows weighs nothing: (1-p) sum of p^(d-1) A_d."""
    depth = math.ceil(math.log(1e-16) / math.log(p))
    enter: dict[int, tuple[list[str], list[str]]] = {}
    for side, groups in enumerate((s, t)):
        for document, rank in _ranks(groups).items():
            enter.setdefault(rank, ([], []))[side].append(document)
    s_d: set[str] = set()
    t_d: set[str] = set()
    total = 0.0
    for d in range(1, depth + 1):
        new_s, new_t = enter.get(d, ([], []))
        s_d.update(new_s)
        t_d.update(new_t)
        total += (1 - p) * p ** (d - 1) * 2 * len(s_d & t_d) / (len(s_d) + len(t_d))
    return total


def _depth_for(p: float) -> int:
    return math.ceil(math.log(1e-16) / math.log(p)) + 1


def rbo_minimum(s: Groups, t: Groups, p: float) -> float:
    """RBO when what follows each list is in neither list."""
    depth = _depth_for(p)
    tails = [
        [[f"only in {side}: {i}"] for i in range(depth - len(_ranks(groups)))]
        for side, groups in enumerate((s, t))
    ]
    return _sum_of_agreements([*s, *tails[0]], [*t, *tails[1]], p)


def rbo_maximum(s: Groups, t: Groups, p: float) -> float:
    """RBO when the lists go on so as to agree as early as they can.

    Each list goes on with the documents that only the other one has so far, by rank, then
    both with the same new documents.
    """
    depth = _depth_for(p)
    ranks = (_ranks(s), _ranks(t))
    longer: list[list[list[str]]] = []
    for side, groups in enumerate((s, t)):
        other = ranks[1 - side]
        missing = sorted((d for d in other if d not in ranks[side]), key=lambda d: other[d])
        new = [f"in both: {i}" for i in range(depth)]
        longer.append([*(list(group) for group in groups), *([d] for d in [*missing, *new])])
    return _sum_of_agreements(longer[0], longer[1], p)


def rbo_extrapolated(one: Groups, other: Groups, p: float) -> float:
    """RBO_EXT: Webber et al. 2010 eq 32; with ties as Corsi and Urbano 2024 complete it.

    Between the ends of the shorter list (s) and the longer one (l), the documents that the
    shorter one lacks agree as much as those at s did; past l, all agree as much as at l.
    Eq 32's X_d / d is 2 X_d / (|S_:d| + |L_:d|) when there are ties, and X_s / s is A_s.
    """
    short, long = sorted((_ranks(one), _ranks(other)), key=len)
    s, l = len(short), len(long)  # noqa: E741
    if s == 0:
        return 0.0
    x_s, size_s, size_l = _overlap_and_sizes(short, long, s)
    a_s = 2 * x_s / (size_s + size_l)
    total = 0.0
    for d in range(1, l + 1):
        x_d, size_s, size_l = _overlap_and_sizes(short, long, d)
        if d > s:
            x_d, size_s = x_d + (d - s) * a_s, d
        total += 2 * x_d / (size_s + size_l) * p**d
    x_l, _, _ = _overlap_and_sizes(short, long, l)
    return (1 - p) / p * total + (x_l + (l - s) * a_s) / l * p**l
