"""Comparisons from sums: those of `compare`, however topics are parted."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError
from gradewise.measures.scores import Scores
from gradewise.stats.moments import Moments, compare_moments

NUMBERS = ["mean", "low", "high", "difference", "pair_low", "pair_high", "effect", "p", "corrected"]


def _scores(seed: int, runs: int = 6, topics: int = 40) -> Scores:
    """Draw scores: two runs are equal, one is better by a constant, some topics are tied."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.random((runs, topics, 2)), 1)
    values[1] = values[0]
    values[2] = values[0] + 0.25
    counted = rng.random((runs, topics)) > 0.02
    names = tuple(f"run{n}" for n in range(runs))
    measures = (gw.parse_measure("AP"), gw.parse_measure("nDCG@10"))
    return Scores(names, tuple(map(str, range(topics))), measures, values, counted)


def _sums(scores: Scores, parts: int) -> tuple[list[Moments], list[float]]:
    found, largest = [], []
    for index in range(len(scores.measures)):
        values = np.where(scores.counted, scores.values[:, :, index], np.nan)
        common = ~np.isnan(values).any(axis=0)
        largest.append(float(np.abs(values[:, common]).max()))
        sums = Moments.none(len(scores.runs))
        for topics in np.array_split(np.arange(values.shape[1]), parts):
            sums = sums.merged(Moments.of(values[:, topics], largest[-1]))
        found.append(sums)
    return found, largest


@pytest.mark.parametrize("test", ["t", "sign"])
@pytest.mark.parametrize("baseline", [None, "run4", "run2"])
@pytest.mark.parametrize("parts", [1, 7, 60])
def test_sums_give_what_values_give(parts: int, baseline: str | None, test: str) -> None:
    for seed in range(5):
        scores = _scores(seed)
        expected = gw.compare(scores, baseline, test=test, correction="bh", alpha=0.2, level=0.9)
        sums, largest = _sums(scores, parts)
        found = compare_moments(
            scores.measures,
            scores.runs,
            sums,
            largest,
            baseline,
            test=test,
            correction="bh",
            alpha=0.2,
            level=0.9,
        )
        for ours, theirs in zip(found.parts, expected.parts, strict=True):
            assert ours.runs == theirs.runs
            assert (ours.topics, ours.family) == (theirs.topics, theirs.family)
            for name in ("wins", "ties", "losses", "significant", "first", "second"):
                assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name
            for name in NUMBERS:
                mine, other = getattr(ours, name), getattr(theirs, name)
                assert np.allclose(mine, other, rtol=1e-9, atol=1e-12), name
        assert found.notes == expected.notes
        assert str(found) == str(expected)


def test_what_sums_cannot_decide_is_refused() -> None:
    scores = _scores(0)
    sums, largest = _sums(scores, 1)
    given = (scores.measures, scores.runs, sums, largest)
    with pytest.raises(OptionError, match="test must be one of 't', 'sign'"):
        compare_moments(*given, test="wilcoxon")
    with pytest.raises(OptionError, match="there is no run 'x'"):
        compare_moments(*given, "x")
    with pytest.raises(OptionError, match="at least 2 topics that all runs share"):
        compare_moments(scores.measures, scores.runs, [Moments.none(6)] * 2, largest)
