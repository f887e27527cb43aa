"""The rules for documents with equal scores, by name."""

from typing import Literal, NamedTuple

Ties = Literal["trec", "input", "random"]


class TieRule(NamedTuple):
    """A rule: the code by which kernels know it, and its title."""

    code: int
    title: str


TIES: dict[Ties, TieRule] = {
    "trec": TieRule(0, "greater document id first, as in trec_eval"),
    "input": TieRule(1, "order of the input"),
    "random": TieRule(2, "random order"),
}
