"""The lambda and soft losses in plain torch, for GPUs and for `torch.compile`.

`gradewise.learn.losses` computes with kernels on the CPU. Here, all that depends on scores is made
of torch's own operations, runs on the device of the scores, and is traced by `torch.compile` as one
graph. What depends on grades alone is computed once, on the CPU, by `targets`; it moves to the
device along with the batch. Values and gradients are those of `gradewise.learn.losses`.

Lists are padded, of shape (lists, documents). Pairs of documents are computed in chunks, so that
memory does not grow with the square of the longest list.
"""

from gradewise.learn.plain_torch.lambdas import lambda_loss
from gradewise.learn.plain_torch.preparing import Targets, targets
from gradewise.learn.plain_torch.soft import soft_loss

__all__ = ["Targets", "lambda_loss", "soft_loss", "targets"]
