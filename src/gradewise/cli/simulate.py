"""gradewise simulate: a collection of any size, written to files."""

from typing import Annotated

import typer


def simulate(
    directory: Annotated[str, typer.Argument(help="Where to write qrels.txt and the runs.")],
    topics: Annotated[int, typer.Option(help="How many topics.", min=1)] = 50,
    runs: Annotated[int, typer.Option(help="How many runs.", min=1)] = 10,
    depth: Annotated[int, typer.Option(help="Documents in each list.", min=1)] = 1000,
    grades: Annotated[int, typer.Option(help="How many positive grades.", min=1)] = 2,
    relevant: Annotated[float, typer.Option(help="Relevant documents of a topic, about.")] = 40.0,
    pool_depth: Annotated[
        int, typer.Option(help="Ranks of each run that are judged.", min=0)
    ] = 100,
    collection_size: Annotated[int, typer.Option(help="Documents in all.", min=1)] = 1_000_000,
    ties: Annotated[float, typer.Option(help="Share of documents scored as the one above.")] = 0.01,
    missing: Annotated[float, typer.Option(help="Share of topics that a run misses.")] = 0.0,
    spread: Annotated[
        float,
        typer.Option(help="Documents that runs draw from, as a multiple of the depth.", min=1),
    ] = 3.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.", min=0)] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="No notes, no progress.")] = False,
) -> None:
    """Write a simulated collection: graded judgments, and runs of different quality.

    Topics are made and written a few at a time, so that large collections need little memory.
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
