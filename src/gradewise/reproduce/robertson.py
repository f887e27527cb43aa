"""Robertson, Kanoulas & Yilmaz 2010, Extending Average Precision to Graded Relevance.

Figure 2 compares the informativeness of GAP and nDCG, Figure 3 their discriminative power, on all
runs of TREC 9, 10 and 12, which are not public. The same method is applied to runs that are; the
paper's TREC 12 is TREC 2003 Robust, topics 601-650, with more runs than we have. Table 2 trains on
OHSUMED; see `robertson_table2`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.meta.correlation import simplex
from gradewise.meta.discrimination import Discrimination, discrimination
from gradewise.meta.informativeness import advise, informativeness
from gradewise.report.figures.discrimination import significance_curves
from gradewise.report.figures.informativeness import sweep_curves
from gradewise.reproduce.collections import QUICK_RUNS, both
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

PARTS = ("figure2", "figure3", "table2")
MEASURES = ("GAP", "nDCG")
BEST = 15
NDCG = "nDCG(dcg='exp-log2')"


def sections(
    folder: Path,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    keep: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Section]:
    """Return the method of Figures 2 and 3 on other collections, and Table 2."""
    found = []
    if "table2" in parts:
        from gradewise.reproduce.robertson_table2 import table_2

        found.append(
            table_2(folder, quick=quick, seed=seed, progress=progress, jobs=jobs, keep=keep)
        )
    if set(parts) <= {"table2"}:
        return found
    for collection in both(folder, most=QUICK_RUNS if quick else None):
        name, judged = collection.name, judge(collection.qrels, collection.runs)
        if "figure2" in parts:
            found.append(_figure_2(name, judged, 0.5 if quick else 0.1, seed, jobs, progress))
        if "figure3" in parts:
            replicates = 200 if quick else 1000
            found += [_figure_3(name, judged, best, replicates, seed) for best in (None, BEST)]
    return found


def _figure_2(
    name: str,
    judged: Judged,
    step: float,
    seed: int,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Section:
    """Return errors of curves inferred from GAP over g, and from nDCG with exponential gains."""
    swept = [f"GAP(g={point})" for point in simplex(len(judged.scale), step).tolist()]
    result = informativeness(judged, [*swept, NDCG], jobs=jobs, progress=progress)
    errors = {
        (measure, grade): rms
        for measure, grade, rms in result.frame.select("measure", "threshold", "rms").iter_rows()
    }
    rows = [
        [measure, *[f"{errors[measure, grade]:.4f}" for grade in result.grades]]
        for measure in result.measures
    ]
    balanced = next(swept for swept in result.measures if "[0.5,0.5]" in swept)
    ndcg = result.measures[-1]
    lists, lost = result.rms.shape[2], int((~result.converged).sum())
    claims = [
        Property(
            f"GAP with g = (.5, .5) is more informative than nDCG, threshold at grade {grade}",
            errors[balanced, grade] < errors[ndcg, grade],
            f"RMS {errors[balanced, grade]:.4f} and {errors[ndcg, grade]:.4f}",
            necessary=False,
        )
        for grade in result.grades
    ]
    advice = advise(result, seed=seed)
    claims.append(
        Property(
            "GAP with g = (.5, .5) is the most informative measure",
            advice.best == balanced,
            str(advice),
            necessary=False,
        )
    )
    return Section(
        "figure2",
        f"Robertson et al. (2010), method of Figure 2 on {name}: mean RMS error of "
        f"inferred precision-recall curves, {lists} lists, {lost} not converged",
        Table(["", *[f"grade {grade} and above" for grade in result.grades]], rows),
        properties=tuple(claims),
        chart=lambda: sweep_curves(result),
    )


def _figure_3(name: str, judged: Judged, best: int | None, replicates: int, seed: int) -> Section:
    result = discrimination(judged, MEASURES, best=best, replicates=replicates, seed=seed)
    rows = [
        [measure, f"{alpha:g}", str(told), f"{share:.1%}", f"{needed:.3f}"]
        for measure, alpha, _, told, share, needed in result.frame.iter_rows()
    ]
    which = "all runs" if best is None else f"the best {len(result.runs)} runs by GAP"
    return Section(
        "figure3",
        f"Robertson et al. (2010), method of Figure 3 on {name}, {which}: pairs that differ "
        f"significantly, of {result.levels.shape[1]:,}; {result.topics} topics",
        Table(["measure", "alpha", "pairs", "share", "difference needed"], rows),
        properties=(_claim(result, best),),
        chart=lambda: significance_curves(result),
    )


def _claim(result: Discrimination, best: int | None) -> Property:
    gap, ndcg = ((levels <= 0.05).mean() for levels in result.levels)
    found = "on the best runs" if best else "on TREC 12, not on TREC 9 and 10"
    return Property(
        f"GAP finds more significant differences than nDCG at 0.05, as the paper reports {found}",
        bool(gap > ndcg),
        f"{gap:.1%} and {ndcg:.1%}",
        necessary=False,
    )
