"""gradewise measures: what there is, with definition, conventions and reference."""

from typing import Annotated

import typer


def measures(
    name: Annotated[
        str | None, typer.Argument(help="Measure or preset to explain, such as nDCG@10 or @beir.")
    ] = None,
) -> None:
    """List all measures and presets, or explain one."""
    from gradewise.measures.catalogue import explain, list_measures

    typer.echo(list_measures() if name is None else explain(name), nl=False)
