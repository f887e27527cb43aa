"""Yilmaz & Robertson 2010, footnotes 2 and 3: other thresholds, validation by the objective."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.learn.studies.cross_validated import CrossValidation, join_seeds
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.seeds import by_topic
from gradewise.noise import all_zero
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_charts import gains
from gradewise.reproduce.yilmaz_claims import tell
from gradewise.reproduce.yilmaz_sets import PAIRS, Sets, Work, short
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Table

THRESHOLDS = (2, 3)


def validation_section(name: str, result: CrossValidation) -> Section:
    """Compare epochs chosen by the test measure with epochs chosen by the objective."""
    other = result.validated_by("objective")
    differences = by_topic(other.values - result.values, redrawn=result.redrawn)
    scale = float(np.abs(result.values).max())
    p = strict_test(differences, scale=scale)[0]
    rows = []
    for n, objective in enumerate(result.train_measures):
        cells = [
            f"{100 * other.mean[0, n, m]:.2f} ({100 * differences[0, n, m].mean():+.2f})"
            for m in range(len(result.test_measures))
        ]
        rows.append([short(objective), *cells])
    tested = ~all_zero(differences[0], scale)
    significant = int((p[tested] <= result.alpha).sum())
    both = [(result.against(*pair), other.against(*pair), pair[1]) for pair in PAIRS]
    same = [
        bool(
            a.filter(test_measure=test)["significant"][0]
            == b.filter(test_measure=test)["significant"][0]
        )
        for a, b, test in both
    ]
    return Section(
        "table2",
        f"Yilmaz & Robertson (2010), footnote 3 on {name}: the epoch chosen by the measure trained "
        "for, difference from the test measure's choice in parentheses",
        Table(["trained for", *map(short, result.test_measures)], rows),
        properties=(
            Property(
                "choosing the epoch by the measure trained for makes no significant difference, as "
                "in the paper",
                significant == 0,
                f"{significant} of {int(tested.sum())} differences are significant, the largest is "
                f"{100 * np.abs(differences[0].mean(axis=-1)).max():.2f}",
                necessary=False,
            ),
            Property(
                "it does not change which gains of informative objectives are significant either",
                all(same),
                f"{sum(same)} of {len(same)} are the same",
                necessary=False,
            ),
        ),
        chart=lambda: gains(
            [
                (f"{short(test)}: trained for {short(objective)}", *_mean(differences[0, n, m]))
                for n, objective in enumerate(result.train_measures)
                for m, test in enumerate(result.test_measures)
            ],
            "Epochs chosen by the objective, against the test measure's choice",
        ),
    )


def _mean(differences: Floats) -> tuple[float, float]:
    """Return the mean and its standard error."""
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return float(differences.mean()), float(error)


def threshold_section(sets: Sets, work: Work) -> Section:
    """Train for AP and P@10 with higher grades as the threshold of relevance."""
    rows, claims, drawn_gains = [], [], []
    for threshold in THRESHOLDS:
        measures = (f"AP(rel={threshold})", f"P(rel={threshold})@10")
        drawn = [
            crossval(
                [fold],
                "lambdarank",
                measures,
                measures,
                seeds=[seed],
                **sets.training("lambdarank"),
                **work.options,
            )
            for seed, fold in sets.simulated()
        ]
        result = join_seeds(drawn)
        tested = result.test_measures[1]
        row = result.against(*result.train_measures).filter(test_measure=tested).row(0, named=True)
        means = [f"{100 * result.mean[0, n, 1]:.2f}" for n in (0, 1)]
        drawn_gains.append((f"from grade {threshold}", row["difference"], row["standard_error"]))
        rows.append([f"grade {threshold}", *means, f"{100 * row['difference']:+.2f}"])
        claims.append(
            Property(
                f"with documents of grade {threshold} or more as relevant, training for AP gives a "
                "higher P@10 than training for P@10",
                row["difference"] > 0,
                tell(row),
                necessary=False,
            )
        )
    return Section(
        "table2",
        f"Yilmaz & Robertson (2010), footnote 2 on {sets.title}: P@10 by LambdaRank with other "
        "thresholds of relevance",
        Table(["relevant from", "trained for AP", "for P@10", "difference"], rows),
        properties=tuple(claims),
        chart=lambda: gains(drawn_gains, "P@10: trained for AP instead, by threshold of relevance"),
    )
