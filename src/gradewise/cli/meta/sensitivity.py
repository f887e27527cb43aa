"""gradewise meta sensitivity: how measures change when a document changes its grade."""

from typing import Annotated

import typer

from gradewise.cli import options as opt
from gradewise.meta.sensitivity import Totals

DEFAULT_MEASURES = ["AP", "GAP", "nDCG"]


Grades = Annotated[
    str, typer.Option(help="Grades in rank order, such as 2,0,u,1 (u: unjudged).", metavar="GRADES")
]
Counts = Annotated[
    str,
    typer.Option(
        help="Number of documents of each grade in the topic: 1:10,2:3.", metavar="COUNTS"
    ),
]


def sensitivity(
    grades: Grades,
    relevant: Counts,
    measure: opt.Measures = None,
    to: Annotated[
        int | None, typer.Option(help="New grade. Default: every other grade.", metavar="GRADE")
    ] = None,
    totals: Annotated[
        Totals,
        typer.Option(help="Keep the topic's counts (fixed) or update them (moved)."),
    ] = "fixed",
    new: Annotated[
        bool,
        typer.Option("--new", help="Add a newly found relevant document to the topic instead."),
    ] = False,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    digits: opt.Digits = 4,
) -> None:
    """Sensitivity: how measures change when one document changes its grade.

    value is the value after the change.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.collection.one_list import judge_list
    from gradewise.meta import new_document
    from gradewise.meta import sensitivity as study

    opt.check_figure(figure)
    judged = judge_list(read_grades(grades), read_counts(relevant))
    measures = measure or DEFAULT_MEASURES
    if new:
        found = new_document(judged, measures, to=to)
    else:
        found = study(judged, measures, to=to, totals=totals)
    write_frame(found.frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.sensitivity_figure(found))


def read_grades(text: str) -> list[int | None]:
    """Read 2,0,u,1."""
    parts = [part.strip() for part in text.split(",")]
    return [None if part == "u" else _whole(part, f"--grades {text}", "2,0,u,1") for part in parts]


def read_counts(text: str) -> dict[int, int]:
    """Read 1:10,2:3."""
    from gradewise.errors import OptionError

    counts: dict[int, int] = {}
    for part in text.split(","):
        grade, _, count = part.partition(":")
        numbers = [_whole(number, f"--relevant {text}", "1:10,2:3") for number in (grade, count)]
        if numbers[0] in counts:
            raise OptionError(f"--relevant {text}: grade {numbers[0]} is given twice")
        counts[numbers[0]] = numbers[1]
    return counts


def _whole(text: str, given: str, example: str) -> int:
    from gradewise.errors import OptionError

    try:
        return int(text)
    except ValueError:
        raise OptionError(
            f"{given}: {text!r} is not a whole number; expected a list such as {example}"
        ) from None
