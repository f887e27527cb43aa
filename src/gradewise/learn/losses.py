"""Losses for any torch model: SoftRank, LambdaRank, RankNet and ListNet.

Every loss is `loss(y_pred, y_true, *, mask=None, padding=-1, reduction="mean", ...)`. The two
tensors are either padded, of shape (lists, documents), with `padding` as the grade of empty places
(or False in `mask`); or flat, of shape (documents,), with the sizes of the lists in `group` (by
default, one list). Lists without a relevant document, or with equal grades only, have loss 0 and
do not count in the mean. Each loss also exists as an `nn.Module`.

The kernels run on the CPU in double precision; gradients have the device and type of the scores.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from gradewise.errors import MeasureError
from gradewise.learn.list_losses import (
    EXACT_UP_TO,
    lambda_losses,
    listnet_losses,
    soft_losses,
)
from gradewise.learn.objectives import Grades, check_pair_weights, check_soft
from gradewise.learn.torch_lists import Reduction, reduced, torch
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.pivot import Pivot


def soft_pivot(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    *,
    objective: MeasureLike = "GAP",
    sigma: float = 1.0,
    grades: Grades = None,
    group: Any = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
    reduction: Reduction = "mean",
) -> torch.Tensor:
    """Return the negative soft value of a pivot measure: AP, GAP, eGAP, xGAP or GenAP.

    Parameters
    ----------
    y_pred, y_true
        Scores and grades, both (lists, documents) or both (documents,).
    objective
        The measure.
    sigma
        The standard deviation of the normal noise that smooths each score.
    grades
        The positive grades of the collection, or the highest of 1, 2, ... By default, those that
        occur; give it if a batch may lack a grade.
    group
        For flat tensors, the number of documents of each list; by default, one list.
    mask
        False where a padded tensor has no document.
    padding
        Without a mask, the grade that marks such places.
    reduction
        "mean" or "sum" over lists, or "none".

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.losses import soft_pivot
    >>> scores = torch.tensor([[2.0, 1.0, 0.0]], requires_grad=True)
    >>> loss = soft_pivot(scores, torch.tensor([[0, 1, 1]]), objective="AP", sigma=0.001)
    >>> round(loss.item(), 4)  # relevant at ranks 2 and 3: (1/2 + 2/3) / 2
    -0.5833
    """
    measure = _of_family(objective, Pivot, "soft_pivot", "pivot")
    check_pair_weights(sigma)
    compute = partial(soft_losses, sigma=sigma)
    return reduced(y_pred, y_true, measure, grades, group, mask, padding, reduction, compute)


def soft_gain(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    *,
    objective: MeasureLike = "nDCG",
    sigma: float = 1.0,
    exact_up_to: int = EXACT_UP_TO,
    grades: Grades = None,
    group: Any = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
    reduction: Reduction = "mean",
) -> torch.Tensor:
    """Return the negative soft value of a gain-discount measure: nDCG, nDCG@k, P@k, RBP, ...

    Parameters
    ----------
    objective
        The measure.
    exact_up_to
        Approximate the distribution of ranks in lists with more documents than this. The error of
        the loss is below 1e-7 for measures of the whole list, and below 1e-5 with a cutoff.
    y_pred, y_true, sigma, grades, group, mask, padding, reduction
        As for `soft_pivot`.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.losses import soft_gain
    >>> scores = torch.tensor([0.0, 0.0])
    >>> soft_gain(scores, torch.tensor([0, 1]), objective="P@1").item()  # first in one of two
    -0.5
    """
    measure = _of_family(objective, GainDiscount, "soft_gain", "gain-discount")
    check_pair_weights(sigma)
    compute = partial(soft_losses, sigma=sigma, exact_up_to=exact_up_to)
    return reduced(y_pred, y_true, measure, grades, group, mask, padding, reduction, compute)


def lambda_loss(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    *,
    objective: MeasureLike = "GAP",
    sigma: float = 1.0,
    truncation: int | None = None,
    seed: int | np.random.Generator = 0,
    grades: Grades = None,
    group: Any = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
    reduction: Reduction = "mean",
) -> torch.Tensor:
    """Return RankNet's loss of every pair times the change of a measure if the two were swapped.

    Parameters
    ----------
    objective
        Any pivot or gain-discount measure, RR or ERR.
    sigma
        The slope of the logistic function of score differences.
    truncation
        Ignore pairs in which both documents rank below this.
    seed
        Orders documents with equal scores, which is done at random; a generator gives a new order
        with every call.
    grades, group, mask, padding, reduction
        As for `soft_pivot`.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.losses import lambda_loss
    >>> scores = torch.tensor([1.0, 0.0], requires_grad=True)
    >>> lambda_loss(scores, torch.tensor([0, 1]), objective="RR").backward()
    >>> scores.grad  # the swap is worth 1/2, and the pair is wrong by 1: 1/2 · 1/(1 + e^-1)
    tensor([ 0.3655, -0.3655])
    """
    measure = parse_measure(objective)
    check_pair_weights(sigma, truncation)
    rng = np.random.default_rng(seed)
    compute = partial(lambda_losses, rng=rng, sigma=sigma, truncation=truncation)
    return reduced(y_pred, y_true, measure, grades, group, mask, padding, reduction, compute)


def ranknet(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    *,
    sigma: float = 1.0,
    group: Any = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
    reduction: Reduction = "mean",
) -> torch.Tensor:
    """Return RankNet's loss: Σ log(1 + exp(-σ (s_i - s_j))) over pairs with grade i above j.

    The parameters are those of `lambda_loss`.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.losses import ranknet
    >>> round(ranknet(torch.tensor([0.0, 0.0]), torch.tensor([0, 1])).item(), 4)  # log 2
    0.6931
    """
    check_pair_weights(sigma)
    compute = partial(lambda_losses, rng=np.random.default_rng(0), sigma=sigma, plain=True)
    measure = parse_measure("nDCG")  # not used
    return reduced(y_pred, y_true, measure, None, group, mask, padding, reduction, compute)


def listnet(
    y_pred: torch.Tensor,
    y_true: torch.Tensor,
    *,
    group: Any = None,
    mask: torch.Tensor | None = None,
    padding: float = -1,
    reduction: Reduction = "mean",
) -> torch.Tensor:
    """Return ListNet's loss: the cross entropy of softmax(scores) under softmax(grades).

    The parameters are those of `lambda_loss`.

    Examples
    --------
    >>> import torch
    >>> from gradewise.learn.losses import listnet
    >>> round(listnet(torch.tensor([0.0, 0.0]), torch.tensor([0, 1])).item(), 4)  # log 2
    0.6931
    """
    measure = parse_measure("nDCG")  # not used
    return reduced(y_pred, y_true, measure, None, group, mask, padding, reduction, listnet_losses)


def _of_family(objective: MeasureLike, family: type[Any], loss: str, name: str) -> Measure:
    measure = parse_measure(objective)
    if not isinstance(measure, family):
        other = {"soft_pivot": "soft_gain", "soft_gain": "soft_pivot"}[loss]
        raise MeasureError(
            f"{measure} is not in the {name} family, which {loss} supports; see {other}"
        )
    check_soft(measure)
    return measure


class _Twin(torch.nn.Module):
    """A loss with its options, as a module."""

    loss: ClassVar[Callable[..., torch.Tensor]]

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options = options

    def extra_repr(self) -> str:
        """Return the options."""
        return ", ".join(f"{name}={value!r}" for name, value in self.options.items())

    def forward(self, y_pred: torch.Tensor, y_true: torch.Tensor, **places: Any) -> torch.Tensor:
        """Return the loss; `places` is mask or group."""
        return type(self).loss(y_pred, y_true, **self.options, **places)


class SoftPivot(_Twin):
    """`soft_pivot` as a module: `SoftPivot(objective="AP", sigma=0.5)(y_pred, y_true)`."""

    loss = staticmethod(soft_pivot)


class SoftGain(_Twin):
    """`soft_gain` as a module: `SoftGain(objective="nDCG@10")(y_pred, y_true)`."""

    loss = staticmethod(soft_gain)


class LambdaLoss(_Twin):
    """`lambda_loss` as a module, which orders ties differently in every call, from one seed."""

    loss = staticmethod(lambda_loss)

    def __init__(self, *, seed: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self.generator = np.random.default_rng(seed)

    def forward(self, y_pred: torch.Tensor, y_true: torch.Tensor, **places: Any) -> torch.Tensor:
        """Return the loss; `places` is mask or group."""
        return super().forward(y_pred, y_true, seed=self.generator, **places)


class RankNet(_Twin):
    """`ranknet` as a module."""

    loss = staticmethod(ranknet)


class ListNet(_Twin):
    """`listnet` as a module."""

    loss = staticmethod(listnet)
