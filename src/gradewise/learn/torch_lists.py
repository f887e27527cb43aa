"""Lists in torch tensors, padded or flat, and losses whose gradients a kernel computes."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, MissingDependencyError, OptionError, check_choice
from gradewise.learn.list_losses import Losses
from gradewise.learn.objectives import Grades, Tables, graded_tables
from gradewise.measures.measure import Measure

try:
    import torch
except ImportError:
    raise MissingDependencyError("torch", "learn", "working with torch models") from None

__all__ = ["Reduction", "reduced", "torch"]

Reduction = Literal["mean", "sum", "none"]
Compute = Callable[[Tables, Floats], Losses]


class _Flat(NamedTuple):
    """Tensors as flat rows: which places hold documents, their grades, and the lists."""

    grades: Floats
    sizes: Ints
    places: torch.Tensor | None


def _flattened(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    group: Any,
    mask: torch.Tensor | None,
    padding: float,
) -> _Flat:
    if y_pred.shape != y_true.shape:
        raise InputError(
            f"scores have shape {tuple(y_pred.shape)}, but grades have shape {tuple(y_true.shape)}"
        )
    given = y_true.detach().cpu().to(torch.float64)
    if y_pred.dim() == 2:
        if group is not None:
            raise OptionError("group applies to flat tensors; these have two dimensions")
        there = given != padding if mask is None else mask.detach().cpu().to(torch.bool)
        if there.shape != given.shape:
            raise InputError(f"mask has shape {tuple(there.shape)}, not {tuple(given.shape)}")
        return _Flat(given[there].numpy(), there.sum(dim=1).numpy(), there.to(y_pred.device))
    if y_pred.dim() != 1:
        raise InputError(f"scores must have one or two dimensions, not {y_pred.dim()}")
    if mask is not None:
        raise OptionError("mask applies to padded tensors; these are flat, with lists in group")
    sizes = np.array([len(given)]) if group is None else np.asarray(group, np.int64)
    if int(sizes.sum()) != len(given) or (sizes < 0).any():
        raise InputError(
            f"the sizes in group sum to {int(sizes.sum())}, but there are {len(given)} documents"
        )
    return _Flat(given.numpy(), sizes, None)


def reduced(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    measure: Measure,
    grades: Grades,
    group: Any,
    mask: torch.Tensor | None,
    padding: float,
    reduction: Reduction,
    compute: Compute,
) -> torch.Tensor:
    """Return the losses of lists in tensors, reduced; see `losses` for the parameters."""
    check_choice("reduction", reduction, get_args(Reduction))
    flat = _flattened(y_pred, y_true, group, mask, padding)
    scores = y_pred if flat.places is None else y_pred[flat.places]
    filled = flat.sizes > 0
    tables = graded_tables(measure, flat.grades, flat.sizes[filled], grades)
    losses: torch.Tensor = _KernelLoss.apply(scores, tables, compute)  # type: ignore[no-untyped-call]
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / max(int(tables.useful.sum()), 1)
    spread = losses.new_zeros(len(flat.sizes))
    return spread.index_put((torch.from_numpy(np.flatnonzero(filled)).to(losses.device),), losses)


class _KernelLoss(torch.autograd.Function):
    """Losses of lists whose gradients a kernel has computed along with them."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, tables: Tables, compute: Compute) -> torch.Tensor:
        numbers = scores.detach().cpu().to(torch.float64).numpy()
        if not np.isfinite(numbers).all():
            raise InputError("scores must be finite numbers")
        found = compute(tables, np.ascontiguousarray(numbers))
        useful = tables.useful
        sizes = torch.from_numpy(np.diff(tables.offsets))
        slope = np.where(useful.repeat(sizes.numpy()), found.gradient, 0.0)
        ctx.save_for_backward(torch.from_numpy(slope), sizes)
        ctx.like = scores
        return torch.from_numpy(np.where(useful, found.loss, 0.0)).to(scores)

    @staticmethod
    def backward(ctx: Any, *outer: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        slope, sizes = ctx.saved_tensors
        each = outer[0].detach().cpu().to(torch.float64).repeat_interleave(sizes)
        return (slope * each).to(ctx.like), None, None
