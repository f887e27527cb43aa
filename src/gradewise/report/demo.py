"""The demo: a simulated collection, scored and explained."""

from dataclasses import dataclass

from gradewise.arrays import Floats, Ints
from gradewise.measures.evaluate import evaluate
from gradewise.measures.scores import Scores
from gradewise.noise import merge_ties, order_best_first
from gradewise.report.document import Report
from gradewise.report.make import make_report
from gradewise.report.standings import find_standings
from gradewise.simulate.collections import Simulated, collection
from gradewise.stats.bootstrap_intervals import bootstrap_interval
from gradewise.tables import Table

MEASURES = ("GAP(g=[0.5,0.5])", "eGAP(g=[0.1,0.9])", "AP", "nDCG@10", "P@10")


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A sample collection, its scores and its report."""

    sample: Simulated
    scores: Scores
    report: Report

    def text(self, path: str) -> str:
        """Return what the sample shows, and the path of its report."""
        scores, qrels = self.scores, self.sample.qrels
        order = order_best_first(scores.summary()[:, 0])
        grades = " and ".join(map(str, qrels.scale))
        return "\n".join(
            [
                f"A simulated collection of {len(scores.topics)} topics and {len(scores.runs)} "
                f"runs, with {len(qrels)} judgments; relevant documents have grades {grades}.",
                "",
                _leaderboard(scores, order).to_text(),
                *_explanations(scores, order),
                "",
                f"Wrote {path}. Open it in a browser, and move the relevance thresholds.",
                "",
                "Next: gradewise report QRELS RUN... -o report.html",
                "      gradewise eval QRELS RUN... -m 'GAP(g=[0.5,0.5])' -m nDCG@10",
                "      gradewise measures            list all measures",
                "      gradewise measures GAP        explain a measure",
                "",
            ]
        )


def demonstrate() -> Demonstration:
    """Score a sample collection and make its report."""
    sample = collection(topics=40, runs=8, depth=200, relevant=25, pool_depth=50, seed=4)
    report = make_report(
        sample.qrels, sample.runs, MEASURES, title="gradewise demo", command="gradewise demo"
    )
    return Demonstration(sample, evaluate(sample.qrels, sample.runs, MEASURES), report)


def _leaderboard(scores: Scores, order: Ints) -> Table:
    """Return runs by their first measure, best first, each value with its 95% interval."""
    rows = [[str(place), scores.runs[run]] for place, run in enumerate(order, 1)]
    for index in range(len(scores.measures)):
        values = scores.values[:, :, index]
        low, high = bootstrap_interval(values)
        for row, run in zip(rows, order, strict=True):
            row.append(f"{values[run].mean():.3f} [{low[run]:.3f}, {high[run]:.3f}]")
    return Table(["", "run", *map(str, scores.measures)], rows, labels=2)


def _explanations(scores: Scores, order: Ints) -> list[str]:
    means = scores.summary()
    best, second = int(order[0]), int(order[1])
    difference = scores.values[best, :, 0] - scores.values[second, :, 0]
    low, high = bootstrap_interval(difference[None, :])
    wins = int((difference > 0).sum())
    pairs = len(order) * (len(order) - 1) // 2
    sure = (
        "which includes 0: the lead could be due to the choice of topics"
        if low[0] <= 0
        else "which excludes 0, and the lead is significant after correction for "
        f"{pairs} pairs of runs"
        if find_standings(scores, 0).differs[best, second]
        else "which excludes 0, but the lead is not significant after correction for "
        f"{pairs} pairs of runs"
    )
    moved = _first_disagreement(means, scores)
    return [
        "Brackets show 95% bootstrap confidence intervals over topics.",
        f"{scores.runs[best]} leads {scores.runs[second]} by {difference.mean():.3f} in "
        f"{scores.measures[0]} and is better on {wins} of {len(scores.topics)} topics; the "
        f"interval of the difference is [{low[0]:.3f}, {high[0]:.3f}], {sure}.",
        moved,
    ]


def _first_disagreement(means: Floats, scores: Scores) -> str:
    """Name two runs that AP and eGAP order differently, if there are any."""
    names = [str(measure) for measure in scores.measures]
    ap, egap = merge_ties(means[:, names.index("AP")]), merge_ties(means[:, 1])
    for a in order_best_first(ap):
        for b in order_best_first(ap):
            if ap[a] > ap[b] and egap[a] < egap[b]:
                return (
                    f"AP ranks {scores.runs[a]} above {scores.runs[b]}; eGAP, for users 90% of "
                    "whom accept only highly relevant documents, ranks it below."
                )
    return "AP and eGAP agree on the order of runs: the relevance threshold does not matter here."
