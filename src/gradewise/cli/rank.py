"""gradewise rank: documents with features, ranked by a trained model, as a TREC run."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def rank(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Model file written by gradewise train.")
    ],
    data: Annotated[
        list[str],
        typer.Argument(help="Topics to rank: LETOR or SVMlight files."),
    ],
    output: opt.Output = "-",
    qrels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the grades to this file, as qrels."),
    ] = None,
    tag: Annotated[str, typer.Option(metavar="NAME", help="Name of the run.")] = "gradewise",
    quiet: opt.Quiet = False,
) -> None:
    """Rank documents with a trained model and write a TREC run."""
    from gradewise.cli.watching import note
    from gradewise.collection.writing import write_qrels, write_run
    from gradewise.errors import counted
    from gradewise.learn import load_ranker, read_letor

    ranker = load_ranker(model)
    topics = read_letor(data, width=ranker.n_features_in_)
    write_run(topics.run(ranker.predict(topics), tag), output, tag=tag)
    if qrels is not None:
        write_qrels(topics.qrels(), qrels)
    documents = counted(len(topics.grades), "document")
    note(f"ranked {documents} for {counted(len(topics), 'topic')}", quiet=quiet or output == "-")
