"""Yilmaz & Robertson 2010, On the Choice of Effectiveness Measures: Figure 1.

The paper plots P@10 against AP and against nDCG over the runs of TREC 9 and 10, which are not
public. The same method is applied to runs that are.
"""

from pathlib import Path

from gradewise.measures.evaluate import judge
from gradewise.meta.correlation import Agreement, correlation
from gradewise.report.figures.correlation import scatter
from gradewise.reproduce.collections import both
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

PARTS = ("figure1",)
MEASURES = ("P@10", "AP", "nDCG")


def sections(folder: Path, *, quick: bool = False, seed: int = 0) -> list[Section]:
    """Return the method of Figure 1 on other collections."""
    found = []
    for collection in both(folder, quick=quick):
        judged = judge(collection.qrels, collection.runs)
        result = correlation(judged, MEASURES, replicates=100 if quick else 1000, seed=seed)
        rows = [
            [a, b, f"{tau:.3f}", f"[{low:.3f}, {high:.3f}]", f"{rms:.3f}"]
            for a, b, tau, low, high, rms in result.frame.iter_rows()
            if a == "P@10"
        ]
        found.append(
            Section(
                "figure1",
                f"Yilmaz & Robertson (2010), method of Figure 1 on {collection.name}: "
                f"{len(result.runs)} runs, {len(result.topics)} topics",
                Table(
                    ["", "with", "tau", "interval over topics", "RMS difference"], rows, labels=2
                ),
                properties=(_claim(result),),
                chart=lambda result=result: scatter(result, 0, 1),  # type: ignore[misc]
            )
        )
    return found


def _claim(result: Agreement) -> Property:
    ap, ndcg = result.tau[0, 1], result.tau[0, 2]
    return Property(
        "nDCG agrees with P@10 more than AP does, as in the paper",
        bool(ndcg > ap),
        f"tau {ndcg:.3f} and {ap:.3f}",
        necessary=False,
    )
