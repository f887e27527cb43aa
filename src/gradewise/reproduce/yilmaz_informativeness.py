"""Yilmaz & Robertson 2010, Table 1, Figures 1 and 3: what the value of a measure tells."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.libraries import alt, pl
from gradewise.measures.evaluate import score
from gradewise.meta.correlation import Agreement, correlation
from gradewise.meta.inference import INFERRED
from gradewise.meta.informativeness import BASELINE, Informativeness, informativeness
from gradewise.meta.prediction import prediction
from gradewise.report.figures.correlation import scatter
from gradewise.report.figures.informativeness import error_bars
from gradewise.report.figures.theme import by_measure, themed
from gradewise.reproduce.collections import QUICK_RUNS, both
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_charts import dots
from gradewise.reproduce.yilmaz_flips import flips_section
from gradewise.reproduce.yilmaz_printed import CURVES
from gradewise.reproduce.yilmaz_sets import NDCG, NDCG_10, short
from gradewise.stats.correlations import kendall_tau
from gradewise.tables import Table

MEASURES = ("P@10", "AP", NDCG)
BINARY = "nDCG(gains={1:1,2:1})"  # on grades made binary
WHOLE = ("AP", NDCG, BINARY)  # measures of the whole list
INFORMING = (*WHOLE, "P@10", "Rprec", NDCG_10)
_PAPER = "Yilmaz & Robertson (2010)"
_MORE_INFORMATIVE = (
    ("AP", NDCG, ", as in the paper"),
    ("AP", "P@10", ", as in the paper"),
    ("AP", "Rprec", ", as in the paper"),
    (NDCG, "P@10", ", as in the paper"),
    (NDCG, NDCG_10, ", as the paper assumes"),
    ("AP", BINARY, ""),
)
_P10 = INFERRED.index("P@10")
_LABELS = {
    BINARY: "nDCG with binary gains",
    "Rprec": "R-precision",
    BASELINE: "without a measure (R/N)",
}
_EXAMPLE = {"1, 2, 11, 12, 13": (1, 2, 11, 12, 13), "8, 9, 18, 19, 20": (8, 9, 18, 19, 20)}


def sections_on_runs(
    folder: Path,
    parts: Sequence[str],
    *,
    quick: bool,
    seed: int,
    jobs: int,
    keep: str | None,
    progress: Callable[[int], None] | None,
) -> list[Section]:
    """Return Table 1, Figure 1 and Figure 3 on two collections with public runs."""
    found = []
    for collection in both(folder, most=QUICK_RUNS if quick else None):
        name, judged = collection.name, judge(collection.qrels, collection.runs)
        if not {"table1", "figure3"}.isdisjoint(parts):
            result = informativeness(
                judged, INFORMING, baseline=True, jobs=jobs, keep=keep, progress=progress
            )
            if "table1" in parts:
                found.append(flips_section(name, judged, progress))
                found.append(_table_1(name, result))
            if "figure3" in parts:
                found.append(_figure_3(name, result))
                found.append(_prediction(name, judged, 20 if quick else 1000, seed))
        if "figure1" in parts:
            found.append(_figure_1(name, judged, 100 if quick else 1000, seed))
    return found


def example_section() -> Section:
    """Return the example of Section 3.1.1: two lists that P@10 cannot tell apart."""
    lists = {name: [int(n in ranks) for n in range(1, 21)] for name, ranks in _EXAMPLE.items()}
    values = {
        measure: [score(measure, grades=grades, relevant={1: 5}) for grades in lists.values()]
        for measure in ("P@10", "AP", "nDCG", "nDCG@10")
    }
    rows = [[measure, *[f"{value:.4f}" for value in both]] for measure, both in values.items()]
    told = [measure for measure, (first, second) in values.items() if first > second]
    same = values["P@10"][0] == values["P@10"][1]
    return Section(
        "table1",
        f"{_PAPER}, example of Section 3.1.1: 5 relevant documents of 20, at these ranks",
        Table(["", *lists], rows),
        properties=(
            Property(
                "P@10 does not tell the lists apart, while other measures prefer the first, as in "
                "the paper",
                same and len(told) == 3,
                f"{', '.join(told)} prefer it",
                necessary=False,
            ),
        ),
        chart=lambda: dots(
            list(values),
            [first - second for first, second in values.values()],
            [0.0] * len(values),
            "value of the first list minus that of the second",
            "Two lists that P@10 cannot tell apart",
        ),
    )


def _label(measure: str) -> str:
    return _LABELS.get(measure) or short(measure)


def _table_1(name: str, result: Informativeness) -> Section:
    """Compare inferred and actual precision-recall curves."""
    binary = result.frame.filter(threshold=1)
    errors = {
        measure: (rms, mae)
        for measure, rms, mae in zip(binary["measure"], binary["rms"], binary["mae"], strict=True)
    }
    rows = []
    for measure, ours in errors.items():
        printed = [f"{number:.4f}" for number in CURVES.get(measure, ())] or [""] * 4
        rows.append([_label(measure), *printed, *[f"{number:.4f}" for number in ours]])
    header = ["", "TREC 9: RMS", "MAE", "TREC 10: RMS", "MAE", "ours: RMS", "MAE"]
    claims = [
        Property(
            f"{_label(first)} is more informative than {_label(other)}{said}",
            low < high,
            f"{what} {low:.4f} and {high:.4f}",
            necessary=False,
        )
        for first, other, said in _MORE_INFORMATIVE
        for what, low, high in zip(("RMS", "MAE"), errors[first], errors[other], strict=True)
    ]
    lost = int((~result.converged).sum())
    return Section(
        "table1",
        f"{_PAPER}, method of Table 1 on {name}: precision-recall curves inferred from one value, "
        f"{result.rms.shape[2]} lists, {lost} not converged",
        Table(header, rows),
        properties=tuple(claims),
        chart=lambda: error_bars(result),
    )


def _figure_1(name: str, judged: Judged, replicates: int, seed: int) -> Section:
    """Correlate P@10 with AP and nDCG over runs."""
    result = correlation(judged, MEASURES, replicates=replicates, seed=seed)
    rows = [
        [short(b), f"{tau:.3f}", f"[{low:.3f}, {high:.3f}]", f"{rms:.3f}"]
        for a, b, tau, low, high, rms, _ in result.frame.iter_rows()
        if a == "P@10"
    ]
    return Section(
        "figure1",
        f"{_PAPER}, method of Figure 1 on {name}: P@10 with AP and nDCG, {len(result.runs)} runs, "
        f"{len(result.topics)} topics",
        Table(["P@10 with", "tau", "interval over topics", "RMS difference"], rows),
        properties=tuple(_agreement_claims(result)),
        chart=lambda: scatter(result, 0, 1),
    )


def _agreement_claims(result: Agreement) -> list[Property]:
    return [
        Property(
            f"nDCG agrees more with P@10 than AP does by {what}, as in the paper",
            holds,
            f"{table[0, 2]:.3f} and {table[0, 1]:.3f}",
            necessary=False,
        )
        for what, table, holds in (
            ("tau", result.tau, bool(result.tau[0, 2] > result.tau[0, 1])),
            ("RMS difference", result.rms, bool(result.rms[0, 2] < result.rms[0, 1])),
        )
    ]


def _run_values(result: Informativeness, place: int) -> tuple[Floats, Floats]:
    """Return inferred and actual P@10 of runs, as means over their lists that converged."""
    good = result.converged[place]
    number = np.bincount(result.run[good], minlength=len(result.runs))
    means = [
        np.bincount(result.run[good], values[good], len(result.runs)) / np.maximum(number, 1)
        for values in (result.inferred[place, _P10], result.actual[_P10])
    ]
    return means[0][number > 0], means[1][number > 0]


def _figure_3(name: str, result: Informativeness) -> Section:
    """Compare inferred and actual P@10 of runs."""
    points = {m: _run_values(result, n) for n, m in enumerate(result.measures) if m in WHOLE}
    rms = {m: float(np.sqrt(((a - b) ** 2).mean())) for m, (a, b) in points.items()}
    tau = {m: float(kendall_tau(a, b)) for m, (a, b) in points.items()}
    rows = [
        [_label(m), f"{rms[m]:.3f}", f"{float((a - b).mean()):+.3f}", f"{tau[m]:.3f}"]
        for m, (a, b) in points.items()
    ]
    return Section(
        "figure3",
        f"{_PAPER}, method of Figure 3 on {name}: P@10 inferred from one value and actual P@10, "
        f"{len(result.runs)} runs",
        Table(["inferred from", "RMS over runs", "mean difference", "tau"], rows),
        properties=tuple(
            Property(
                f"P@10 is inferred better from AP than from nDCG by {what}, as in the paper for "
                f"{where}",
                holds,
                f"{values['AP']:.3f} and {values[NDCG]:.3f}",
                necessary=False,
            )
            for what, where, values, holds in (
                ("RMS", "TREC 9", rms, rms["AP"] < rms[NDCG]),
                ("tau", "TREC 9 and 10", tau, tau["AP"] > tau[NDCG]),
            )
        ),
        chart=lambda: _scatter(name, points),
    )


def _scatter(name: str, points: dict[str, tuple[Floats, Floats]]) -> Any:
    """Draw actual P@10 over inferred P@10, a dot for each run, by measure."""
    frame = pl.concat(
        pl.DataFrame({"measure": _label(measure), "inferred": a, "actual": b})
        for measure, (a, b) in points.items()
    )
    names = [_label(measure) for measure in points]
    top = float(max(frame["inferred"].max(), frame["actual"].max()))  # type: ignore[arg-type, type-var]
    scale = alt.Scale(domain=[0, top], nice=True)
    dots = (
        alt.Chart(frame)
        .mark_point(filled=True, size=25, opacity=0.7)
        .encode(
            x=alt.X("inferred:Q", title="inferred P@10", scale=scale),
            y=alt.Y("actual:Q", title="actual P@10", scale=scale),
            color=by_measure(names)["color"],
        )
    )
    ends = alt.Chart(pl.DataFrame({"inferred": [0.0, top], "actual": [0.0, top]}))
    line = ends.mark_line(color="#999999", strokeDash=[4, 3]).encode(x="inferred:Q", y="actual:Q")
    chart = alt.layer(line, dots).properties(width=340, height=340)
    return themed(chart.properties(title=f"P@10 inferred from one value, {name}"))


def _prediction(name: str, judged: Judged, splits: int, seed: int) -> Section:
    """Predict P@10 of runs on half of the topics from measures on the other half.

    The paper refers to Webber et al. (2008) for this: complex measures predict P@10 on other
    topics better than P@10 does.
    """
    found = prediction(judged, MEASURES, replicates=splits // 2, seed=seed)  # each half both ways
    tau = found.tau[:, :, MEASURES.index("P@10")]
    means, low, high = tau.mean(axis=0), *np.percentile(tau, [2.5, 97.5], axis=0)
    rows = [
        [short(measure), f"{means[m]:.3f}", f"[{low[m]:.3f}, {high[m]:.3f}]"]
        for m, measure in enumerate(MEASURES)
    ]
    return Section(
        "figure3",
        f"{_PAPER}, predictive power (Section 1) on {name}: P@10 of {len(judged.runs)} runs on "
        f"half of the topics, predicted from the other half; {splits:,} random halves",
        Table(["predicted from", "tau with P@10", "95% of halves"], rows),
        properties=tuple(
            Property(
                f"{short(measure)} predicts P@10 on other topics better than P@10 does, as the "
                "paper reports",
                bool(means[m] > means[0]),
                f"tau {means[m]:.3f} and {means[0]:.3f}; ahead in "
                f"{float((tau[:, m] > tau[:, 0]).mean()):.0%} of halves",
                necessary=False,
            )
            for m, measure in enumerate(MEASURES)
            if m
        ),
        chart=lambda: dots(
            list(map(short, MEASURES)),
            means.tolist(),
            tau.std(axis=0, ddof=1).tolist(),
            "tau with P@10 on the other half, with two standard deviations",
            f"Prediction of P@10, {name}",
        ),
    )
