"""Yilmaz & Robertson 2010, On the Choice of Effectiveness Measures: Table 1, Figures 1 and 3.

The paper studies the runs of TREC 9 and 10, which are not public. The same method is applied to
runs that are. What it trains is in `yilmaz_training`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.meta.correlation import Agreement, correlation
from gradewise.meta.informativeness import informativeness
from gradewise.report.figures.correlation import scatter
from gradewise.report.figures.informativeness import error_bars
from gradewise.reproduce.collections import QUICK_RUNS, both
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

TRAINED = ("table2", "table3", "figure4", "table5")
PARTS = ("figure1", "table1", *TRAINED)
MEASURES = ("P@10", "AP", "nDCG")
INFORMING = ("AP", "nDCG", "nDCG(gains={1:1,2:1})")  # the last one on grades made binary
_PRINTED = {"AP": "0.1666/0.1134, 0.1620/0.1086", "nDCG": "0.2034/0.1686, 0.1751/0.1214"}


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
    """Return the requested parts on other data; TRAINED need no folder."""
    found = []
    if not {"figure1", "table1"}.isdisjoint(parts) and folder is not None:
        found += _on_runs(folder, parts, quick, seed, jobs, progress)
    trained = [part for part in parts if part in TRAINED]
    if trained:
        from gradewise.reproduce.yilmaz_sets import Work
        from gradewise.reproduce.yilmaz_training import trained_sections

        work = Work(jobs, keep, progress)
        found += trained_sections(folder, trained, work, quick=quick, seed=seed)
    return found


def _on_runs(
    folder: Path,
    parts: Sequence[str],
    quick: bool,
    seed: int,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> list[Section]:
    found = []
    for collection in both(folder, most=QUICK_RUNS if quick else None):
        judged = judge(collection.qrels, collection.runs)
        if "table1" in parts:
            found.append(_table_1(collection.name, judged, jobs, progress))
        if "figure1" not in parts:
            continue
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


def _table_1(
    name: str, judged: Judged, jobs: int, progress: Callable[[int], None] | None
) -> Section:
    """Compare curves and P@10 inferred from AP and nDCG with the actual ones."""
    result = informativeness(judged, INFORMING, jobs=jobs, progress=progress)
    binary = result.frame.filter(threshold=1)
    guesses = result.inferences.filter(inferred="P@10")
    rows = [
        [
            measure,
            _PRINTED.get(measure, ""),
            f"{rms:.4f}",
            f"{mae:.4f}",
            f"{guess['rms_runs']:.3f}",
            f"{guess['tau_runs']:.3f}",
        ]
        for measure, rms, mae, guess in zip(
            binary["measure"],
            binary["rms"],
            binary["mae"],
            guesses.iter_rows(named=True),
            strict=True,
        )
    ]
    header = ["", "paper: TREC 9, TREC 10", "RMS", "MAE", "P@10: RMS over runs", "tau"]
    errors = dict(zip(binary["measure"], binary["rms"], strict=True))
    ap, ndcg, binarized = (errors[measure] for measure in binary["measure"])
    lost = int((~result.converged).sum())
    return Section(
        "table1",
        f"Yilmaz & Robertson (2010), method of Table 1 and Figure 3 on {name}: precision-recall "
        f"curves inferred from one value, {result.rms.shape[2]} lists, {lost} not converged",
        Table(header, rows, labels=2),
        properties=(
            Property(
                "AP is more informative than nDCG, as in the paper",
                ap < ndcg,
                f"RMS {ap:.4f} and {ndcg:.4f}",
                necessary=False,
            ),
            Property(
                "AP is more informative than nDCG with binary gains",
                ap < binarized,
                f"RMS {ap:.4f} and {binarized:.4f}",
                necessary=False,
            ),
        ),
        chart=lambda: error_bars(result),
    )


def _claim(result: Agreement) -> Property:
    ap, ndcg = result.tau[0, 1], result.tau[0, 2]
    return Property(
        "nDCG agrees more with P@10 than AP does, as in the paper",
        bool(ndcg > ap),
        f"tau {ndcg:.3f} and {ap:.3f}",
        necessary=False,
    )
