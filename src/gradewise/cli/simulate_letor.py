"""gradewise simulate-letor: documents with features and grades, written to files."""

from typing import Annotated

import typer

from gradewise.cli.options import Quiet, Seed


def simulate_letor(
    directory: Annotated[str, typer.Argument(help="Where to write train, validation and test.")],
    topics: Annotated[int, typer.Option(help="Topics to train on, and to test on.", min=2)] = 100,
    documents: Annotated[int, typer.Option(help="Documents of a topic, about.", min=2)] = 40,
    features: Annotated[int, typer.Option(help="Features of a document.", min=10)] = 50,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Write LETOR files to train, validate and test on: 5 grades, features of mixed quality.

    Half as many topics are for validation.
    """
    import gradewise as gw
    from gradewise.cli.watching import note
    from gradewise.files import make_folder
    from gradewise.learn.letor import write_letor

    folder = make_folder(directory)
    for place, name in enumerate(("train", "validation", "test")):
        count = topics // 2 if name == "validation" else topics
        data = gw.simulate.features(count, documents, features, seed=3 * seed + place)
        write_letor(data, folder / f"{name}.txt")
        note(f"wrote {folder / name}.txt: {data}", quiet=quiet)
