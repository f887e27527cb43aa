"""Yilmaz & Robertson 2010, Figure 4 and Section 5.1: fewer features and topics."""

from typing import Any

import numpy as np

from gradewise.arrays import Bools
from gradewise.learn.normalization import normalize
from gradewise.learn.studies.brute_force import brute_force
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import Fold
from gradewise.learn.studies.less_data import DataStudy, best_features, data_study, join_studies
from gradewise.report.figures.learning import study_curves
from gradewise.reproduce.collections import ohsumed
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_charts import gains
from gradewise.reproduce.yilmaz_claims import tell
from gradewise.reproduce.yilmaz_sets import OBJECTIVES, PAIRS, Sets, Work, short
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Table

SIGNIFICANT = "•"


def figure_4(sets: Sets, work: Work) -> list[Section]:
    """Return the study of less data, the search with two features, and the check on OHSUMED."""
    training = sets.training("lambdarank")
    result = join_studies(
        [_study(fold, [seed], sets, work, training) for seed, fold in sets.simulated()]
    )
    found = [_section(sets.title, result), _searched(sets)]
    if sets.sample:
        training = sets.sample_training("lambdarank")
        sample = _study(sets.sample[0], sets.sample_seeds, sets, work, training)
        topics = f"{sample.values.shape[-1]} test topics of MSLR-WEB"
        found += [_section(topics, sample), _on_ohsumed(sets, work)]
    return found


def _study(
    fold: Fold, seeds: list[int], sets: Sets, work: Work, training: dict[str, Any]
) -> DataStudy:
    return data_study(
        fold,
        "lambdarank",
        PAIRS,
        features=[None, *sets.size.few],
        shares=sets.size.shares,
        seeds=seeds,
        **training,
        **work.options,
    )


def _section(name: str, result: DataStudy) -> Section:
    return Section(
        "figure4",
        f"Yilmaz & Robertson (2010), method of Figure 4 on {name}: LambdaRank, with the standard "
        "errors of the difference over topics and over seeds",
        _table(result),
        properties=(*_width_claims(result), *_trend_claims(result)),
        chart=lambda: study_curves(result),
    )


def _table(result: DataStudy) -> Table:
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
                errors = [
                    f"{100 * cells[0][name]:.2f}"
                    for name in ("error_of_difference", "error_of_seeds")
                ]
                label = f"{short(pair[1])}: {short(pair[0])} or itself"
                cells_of_row = [*means, f"{gap:+.2f}{mark}", *errors]
                rows.append([label, str(width), f"{share:.0%}", *cells_of_row])
    header = ["tested with: trained for", "features", "topics", "informative", "itself"]
    return Table([*header, "difference", "topics", "seeds"], rows)


def _width_claims(result: DataStudy) -> list[Property]:
    """Check what the paper finds for each number of features."""
    whole = np.array(result.shares) == max(result.shares)
    claims = []
    for place, width in enumerate(result.features):
        if place == 0:
            what = f"with {width} features, the informative objective is significantly better for "
            claims.append(_all(f"{what}every share of topics", result, place, whole | True))
        elif width > 2:
            what = f"with {width} features and less than all topics, the informative objective is "
            claims.append(_all(f"{what}significantly better", result, place, ~whole))
            claims.append(_none(f"with {width} features and all", result, place, whole))
        else:
            what = f"with {width} features and any share of the"
            claims.append(_none(what, result, place, whole | True))
    return claims


def _all(what: str, result: DataStudy, place: int, shares: Bools) -> Property:
    """Claim that the informative objective is significantly better in all cases."""
    ahead = result.differences.mean(axis=(-1, -2))[:, place][:, shares] > 0
    sure, over_seeds = (found & ahead for found in _significant(result, place, shares))
    return Property(
        f"{what}, as in the paper",
        bool(sure.all()),
        f"ahead in {int(ahead.sum())} of {ahead.size} cases, significantly in {int(sure.sum())} "
        f"over topics and in {int(over_seeds.sum())} over seeds",
        necessary=False,
    )


def _none(what: str, result: DataStudy, place: int, shares: Bools) -> Property:
    """Claim that the two objectives do not differ significantly in any case."""
    sure, over_seeds = _significant(result, place, shares)
    return Property(
        f"{what} topics, no difference is significant, as in the paper",
        not sure.any(),
        f"of {sure.size}, {int(sure.sum())} are significant over topics and "
        f"{int(over_seeds.sum())} over seeds",
        necessary=False,
    )


def _significant(result: DataStudy, place: int, shares: Bools) -> tuple[Bools, Bools]:
    """Return which differences are significant, over topics and over seeds, [pair, share]."""
    over_topics, over_seeds = result.p, result.p_of_seeds
    return (
        over_topics[:, place][:, shares] <= result.alpha,
        over_seeds[:, place][:, shares] <= result.alpha,
    )


