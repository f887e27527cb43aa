"""ir_measures' own command, which also understands gradewise's measures."""

import re
import sys
from collections.abc import Iterator

from gradewise.errors import GradewiseError
from gradewise.plugins.ir_measures import _MEASURES, wrap

_WITH_VALUE = ("-p", "--places", "-o", "--output_format", "--provider")
_PIECES = re.compile(r"(?:[^\s(\[{]|\([^()]*\)|\[[^\]]*\]|\{[^}]*\})+")
_NAME = re.compile(r"\w+")


def run(arguments: list[str], program: str = "gradewise ir-measures") -> None:
    """Run ir_measures with its arguments; lists may be given as gradewise writes them.

    `GAP(g=[.5,.5])` becomes `GAP(g='0.5,0.5')`, which its parser reads.
    """
    from ir_measures.__main__ import main_cli

    before = sys.argv
    sys.argv = [program, *_rewritten(arguments)]
    try:
        main_cli()
    except GradewiseError:
        raise
    except (AssertionError, KeyError, OSError, ValueError) as error:  # as ir_measures refuses
        reason = f"ir_measures: {type(error).__name__}: {error}"
        raise GradewiseError(reason) from None
    finally:
        sys.argv = before


def _rewritten(arguments: list[str]) -> Iterator[str]:
    """Give the arguments, with gradewise's measures as ir_measures reads them."""
    files, is_value = 0, False
    for argument in arguments:
        if argument.startswith("-") or is_value:
            is_value = not is_value and argument in _WITH_VALUE
            yield argument
        elif files < 2:
            files += 1
            yield argument
        else:
            yield " ".join(map(_readable, _PIECES.findall(argument)))


def _readable(text: str) -> str:
    """Return a measure as ir_measures reads it, if it is one of gradewise's."""
    name = _NAME.match(text)
    if name is None or name[0] not in _MEASURES:
        return text
    measure = _MEASURES[name[0]]
    return str(wrap(measure.declared.name + text[name.end() :]))
