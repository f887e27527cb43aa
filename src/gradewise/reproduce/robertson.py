"""Robertson, Kanoulas & Yilmaz 2010, Extending Average Precision to Graded Relevance.

Figure 2 compares the informativeness of GAP and nDCG, Figure 3 their discriminative power, on all
runs of TREC 9, 10 and 12, which are not public. The same method is applied to runs that are; the
paper's TREC 12 is TREC 2003 Robust, topics 601-650, with more runs than we have. What is trained is
in `robertson_training`. nDCG has gains of 2^grade - 1, as in all experiments of the paper.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.collection.run import Run
from gradewise.measures.evaluate import score_judged
from gradewise.meta.discrimination import Discrimination, discrimination
from gradewise.noise import order_best_first
from gradewise.report.figures.discrimination import significance_curves
from gradewise.reproduce.collections import QUICK_RUNS, Collection, both
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.robertson_figure2 import NDCG, figure_2
from gradewise.reproduce.robertson_theory import about_gap
from gradewise.tables import Table

PARTS = ("table1", "table2", "figure2", "figure3")
MEASURES = ("GAP(g=[0.5,0.5])", NDCG)
LATER = ("xGAP(g=[0.5,0.5])", "eGAP(g=[0.5,0.5])")  # Ferrante et al. leave these to future work
BEST = 15


def sections(
    folder: Path | None,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    keep: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Section]:
    """Return Tables 1 and 2, and the method of Figures 2 and 3 on other collections."""
    found = []
    work: dict[str, Any] = {"jobs": jobs, "keep": keep, "progress": progress}
    if "table1" in parts:
        found += [about_gap(), _training().table_1(quick=quick, seed=seed, **work)]
    if folder is None:
        return found
    if "table2" in parts:
        found.append(_training().table_2(folder, quick=quick, seed=seed, **work))
    if {"figure2", "figure3"}.isdisjoint(parts):
        return found
    for collection in both(folder, most=QUICK_RUNS if quick else None):
        name, judged = collection.name, judge(collection.qrels, collection.runs)
        if "figure2" in parts:
            found.append(figure_2(name, judged, 0.5 if quick else 0.1, seed, **work))
        if "figure3" in parts:
            replicates = 200 if quick else 1000
            best = judge(collection.qrels, best_runs(collection, judged))
            found.append(_figure_3(name, judged, None, replicates, seed))
            found.append(_figure_3(name, best, BEST, replicates, seed))
    return found


def _training() -> Any:
    """Import what trains nets only when it is asked for."""
    from gradewise.reproduce import robertson_training

    return robertson_training


def best_runs(collection: Collection, judged: Judged) -> dict[str, Run]:
    """Return the runs that are among the best by both measures, as the paper does."""
    means = score_judged(judged, MEASURES).summary()
    tops = [set(order_best_first(column)[:BEST].tolist()) for column in means.T]
    return {judged.runs[n]: collection.runs[judged.runs[n]] for n in sorted(tops[0] & tops[1])}


def _figure_3(name: str, judged: Judged, best: int | None, replicates: int, seed: int) -> Section:
    result = discrimination(judged, (*MEASURES, *LATER), replicates=replicates, seed=seed)
    rows = [
        [
            measure,
            f"{alpha:g}",
            str(told),
            f"{share:.1%}",
            "-" if needed is None else f"{needed:.3f}",
        ]
        for measure, alpha, _, told, share, needed in result.frame.iter_rows()
    ]
    which = f"all {len(result.runs)} runs"
    if best is not None:
        which = f"the {len(result.runs)} runs that are among the best {best} by both measures"
    return Section(
        "figure3",
        f"Robertson et al. (2010), method of Figure 3 on {name}, {which}: pairs that differ "
        f"significantly, of {result.levels.shape[1]:,}; {result.topics} topics",
        Table(["measure", "alpha", "pairs", "share", "difference needed"], rows),
        properties=(_claim(result, best),),
        chart=lambda: significance_curves(result),
    )


def _claim(result: Discrimination, best: int | None) -> Property:
    gap, ndcg = ((levels <= 0.05).mean() for levels in result.levels[: len(MEASURES)])
    found = "on the best runs of all three" if best else "on TREC 12, not on TREC 9 and 10"
    return Property(
        f"GAP finds more significant differences than nDCG at 0.05, as the paper reports {found}",
        bool(gap > ndcg),
        f"{gap:.1%} and {ndcg:.1%}",
        necessary=False,
    )
