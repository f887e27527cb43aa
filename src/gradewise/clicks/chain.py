"""Click models of users who go down a list until they leave: cascade and dynamic Bayesian."""

from itertools import pairwise

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.clicks.fitting import Fitted, Options
from gradewise.clicks.log import ClickLog
from gradewise.kernels import click_chain
from gradewise.parallel import thread_map

_BLOCKS = 4  # of lists that threads share; always the same, so that sums are the same
_SMALL = 1 << 17  # rows that are not worth a second thread
_LOWEST, _HIGHEST = 1e-6, 1 - 1e-9


def fit_cascade(log: ClickLog, options: Options) -> Fitted:
    """Fit the cascade model: a document was examined if nothing above it was clicked."""
    rows = np.arange(len(log.rank))
    clicked = np.where(log.click > 0, rows, len(rows))
    first = np.minimum.reduceat(clicked, log.offsets[:-1])
    examined = rows <= first[log.list_of_row]
    seen = np.bincount(log.pair[examined], minlength=len(log.docs))
    clicks = np.bincount(log.pair[examined & (log.click > 0)], minlength=len(log.docs))
    appeal = _share(clicks, seen, options.prior)
    return Fitted(appeal, 1, True, satisfaction=np.ones(len(appeal)))


def fit_bayesian(log: ClickLog, options: Options) -> Fitted:
    """Fit the dynamic Bayesian model by EM; go_on is estimated unless it is given."""
    appeal = _share(log.clicked, log.shown, 1.0)
    satisfaction = np.full(len(appeal), 0.5)
    go_on = 0.9 if options.go_on is None else min(options.go_on, _HIGHEST)
    rows = max(len(log.rank), 1)
    for step in range(1, options.iterations + 1):
        seen, satisfied, went_on = _expected(log, appeal, satisfaction, go_on)
        new = (
            _share(log.clicked, seen, options.prior),
            _share(satisfied, log.clicked, options.prior),
        )
        moved = (
            float((log.shown * np.abs(new[0] - appeal)).sum()) / rows,
            float((log.clicked * np.abs(new[1] - satisfaction)).sum()) / rows,
        )
        change = max(moved)
        appeal, satisfaction = new
        if options.go_on is None and went_on[0] > 0:
            found = float(np.clip(went_on[1] / went_on[0], _LOWEST, _HIGHEST))
            change, go_on = max(change, abs(found - go_on)), found
        if change < options.tolerance:
            return Fitted(appeal, step, True, satisfaction=satisfaction, go_on=go_on)
    steps = options.iterations
    return Fitted(appeal, steps, False, satisfaction=satisfaction, go_on=go_on)


def _share(successes: Floats | Ints, trials: Floats | Ints, prior: float) -> Floats:
    """Return successes over trials, with as many of either added as the prior says."""
    found = (successes + prior) / np.maximum(trials + 2 * prior, 1e-300)
    return np.clip(found, 0.0, _HIGHEST)


def _expected(
    log: ClickLog, appeal: Floats, satisfaction: Floats, go_on: float
) -> tuple[Floats, Floats, Floats]:
    """Return how often pairs were examined and satisfied, and how often users went on."""
    blocks = 1 if len(log.rank) < _SMALL else _BLOCKS
    cuts = np.linspace(0, len(log), blocks + 1).astype(np.int64).tolist()

    def expect(block: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
        sums = np.zeros(len(appeal)), np.zeros(len(appeal)), np.zeros(2)
        click_chain.expect_chain(
            log.offsets, log.pair, log.click, appeal, satisfaction, go_on, *block, *sums
        )
        return sums

    parts = thread_map(expect, list(pairwise(cuts)))
    seen, satisfied, went_on = (np.sum(each, axis=0) for each in zip(*parts, strict=True))
    return seen, satisfied, went_on


def chain_chances(
    fitted: Fitted, log: ClickLog, appeal: Floats, satisfaction: Floats
) -> tuple[Floats, Floats]:
    """Return the chance of a click for each row: by itself, and given the clicks above."""
    return click_chain.chain_chances(log.offsets, log.click, appeal, satisfaction, fitted.go_on)
