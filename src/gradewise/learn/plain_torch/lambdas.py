"""LambdaRank's loss in plain torch."""

from gradewise.learn.objectives import check_pair_weights
from gradewise.learn.plain_torch.padded import chunks, prepared, reduced
from gradewise.learn.plain_torch.preparing import Targets
from gradewise.learn.plain_torch.swaps import Swaps, swaps
from gradewise.learn.torch_lists import Reduction, torch


def lambda_loss(
    y_pred: torch.Tensor,
    targets: Targets,
    *,
    sigma: float = 1.0,
    truncation: int | None = None,
    reduction: Reduction = "mean",
    chunk: int | None = None,
) -> torch.Tensor:
    """Return RankNet's loss of every pair times the change of a measure if the two were swapped.

    Parameters
    ----------
    y_pred
        Scores, of shape (lists, documents), finite where there is a document. Documents with equal
        scores are ordered at random by torch's own generator (`torch.manual_seed`).
    targets
        What `targets` made of grades and a measure.
    sigma
        The slope of the logistic function of score differences.
    truncation
        Ignore pairs in which both documents rank below this.
    reduction
        "mean" or "sum" over lists, or "none".
    chunk
        How many documents of each list meet all others at a time. By default, as many as keep a
        tensor below 2^22 numbers.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.plain_torch import lambda_loss, targets
    >>> scores = torch.tensor([[1.0, 0.0]], requires_grad=True)
    >>> lambda_loss(scores, targets(torch.tensor([[0, 1]]), objective="RR")).backward()
    >>> scores.grad  # the swap is worth 1/2, and the pair is wrong by 1: 1/2 · 1/(1 + e^-1)
    tensor([[ 0.3655, -0.3655]])
    """
    check_pair_weights(sigma, truncation)
    scores, targets = prepared(y_pred, targets)
    with torch.no_grad():
        order = _ranked(scores, targets.mask)
        values, by_rank = _pairs(scores, targets, order, sigma, truncation, chunk)
        slope = torch.zeros_like(scores).scatter(1, order, by_rank)
    return reduced(y_pred, scores, values, slope, targets, reduction)


def _ranked(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return places by falling score; equal scores in random order, empty places last."""
    shuffled = torch.rand_like(scores).argsort(dim=1)
    keys = torch.where(mask, scores, -torch.inf).gather(1, shuffled)
    return shuffled.gather(1, keys.argsort(dim=1, descending=True, stable=True))


def _pairs(
    scores: torch.Tensor,
    targets: Targets,
    order: torch.Tensor,
    sigma: float,
    truncation: int | None,
    chunk: int | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of each list, and its gradient in the scores by rank."""
    lists, places = scores.shape
    ranked, levels = scores.gather(1, order), targets.levels.gather(1, order)
    there = targets.mask.gather(1, order)
    tables = swaps(targets, levels)
    values, slope = scores.new_zeros(lists), torch.zeros_like(scores)
    rows = places if truncation is None else min(places, truncation)
    for part in chunks(rows, lists * places, chunk):
        loss, step = _chunk(ranked, levels, there, tables, part, sigma)
        values = values + loss.sum(dim=(1, 2))
        slope = slope - step.sum(dim=1)
        slope[:, part] += step.sum(dim=2)
    return values, slope


def _chunk(
    ranked: torch.Tensor,
    levels: torch.Tensor,
    there: torch.Tensor,
    tables: Swaps,
    part: slice,
    sigma: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of each pair of some ranks with those below, and its slope in the upper."""
    rank = torch.arange(ranked.shape[1], device=ranked.device)
    higher, lower = levels[:, part, None], levels[:, None]
    pair = (rank[part, None] < rank) & there[:, part, None] & there[:, None] & (higher != lower)
    change = torch.where(pair, tables.changes(levels, part).abs(), 0.0)
    apart = torch.where(pair, sigma * (ranked[:, part, None] - ranked[:, None]), 0.0)
    small, right = torch.exp(-apart), higher > lower
    loss = change * (torch.log1p(small) + torch.where(right, 0.0, apart))
    return loss, sigma * change * torch.where(right, -small, 1.0) / (1 + small)
