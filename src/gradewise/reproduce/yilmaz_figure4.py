"""Yilmaz & Robertson 2010, Figure 4: informative objectives with fewer features and topics."""

from gradewise.learn.studies.less_data import DataStudy, data_study
from gradewise.report.figures.learning import study_curves
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_sets import PAIRS, Sets, Work, named
from gradewise.tables import Table

SIGNIFICANT = "•"


def figure_4(sets: Sets, work: Work) -> list[Section]:
    """Return the study of less data, on both sets."""
    found = []
    for name, folds, seeds in named(sets):
        result = data_study(
            folds[0],
            "lambdarank",
            PAIRS,
            features=[None, *sets.size.few],
            shares=sets.size.shares,
            seeds=[sets.seed + n for n in range(max(seeds, 1))],
            **sets.training("lambdarank"),
            **work.options,
        )
        found.append(
            Section(
                "figure4",
                f"Yilmaz & Robertson (2010), method of Figure 4 on {name}: LambdaRank, "
                f"{result.values.shape[-1]} test topics",
                _study_table(result),
                properties=tuple(_study_claims(result)),
                chart=lambda result=result: study_curves(result),  # type: ignore[misc]
            )
        )
    return found


def _study_table(result: DataStudy) -> Table:
    rows = []
    for pair in result.pairs:
        frame = result.frame.filter(test_measure=pair[1])
        for width in result.features:
            for share in result.shares:
                cells = [
                    frame.filter(features=width, share=share, objective=objective).row(
                        0, named=True
                    )
                    for objective in pair
                ]
                means = [f"{100 * cell['mean']:.2f}" for cell in cells]
                gap = 100 * (cells[0]["mean"] - cells[1]["mean"])
                mark = SIGNIFICANT if cells[0]["significant"] else ""
                label = f"{pair[1]}: {pair[0]} or itself"
                rows.append([label, str(width), f"{share:.0%}", *means, f"{gap:+.2f}{mark}"])
    header = ["tested with: trained for", "features", "topics", "informative", "itself"]
    return Table([*header, "difference"], rows)


def _study_claims(result: DataStudy) -> list[Property]:
    """Return how often the informative objective is ahead, with all features and with few.

    The paper finds it ahead for all shares of topics with 382 features, no significant difference
    with 9 features and all topics, and none at all with 2.
    """
    claims = []
    means = result.values.mean(axis=(4, 5))
    ahead = means[..., 0] > means[..., 1]
    significant = result.p <= result.alpha
    for place, width in enumerate(result.features):
        here, sure = ahead[:, place], significant[:, place]
        detail = (
            f"ahead in {int(here.sum())} of {here.size} cases, with a significant difference in "
            f"{int(sure.sum())}"
        )
        if place == 0:
            what = f"with {width} features, the informative objective is always ahead"
            holds = bool(here.all())
        elif width > 2:
            what = f"with {width} features and all topics, no difference is significant"
            holds = not sure[:, result.shares.index(max(result.shares))].any()
        else:
            what, holds = f"with {width} features, no difference is significant", not sure.any()
        claims.append(Property(f"{what}, as in the paper", holds, detail, necessary=False))
    return claims
