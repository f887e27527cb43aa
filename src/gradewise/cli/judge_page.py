"""gradewise judge-page: one HTML page to judge documents in."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def judge_page(
    documents: Annotated[
        str,
        typer.Argument(
            metavar="LIST",
            help="Documents to judge: lines of topic, 0 and document, as from judges --next.",
        ),
    ],
    queries: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Texts of topics: tab-separated id and text, JSON lines, TREC topics, or irds:ID.",
        ),
    ],
    docs: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Texts of documents: tab-separated id and text, JSON lines, TREC documents, or "
            "irds:ID.",
        ),
    ],
    grade: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GRADE=NAME",
            help="A grade with its name and, if wanted, its definition: 2=Relevant: Answers the "
            "topic. Repeat for each grade. Default: grades 0 to 3.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Page title.")] = "Relevance judgments",
    output: Annotated[
        str, typer.Option("-o", "--output", help="Output file; - is standard output.")
    ] = "judge.html",
    quiet: opt.Quiet = False,
) -> None:
    """Write an HTML page for judging documents by keyboard, offline, with qrels export.

    Judgments are saved in the browser as you go, for this list of documents.
    """
    from gradewise.cli.watching import note
    from gradewise.errors import counted
    from gradewise.report.judging import make_judging_page

    made = make_judging_page(
        documents, queries=queries, docs=docs, grades=_read_grades(grade), title=title
    )
    note(*made.notes, quiet=quiet)
    made.save(output)
    if output != "-":
        number = counted(made.documents, "document")
        note(f"wrote {output} with {number} to judge; open it in a browser", quiet=quiet)


def _read_grades(texts: list[str] | None) -> dict[int, tuple[str, str]] | None:
    """Read 2=Relevant: Answers the topic."""
    from gradewise.errors import OptionError

    if not texts:
        return None
    grades: dict[int, tuple[str, str]] = {}
    for text in texts:
        grade, equals, told = text.partition("=")
        name, _, meaning = told.partition(":")
        try:
            number = int(grade)
        except ValueError:
            number = None
        if number is None or not equals or not name.strip():
            raise OptionError(f"--grade {text}: expected GRADE=NAME or GRADE=NAME: DEFINITION")
        if number in grades:
            raise OptionError(f"--grade {text}: grade {number} is given twice")
        grades[number] = (name.strip(), meaning.strip())
    return grades
