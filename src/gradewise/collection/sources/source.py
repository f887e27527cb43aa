"""What a source of rows is: a name, batches, and places to name in messages."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import AbstractContextManager, nullcontext

from gradewise.arrays import Ints
from gradewise.collection.batch import Batch, Told
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem

Part = AbstractContextManager[Batch]
Parts = Generator[Part, None, None]


class Source(ABC):
    """Rows of (topic, document, number), read part by part as often as wanted.

    What `parts` does between two parts is done in order (reading, decompressing); to enter a part
    makes its batch, which may be done in any thread. A batch is valid until its part is left.
    """

    name: str  # what messages call it
    notes: tuple[str, ...] = ()  # what was assumed about it

    @abstractmethod
    def parts(self) -> Parts:
        """Give the rows, part by part."""

    @abstractmethod
    def place(self, number: int) -> str:
        """Name the place of the line or row with a number, from 0."""

    def places(self, rows: Ints) -> list[tuple[str, str]]:
        """Return the place of each of some rows, which ascend, and the text that stands there."""
        return [(self.place(row), "") for row in rows.tolist()]

    def tag(self) -> str | None:
        """Return what the source itself calls the run, if it does."""
        return None

    def no_rows(self) -> InputError:
        """Say that the source is empty."""
        return InputError(f"{self.name}: there are no rows")


class Faults:
    """What is wrong with the rows of a source, collected batch by batch, in order."""

    def __init__(self, source: Source):
        self.source = source
        self.problems: list[Problem] = []
        self.count = 0
        self.before = 0  # lines or rows of earlier batches

    def add(self, told: Told) -> None:
        """Note the faults of the next batch."""
        for fault in told.faults[: SHOWN_PROBLEMS - len(self.problems)]:
            place = self.source.place(self.before + fault.place)
            self.problems.append(Problem(place, fault.reason, fault.text))
        self.count += told.fault_count
        self.before += told.size

    def check(self) -> None:
        """Raise an InputError if there were any."""
        if self.count:
            raise InputError(self.problems, self.count)


def whole_part(batch: Batch) -> Part:
    """Return a batch that is there already as a part."""
    return nullcontext(batch)
