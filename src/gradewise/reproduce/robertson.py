"""Robertson, Kanoulas & Yilmaz 2010, Extending Average Precision to Graded Relevance: Figure 3.

The paper compares the discriminative power of GAP and nDCG on all runs of TREC 9, 10 and 12, which
are not public. The same method is applied to runs that are; the paper's TREC 12 is TREC 2003
Robust, topics 601-650, with more runs than we have.
"""

from pathlib import Path

from gradewise.measures.evaluate import evaluate
from gradewise.meta.discrimination import Discrimination, discrimination
from gradewise.report.figures.discrimination import significance_curves
from gradewise.reproduce.collections import Collection, both
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

PARTS = ("figure3",)
MEASURES = ("GAP", "nDCG")
BEST = 15


def sections(folder: Path, *, quick: bool = False, seed: int = 0) -> list[Section]:
    """Return the method of Figure 3 on other collections, for all runs and the best ones."""
    return [
        _section(collection, best, 200 if quick else 1000, seed)
        for collection in both(folder, quick=quick)
        for best in (None, BEST)
    ]


def _section(collection: Collection, best: int | None, replicates: int, seed: int) -> Section:
    scores = evaluate(collection.qrels, collection.runs, MEASURES)
    result = discrimination(scores, best=best, replicates=replicates, seed=seed)
    rows = [
        [measure, f"{alpha:g}", str(told), f"{share:.1%}", f"{needed:.3f}"]
        for measure, alpha, _, told, share, needed in result.frame.iter_rows()
    ]
    which = "all runs" if best is None else f"the best {len(result.runs)} runs by GAP"
    return Section(
        "figure3",
        f"Robertson et al. (2010), method of Figure 3 on {collection.name}, {which}: pairs told "
        f"apart of {result.levels.shape[1]:,}, {result.topics} topics",
        Table(["measure", "alpha", "pairs", "share", "difference needed"], rows),
        properties=(_claim(result, best),),
        chart=lambda: significance_curves(result),
    )


def _claim(result: Discrimination, best: int | None) -> Property:
    gap, ndcg = ((levels <= 0.05).mean() for levels in result.levels)
    found = "on the best runs" if best else "on TREC 12, not on TREC 9 and 10"
    return Property(
        f"GAP tells more pairs apart than nDCG at 0.05, as the paper finds {found}",
        bool(gap > ndcg),
        f"{gap:.1%} and {ndcg:.1%}",
        necessary=False,
    )
