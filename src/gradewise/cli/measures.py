"""gradewise measures: what there is, with definition, conventions and reference."""

from typing import Annotated

import typer


def measures(
    name: Annotated[
        str | None, typer.Argument(help="Measure to explain, such as GAP or nDCG@10.")
    ] = None,
) -> None:
    """List all measures, or explain one."""
    from gradewise.measures.catalogue import explain, list_measures

    typer.echo(list_measures() if name is None else explain(name), nl=False)
