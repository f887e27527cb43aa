"""gradewise demo: a look at what gradewise does, on a sample made on the spot."""

import typer


def demo() -> None:
    """Score a small sample collection and say what the numbers mean."""
    from gradewise.report.demo import demonstrate

    typer.echo(demonstrate(), nl=False)
