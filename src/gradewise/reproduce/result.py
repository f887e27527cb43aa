"""The result of a reproduction: numbers that a paper prints, next to ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gradewise.report.figures.reproduced import side_by_side
from gradewise.tables import Table

_ERRORS = 3.0  # how many standard errors a simulated number may be away
_ROUNDING = 1e-12  # 0.0625 is printed as 0.063 or as 0.062


@dataclass(frozen=True)
class Reproduced:
    """One number of a paper's table.

    `printed` is the number as the paper prints it. If `exact`, the definitions determine it to the
    last digit; otherwise it depends on chance, and `error` is the standard error of the difference.

    Examples
    --------
    >>> row = Reproduced("kishida-2005", "5", "00123 GenAP", "0.304", 0.30435, exact=True)
    >>> row.agrees, round(row.difference, 5)
    (True, 0.00035)
    """

    paper: str
    table: str
    what: str
    printed: str
    ours: float
    exact: bool
    error: float | None = None

    @property
    def digits(self) -> int:
        """The number of printed decimal places."""
        return len(self.printed.partition(".")[2])

    @property
    def difference(self) -> float:
        """Our number minus the printed one."""
        return self.ours - float(self.printed)

    @property
    def agrees(self) -> bool:
        """Whether ours rounds to what is printed or, if not exact, is within 3 standard errors."""
        if self.exact or self.error is None:
            return abs(self.difference) <= 0.5 * 10.0**-self.digits + _ROUNDING
        return abs(self.difference) <= _ERRORS * self.error

    def __str__(self) -> str:
        verdict = "agrees" if self.agrees else "does not agree"
        return f"{verdict}: {self.what} (paper {self.printed}, ours {self.ours:.{self.digits}f})"


@dataclass(frozen=True)
class Property:
    """A property of any collection, or a finding of a paper on its own, and whether it holds.

    A claim that is not `necessary` may fail on another collection: that is a finding, not an error.
    """

    what: str
    holds: bool
    detail: str
    necessary: bool = True

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"{verdict}: {self.what} ({self.detail})"


@dataclass(frozen=True)
class Section:
    """A table or figure of a paper, reproduced: a title, a table, and what it shows.

    `name` is what the command line calls it; `numbers` are those that the paper prints in it and
    that the table shows; `stated` are those in the text about it; `chart` draws the figure.
    """

    name: str
    title: str
    table: Table
    numbers: tuple[Reproduced, ...] = ()
    stated: tuple[Reproduced, ...] = ()
    properties: tuple[Property, ...] = ()
    chart: Callable[[], Any] | None = None

    @property
    def compared(self) -> tuple[Reproduced, ...]:
        """All numbers that have a printed one beside them."""
        return self.numbers + self.stated

    @property
    def failures(self) -> list[str]:
        """What should match or hold but does not."""
        wrong = [
            f"{row.what}: the paper prints {row.printed}, but ours is {row.ours:.6g}"
            for row in self.compared
            if row.exact and not row.agrees
        ]
        return wrong + [str(p) for p in self.properties if p.necessary and not p.holds]


def numbers_section(
    name: str, title: str, rows: Sequence[Reproduced], claims: Sequence[Property] = ()
) -> Section:
    """Return a section of printed numbers next to ours, and claims about them."""
    cells = [
        [
            row.what,
            row.printed,
            f"{row.ours:.{row.digits + 2}f}",
            f"{row.difference:+.{row.digits + 2}f}",
            "" if row.error is None else f"{row.error:.{row.digits + 2}f}",
            "yes" if row.agrees else "NO",
        ]
        for row in rows
    ]
    header = ["", "paper", "ours", "difference", "std. error", "agrees"]
    return Section(
        name,
        title,
        Table(header, cells),
        numbers=tuple(rows),
        properties=tuple(claims),
        chart=lambda: side_by_side(
            [row.what for row in rows],
            [float(row.printed) for row in rows],
            [row.ours for row in rows],
            [row.error for row in rows],
            title.partition(":")[0],
        ),
    )
