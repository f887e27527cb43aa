"""gradewise simulate: a collection of any size, written to files."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def simulate(
    directory: Annotated[str, typer.Argument(help="Folder for qrels.txt and the runs.")],
    topics: Annotated[int, typer.Option(help="Number of topics.", min=1)] = 50,
    runs: Annotated[int, typer.Option(help="Number of runs.", min=1)] = 10,
    depth: Annotated[int, typer.Option(help="Documents per list.", min=1)] = 1000,
    grades: Annotated[int, typer.Option(help="Number of positive grades.", min=1)] = 2,
    relevant: Annotated[
        float, typer.Option(help="Relevant documents per topic, on average.")
    ] = 40.0,
    pool_depth: Annotated[
        int, typer.Option(help="Pool depth: number of documents judged per list.", min=0)
    ] = 100,
    collection_size: Annotated[
        int, typer.Option(help="Documents in the collection.", min=1)
    ] = 1_000_000,
    ties: Annotated[
        float, typer.Option(help="Fraction of documents tied with the one above.")
    ] = 0.01,
    missing: Annotated[float, typer.Option(help="Fraction of topics missing from each run.")] = 0.0,
    spread: Annotated[
        float,
        typer.Option(help="Candidate documents per topic, in multiples of the depth.", min=1),
    ] = 3.0,
    seed: Annotated[
        int, typer.Option(help="Random seed; the same seed gives the same files.", min=0)
    ] = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Write a simulated collection: graded judgments and runs of varying quality.

    Topics are made and written a few at a time, so large collections need little memory.
    """
    from gradewise.cli.watching import note, progress_bar
    from gradewise.errors import counted
    from gradewise.simulate.collections import Plan
    from gradewise.simulate.files import simulate_files

    plan = Plan(
        topics=topics,
        runs=runs,
        depth=depth,
        grades=grades,
        relevant=relevant,
        pool_depth=pool_depth,
        collection_size=collection_size,
        ties=ties,
        missing=missing,
        seed=seed,
        spread=spread,
    )
    with progress_bar("topics", topics, quiet=quiet) as advance:
        qrels, paths = simulate_files(directory, plan, progress=advance)
    note(f"wrote {qrels} and {counted(len(paths), 'run')}", quiet=quiet)
