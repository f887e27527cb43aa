"""Padded lists of scores: their precision, chunks of them, and losses whose gradients are known."""

from collections.abc import Iterator
from typing import get_args

from gradewise.errors import InputError, check_choice, check_least
from gradewise.learn.plain_torch.preparing import Targets
from gradewise.learn.torch_lists import Reduction, torch

NUMBERS = 1 << 22  # in a tensor of a chunk, unless told otherwise


def prepared(y_pred: torch.Tensor, targets: Targets) -> tuple[torch.Tensor, Targets]:
    """Return scores in single precision or better, 0 where there is no document, and targets."""
    if y_pred.shape != targets.levels.shape:
        raise InputError(
            f"scores have shape {tuple(y_pred.shape)}, but targets have shape "
            f"{tuple(targets.levels.shape)}"
        )
    dtype = torch.promote_types(y_pred.dtype, torch.float32)
    moved = targets.to(y_pred.device, dtype)
    # where, not a product: what stands in empty places may be infinite
    return torch.where(moved.mask, y_pred.to(dtype), 0.0), moved


def chunks(places: int, numbers: int, chunk: int | None) -> Iterator[slice]:
    """Yield slices of places; each place takes some numbers in the largest tensor."""
    check_least(1, chunk=chunk)
    step = max(1, NUMBERS // max(numbers, 1)) if chunk is None else chunk
    for start in range(0, places, step):
        yield slice(start, min(start + step, places))


def reduced(
    y_pred: torch.Tensor,
    scores: torch.Tensor,
    values: torch.Tensor,
    slope: torch.Tensor,
    targets: Targets,
    reduction: Reduction,
) -> torch.Tensor:
    """Return losses of lists that have some values, and `slope` as gradient in the scores.

    What is added to the values is 0, and brings the gradient.
    """
    check_choice("reduction", reduction, get_args(Reduction))
    slope = torch.where(targets.useful[:, None], slope, 0.0)
    losses = torch.where(targets.useful, values, 0.0)
    losses = losses + (slope * (scores - scores.detach())).sum(dim=1)
    if reduction == "sum":
        losses = losses.sum()
    elif reduction == "mean":
        losses = losses.sum() / targets.useful.sum().clamp(min=1)
    return losses.to(y_pred.dtype)
