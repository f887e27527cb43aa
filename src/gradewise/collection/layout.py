"""Layouts of lines, and where the wanted columns of lines were found."""

from dataclasses import dataclass

from gradewise.arrays import Ints

Spans = tuple[Ints, Ints]  # where columns begin, and where they end


@dataclass(frozen=True)
class Layout:
    """How many columns a line has, which of them are wanted, and whether more may follow.

    The wanted columns are the topic, the document and a number, which is a grade, score or rank.
    """

    width: int
    wanted: tuple[int, int, int]
    open_ended: bool
    number: str
    shape: str  # for messages


@dataclass(frozen=True)
class Fields:
    """Places of the wanted columns in a block, and what is wrong with other lines.

    Topics are given for the rows `heads` only; the others have the topic of the row before.
    """

    heads: Ints
    topics: Spans
    docs: Spans
    numbers: Spans
    problems: list[tuple[int, str]]
