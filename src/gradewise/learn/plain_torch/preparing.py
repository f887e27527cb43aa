"""What a loss needs to know about grades, as tensors that are made once for a batch."""

from typing import NamedTuple

import numpy as np

from gradewise.errors import GradewiseError, InputError
from gradewise.learn.objectives import Family, Grades, Tables, check_soft, graded_tables
from gradewise.learn.torch_lists import torch
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure


class Targets(NamedTuple):
    """A measure on B padded lists of L places, with levels 0..c of grades; see `targets`.

    A tuple of tensors, so that data loaders, Lightning and `torch.compile` handle it as such.
    """

    family: Family
    objective: str
    soft: bool  # whether the measure has a soft version
    depth: int  # how many ranks can have a weight
    levels: torch.Tensor  # (B, L), the level of each document
    mask: torch.Tensor  # (B, L), where there is a document
    useful: torch.Tensor  # (B,), whether a list has documents to tell apart
    kernel: torch.Tensor  # (B, c+1, c+1), K of pivot measures
    gain: torch.Tensor  # (B, c+1), gains of levels
    weight: torch.Tensor  # (B, L), the discount of each rank

    def to(
        self,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        *,
        non_blocking: bool = False,
    ) -> "Targets":
        """Return the targets on a device; `dtype` is that of kernel, gain and weight."""

        def moved(tensor: torch.Tensor) -> torch.Tensor:
            # First the type: some devices have no double precision.
            tensor = tensor.to(dtype) if tensor.is_floating_point() else tensor
            return tensor.to(device, non_blocking=non_blocking)

        return Targets(*self[:4], *(moved(tensor) for tensor in self[4:]))


def targets(
    y_true: torch.Tensor,
    *,
    objective: MeasureLike = "GAP",
    grades: Grades = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
) -> Targets:
    """Prepare the grades of padded lists for `lambda_loss` and `soft_loss`.

    This runs on the CPU, once for a batch: in the data set or in its `collate_fn`, before the
    batch goes to the device.

    Parameters
    ----------
    y_true
        Grades, of shape (lists, documents).
    objective
        The measure: any pivot or gain-discount measure, RR or ERR.
    grades
        The positive grades of the collection, or the highest of 1, 2, ... By default, those that
        occur; give it if a batch may lack a grade, and where a compiled loss should not be
        compiled again for such a batch.
    mask
        False where there is no document.
    padding
        Without a mask, the grade that marks such places.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.plain_torch import targets
    >>> batch = targets(torch.tensor([[0, 2, 1], [1, 0, -1]]), objective="GAP", grades=2)
    >>> batch.mask.sum(dim=1), batch.levels.dtype, batch.to(dtype=torch.float32).weight.dtype
    (tensor([3, 2]), torch.int64, torch.float32)
    """
    measure = parse_measure(objective)
    if y_true.dim() != 2:
        raise InputError(f"grades must have two dimensions, not {y_true.dim()}")
    given = y_true.detach().cpu().to(torch.float64).numpy()
    there = given != padding if mask is None else mask.detach().cpu().to(torch.bool).numpy()
    if there.shape != given.shape:
        raise InputError(f"mask has shape {there.shape}, not {given.shape}")
    sizes = there.sum(axis=1)
    filled = sizes > 0
    tables = graded_tables(measure, given[there], sizes[filled], grades)
    return _padded(measure, tables, there, filled)


def _padded(measure: Measure, tables: Tables, there: np.ndarray, filled: np.ndarray) -> Targets:
    lists, places = there.shape
    kernel = np.zeros((lists, *tables.kernel.shape[1:]))
    kernel[filled] = tables.kernel
    levels = np.zeros((lists, places), np.int64)
    levels[there] = tables.levels
    weight = np.zeros((lists, places))
    weight[np.arange(places) < there.sum(axis=1)[:, None]] = tables.weight
    useful = np.zeros(lists, np.bool_)
    useful[filled] = tables.useful
    return Targets(
        tables.family,
        str(measure),
        _is_soft(measure),
        places if measure.cutoff is None else min(places, int(measure.cutoff)),
        torch.from_numpy(levels),
        torch.from_numpy(there),
        torch.from_numpy(useful),
        torch.from_numpy(kernel),
        torch.from_numpy(np.tile(tables.gain, (lists, 1))),
        torch.from_numpy(weight),
    )


def _is_soft(measure: Measure) -> bool:
    try:
        check_soft(measure)
    except GradewiseError:
        return False
    return True
