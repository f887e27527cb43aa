"""gradewise ir-measures: the command of ir_measures, with gradewise's measures."""

import sys

from gradewise.errors import GradewiseError


def run(arguments: list[str]) -> int:
    """Run the command; return its exit code."""
    try:
        from gradewise.plugins.ir_measures.command import run as run_theirs

        run_theirs(arguments)
    except GradewiseError as error:
        print(f"gradewise ir-measures: {error}", file=sys.stderr)
        return 1
    return 0


def described() -> None:
    """Run ir_measures' own command, with gradewise's measures beside its own."""
