"""gradewise simulate-judges: other judges of given documents, written to files."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def simulate_judges(
    qrels: opt.Qrels,
    directory: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder for the qrels.")],
    judges: Annotated[int, typer.Option(help="Number of judges.", min=1)] = 3,
    noise: Annotated[
        float, typer.Option(help="Error per document, in steps of the scale.", min=0)
    ] = 0.7,
    leaning: Annotated[
        float, typer.Option(help="Error per topic, in steps of the scale.", min=0)
    ] = 0.3,
    generosity: Annotated[
        float, typer.Option(help="Error of a judge overall, in steps of the scale.", min=0)
    ] = 0.2,
    together: Annotated[
        float, typer.Option(help="Share of the errors common to all judges.", min=0, max=1)
    ] = 0.5,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Write simulated judgments of the same documents by other judges.

    Judges err at random, on whole topics, and partly together, as models do.
    """
    import gradewise as gw
    from gradewise.cli.watching import note
    from gradewise.errors import counted
    from gradewise.files import make_folder

    made = gw.simulate.judges(
        qrels,
        judges,
        noise=noise,
        leaning=leaning,
        generosity=generosity,
        together=together,
        seed=seed,
    )
    folder = make_folder(directory)
    for name, labels in made.items():
        gw.write_qrels(labels, folder / f"{name}.txt")
    note(f"wrote {counted(len(made), 'judge')} to {folder}", quiet=quiet)
