"""Search of all directions of two features, against a loop over angles, topics and documents."""

import math

import numpy as np
import pytest

from gradewise.errors import GradewiseError
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.studies.brute_force import brute_force
from gradewise.learn.studies.folds import Fold
from oracles import gain_discount, pivot

ANGLES = 30


def _topics(seed: int, topics: int = 6, size: int = 9) -> FeatureSet:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(topics * size, 3))
    worth = x[:, 0] - 0.5 * x[:, 2] + 0.5 * rng.normal(size=len(x))
    return from_arrays(x, np.digitize(worth, [0.3, 1.2]), group=[size] * topics)


FOLD = Fold(_topics(0), _topics(1), _topics(2))


def _value(data: FeatureSet, angle: float, name: str) -> list[float]:
    """Return the value of each topic when cos(angle) x0 + sin(angle) x2 ranks its documents."""
    found = []
    for topic in range(len(data)):
        rows = range(*data.rows_of(topic).indices(len(data.grades)))
        scores = {
            row: math.cos(angle) * float(data.features[row, 0])
            + math.sin(angle) * float(data.features[row, 2])
            for row in rows
        }
        grades = [
            int(data.grades[row]) for row in sorted(rows, key=lambda row, by=scores: -by[row])
        ]
        judged = {grade: grades.count(grade) for grade in (1, 2)}
        if name == "AP":
            found.append(pivot.ap(grades, judged))
        else:
            found.append(gain_discount.p(grades, judged, cutoff=3))
    return found


def test_search_is_the_loop_over_angles() -> None:
    result = brute_force(FOLD, ["AP", "P@3"], columns=(0, 2), angles=ANGLES)
    assert result.angles.tolist() == pytest.approx(
        [2 * math.pi * n / ANGLES for n in range(ANGLES)]
    )
    for m, name in enumerate(("AP", "P@3")):
        expected = [np.mean(_value(FOLD.train, angle, name)) for angle in result.angles]
        assert result.training[m].tolist() == pytest.approx(expected, abs=1e-12)
        assert result.best[m] == result.angles[int(np.argmax(expected))]
        for n in range(2):
            tested = _value(FOLD.test, float(result.best[n]), name)
            assert result.values[n, m].tolist() == pytest.approx(tested, abs=1e-12)


def test_no_angles() -> None:
    with pytest.raises(GradewiseError, match="angles must be at least 1, not 0"):
        brute_force(FOLD, ["AP"], columns=(0, 1), angles=0)