def _trend_claims(result: DataStudy) -> list[Property]:
    """Check that the objective matters more with less data and with more features."""
    gaps = 100 * result.differences.mean(axis=(-1, -2))  # [pair, features, share]
    least, most = np.argmin(result.shares), np.argmax(result.shares)
    few, many = gaps[:, 0, least].mean(), gaps[:, 0, most].mean()
    wide, narrow = gaps[:, 0].mean(), gaps[:, -1].mean()
    means = 100 * result.values.mean(axis=(-1, -2))  # [pair, features, share, objective]
    grown = (means[:, :, most] - means[:, :, least]).mean(axis=(0, 2))
    return [
        Property(
            f"with {result.features[0]} features, the informative objective gains more from "
            f"{min(result.shares):.0%} of the topics than from all of them",
            bool(few > many),
            f"{few:+.2f} and {many:+.2f}, averaged over both test measures",
            necessary=False,
        ),
        Property(
            f"it gains more with {result.features[0]} features than with {result.features[-1]}",
            bool(wide > narrow),
            f"{wide:+.2f} and {narrow:+.2f}, averaged over shares and test measures",
            necessary=False,
        ),
        Property(
            f"more topics help less with {result.features[-1]} features than with "
            f"{result.features[0]}, as the paper reports",
            bool(grown[-1] < grown[0]),
            f"{grown[-1]:+.2f} and {grown[0]:+.2f} from {min(result.shares):.0%} to all, averaged "
            "over objectives and test measures",
            necessary=False,
        ),
    ]


def _searched(sets: Sets) -> Section:
    """Search all directions of the two best features, and compare objectives in testing."""
    drawn = []
    for _, fold in sets.simulated():
        first, second = best_features(fold.train)[:2]
        drawn.append(
            brute_force(fold, OBJECTIVES, columns=(first, second), angles=sets.size.angles)
        )
    values = np.concatenate([result.values for result in drawn], axis=-1)
    rows, drawn_gains, significant = [], [], 0
    for informative, test in PAIRS:
        a, b = (OBJECTIVES.index(name) for name in (informative, test))
        gaps = values[a, b] - values[b, b]
        p = float(strict_test(gaps, scale=float(np.abs(values[[a, b], b]).max())))
        significant += p <= 0.05
        means = [f"{100 * values[n, b].mean():.2f}" for n in (a, b)]
        error = gaps.std(ddof=1) / np.sqrt(len(gaps))
        cells = [f"{100 * gaps.mean():+.2f}", f"{100 * error:.2f}", f"{p:.3f}"]
        label = f"{short(test)}: {short(informative)} or itself"
        rows.append([label, *means, *cells])
        drawn_gains.append((label, float(gaps.mean()), float(error)))
    header = ["tested with: trained for", "informative", "itself", "difference", "std. error", "p"]
    return Section(
        "figure4",
        f"Yilmaz & Robertson (2010), Section 5.1 on {sets.title}: the best of {sets.size.angles} "
        "linear functions of two features by each measure on training topics",
        Table(header, rows),
        properties=(
            Property(
                "with two features and brute-force search, no difference is significant, as in the "
                "paper",
                significant == 0,
                f"{significant} of {len(PAIRS)} are significant",
                necessary=False,
            ),
        ),
        chart=lambda: gains(drawn_gains, "The best linear functions of two features"),
    )


def _on_ohsumed(sets: Sets, work: Work) -> Section:
    """Train on OHSUMED, whose features are few and alike."""
    assert sets.folder is not None
    parts = [normalize(part, "zscore") for part in ohsumed(sets.folder)]
    result = crossval(
        parts,
        "lambdarank",
        OBJECTIVES,
        [test for _, test in PAIRS],
        seeds=sets.sample_seeds,
        **sets.sample_training("lambdarank"),
        **work.options,
    )
    compared = [
        result.against(*pair).filter(test_measure=pair[1]).row(0, named=True) for pair in PAIRS
    ]
    rows = [
        [f"{short(test)}: {short(informative)} or itself", tell(row)]
        for (informative, test), row in zip(PAIRS, compared, strict=True)
    ]
    significant = sum(row["significant"] for row in compared)
    return Section(
        "figure4",
        f"Yilmaz & Robertson (2010), Section 5.1 on OHSUMED: LambdaRank, {len(result.topics)} "
        "topics, five folds, 45 features",
        Table(["tested with: trained for", "difference"], rows),
        properties=(
            Property(
                "on OHSUMED no difference is significant, as in the paper",
                significant == 0,
                f"{significant} of {len(PAIRS)} are significant",
                necessary=False,
            ),
        ),
        chart=lambda: gains(
            [
                (str(cells[0]), row["difference"], row["standard_error"])
                for cells, row in zip(rows, compared, strict=True)
            ],
            "OHSUMED: gain over training for the test measure",
        ),
    )
