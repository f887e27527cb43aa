"""Ferrante, Ferro & Maistro, Figures 1-2: how rankings of runs stand fewer judgments."""

from collections.abc import Callable

import numpy as np

from gradewise.arrays import Floats
from gradewise.meta.incompleteness import RATES, Incompleteness, incompleteness
from gradewise.report.figures.incompleteness import incompleteness_curves
from gradewise.reproduce.ferrante_tables import QUARTILE, has_topics
from gradewise.reproduce.ferrante_tracks import RULES, Studied
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

MEASURES = ("AP", "GAP", "xGAP", "eGAP", "nDCG", "RBP", "Bpref")
_SHOWN = (1.0, 0.5, 0.2, 0.1, 0.05)
_SHALLOW = (0.1, 0.05)  # rates at which the paper compares GAP with its successors


def figure_sections(
    part: str,
    study: Studied,
    *,
    replicates: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Section]:
    """Return a section for all topics, and for each kind of topics with few good documents."""
    measures = [f"{m}(g={list(study.low)})" if m.endswith("GAP") else m for m in MEASURES]
    found = []
    for label, rule in list(RULES.items())[: len(study.low)]:
        if not has_topics(study.sets[0], rule):
            continue
        results = [
            incompleteness(
                judged,
                measures,
                replicates=replicates,
                topics=rule,
                above=QUARTILE,
                seed=seed + place,
                progress=progress,
            )
            for place, judged in enumerate(study.sets)
        ]
        found.append(_section(part, study, label, results))
    return found


def _section(part: str, study: Studied, label: str, results: list[Incompleteness]) -> Section:
    """Return τ with the ranking by all judgments, averaged over sets of runs and samples."""
    tau = np.concatenate([np.nan_to_num(result.tau) for result in results], axis=1)
    means = tau.mean(axis=1)
    rates = [RATES.index(rate) for rate in _SHOWN]
    rows = [
        [measure, *[f"{means[place, index]:.3f}" for place in rates]]
        for index, measure in enumerate(MEASURES)
    ]
    first = results[0]
    each = " of each set" if len(results) > 1 else ""
    title = (
        f"Ferrante et al. (2014), Figure {part[-1]}: {study.name}, {label} ({first.topics}), "
        f"g = {list(study.low)}; tau with the ranking by all "
        f"judgments, {len(first.runs)} runs, {first.tau.shape[1]} series of samples{each}"
    )
    three = len(study.low) > 2
    return Section(
        part,
        title,
        Table(["share of the pool", *[f"{rate:.0%}" for rate in _SHOWN]], rows),
        properties=tuple(about_robustness(tau, everything=RULES[label] is None, three=three)),
        chart=lambda: incompleteness_curves(first),
    )


def about_robustness(tau: Floats, *, everything: bool, three: bool) -> list[Property]:
    """Check the claims of section 6 about Figures 1-2; `tau[rate, series, measure]`."""
    value = dict(zip(MEASURES, tau.mean(axis=1).T, strict=True))
    last = {name: float(curve[-1]) for name, curve in value.items()}
    others = max(v for name, v in last.items() if name not in ("nDCG", "Bpref"))
    robust = Property(
        "nDCG and Bpref are the most robust to missing judgments",
        min(last["nDCG"], last["Bpref"]) >= others,
        f"at 5%: nDCG {last['nDCG']:.3f}, Bpref {last['Bpref']:.3f}, best other {others:.3f}",
        necessary=False,
    )
    gains = np.stack([_gains(tau, name) for name in ("xGAP", "eGAP")])
    if not (everything and three):
        what = "with shallow pools, xGAP and eGAP are more robust than GAP"
        better = Property(what, bool((gains > 0).all()), _shallow(tau, value), False)
        return [robust, better, *([_alike(value)] if everything else [])]
    what = "with three grades, GAP is more robust than xGAP and eGAP"
    apart = float(np.abs(value["GAP"] - value["AP"]).max())
    return [
        robust,
        Property(what, bool((gains < 0).all()), _shallow(tau, value), necessary=False),
        Property(
            "GAP stays within .1 of AP",
            apart <= 0.1,
            f"largest difference {apart:.3f}",
            necessary=False,
        ),
    ]


def _alike(value: dict[str, Floats]) -> Property:
    """Check that xGAP and eGAP behave as GAP does while pools are not shallow."""
    deep = [place for place, rate in enumerate(RATES) if rate > max(_SHALLOW)]
    apart = max(float(np.abs(value[name] - value["GAP"])[deep].max()) for name in ("xGAP", "eGAP"))
    return Property(
        "from deeper pools, xGAP and eGAP behave like GAP, within .05",
        apart <= 0.05,
        f"largest difference {apart:.3f}",
        necessary=False,
    )


def _gains(tau: Floats, name: str) -> Floats:
    """Return how much higher τ of a measure is than that of GAP, at 10% and at 5%."""
    shallow = tau[[RATES.index(rate) for rate in _SHALLOW]]
    better = shallow[:, :, MEASURES.index(name)] - shallow[:, :, MEASURES.index("GAP")]
    return np.asarray(better.mean(axis=1))


def _shallow(tau: Floats, value: dict[str, Floats]) -> str:
    """Return τ at 10% and 5%, and how far from GAP at 5%, with the error over series."""
    places = [RATES.index(rate) for rate in _SHALLOW]
    parts = [f"GAP {value['GAP'][places[0]]:.3f} and {value['GAP'][places[1]]:.3f}"]
    for name in ("xGAP", "eGAP"):
        first, second = value[name][places]
        apart = tau[places[1], :, MEASURES.index(name)] - tau[places[1], :, MEASURES.index("GAP")]
        error = apart.std(ddof=1) / np.sqrt(len(apart))
        parts.append(
            f"{name} {first:.3f} and {second:.3f} (at 5% {apart.mean():+.3f} from GAP, standard "
            f"error {error:.3f})"
        )
    return "at 10% and 5%: " + ", ".join(parts)
