"""SoftRank's losses in plain torch."""

import math

from gradewise.errors import MeasureError
from gradewise.learn.objectives import check_pair_weights
from gradewise.learn.plain_torch.expected_discounts import expected_discounts
from gradewise.learn.plain_torch.padded import chunks, prepared, reduced
from gradewise.learn.plain_torch.preparing import Targets
from gradewise.learn.torch_lists import Reduction, torch


def soft_loss(
    y_pred: torch.Tensor,
    targets: Targets,
    *,
    sigma: float = 1.0,
    reduction: Reduction = "mean",
    chunk: int | None = None,
) -> torch.Tensor:
    """Return the negative soft value of a measure: the value of lists whose scores have noise.

    For pivot measures (AP, GAP, eGAP, xGAP, GenAP), work grows with the square of the places of a
    list. For gain-discount measures (nDCG, nDCG@k, P@k, RBP, ...), the distribution of ranks is
    exact, and work grows with the cube, or with a cutoff k with k times the square.

    Parameters
    ----------
    y_pred
        Scores, of shape (lists, documents), finite where there is a document.
    targets
        What `targets` made of grades and a measure.
    sigma
        The standard deviation of the normal noise that smooths each score.
    reduction
        "mean" or "sum" over lists, or "none".
    chunk
        How many documents of each list meet all others at a time. By default, as many as keep a
        tensor below 2^22 numbers.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.plain_torch import soft_loss, targets
    >>> scores = torch.tensor([[2.0, 1.0, 0.0]], requires_grad=True)
    >>> loss = soft_loss(scores, targets(torch.tensor([[0, 1, 1]]), objective="AP"), sigma=0.001)
    >>> round(loss.item(), 4)  # relevant at ranks 2 and 3: (1/2 + 2/3) / 2
    -0.5833
    """
    check_pair_weights(sigma)
    if not targets.soft:
        raise MeasureError(
            f"{targets.objective} has no soft version; soft_loss supports gain-discount measures, "
            "and pivot measures with discount 1/n and no cutoff (AP, GAP, eGAP, xGAP, GenAP)"
        )
    scores, targets = prepared(y_pred, targets)
    add = _pivot if targets.family == "pivot" else _gain
    with torch.no_grad():
        values, slope = add(scores, targets, sigma, chunk)
    return reduced(y_pred, scores, -values, -slope, targets, reduction)


def _upsets(
    scores: torch.Tensor, mask: torch.Tensor, part: slice, sigma: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return chances that others score above some documents, that they do not, and densities.

    All are (B, rows, L); the chance and density of a document and itself are 0, as of empty places.
    """
    place = torch.arange(scores.shape[1], device=scores.device)
    apart = (scores[:, None] - scores[:, part, None]) / (2 * sigma)
    pair = mask[:, None] & mask[:, part, None] & (place[part, None] != place)
    chance = torch.where(pair, torch.erfc(-apart) / 2, 0.0)
    rest = torch.where(pair, torch.erfc(apart) / 2, 1.0)
    density = torch.where(pair, torch.exp(-apart.square()), 0.0)
    return chance, rest, density / (2 * sigma * math.sqrt(math.pi))


def _pivot(
    scores: torch.Tensor, targets: Targets, sigma: float, chunk: int | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the soft values of a pivot measure, and their gradient."""
    lists, places = scores.shape
    values, slope = scores.new_zeros(lists), torch.zeros_like(scores)
    for part in chunks(places, lists * places, chunk):
        chance, _, density = _upsets(scores, targets.mask, part, sigma)
        level = targets.levels[:, part, None]
        rows = targets.kernel.gather(1, level.expand(-1, -1, targets.kernel.shape[2]))
        shares = rows.gather(2, targets.levels[:, None].expand(chance.shape))
        own, rank = rows.gather(2, level)[..., 0], 1 + chance.sum(dim=2)
        precision = (own + (chance * shares).sum(dim=2)) / rank
        values = values + precision.sum(dim=1)
        step = (shares - precision[..., None]) / rank[..., None] * density
        slope = slope + step.sum(dim=1)
        slope[:, part] -= step.sum(dim=2)
    return values, slope


def _gain(
    scores: torch.Tensor, targets: Targets, sigma: float, chunk: int | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the soft values of a gain-discount measure, and their gradient."""
    lists, places = scores.shape
    values, slope = scores.new_zeros(lists), torch.zeros_like(scores)
    gains, discount = targets.gain.gather(1, targets.levels), targets.weight[:, : targets.depth]
    largest = lists * targets.depth * (min(places // 2, targets.depth) + 1)
    for part in chunks(places, max(largest, lists * places), chunk):
        chance, rest, density = _upsets(scores, targets.mask, part, sigma)
        expected, change = expected_discounts(chance, rest, discount[:, None])
        worth = torch.where(targets.mask[:, part], gains[:, part], 0.0)
        values = values + (worth * expected).sum(dim=1)
        step = worth[..., None] * change * density
        slope = slope + step.sum(dim=1)
        slope[:, part] -= step.sum(dim=2)
    return values, slope
