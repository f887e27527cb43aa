"""gradewise coverage: how much of a catalog runs show."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def coverage(
    runs: opt.Runs,
    cutoff: Annotated[
        int, typer.Option("-k", "--cutoff", help="Number of top documents to count.", min=1)
    ] = 10,
    catalog: Annotated[
        str | None,
        typer.Option(
            metavar="N|QRELS",
            help="Size of the catalog, or qrels whose judged documents are the catalog. Default: "
            "all documents retrieved by any of the runs.",
        ),
    ] = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    ties: opt.Ties = "trec",
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
) -> None:
    """Measure what share of a catalog runs show among their top documents.

    A document counts once, however many topics show it.
    """
    import polars as pl

    from gradewise.cli.formats import write_frame
    from gradewise.measures.catalog_coverage import catalog_coverage, documents_of

    named = opt.named_runs(runs)
    known = catalog if catalog is not None else documents_of(named.values())
    size = int(known) if isinstance(known, str) and known.isdigit() else known
    values = [
        catalog_coverage(run, cutoff=cutoff, catalog=size, ties=ties, seed=seed)
        for run in named.values()
    ]
    frame = pl.DataFrame({"run": list(named), f"coverage@{cutoff}": values})
    write_frame(frame, output_format, output, digits=digits)
