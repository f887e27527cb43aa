"""Yilmaz & Robertson 2010, Figure 5: learning curves of the objective and of the test measure."""

from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.jobs import do_all
from gradewise.learn.studies.trials import NetTrial, net_trial
from gradewise.libraries import pl
from gradewise.measures.grammar import parse_measure
from gradewise.report.figures.learning import learning_curves
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_printed import TESTS
from gradewise.reproduce.yilmaz_sets import OBJECTIVES, PAIRS, Sets, Work, short
from gradewise.tables import Table

SIMILAR = 0.9  # of the correlation of two curves that "follow a very similar trend"
CLOSE = 0.01  # of two values that the paper's plots cannot tell apart


def figure_5(sets: Sets, work: Work) -> list[Section]:
    """Return learning curves for the first seed of the simulated sets."""
    trials = [_trial(objective, sets) for objective in OBJECTIVES]
    results = do_all(trials, [sets.draw(sets.seed)], **work.options)
    curves = {
        objective: _best_rate(trial, result["curves"])
        for objective, trial, result in zip(OBJECTIVES, trials, results, strict=True)
    }
    found = []
    for informative, test in PAIRS:
        both = {name: curves[name] for name in (informative, test)}
        found.append(
            Section(
                "figure5",
                f"Yilmaz & Robertson (2010), method of Figure 5 on {sets.title}, first seed: "
                f"LambdaRank for {short(informative)} and for {short(test)}, tested with "
                f"{short(test)}",
                _table(both, test),
                properties=tuple(_claims(both, informative, test)),
                chart=lambda both=both, name=informative: _chart(both, name),  # type: ignore[misc]
            )
        )
    return found


def _trial(objective: str, sets: Sets) -> NetTrial:
    """Return the trial of Table 2, so that its result serves both if it was kept."""
    options = {**sets.training("lambdarank"), "random_state": sets.seed}
    tests = [parse_measure(test) for test in TESTS]
    return net_trial({"algorithm": "lambdarank", "objective": objective, **options}, tests, 0)


def _best_rate(trial: NetTrial, curves: Floats) -> "pl.DataFrame":
    """Return the curves of the learning rate with the highest objective on validation topics."""
    frame, name = trial.frame_of(curves), str(trial.recipe.objective)
    held = frame.filter(data="validation", measure=name)
    rate = held.sort("value", descending=True)["learning_rate"][0]
    return frame.filter(learning_rate=rate)


def _curve(frame: "pl.DataFrame", data: str, measure: str) -> Floats:
    return frame.filter(data=data, measure=measure)["value"].to_numpy()


def _table(curves: "dict[str, pl.DataFrame]", test: str) -> Table:
    rows = []
    for objective, frame in curves.items():
        train, held = (_curve(frame, data, test) for data in ("train", "validation"))
        best = int(np.argmax(held))
        rows.append(
            [
                short(objective),
                f"{frame['learning_rate'][0]:g}",
                f"{_correlation(frame, objective, test):.3f}",
                f"{100 * train.max():.2f}",
                f"{100 * held.max():.2f}",
                f"{best + 1} of {len(held)}",
            ]
        )
    what = short(test)
    header = ["trained for", "rate", "correlation of curves", f"best {what}: train", "validation"]
    return Table([*header, "at epoch"], rows)


def _correlation(frame: "pl.DataFrame", objective: str, test: str) -> float:
    """Return Pearson's correlation of objective and test measure over epochs, in training."""
    first, second = (_curve(frame, "train", name) for name in (objective, test))
    return float(np.corrcoef(first, second)[0, 1])


def _claims(curves: "dict[str, pl.DataFrame]", informative: str, test: str) -> list[Property]:
    trend = _correlation(curves[informative], informative, test)
    values = [_curve(curves[name], "validation", test).max() for name in (informative, test)]
    apart = 100 * float(values[0] - values[1])
    a, b = short(informative), short(test)
    return [
        Property(
            f"while training for {a}, {b} follows it in the training set (correlation of at least "
            f"{SIMILAR:g})",
            trend >= SIMILAR,
            f"correlation {trend:.3f} over epochs",
            necessary=False,
        ),
        Property(
            f"training for {a} reaches the same {b} on validation topics as training for {b} "
            f"(within {100 * CLOSE:g} of 100)",
            abs(apart) <= 100 * CLOSE,
            f"{apart:+.2f}",
            necessary=False,
        ),
    ]


def _chart(curves: "dict[str, pl.DataFrame]", informative: str) -> Any:
    return learning_curves(
        curves[informative], title=f"LambdaRank, trained for {short(informative)}"
    )
