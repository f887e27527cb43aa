"""Yilmaz & Robertson 2010, Table 5: whether nets are local optima of measures."""

from gradewise.learn.net_ranker import NetRanker
from gradewise.learn.optimality import LocalOptimality, local_optimality
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_sets import PAIRS, Sets, Work, named
from gradewise.tables import Table

_OPTIMA = {"AP": (325, 0, 271, 0), "P@10": (252, 0, 539, 15)}
_OPTIMA |= {"nDCG": (226, 0, 590, 17), "nDCG@10": (150, 0, 670, 22)}


def table_5(sets: Sets, work: Work) -> list[Section]:
    """Return how many points around the weights are better, on both sets."""
    found = []
    for name, folds, _ in named(sets):
        fold = folds[0]
        optima = {}
        for informative, test in PAIRS:
            for objective in (informative, test):
                ranker = NetRanker(
                    "lambdarank",
                    objective,
                    validation_measure=objective,
                    seed=sets.seed,
                    **sets.training("lambdarank"),
                )
                ranker.fit(fold.train, validation=fold.validation, progress=work.progress)
                optima[objective] = [
                    local_optimality(
                        ranker,
                        part,
                        test,
                        directions=sets.size.directions,
                        seed=sets.seed,
                        progress=work.progress,
                    )
                    for part in (fold.train, fold.test)
                ]
        found.append(_optimality_section(name, optima))
    return found


def _optimality_section(name: str, optima: dict[str, list[LocalOptimality]]) -> Section:
    """Return counts of better points around the weights, in training and in testing."""
    rows, names, printed, ours = [], [], [], []
    counts = {
        objective: [number for each in pair for number in (each.better, each.much_better)]
        for objective, pair in optima.items()
    }
    for objective, found in counts.items():
        cells = [f"{p} / {o}" for p, o in zip(_OPTIMA[objective], found, strict=True)]
        rows.append([objective, optima[objective][0].measure, *cells])
        for place, where in ((0, "train"), (2, "test")):
            names.append(f"{objective}, {where}")
            printed.append(float(_OPTIMA[objective][place]))
            ours.append(float(found[place]))
    cases = next(iter(optima.values()))[0].change.size
    claims = [
        Property(
            f"in the test set, fewer points are better by {test} around the net trained for "
            f"{informative} than around that trained for {test}, as in the paper",
            counts[informative][2] < counts[test][2],
            f"{counts[informative][2]:,} and {counts[test][2]:,} of {cases:,}",
            necessary=False,
        )
        for informative, test in PAIRS
    ]
    title = f"Yilmaz & Robertson (2010), method of Table 5 on {name}: better points, paper / ours"
    return Section(
        "table5",
        f"{title}, of 4,600 and {cases:,}",
        Table(
            ["trained for", "tested with", "train > 0", "> .003", "test > 0", "> .003"],
            rows,
            labels=2,
        ),
        properties=tuple(claims),
        chart=lambda: side_by_side(names, printed, ours, [None] * len(names), title),
    )
