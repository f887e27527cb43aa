"""Click models in which a click is examination times appeal, fitted by EM.

In the position-based model, examination depends on the rank; in the user browsing model, on the
rank and on the rank of the last click above. Both are one computation over places.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.clicks.fitting import Fitted, Options
from gradewise.clicks.log import ClickLog
from gradewise.kernels import click_browsing, click_cells
from gradewise.parallel import thread_map

_BLOCKS = 16  # of pairs that threads share; always the same, so that sums are the same
_SMALL = 1 << 15  # cells that are not worth a second thread
_HIGHEST = 1 - 1e-9  # of examination, so that nothing is divided by 0


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows of a log counted by pair and place: cells edges[p]:edges[p + 1] are those of pair p."""

    edges: Ints
    place: Ints
    shown: Ints
    clicked: Ints
    places: int

    @staticmethod
    def of(log: ClickLog, place: Ints, places: int) -> "Cells":
        """Count the rows of a log, given the place of each."""
        key = (log.pair.astype(np.int64) * places + place) * 2 + log.click
        key.sort()
        clicked, key = key & 1, key >> 1
        heads = np.flatnonzero(np.diff(key, prepend=-1))
        pair, at = np.divmod(key[heads], places)
        return Cells(
            np.searchsorted(pair, np.arange(len(log.docs) + 1)).astype(np.int64),
            at.astype(np.int32),
            np.diff(heads, append=len(key)).astype(np.int32),
            np.add.reduceat(clicked, heads).astype(np.int32),
            places,
        )

    def blocks(self) -> list[tuple[int, int]]:
        """Return ranges of pairs with about as many cells each."""
        pairs = len(self.edges) - 1
        if len(self.place) < _SMALL:
            return [(0, pairs)]
        wanted = np.linspace(0, len(self.place), _BLOCKS + 1)
        cuts = np.searchsorted(self.edges, wanted[1:-1])
        bounds = np.concatenate([[0], cuts, [pairs]]).tolist()
        return list(pairwise(bounds))


def fit_cells(cells: Cells, options: Options, first: int) -> tuple[Floats, Floats, int, bool]:
    """Return appeal by pair, examination by place, how many steps it took, and if it converged.

    Only products of the two are observed. Examination is relative to that of the place `first`, and
    appeal times that, also to tell whether they still change.
    """
    shown = np.bincount(cells.place, weights=cells.shown, minlength=cells.places)
    clicks = np.bincount(cells.place, weights=cells.clicked, minlength=cells.places)
    rate = (clicks + 1) / (shown + 2)
    seen = np.clip(rate / rate.max(), 0.05, 0.95)
    appeal = np.full(len(cells.edges) - 1, 0.5)
    rows = np.add.reduceat(np.append(cells.shown, 0), cells.edges[:-1]) * (np.diff(cells.edges) > 0)
    rows = rows / max(int(rows.sum()), 1)
    blocks, converged, steps = cells.blocks(), False, 0
    while not converged and steps < options.iterations:
        before = appeal * seen[first]
        expected = _step(cells, blocks, appeal, seen, options.prior)
        found = (expected + options.prior) / np.maximum(shown + 2 * options.prior, 1e-300)
        found = np.where(shown > 0, np.clip(found, 1e-12, _HIGHEST), seen)
        change = max(
            float(np.abs(found / found[first] - seen / seen[first])[shown > 0].max()),
            float(rows @ np.abs(appeal * found[first] - before)),
        )
        seen, steps = found, steps + 1
        converged = change < options.tolerance
    return appeal * seen[first], seen / seen[first], steps, converged


def _step(
    cells: Cells, blocks: list[tuple[int, int]], appeal: Floats, seen: Floats, prior: float
) -> Floats:
    """Update appeal, and return the expected examinations of places."""

    def update(block: tuple[int, int]) -> Floats:
        expected = np.zeros(cells.places)
        click_cells.update_cells(
            cells.edges,
            cells.place,
            cells.shown,
            cells.clicked,
            appeal,
            seen,
            prior,
            *block,
            expected,
        )
        return expected

    return np.sum(thread_map(update, blocks), axis=0)


def fit_position(log: ClickLog, options: Options) -> Fitted:
    """Fit the position-based model; examination is relative to that of the first rank."""
    cells = Cells.of(log, log.rank, log.deepest + 1)
    appeal, seen, steps, converged = fit_cells(cells, options, int(log.rank.min()))
    used = np.bincount(log.rank, minlength=log.deepest + 1) > 0
    table = np.where(used, seen, np.nan)[:, None]
    # A document that was always at the same rank tells nothing of how ranks differ.
    identified = bool((np.diff(cells.edges) > 1).any()) or int(used.sum()) < 2
    return Fitted(appeal, steps, converged, seen=table, identified=identified)


def fit_browsing(log: ClickLog, options: Options) -> Fitted:
    """Fit the user browsing model; examination is relative to the first rank without a click."""
    side = log.deepest + 1
    last = click_browsing.last_clicks(log.offsets, log.rank, log.click)
    both = log.rank.astype(np.int64) * side + last
    used, place = np.unique(both, return_inverse=True)
    first = int(np.searchsorted(used, int(log.rank.min()) * side))
    cells = Cells.of(log, place, len(used))
    appeal, seen, steps, converged = fit_cells(cells, options, first)
    table = np.full(side * side, np.nan)
    table[used] = seen
    weight = np.bincount(both, minlength=side * side).reshape(side, side)
    filled = _filled(table.reshape(side, side), weight)
    return Fitted(appeal, steps, converged, seen=filled)


def _filled(table: Floats, weight: Ints) -> Floats:
    """Give places that did not occur the mean of their rank."""
    known = np.where(weight > 0, table, 0.0)
    total = weight.sum(axis=1)
    mean = (known * weight).sum(axis=1) / np.maximum(total, 1)
    mean = np.where(total > 0, mean, np.nan)
    return np.where(weight > 0, table, mean[:, None])


def _at(seen: Floats, rank: Ints) -> Ints:
    """Return ranks that the model knows: deeper ones count as the deepest."""
    known = np.flatnonzero(~np.isnan(seen[:, 0]))
    place = np.clip(np.searchsorted(known, rank), 0, len(known) - 1)
    return known[place]


def position_chances(fitted: Fitted, log: ClickLog, appeal: Floats) -> tuple[Floats, Floats]:
    """Return the chance of a click for each row, which does not depend on the clicks above."""
    chance = fitted.seen[_at(fitted.seen, log.rank), 0] * appeal
    return chance, chance


def browsing_chances(fitted: Fitted, log: ClickLog, appeal: Floats) -> tuple[Floats, Floats]:
    """Return the chance of a click for each row: by itself, and given the last click above."""
    ranks = np.arange(log.deepest + 1)
    columns = np.minimum(ranks, fitted.seen.shape[1] - 1)  # last clicks; 0 if there is none
    table = np.ascontiguousarray(fitted.seen[_at(fitted.seen, ranks)][:, columns])
    last = click_browsing.last_clicks(log.offsets, log.rank, log.click)
    given = table[log.rank, last] * appeal
    alone = click_browsing.browsing_chances(log.offsets, log.rank, appeal, table)
    return alone, given
