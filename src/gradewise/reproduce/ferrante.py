"""Ferrante, Ferro & Maistro 2014, Rethinking How to Extend Average Precision: Tables and Figures.

Table 1 comes from the qrels. The runs of the other tables and figures are not public, so the same
method is applied to other collections, and properties that must hold on any are checked.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, counted
from gradewise.measures.evaluate import score_judged
from gradewise.meta.correlation import ThresholdGrid, threshold_grid
from gradewise.meta.incompleteness import RATES, incompleteness
from gradewise.report.figures.correlation import threshold_curves
from gradewise.report.figures.incompleteness import incompleteness_curves
from gradewise.reproduce.collections import both, read_judgments
from gradewise.reproduce.result import Property, Reproduced, Section, numbers_section
from gradewise.tables import Table

PAPER = "ferrante-2014"
PARTS = ("table1", "table2", "figure1")
FEW = "R(1) >= 10 * R(2) > 0"  # topics with few highly relevant documents
QUARTILE = 0.25  # runs below it by MAP are left out
MEASURES = ("AP", "GAP", "xGAP", "eGAP", "nDCG", "RBP", "Bpref")
_OTHERS = ("GAP", "AP", "nDCG", "RBP", "Bpref")
_LOW = (0.1, 0.9)  # the g of the figures

# Track, topics; printed: minimum, average and maximum of relevant documents, few highly relevant.
_TABLE_1 = {
    "TREC 10": ("adhoc.451-550", range(501, 551), ("2", "67.26", "372", "17")),
    "TREC 14": ("robust05", None, ("9", "131.22", "376", "6")),
    "TREC 21": ("web.151-200", None, ("6", "70.46", "253", "10")),
}


def sections(
    folder: Path,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Section]:
    """Return Table 1, and the method of Tables 2-3 and Figures 1-2 on other collections."""
    found = []
    if "table1" in parts:
        title = "Ferrante et al. (2014), Table 1: topics"
        found.append(numbers_section("table1", title, table_1(folder)))
    if "table2" in parts or "figure1" in parts:
        for collection in both(folder, most=30 if quick else None):
            judged = judge(collection.qrels, collection.runs)
            if "table2" in parts:
                found.append(_correlations(collection.name, judged))
            if "figure1" in parts:
                found += _figures(collection.name, judged, 2 if quick else 10, seed, progress)
    return found


def table_1(folder: Path) -> list[Reproduced]:
    """Return the statistics of topics in the qrels."""
    rows = []
    for track, (name, topics, printed) in _TABLE_1.items():
        counts = _counts(read_judgments(folder, name, topics).to_dict())
        relevant = counts[:, 1:].sum(axis=1)
        few = (counts[:, 1] >= 10 * counts[:, 2]) & (counts[:, 2] > 0)
        ours = (relevant.min(), relevant.mean(), relevant.max(), few.sum())
        labels = ("least relevant", "average", "most", "topics with few highly relevant")
        rows += [
            Reproduced(PAPER, "1", f"{track}, {label}", text, float(value), exact=True)
            for label, text, value in zip(labels, printed, ours, strict=True)
        ]
    return rows


def _counts(judged: dict[str, dict[str, int]]) -> Ints:
    top = max(max(grades.values()) for grades in judged.values())
    return np.array(
        [
            [sum(1 for grade in grades.values() if grade == k) for k in range(top + 1)]
            for grades in judged.values()
        ]
    )


def _correlations(name: str, judged: Judged) -> Section:
    grid = threshold_grid(judged, others=_OTHERS, above=QUARTILE)
    try:
        few: ThresholdGrid | None = threshold_grid(
            judged, others=_OTHERS, above=QUARTILE, topics=FEW
        )
    except OptionError:  # no topic has so few
        few = None
    rows = []
    for point, g in enumerate(grid.probabilities):
        for m, measure in enumerate(grid.graded):
            cells = [
                f"{grid.tau[point, m, o]:.2f}"
                + ("" if few is None else f"/{few.tau[point, m, o]:.2f}")
                for o in range(len(_OTHERS))
            ]
            rows.append([f"({', '.join(f'{x:.1f}' for x in g)})", measure, *cells])
    topics = counted(len(grid.topics), "topic")
    topics += "" if few is None else f"/{len(few.topics)} with few highly relevant documents"
    title = (
        f"Ferrante et al. (2014), method of Tables 2-3 on {name}: "
        f"Kendall's tau, {len(grid.runs)} runs, {topics}"
    )
    return Section(
        "table2",
        title,
        Table(["g", "", *_OTHERS], rows, labels=2),
        properties=(*_one_threshold(judged), *_thresholds(grid)),
        chart=lambda: threshold_curves(grid),
    )


def _one_threshold(judged: Judged) -> list[Property]:
    """Check that measures equal AP when all users have the same threshold."""
    found = []
    for place, grade in enumerate(judged.scale):
        g = [1.0 if index == place else 0.0 for index in range(len(judged.scale))]
        names = [f"{name}(g={g})" for name in ("GAP", "xGAP", "eGAP")]
        values = score_judged(judged, [*names, f"AP(rel={grade})"]).values
        apart = float(np.abs(values[:, :, :3] - values[:, :, 3:]).max())
        found.append(
            Property(
                f"if all thresholds are at grade {grade}, GAP = xGAP = eGAP = AP(rel={grade})",
                apart < 1e-12,
                f"largest difference {apart:.1e}",
            )
        )
    return found


def _thresholds(grid: ThresholdGrid) -> list[Property]:
    """Check how correlations with AP depend on the first threshold's probability."""
    ap = grid.others.index("AP")
    gap, xgap, egap = (grid.tau[:, grid.graded.index(m), ap] for m in ("GAP", "xGAP", "eGAP"))
    same = grid.tau[[0, -1]][:, :, grid.others.index("GAP")]
    falls = float(np.max(xgap[:-1] - xgap[1:]))
    low = grid.probabilities[:, 0]
    early = (low > 0) & (low <= 0.3)
    margin = float((gap - np.maximum(xgap, egap))[early].min())
    return [
        Property(
            "if one g_k is 1, the three measures rank runs identically",
            bool(np.allclose(same, 1.0)),
            f"smallest tau {same.min():.3f}",
        ),
        Property(
            "tau(AP, xGAP) increases with g_1",
            bool(xgap[-1] > xgap[0] and falls <= 0.01),
            f"from {xgap[0]:.3f} to {xgap[-1]:.3f}, largest drop between steps {max(falls, 0):.3f}",
        ),
        Property(
            "for g_1 of 0.1 to 0.3, xGAP and eGAP agree with AP less than GAP does",
            margin >= 0,
            f"GAP's tau is at least {margin:.3f} higher",
        ),
    ]


