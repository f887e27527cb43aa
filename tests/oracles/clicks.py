"""Click models by enumeration: every hidden event of every session, with dictionaries.

A session is (topic, [(document, rank, click), ...]), by rank.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product

Row = tuple[str, int, int]
Session = tuple[str, list[Row]]


def places(session: Session, kind: str) -> list[object]:
    """Return what examination depends on: the rank, or the rank and that of the last click."""
    found: list[object] = []
    last = 0
    for _, rank, click in session[1]:
        found.append(rank if kind == "position" else (rank, last))
        last = rank if click else last
    return found


def examination_step(
    sessions: Sequence[Session],
    seen: dict[object, float],
    appeal: dict[tuple[str, str], float],
    *,
    kind: str,
    prior: float,
) -> tuple[dict[object, float], dict[tuple[str, str], float]]:
    """Take one step of EM for P(click) = seen · appeal, over hidden (examined, attractive)."""
    looks: dict[object, list[float]] = defaultdict(lambda: [prior, 2 * prior])
    liked: dict[tuple[str, str], list[float]] = defaultdict(lambda: [prior, 2 * prior])
    for session in sessions:
        for place, (doc, _, click) in zip(places(session, kind), session[1], strict=True):
            pair = session[0], doc
            joint = {}
            for examined, attractive in product((0, 1), repeat=2):
                chance = seen[place] if examined else 1 - seen[place]
                chance *= appeal[pair] if attractive else 1 - appeal[pair]
                joint[examined, attractive] = chance * (click == examined * attractive)
            total = sum(joint.values())
            looks[place][0] += (joint[1, 0] + joint[1, 1]) / total
            liked[pair][0] += (joint[0, 1] + joint[1, 1]) / total
            looks[place][1] += 1
            liked[pair][1] += 1
    return (
        {place: a / b for place, (a, b) in looks.items()},
        {pair: a / b for pair, (a, b) in liked.items()},
    )


def walks(
    size: int, appeal: Sequence[float], satisfies: Sequence[float], go_on: float
) -> Iterator[tuple[float, list[int], list[int], list[int], list[int]]]:
    """Give all that may happen in a list: chance, examined, clicked, satisfied, went on."""
    for hidden in product((0, 1), repeat=3 * size):
        likes, stops, goes = hidden[:size], hidden[size : 2 * size], hidden[2 * size :]
        chance = 1.0
        for n in range(size):
            chance *= appeal[n] if likes[n] else 1 - appeal[n]
            chance *= satisfies[n] if stops[n] else 1 - satisfies[n]
            chance *= go_on if goes[n] else 1 - go_on
        examined, clicked, satisfied, went = [], [], [], []
        here = 1
        for n in range(size):
            examined.append(here)
            clicked.append(here * likes[n])
            satisfied.append(clicked[n] * stops[n])
            went.append(here * (1 - satisfied[n]) * goes[n])
            here = went[n]
        yield chance, examined, clicked, satisfied, went


def chain_counts(
    sessions: Sequence[Session],
    appeal: dict[tuple[str, str], float],
    satisfaction: dict[tuple[str, str], float],
    go_on: float,
) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], float], list[float]]:
    """Return the expected numbers of examinations, satisfactions, and chances to go on and uses."""
    seen: dict[tuple[str, str], float] = defaultdict(float)
    happy: dict[tuple[str, str], float] = defaultdict(float)
    moves = [0.0, 0.0]
    for topic, rows in sessions:
        pairs = [(topic, doc) for doc, _, _ in rows]
        clicks = [click for _, _, click in rows]
        chances = [appeal[pair] for pair in pairs], [satisfaction[pair] for pair in pairs]
        fitting = [walk for walk in walks(len(rows), *chances, go_on) if walk[2] == clicks]
        total = sum(walk[0] for walk in fitting)
        for chance, examined, _, satisfied, went in fitting:
            share = chance / total
            for n, pair in enumerate(pairs):
                seen[pair] += share * examined[n]
                happy[pair] += share * satisfied[n]
                if n + 1 < len(rows):
                    moves[0] += share * examined[n] * (1 - satisfied[n])
                    moves[1] += share * went[n]
    return seen, happy, moves


def chain_likelihood(
    clicks: Sequence[int], appeal: Sequence[float], satisfies: Sequence[float], go_on: float
) -> float:
    """Return the chance of all clicks of a list."""
    return sum(
        walk[0] for walk in walks(len(clicks), appeal, satisfies, go_on) if walk[2] == list(clicks)
    )


def browsing_likelihood(
    clicks: Sequence[int],
    ranks: Sequence[int],
    appeal: Sequence[float],
    seen: Callable[[int, int], float],
) -> float:
    """Return the chance of all clicks of a list, if examination depends on the last click."""
    chance, last = 1.0, 0
    for click, rank, a in zip(clicks, ranks, appeal, strict=True):
        here = a * seen(rank, last)
        chance *= here if click else 1 - here
        last = rank if click else last
    return chance


def click_chances(
    clicks: Sequence[int], likelihood: Callable[[Sequence[int]], float]
) -> tuple[list[float], list[float]]:
    """Return the chance of a click at each rank: by itself, and given the clicks above it."""
    size = len(clicks)
    table = {other: likelihood(other) for other in product((0, 1), repeat=size)}
    alone = [sum(p for other, p in table.items() if other[n]) for n in range(size)]
    given = []
    for n in range(size):
        same = {o: p for o, p in table.items() if list(o[:n]) == list(clicks[:n])}
        given.append(sum(p for o, p in same.items() if o[n]) / sum(same.values()))
    return alone, given


def position_thresholds(
    sessions: Sequence[Session],
    level: dict[tuple[str, str], int],
    g: Sequence[float],
    seen: dict[int, float],
    others: float,
) -> tuple[list[float], dict[int, float], float, float]:
    """Take one step of EM for users with thresholds, over hidden (threshold, examined ranks).

    Returns g, examination by rank, the clicks on what is not relevant over its examinations, and
    the likelihood.
    """
    users, likelihood = [0.0] * len(g), 0.0
    shown: dict[int, float] = defaultdict(float)
    looks: dict[int, float] = defaultdict(float)
    wrong = [0.0, 0.0]
    for topic, rows in sessions:
        joint: dict[tuple[int, tuple[int, ...]], float] = {}
        for k in range(1, len(g) + 1):
            for examined in product((0, 1), repeat=len(rows)):
                chance = g[k - 1]
                for look, (doc, rank, click) in zip(examined, rows, strict=True):
                    chance *= seen[rank] if look else 1 - seen[rank]
                    hit = 1.0 if level[topic, doc] >= k else others
                    chance *= (hit if click else 1 - hit) if look else float(not click)
                joint[k, examined] = chance
        total = sum(joint.values())
        likelihood += math.log(total)
        for (k, examined), chance in joint.items():
            users[k - 1] += chance / total
            for look, (doc, rank, click) in zip(examined, rows, strict=True):
                looks[rank] += look * chance / total
                if level[topic, doc] < k:
                    wrong[0] += look * click * chance / total
                    wrong[1] += look * chance / total
        for _, rank, _ in rows:
            shown[rank] += 1
    return (
        [each / sum(users) for each in users],
        {rank: looks[rank] / shown[rank] for rank in shown},
        wrong[0] / wrong[1],
        likelihood,
    )


def cascade_thresholds(
    sessions: Sequence[Session],
    level: dict[tuple[str, str], int],
    g: Sequence[float],
    users: Sequence[float],
) -> tuple[list[float], list[float], float]:
    """Return expected shares of thresholds, successes and trials of chances, and the likelihood.

    users: the chances to click what is relevant, to click what is not, to stop after a click on
    what is relevant, and to go on.
    """
    click, others, stop, go_on = users
    shares, sums, likelihood = [0.0] * len(g), [0.0] * 8, 0.0
    for topic, rows in sessions:
        clicks = [c for _, _, c in rows]
        found = []
        for k in range(1, len(g) + 1):
            good = [level[topic, doc] >= k for doc, _, _ in rows]
            appeal = [click if each else others for each in good]
            satisfies = [stop if each else 0.0 for each in good]
            for chance, *walk in walks(len(rows), appeal, satisfies, go_on):
                if walk[1] == clicks:
                    found.append((g[k - 1] * chance, k, good, walk))
        total = sum(each[0] for each in found)
        likelihood += math.log(total)
        for chance, k, good, (examined, clicked, satisfied, went) in found:
            share = chance / total
            shares[k - 1] += share
            for n in range(len(rows)):
                kind = 0 if good[n] else 2
                sums[kind] += share * clicked[n]
                sums[kind + 1] += share * examined[n]
                if good[n]:
                    sums[4] += share * satisfied[n]
                    sums[5] += share * clicked[n]
                if n + 1 < len(rows):
                    sums[6] += share * went[n]
                    sums[7] += share * examined[n] * (1 - satisfied[n])
    return shares, sums, likelihood


def draft(
    first: Sequence[str], second: Sequence[str], coins: Sequence[int], depth: int
) -> tuple[list[str], list[int]]:
    """Interleave as Radlinski, Kurup and Joachims (2008), Algorithm 2, write it down."""
    listed: list[str] = []
    teams: dict[int, list[str]] = {0: [], 1: []}
    picked: list[int] = []
    while len(listed) < depth:
        left = [d for d in first if d not in listed]
        right = [d for d in second if d not in listed]
        if not left or not right:
            break
        sizes = len(teams[0]), len(teams[1])
        is_first = sizes[0] < sizes[1] or (sizes[0] == sizes[1] and coins[sizes[0]] == 1)
        team, doc = (0, left[0]) if is_first else (1, right[0])
        teams[team].append(doc)
        listed.append(doc)
        picked.append(team)
    return listed, picked
