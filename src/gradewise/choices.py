"""A choice by name: one table from which library, command line, documentation and tests are made.

A table is a dictionary {name: entry}; its names stand beside it as a `Literal`, for type checkers
and for the command line. To add a choice is to add its entry and its name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from gradewise.errors import check_choice


@dataclass(frozen=True)
class Choice:
    """What a name stands for: a function and its title.

    A function that `resamples` also takes `replicates` and `seed`.
    """

    function: Callable[..., Any]
    title: str
    resamples: bool = False

    def apply(self, *data: Any, replicates: int, seed: int, **options: Any) -> Any:
        """Call the function, with replicates and seed if it resamples."""
        if self.resamples:
            options |= {"replicates": replicates, "seed": seed}
        return self.function(*data, **options)


Entry = TypeVar("Entry")


def choose(option: str, name: str, table: Mapping[Any, Entry]) -> Entry:
    """Return the entry of a name, or raise an OptionError that lists the names there are.

    Examples
    --------
    >>> choose("size", "larg", {"small": 1, "large": 2})
    Traceback (most recent call last):
    gradewise.errors.OptionError: size must be one of 'small', 'large', not 'larg'; did you mean ...
    """
    check_choice(option, name, table)
    return table[name]


class Titled(Protocol):
    """An entry of any table."""

    @property
    def title(self) -> str:
        """What the name stands for, in a few words."""


def list_titles(table: Mapping[Any, Titled]) -> str:
    """Return names with their titles, for a line of help.

    Examples
    --------
    >>> list_titles({"max": Choice(max, "the largest"), "min": Choice(min, "the smallest")})
    'max (the largest), min (the smallest)'
    """
    return ", ".join(f"{name} ({entry.title})" for name, entry in table.items())
