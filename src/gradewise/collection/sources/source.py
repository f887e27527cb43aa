"""What a source of rows is: a name, batches, and places to name in messages."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from gradewise.arrays import Ints
from gradewise.collection.batch import Batch, Told
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem

if TYPE_CHECKING:
    from gradewise.collection.sources.streams import Stream

Part = AbstractContextManager[Batch]
Parts = Generator[Part, None, None]


class Source(ABC):
    """Rows of (topic, document, number), read part by part as often as wanted.

    What `parts` does between two parts is done in order (reading, decompressing); to enter a part
    makes its batch, which may be done in any thread. A batch is valid until its part is left.
    """

    name: str  # what messages call it
    origin: Any = None  # what was given to be read
    found: str = ""  # how it was found, if that was told by more than its name
    stream: "Stream | None" = None  # the bytes that it is read from, if it is text
    notes: tuple[str, ...] = ()  # what was assumed about it
    first: str = "topic"  # what the first column of a row is: an intent, for `intents`
    names_intents: bool = False  # whether rows seem to name intents, so that they are worth reading
    by_order: bool = False  # whether the order of rows tells the ranks
    holds_runs: bool = False  # whether a column names the run of each row

    @abstractmethod
    def parts(self) -> Parts:
        """Give the rows, part by part."""

    @abstractmethod
    def place(self, number: int) -> str:
        """Name the place of the line or row with a number, from 0."""

    def places(self, rows: Ints) -> list[tuple[str, str]]:
        """Return the place of each of some rows, which ascend, and the text that stands there."""
        return [(self.place(row), "") for row in rows.tolist()]

    def intents(self) -> "Source | None":
        """Return the same rows with the intent in place of the topic, if there is such a column."""
        return None

    def tag(self) -> str | None:
        """Return what the source itself calls the run, if it does; it has been read."""
        return None

    def first_tag(self) -> str | None:
        """Return what the source itself calls the run, if it does, by its first row."""
        return None

    def assumptions(self) -> tuple[str, ...]:
        """Return what was assumed about the source, and how it was found."""
        if not self.found:
            return self.notes
        first, *others = self.notes or ("",)
        return ("; ".join(filter(None, (self.found, first))), *others)

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
