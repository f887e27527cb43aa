"""Results that are shown as the table of their frame."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from gradewise.showing import Shown
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl


class Framed(Shown):
    """A result with a frame, which is printed as a table."""

    @property
    @abstractmethod
    def frame(self) -> "pl.DataFrame":
        """The result as a frame."""

    def table(self) -> Table:
        """Return the frame as a table."""
        return Table.of_frame(self.frame, 4)

    def __str__(self) -> str:
        return self.table().to_text().rstrip("\n")
