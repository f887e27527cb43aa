"""What a measure gains when two documents of ranked lists trade places, for batches of lists.

The formulas are those of `gradewise.kernels.swaps`: if the documents at ranks a < b have levels x
and y, the value changes by above[a, y] - above[a, x] + factor[a] (below[b, y] - below[b, x]).
"""

from collections.abc import Callable
from typing import NamedTuple

from gradewise.learn.objectives import Family
from gradewise.learn.plain_torch.preparing import Targets
from gradewise.learn.torch_lists import torch


class Swaps(NamedTuple):
    """Tables of B lists: (B, rank, level), (B, rank, level) and (B, rank)."""

    above: torch.Tensor
    below: torch.Tensor
    factor: torch.Tensor

    def changes(self, levels: torch.Tensor, rows: slice) -> torch.Tensor:
        """Return the change for swaps of some ranks with every other, (B, rows, L).

        It is that of a swap only where the other stands below.
        """
        lists, places = levels.shape
        upper, mine = self.above[:, rows], levels[:, rows, None]
        shape = (lists, mine.shape[1], places)
        lifted = upper.gather(2, levels[:, None].expand(shape)) - upper.gather(2, mine)
        own = self.below.gather(2, levels[..., None])[:, None, :, 0]
        lowered = own - self.below.transpose(1, 2).gather(1, mine.expand(shape))
        return lifted + self.factor[:, rows, None] * lowered


def swaps(targets: Targets, levels: torch.Tensor) -> Swaps:
    """Return the tables of lists whose levels are given by rank."""
    return FAMILIES[targets.family](targets, levels)


def _before(totals: torch.Tensor) -> torch.Tensor:
    """Return sums before each rank, from sums up to each rank."""
    return torch.cat([torch.zeros_like(totals[:, :1]), totals[:, :-1]], dim=1)


def _pivot(targets: Targets, levels: torch.Tensor) -> Swaps:
    kernel, weight = targets.kernel, targets.weight[..., None]
    width, places = kernel.shape[1], levels.shape[1]
    beneath = kernel.gather(2, levels[:, None].expand(-1, width, places)).transpose(1, 2)
    pivots = weight * kernel.gather(1, levels[..., None].expand(-1, places, width))
    up_to, so_far = beneath.cumsum(dim=1), pivots.cumsum(dim=1)
    own = kernel.diagonal(dim1=1, dim2=2)[:, None]
    above = weight * (_before(up_to) + own) - so_far
    below = _before(so_far) - weight * up_to
    return Swaps(above, below, torch.ones_like(targets.weight))


def _gain(targets: Targets, levels: torch.Tensor) -> Swaps:
    worth = targets.weight[..., None] * targets.gain[:, None]
    return Swaps(worth, -worth, torch.ones_like(targets.weight))


def _cascade(targets: Targets, levels: torch.Tensor) -> Swaps:
    weight, gain = targets.weight, targets.gain[:, None]
    satisfied = targets.gain.gather(1, levels)
    going_on = (1 - satisfied).cumprod(dim=1)
    reached = torch.cat([torch.ones_like(weight[:, :1]), going_on[:, :-1]], dim=1)
    total = (weight * satisfied * reached).cumsum(dim=1)
    factor = 1 / (1 - satisfied)
    own = weight * reached + total * factor
    before = _before(total) + weight * reached
    return Swaps(gain * own[..., None], -gain * before[..., None], factor)


def _first(targets: Targets, levels: torch.Tensor) -> Swaps:
    weight, gain = targets.weight, targets.gain[:, None]
    relevant = targets.gain.gather(1, levels) > 0
    count = relevant.cumsum(dim=1)
    first, second = relevant & (count == 1), relevant & (count == 2)
    value = (weight * first).sum(dim=1, keepdim=True)
    next_best = (weight * second).sum(dim=1, keepdim=True)
    up = torch.where(count == 0, weight - value, torch.where(first, value, 0.0))
    down = torch.where(count <= 1, weight, next_best)
    return Swaps(gain * up[..., None], -gain * down[..., None], first.to(weight.dtype))


FAMILIES: dict[Family, Callable[[Targets, torch.Tensor], Swaps]] = {
    "pivot": _pivot,
    "gain-discount": _gain,
    "cascade": _cascade,
    "first": _first,
}
