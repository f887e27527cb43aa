"""gradewise rank: documents with features, ranked by a trained model, as a TREC run."""

from typing import Annotated

import typer

from gradewise.cli.options import Output, Quiet


def rank(
    model: Annotated[str, typer.Argument(help="A model that gradewise train wrote.")],
    data: Annotated[list[str], typer.Argument(help="Topics: LETOR or SVMlight text.")],
    output: Output = "-",
    qrels: Annotated[
        str | None, typer.Option(help="Also write the grades of the documents, as qrels.")
    ] = None,
    tag: Annotated[str, typer.Option(help="The name of the run.")] = "gradewise",
    quiet: Quiet = False,
) -> None:
    """Rank documents by a trained model, and write a TREC run."""
    from gradewise.cli.watching import note
    from gradewise.collection.writing import write_qrels, write_run
    from gradewise.errors import counted
    from gradewise.learn import load_ranker
    from gradewise.learn.letor import read_letor

    ranker = load_ranker(model)
    topics = read_letor(data, width=ranker.n_features_in_)
    write_run(topics.run(ranker.predict(topics), tag), output, tag=tag)
    if qrels is not None:
        write_qrels(topics.qrels(), qrels)
    documents = counted(len(topics.grades), "document")
    note(f"ranked {documents} of {counted(len(topics), 'topic')}", quiet=quiet or output == "-")
