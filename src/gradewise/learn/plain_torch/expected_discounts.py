"""The expected discount of documents when others are above them by chance, in few operations.

The number of documents above is a sum of independent yes-and-no's with chances π_i. Its
distribution is the product of the polynomials (1 - π_i) + π_i z, which a tree of pairwise products
yields in as many steps as the logarithm of their number. What is expected if r of the documents of
a node are above goes down the same tree, from the discounts at its root; at the leaf of document i,
the difference between r = 1 and r = 0 is the derivative in π_i. No sum but this last one cancels.
"""

from gradewise.learn.torch_lists import torch


def expected_discounts(
    chance: torch.Tensor, rest: torch.Tensor, discount: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return Σ_r P(r) D(r) and its derivative in each chance.

    `chance` and `rest`, its difference from 1, are (..., documents); discount[..., r] is D(r), and
    0 beyond the last. The results are (...) and (..., documents).
    """
    size = discount.shape[-1]
    nodes = torch.stack([rest, chance], dim=-1)[..., :size]
    tree = [nodes]
    while nodes.shape[-2] > 1:
        left, right = _pairs(nodes)
        nodes = _products(left, right, min(2 * left.shape[-1] - 1, size))
        tree.append(nodes)
    root = nodes[..., 0, :]
    behind = _fitted(discount, root.shape[-1]).expand(root.shape)
    value = (root * behind).sum(dim=-1)
    behind = behind[..., None, :]
    for nodes in reversed(tree[:-1]):
        left, right = _pairs(nodes)
        both = [_correlations(right, behind), _correlations(left, behind)]
        count = nodes.shape[-2]
        behind = torch.stack(both, dim=-2).flatten(-3, -2)[..., :count, :]
    behind = _fitted(behind, 2)
    return value, behind[..., 1] - behind[..., 0]


def _fitted(numbers: torch.Tensor, size: int) -> torch.Tensor:
    """Return numbers cut, or filled up with zeros."""
    return torch.nn.functional.pad(numbers, (0, size - numbers.shape[-1]))


def _pairs(nodes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return every other node and its neighbor; the last may have 1 as its neighbor."""
    if nodes.shape[-2] % 2:
        one = torch.zeros_like(nodes[..., :1, :])
        one[..., 0] = 1
        nodes = torch.cat([nodes, one], dim=-2)
    return nodes[..., 0::2, :], nodes[..., 1::2, :]


def _products(left: torch.Tensor, right: torch.Tensor, size: int) -> torch.Tensor:
    """Return Σ_k left(k) right(r - k) for r below a size."""
    width = left.shape[-1]
    padded = torch.nn.functional.pad(right, (width - 1, size - width))
    return (padded.unfold(-1, width, 1) * left.flip(-1)[..., None, :]).sum(dim=-1)


def _correlations(other: torch.Tensor, behind: torch.Tensor) -> torch.Tensor:
    """Return Σ_k other(k) behind(r + k) for as many r as `other` has numbers."""
    width = other.shape[-1]
    windows = _fitted(behind, 2 * width - 1).unfold(-1, width, 1)
    return (windows * other[..., None, :]).sum(dim=-1)
