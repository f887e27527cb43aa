"""The demonstration: a simulated collection, scored and explained."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.measures.evaluate import evaluate
from gradewise.measures.scores import Scores
from gradewise.report.make import Report, make_report
from gradewise.report.standings import find_standings
from gradewise.simulate.collections import Simulated, collection
from gradewise.stats.intervals import bootstrap_interval
from gradewise.tables import Table

MEASURES = ("GAP(g=[0.5,0.5])", "eGAP(g=[0.1,0.9])", "AP", "nDCG@10", "P@10")


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A sample collection, its scores and its report."""

    sample: Simulated
    scores: Scores
    report: Report

    def text(self, path: str) -> str:
        """Return what the sample shows, and where its report is."""
        scores, qrels = self.scores, self.sample.qrels
        order = np.argsort(-scores.summary()[:, 0])
        grades = " and ".join(map(str, qrels.scale))
        return "\n".join(
            [
                f"A sample of {len(scores.topics)} topics and {len(scores.runs)} runs, made on "
                f"the spot; {len(qrels)} documents are judged, relevant ones with grades {grades}.",
                "",
                _leaderboard(scores, order).to_text(),
                *_explanations(scores, order),
                "",
                f"Wrote {path}: open it in a browser, and move the line between relevant and not.",
                "",
                "Next: gradewise report QRELS RUN... -o report.html",
                "      gradewise eval QRELS RUN... -m 'GAP(g=[0.5,0.5])' -m nDCG@10",
                "      gradewise measures            what there is",
                "      gradewise measures GAP        what a measure means",
                "",
            ]
        )


def demonstrate() -> Demonstration:
    """Score a sample collection and make a report of it."""
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
        "which includes 0: it may be the luck of these topics"
        if low[0] <= 0
        else "which excludes 0: more than the luck of these topics"
        if find_standings(scores, 0).differs[best, second]
        else f"which excludes 0; but among {pairs} pairs of runs, one such lead may be luck"
    )
    moved = _first_disagreement(means, scores)
    return [
        "In brackets: 95% bootstrap intervals over topics.",
        f"{scores.runs[best]} leads {scores.runs[second]} by {difference.mean():.3f} in "
        f"{scores.measures[0]}, ahead on {wins} of {len(scores.topics)} topics; the interval of "
        f"the difference is [{low[0]:.3f}, {high[0]:.3f}], {sure}.",
        moved,
    ]


def _first_disagreement(means: Floats, scores: Scores) -> str:
    """Name two runs that AP and eGAP order differently, if there are any."""
    names = [str(measure) for measure in scores.measures]
    ap, egap = means[:, names.index("AP")], means[:, 1]
    for a in np.argsort(-ap):
        for b in np.argsort(-ap):
            if ap[a] > ap[b] and egap[a] < egap[b]:
                return (
                    f"AP puts {scores.runs[a]} above {scores.runs[b]}; eGAP, for users of whom 9 "
                    "in 10 want highly relevant documents only, puts it below."
                )
    return "AP and eGAP order the runs alike: where users draw the line does not matter here."
