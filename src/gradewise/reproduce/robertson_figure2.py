"""Robertson, Kanoulas & Yilmaz 2010, Figure 2: how much GAP and nDCG tell of ranked lists."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.meta.correlation import simplex
from gradewise.meta.informativeness import BASELINE, Informativeness, advise, informativeness
from gradewise.report.figures.informativeness import sweep_curves
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

NDCG, LINEAR = "nDCG(dcg='exp-log2')", "nDCG"  # gains; the discount is logarithmic
STEEP = {NDCG: "nDCG(dcg='linear',gains='exp')", LINEAR: "nDCG(dcg='linear')"}  # linear discount
_GAP, _ALL, _BALANCED = "GAP(g=[0.0,1.0])", "GAP(g=[1.0,0.0])", "GAP(g=[0.5,0.5])"
Errors = Mapping[str, Floats]  # of each measure, by threshold


def figure_2(name: str, judged: Judged, step: float, seed: int, **work: Any) -> Section:
    """Return errors of curves inferred from GAP over g, and from nDCG."""
    swept = [f"GAP(g={point})" for point in simplex(len(judged.scale), step).tolist()]
    others = [NDCG, LINEAR, *STEEP.values()]
    result = informativeness(judged, [*swept, *others], baseline=True, **work)
    rms = result.frame.pivot("threshold", index="measure", values="rms")
    errors = {row[0]: np.array(row[1:]) for row in rms.iter_rows()}
    lists, lost = result.rms.shape[2], int((~result.converged).sum())
    return Section(
        "figure2",
        f"Robertson et al. (2010), method of Figure 2 on {name}: mean RMS error of "
        f"inferred precision-recall curves, {lists} lists, {lost} not converged; "
        f"{BASELINE} is inferred without a measure",
        Table(
            ["", *[f"grade {grade} and above" for grade in result.grades]],
            [[measure, *[f"{v:.4f}" for v in row]] for measure, row in errors.items()],
        ),
        properties=(*about_curves(errors), _best_compromise(result, errors, seed)),
        chart=lambda: sweep_curves(result),
    )


def about_curves(errors: Errors) -> list[Property]:
    """Check what section 4.1 and footnote 1 say about Figure 2."""
    every, high = 0, -1
    low_g, high_g, balanced, ndcg = (errors[name] for name in (_GAP, _ALL, _BALANCED, NDCG))
    claims = [
        _compared("with high g_1, GAP informs more about all relevant documents than with low g_1",
                  high_g[every], low_g[every]),
        _compared("with high g_2, GAP informs more about highly relevant ones than with low g_2",
                  low_g[high], high_g[high]),
        _compared("GAP with g = (.5, .5) informs more than nDCG about all relevant documents",
                  balanced[every], ndcg[every]),
        _compared("GAP with g = (.5, .5) informs more than nDCG about highly relevant ones",
                  balanced[high], ndcg[high]),
        _compared("GAP with g = (.5, .5) informs more than AP about all relevant documents",
                  balanced[every], high_g[every]),
    ]  # fmt: skip
    apart = float(np.abs(ndcg - errors[LINEAR]).max())
    claims.append(
        Property(
            "the gains of nDCG, exponential or linear, matter little: RMS within .01",
            apart <= 0.01,
            f"exponential {_shown(ndcg)}; linear {_shown(errors[LINEAR])}",
            necessary=False,
        )
    )
    return [*claims, _discounts(errors)]


def _discounts(errors: Errors) -> Property:
    """Compare discounts for both kinds of gains and all thresholds."""
    usual, steep = (np.array([errors[name] for name in names]) for names in (STEEP, STEEP.values()))
    return Property(
        "nDCG informs more with the logarithmic discount than with the linear one",
        bool((usual < steep).all()),
        f"exponential gains {_shown(usual[0])} and {_shown(steep[0])}; linear gains "
        f"{_shown(usual[1])} and {_shown(steep[1])}",
        necessary=False,
    )


def _compared(what: str, smaller: float, larger: float) -> Property:
    detail = f"RMS {smaller:.4f} and {larger:.4f}"
    return Property(what, bool(smaller < larger), detail, necessary=False)


def _shown(errors: Floats) -> str:
    return ", ".join(f"{error:.4f}" for error in errors)


def _best_compromise(result: Informativeness, errors: Errors, seed: int) -> Property:
    """Check which g has the smallest error, averaged over both thresholds."""
    points = [measure for measure in result.measures if measure.startswith("GAP")]
    best = min(points, key=lambda name: float(errors[name].mean()))
    return Property(
        "g around (.5, .5), from .4 to .6, is the best compromise between both thresholds",
        best in (f"GAP(g=[{g},{round(1 - g, 1)}])" for g in (0.4, 0.5, 0.6)),
        f"best {best}; {advise(result, seed=seed)}",
        necessary=False,
    )