def _figures(
    name: str,
    judged: Judged,
    replicates: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Section]:
    g = f"g=[{_LOW[0]},{_LOW[1]}]"
    measures = [f"{m}({g})" if m.endswith("GAP") else m for m in MEASURES]
    found = []
    for rule, label in ((None, "all topics"), (FEW, "topics with few highly relevant documents")):
        try:
            result = incompleteness(
                judged,
                measures,
                replicates=replicates,
                topics=rule,
                above=QUARTILE,
                seed=seed,
                progress=progress,
            )
        except OptionError:  # no topic has so few
            continue
        rates = [place for place, rate in enumerate(RATES) if rate in (1.0, 0.5, 0.2, 0.1, 0.05)]
        means = result.tau.mean(axis=1)
        rows = [
            [measure, *[f"{means[place, index]:.3f}" for place in rates]]
            for index, measure in enumerate(result.measures)
        ]
        found.append(
            Section(
                "figure1",
                f"Ferrante et al. (2014), method of Figures 1-2 on {name}, {label}: tau "
                f"with the ranking by all judgments, {len(result.runs)} runs, "
                f"{counted(result.topics, 'topic')}, {replicates} series of samples",
                Table(["share of the pool", *[f"{RATES[place]:.0%}" for place in rates]], rows),
                properties=_robustness(result.measures, means[-1]),
                chart=lambda result=result: incompleteness_curves(result),  # type: ignore[misc]
            )
        )
    return found


def _robustness(measures: tuple[str, ...], tau: Floats) -> tuple[Property]:
    """Check whether nDCG and Bpref are the most robust, as the paper finds."""
    value = dict(zip(measures, tau, strict=True))
    others = max(v for name, v in value.items() if name not in ("nDCG", "Bpref"))
    return (
        Property(
            "nDCG and Bpref are the most robust to missing judgments, as in the paper",
            min(value["nDCG"], value["Bpref"]) >= others,
            f"at 5%: nDCG {value['nDCG']:.3f}, Bpref {value['Bpref']:.3f}, best other {others:.3f}",
            necessary=False,
        ),
    )
