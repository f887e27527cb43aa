"""What goes wrong, in sentences a user can act on."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gradewise.inert import printable

SHOWN_PROBLEMS = 20
_LONGEST_WORD = 100


class GradewiseError(ValueError):
    """The base of every error that gradewise raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: where, what, and the text that shows it."""

    place: str
    reason: str
    text: str = ""

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 120 else self.text[:117] + "..."
        reason = self.reason if len(self.reason) <= 300 else self.reason[:297] + "..."
        message = f"{self.place}: {reason}" + (f": {shown}" if shown else "")
        # What a file holds must not reach a terminal as commands.
        return printable(message)


class InputError(GradewiseError):
    """A file, frame or dictionary cannot be read as qrels or as a run."""

    def __init__(self, problems: Sequence[Problem] | Problem | str, count: int | None = None):
        if isinstance(problems, str):
            super().__init__(problems)
            self.problems: tuple[Problem, ...] = ()
            self.count = 1
            return
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.count = len(self.problems) if count is None else count
        lines = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        if self.count > len(lines):
            lines.append(f"... {self.count} problems in total; the first {len(lines)} are shown")
        super().__init__("\n".join(lines))


class MeasureError(GradewiseError):
    """A measure is unknown, or its parameters make no sense."""


class OptionError(GradewiseError):
    """An option of a function or command has a value that it cannot take."""


class MissingDependencyError(GradewiseError):
    """An optional library is needed and not installed."""

    def __init__(self, library: str, extra: str, purpose: str):
        super().__init__(
            f"{purpose} needs the library {library}, which is not installed; "
            f"install it with pip install 'gradewise[{extra}]'"
        )


@contextmanager
def told_of(name: str) -> Iterator[None]:
    """Let what is wrong with an option begin with a name, if there is one."""
    try:
        yield
    except OptionError as error:
        raise (OptionError(f"{name}: {error}") if name else error) from None


def shown_text(text: str, most: int = 200) -> str:
    """Return a text in quotes, or as much of it as is worth showing.

    Examples
    --------
    >>> shown_text("nDCG"), shown_text("x" * 10, most=3)
    ("'nDCG'", "'xxx...'")
    """
    return repr(text if len(text) <= most else f"{text[:most]}...")


def counted(number: int, noun: str) -> str:
    """Return "1 topic" or "2 topics"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def did_you_mean(
    word: str, known: Iterable[str], shown: Callable[[str], str] = lambda name: name
) -> str:
    """Return "; did you mean X?" for the nearest known words, or an empty string."""
    if len(word) > _LONGEST_WORD:  # which nobody has misspelled
        return ""
    from difflib import get_close_matches  # takes a while to import

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_lower, n=3, cutoff=0.6)
    named = " or ".join(shown(by_lower[name]) for name in near)
    return f"; did you mean {named}?" if near else ""


def check_least(least: int, **options: float | None) -> None:
    """Raise an OptionError if an option is below a number; None stands for a default."""
    for name, value in options.items():
        if value is not None and value < least:
            raise OptionError(f"{name} must be at least {least}, not {value}")


def check_between(low: float, high: float, **options: float) -> None:
    """Raise an OptionError unless options are strictly between two numbers."""
    for name, value in options.items():
        if not low < value < high:
            raise OptionError(f"{name} must be between {low} and {high}, not {value}")


def check_runs(number: int, purpose: str) -> None:
    """Raise an OptionError unless there are at least two runs."""
    if number < 2:
        there = "is" if number == 1 else "are"
        raise OptionError(
            f"{purpose} needs at least 2 runs, but there {there} {counted(number, 'run')}"
        )


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise an OptionError unless `value` is one of `choices`."""
    choices = tuple(choices)
    if value not in choices:
        expected = ", ".join(repr(choice) for choice in choices)
        raise OptionError(
            f"{name} must be one of {expected}, not {value!r}{did_you_mean(str(value), choices)}"
        )
