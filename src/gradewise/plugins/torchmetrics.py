"""Any measure as a metric of torchmetrics, with a state, for validation on one device or many.

Examples
--------
A metric takes batches as they come, and computes the mean over all topics at the end:

    metric = RankingMetric("GAP(g=[0.5,0.5])")
    for batch in loader:
        metric.update(model(batch.x), batch.grades, indexes=batch.topic)
    metric.compute()
"""

from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.errors import InputError, MissingDependencyError, OptionError
from gradewise.learn.features import topics_of
from gradewise.learn.objectives import Grades
from gradewise.learn.trees.metric import metric
from gradewise.measures.grammar import MeasureLike, parse_measure

try:
    import torch
    import torchmetrics
except ImportError as _error:
    raise MissingDependencyError(
        str(_error.name), "torchmetrics", "using measures in torchmetrics"
    ) from None

__all__ = ["RankingMetric"]

# In place of an index, where a list is complete: its first document and the others.
_FIRST, _NEXT = -1, -2


class RankingMetric(torchmetrics.Metric):  # type: ignore[misc]
    """The mean of a measure over topics.

    State is what was predicted: scores, grades and topics, as in torchmetrics' own retrieval
    metrics. A topic may be spread over batches and processes; states of processes are joined
    before anything is computed.

    Parameters
    ----------
    measure
        Any measure.
    grades
        The positive grades of the scale, or how many there are, if what is validated may lack one.
        By default, those that occur, or those that g gives.
    padding
        The grade that marks places without a document in padded tensors.
    seed
        Seed of the order of documents with equal scores, which is random.
    **options
        What every metric of torchmetrics takes, such as `dist_sync_on_step`.
    """

    is_differentiable = False
    full_state_update = False
    preds: list[torch.Tensor]
    target: list[torch.Tensor]
    indexes: list[torch.Tensor]

    def __init__(
        self,
        measure: MeasureLike,
        *,
        grades: Grades = None,
        padding: float = -1,
        seed: int = 0,
        **options: Any,
    ):
        super().__init__(**options)
        self.measure, self.padding = parse_measure(measure), padding
        self._metric = metric(self.measure, grades=grades, seed=seed)
        for name, _ in self._types():
            self.add_state(name, default=[], dist_reduce_fx="cat")

    @property
    def higher_is_better(self) -> bool:
        """Whether more of the measure is better, for schedulers and checkpoints."""
        return self.measure.higher_is_better

    def update(
        self,
        preds: torch.Tensor,
        target: torch.Tensor,
        indexes: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
    ) -> None:
        """Add documents.

        Parameters
        ----------
        preds, target
            Scores and grades, of the same shape. Without `indexes`, two dimensions are a list for
            each row, padded, and one dimension is a single list.
        indexes
            The topic of each document, a whole number from 0 on.
        mask
            Which places of padded tensors hold a document; those whose grade is not `padding` by
            default.
        """
        if preds.shape != target.shape:
            raise InputError(
                f"scores have shape {tuple(preds.shape)}, but grades have shape "
                f"{tuple(target.shape)}"
            )
        if indexes is None:
            there = target != self.padding if mask is None else mask.to(torch.bool)
            indexes = _numbered(there)
            preds, target = preds[there], target[there]
        elif mask is not None:
            raise OptionError("mask applies to padded tensors; these have indexes")
        elif indexes.shape != preds.shape or indexes.is_floating_point() or (indexes < 0).any():
            raise InputError("indexes must hold a whole number from 0 on for each score")
        for (name, dtype), given in zip(self._types(), (preds, target, indexes), strict=True):
            getattr(self, name).append(given.detach().flatten().to(dtype))

    def sync(self, *args: Any, **options: Any) -> None:
        """Join the states of all processes, also of those that have seen no document."""
        for name, dtype in self._types():
            if not getattr(self, name):
                getattr(self, name).append(torch.empty(0, dtype=dtype, device=self.device))
        super().sync(*args, **options)

    def compute(self) -> torch.Tensor:
        """Return the mean over all topics."""
        scores, grades, indexes = (_joined(getattr(self, name)) for name, _ in self._types())
        if not len(scores):
            raise InputError(f"{self.measure}: there are no documents; call update first")
        if not np.isfinite(scores).all():
            raise InputError("scores must be finite numbers")
        _, sizes, order = topics_of(None, _topics(indexes), len(scores))
        if order is not None:
            scores, grades = scores[order], grades[order]
        value = self._metric(grades, scores, None, sizes)[1]
        return torch.tensor(value, dtype=torch.float32, device=self.device)

    def _types(self) -> list[tuple[str, torch.dtype]]:
        """Return the states and their types, the same in all processes."""
        number = torch.float32 if self.device.type == "mps" else torch.float64  # all that mps has
        return [("preds", number), ("target", number), ("indexes", torch.int64)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.measure)!r})"


def _joined(parts: Any) -> Any:
    """Return a state as an array; it is a list of tensors, or a tensor if processes were joined."""
    tensors = [parts] if isinstance(parts, torch.Tensor) else parts
    return np.concatenate([part.cpu().numpy() for part in tensors] or [np.empty(0)])


def _numbered(there: torch.Tensor) -> torch.Tensor:
    """Return an index for each document of lists that are complete: where they begin, and go on."""
    if there.dim() not in (1, 2):
        raise InputError(f"scores must have one or two dimensions, not {there.dim()}")
    before = there.cumsum(dim=-1)[there]
    return torch.where(before == 1, _FIRST, _NEXT)


def _topics(indexes: Ints) -> Ints:
    """Return a number for the topic of each document."""
    complete = indexes < 0
    first_free = int(indexes.max(initial=-1)) + 1
    return np.where(complete, first_free + np.cumsum(indexes == _FIRST), indexes)
