"""gradewise simulate-runs: runs for judgments that exist, written to files."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def simulate_runs(
    qrels: opt.Qrels,
    directory: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder for the runs.")],
    runs: Annotated[int, typer.Option(help="Number of runs.", min=1)] = 20,
    depth: Annotated[int, typer.Option(help="Documents per list.", min=1)] = 1000,
    lowest: Annotated[float, typer.Option(help="Skill of the worst run.", min=0)] = 0.5,
    highest: Annotated[float, typer.Option(help="Skill of the best run.", min=0)] = 1.0,
    agreement: Annotated[
        float, typer.Option(help="How much runs agree beyond relevance, 0 to 1.", min=0, max=1)
    ] = 0.8,
    pooling: Annotated[
        float, typer.Option(help="How strongly runs prefer judged documents.", min=0)
    ] = 3.0,
    seed: opt.Seed = 0,
    columns: opt.Columns = None,
    quiet: opt.Quiet = False,
) -> None:
    """Write simulated runs for given judgments.

    Systems differ in skill and agree with each other about as much as runs submitted to TREC do.
    """
    import gradewise as gw
    from gradewise.cli.watching import note
    from gradewise.errors import counted
    from gradewise.files import make_folder

    judged = gw.read_qrels(opt.judgments(qrels, columns))
    note(*judged.notes, quiet=quiet)
    made = gw.simulate.runs(
        judged,
        runs,
        depth,
        skill=(lowest, highest),
        agreement=agreement,
        pooling=pooling,
        seed=seed,
    )
    folder = make_folder(directory)
    for name, run in made.items():
        gw.write_run(run, folder / f"{name}.txt")
    note(f"wrote {counted(len(made), 'run')} to {folder}", quiet=quiet)
