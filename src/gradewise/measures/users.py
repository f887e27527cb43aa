"""Users of the C/W/L framework: how likely each goes on from a rank to the next, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gradewise.arrays import Floats


@dataclass(frozen=True, eq=False)
class Walk:
    """What users meet on their way down lists.

    `rank` holds 1, 2, ..., N; `gain[l, n]` is the gain of the document at rank n+1 of list l, and
    `total[l, n]` the gain of all documents down to there.
    """

    rank: Floats
    gain: Floats
    total: Floats


class Patience(Protocol):
    """The parameters that users may have."""

    p: float
    T: float


Continuation = Callable[[Floats, Floats, Floats], Floats]  # of rank, gain and total


@dataclass(frozen=True)
class User:
    """A user model: C(n), and how many documents are seen beyond the last relevant one.

    `beyond` is given a rank that the user looks at, and the total gain so far, and returns the
    expected number of documents seen from that rank on if no other is relevant. Where it is None,
    the walk ends at rank 1000.
    """

    continuation: Callable[[Walk, Patience], Floats]
    title: str
    beyond: Callable[[Floats, Floats, Patience], Floats] | None = None


def _squared_tail(begin: Floats) -> Floats:
    """Return Σ_{i >= 0} (x / (x + i))², which is x² ζ(2, x)."""
    from scipy.special import zeta

    return np.asarray(begin**2 * zeta(2, begin))


def _inst(walk: Walk, user: Patience) -> Floats:
    wanted = walk.rank + 2 * user.T - walk.total
    return ((wanted - 1) / wanted) ** 2


def _insq(walk: Walk, user: Patience) -> Floats:
    wanted = walk.rank + 2 * user.T
    return ((wanted - 1) / wanted) ** 2


def _ap(walk: Walk, user: Patience) -> Floats:
    """Return S(n+1) / S(n), with S(n) the sum of gain / rank from rank n on."""
    terms = walk.gain / walk.rank
    rest = np.cumsum(terms[:, ::-1], axis=1)[:, ::-1]
    below = np.concatenate([rest[:, 1:], np.zeros((len(rest), 1))], axis=1)
    return np.divide(below, rest, out=np.zeros_like(rest), where=rest > 0)


def _past_rbp(rank: Floats, total: Floats, user: Patience) -> Floats:
    return np.full(len(total), 1 / (1 - user.p))


def _past_insq(rank: Floats, total: Floats, user: Patience) -> Floats:
    return np.broadcast_to(_squared_tail(np.asarray(rank - 1 + 2 * user.T)), total.shape)


USERS: dict[str, User] = {
    "rbp": User(
        lambda walk, user: np.full(walk.rank.shape, user.p), "p at every rank, as in RBP", _past_rbp
    ),
    "inst": User(
        _inst,
        "((n + 2T - total - 1) / (n + 2T - total))², as in INST",
        lambda rank, total, user: _squared_tail(rank - 1 + 2 * user.T - total),
    ),
    "insq": User(_insq, "((n + 2T - 1) / (n + 2T))², as in INSQ", _past_insq),
    "p": User(lambda walk, user: np.ones(walk.rank.shape), "1 down to the cutoff, as in P@k"),
    "dcg": User(
        lambda walk, user: np.log2(walk.rank + 1) / np.log2(walk.rank + 2),
        "log(n + 1) / log(n + 2) down to the cutoff, as in SDCG@k",
    ),
    "rr": User(lambda walk, user: (walk.total <= 0) * 1.0, "1 until something is gained, as in RR"),
    "ap": User(
        _ap, "S(n+1) / S(n), S(n) being the sum of gain / rank from n on, as in AP without recall"
    ),
    "bpm": User(lambda walk, user: (walk.total < user.T) * 1.0, "1 until T is gained, as in BPM"),
    "nerr8": User(lambda walk, user: 1 - walk.gain, "1 - gain, as in NERR8"),
    "nerr9": User(
        lambda walk, user: walk.rank / (walk.rank + 1) * (1 - walk.gain),
        "n / (n + 1) · (1 - gain), as in NERR9",
    ),
    "nerr10": User(
        lambda walk, user: user.p * (1 - walk.gain), "p · (1 - gain), as in NERR10", _past_rbp
    ),
    "nerr11": User(
        lambda walk, user: _insq(walk, user) * (1 - walk.gain),
        "((n + 2T - 1) / (n + 2T))² · (1 - gain), as in NERR11",
        _past_insq,
    ),
}
EXPECTED = {
    "rate": "gain per document seen",
    "total": "gain of all documents seen",
    "items": "number of documents seen",
}
