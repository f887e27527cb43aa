"""gradewise meta flips: which exchanges of two documents a measure ignores."""

from typing import Annotated

import typer

from gradewise.cli import options as opt

DEFAULT_MEASURES = ["AP", "GAP", "nDCG", "nDCG@10", "P@10"]


def flips(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    depth: Annotated[int, typer.Option(help="Number of ranks to study.", min=2)] = 100,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Flips: share of swaps of two documents that a measure ignores.

    All pairs of documents with different grades are swapped. ignored is the share of swaps that do
    not change the value; wrong is the share in which the better document moves up and the value
    falls.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.meta import flips as study

    measures = list(measure or DEFAULT_MEASURES)
    judged = opt.join_runs(
        qrels, runs, measures, seed=0, columns=columns, names=names, quiet=quiet
    ).cut(depth)
    with progress_bar("lists", len(judged), quiet=quiet) as advance:
        found = study(judged, measures, progress=advance)
    write_frame(found.frame, output_format, output, digits=digits)
