"""gradewise demo: a look at what gradewise does, on a sample made on the spot."""

from typing import Annotated

import typer


def demo(
    output: Annotated[
        str, typer.Option("-o", "--output", help="Output file for the report.")
    ] = "gradewise-demo.html",
) -> None:
    """Score a small sample collection, explain the result, and write a report.

    The report is one HTML file that needs no network.
    """
    from gradewise.report.demo import demonstrate

    shown = demonstrate()
    shown.report.save(output)
    typer.echo(shown.text(output), nl=False)
