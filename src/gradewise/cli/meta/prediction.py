"""gradewise meta prediction: how well measures predict each other on other topics."""

from gradewise.cli import options as opt
from gradewise.cli.meta.correlation import Kind

DEFAULT_MEASURES = ["AP", "nDCG", "P@10"]


def prediction(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    kind: Kind = "tau",
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    replicates: opt.Replicates = 1000,
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
    quiet: opt.Quiet = False,
) -> None:
    """Predictive power: how well a measure's ranking predicts another's on other topics.

    The topics are split at random into halves. tau is the mean correlation between the ranking by
    predictor on one half and by target on the other; 95% of the halves are between low and high.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.meta import prediction as study

    measures = measure or DEFAULT_MEASURES
    judged = opt.join_runs(qrels, runs, measures, quiet=quiet)
    found = study(judged, measures, kind=kind, replicates=replicates, seed=seed)
    write_frame(found.frame, output_format, output, digits=digits)
