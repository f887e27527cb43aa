"""Users who draw the line at different grades: sessions as they see them, and steps of EM."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.clicks.log import UNJUDGED, ClickLog
from gradewise.kernels import click_thresholds, ids

Users = Literal["position", "cascade"]
_LOW, _HIGH = 1e-9, 1 - 1e-9


@dataclass(frozen=True, eq=False)
class Sessions:
    """Distinct sessions, by topic, ranks, levels and clicks; session s occurred times[s] times.

    Rows offsets[s]:offsets[s + 1] are those of session s. `levels` is the highest level.
    """

    offsets: Ints
    topic: Ints
    times: Floats
    rank: Ints
    level: Ints
    click: Ints
    levels: int


def group_sessions(log: ClickLog, level: Ints, levels: int) -> Sessions:
    """Count sessions that look the same, given the level of each row; UNJUDGED rows are left out.

    Equal sessions are found by their bytes, exactly.
    """
    kept = level != UNJUDGED
    owner = log.list_of_row[kept]
    sizes = np.bincount(owner, minlength=len(log))
    code = (log.rank[kept].astype(np.uint32) << 16) | (level[kept].astype(np.uint32) << 1)
    code |= log.click[kept]
    word_offsets = offsets_of(sizes + 1)
    words = np.empty(int(word_offsets[-1]), np.uint32)
    is_head = np.zeros(len(words), np.bool_)
    is_head[word_offsets[:-1]] = True
    words[is_head], words[~is_head] = log.topic, code
    number = ids.Numbering().add(words.view(np.uint8), word_offsets * 4)
    _, first, times = np.unique(number, return_index=True, return_counts=True)
    first, times = first[sizes[first] > 0], times[sizes[first] > 0]
    rows_offsets = offsets_of(sizes)
    sizes = sizes[first]
    offsets = offsets_of(sizes)
    rows = np.arange(int(offsets[-1])) + (rows_offsets[first] - offsets[:-1]).repeat(sizes)
    return Sessions(
        offsets,
        log.topic[first].astype(np.int64),
        times.astype(np.float64),
        log.rank[kept][rows],
        level[kept][rows].astype(np.int32),
        log.click[kept][rows],
        levels,
    )


@dataclass(frozen=True)
class UserKind:
    """Users of one kind: where EM starts, one step of it, and how unjudged documents are taken.

    Parameters are a vector: g_1..g_c, then those that the kind has besides. A step takes sessions,
    their weights and parameters, and returns new parameters and the log-likelihood of the old.
    """

    start: Callable[[Sessions], Floats]
    step: Callable[[Sessions, Floats, Floats], tuple[Floats, float]]
    title: str
    unjudged: int  # the level of unjudged documents


def project(found: Floats, levels: int) -> Floats:
    """Return the nearest parameters that are chances."""
    inside = np.clip(found, _LOW, _HIGH)
    inside[:levels] = np.maximum(found[:levels], _LOW)
    inside[:levels] /= inside[:levels].sum()
    return inside


def _start_position(sessions: Sessions) -> Floats:
    deepest = int(sessions.rank.max(initial=0)) + 1
    weight = sessions.times.repeat(np.diff(sessions.offsets))
    shown = np.bincount(sessions.rank, weights=weight, minlength=deepest)
    clicks = np.bincount(sessions.rank, weights=weight * sessions.click, minlength=deepest)
    rate = (clicks + 1) / (shown + 2)
    seen = np.clip(0.8 * rate / rate.max(), 0.01, 0.9)
    return np.concatenate([np.full(sessions.levels, 1 / sessions.levels), [0.1], seen])


def _step_position(sessions: Sessions, weight: Floats, at: Floats) -> tuple[Floats, float]:
    """Take a step; parameters are g, then b/a, then the examination of ranks 0, 1, 2, ..."""
    c = sessions.levels
    g, others, seen = at[:c], float(at[c]), at[c + 1 :]
    thresholds, sums = np.zeros(c), np.zeros(2)
    rows, looks = np.zeros(len(seen)), np.zeros(len(seen))
    likelihood = click_thresholds.expect_by_position(
        sessions.offsets,
        sessions.rank,
        sessions.level,
        sessions.click,
        weight,
        g,
        seen,
        others,
        thresholds,
        rows,
        looks,
        sums,
    )
    found = np.where(rows > 0, looks / np.maximum(rows, 1e-300), seen)
    rate = sums[0] / sums[1] if sums[1] > 0 else others
    new = np.concatenate([thresholds / max(thresholds.sum(), 1e-300), [rate], found])
    return project(new, c), likelihood


def _start_cascade(sessions: Sessions) -> Floats:
    return np.concatenate([np.full(sessions.levels, 1 / sessions.levels), [0.5, 0.1, 0.5, 0.8]])


def _step_cascade(sessions: Sessions, weight: Floats, at: Floats) -> tuple[Floats, float]:
    """Take a step; parameters are g, then the chances to click, click others, stop and go on."""
    c = sessions.levels
    thresholds, sums = np.zeros(c), np.zeros(8)
    likelihood = click_thresholds.expect_by_cascade(
        sessions.offsets,
        sessions.level,
        sessions.click,
        weight,
        at[:c],
        at[c:],
        thresholds,
        sums,
    )
    trials = sums[1::2]
    found = np.where(trials > 0, sums[::2] / np.maximum(trials, 1e-300), at[c:])
    new = np.concatenate([thresholds / max(thresholds.sum(), 1e-300), found])
    return project(new, c), likelihood


USERS: Final[dict[Users, UserKind]] = {
    "position": UserKind(
        _start_position, _step_position, "examine each rank with its own probability", UNJUDGED
    ),
    "cascade": UserKind(
        _start_cascade, _step_cascade, "go down the list, and may stop after a relevant click", 0
    ),
}
