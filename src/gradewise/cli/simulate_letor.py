"""gradewise simulate-letor: documents with features and grades, written to files."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def simulate_letor(
    directory: Annotated[str, typer.Argument(help="Folder for the three files.")],
    topics: Annotated[
        int, typer.Option(help="Number of training topics, and of test topics.", min=2)
    ] = 100,
    documents: Annotated[
        int, typer.Option(help="Average number of documents per topic.", min=2)
    ] = 40,
    features: Annotated[int, typer.Option(help="Number of features.", min=10)] = 50,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Write simulated LETOR files for training, validation and testing.

    Documents have 5 grades and features of mixed quality. The validation file has half as many
    topics as the others.
    """
    import gradewise as gw
    from gradewise.cli.watching import note
    from gradewise.files import make_folder
    from gradewise.learn import write_letor

    folder = make_folder(directory)
    for place, name in enumerate(("train", "validation", "test")):
        count = topics // 2 if name == "validation" else topics
        data = gw.simulate.features(count, documents, features, seed=3 * seed + place)
        write_letor(data, folder / f"{name}.txt")
        note(f"wrote {folder / name}.txt: {data}", quiet=quiet)
