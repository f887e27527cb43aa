"""What p-values are corrected for, how many samples that takes, and what it guarantees."""

import numpy as np
import pytest
from scipy import special

import gradewise as gw
from gradewise import stats
from gradewise.measures.grammar import parse_measure
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.families import find_family
from gradewise.stats.replicates import MOST_REPLICATES, choose_replicates
from gradewise.stats.tests import TESTS, Test


def _scores(values: np.ndarray) -> gw.Scores:
    """Scores of runs a, b, c, … by AP and, with the first two runs exchanged, by nDCG."""
    swapped = values[[1, 0, *range(2, len(values))]]
    return gw.Scores(
        tuple("abcdefghijklmnopqrstuvwxyz"[: len(values)]),
        tuple(map(str, range(values.shape[1]))),
        (parse_measure("AP"), parse_measure("nDCG")),
        np.stack([values, swapped], axis=2),
        np.ones(values.shape, bool),
    )


@pytest.fixture(scope="module")
def scores() -> gw.Scores:
    """Run a is the best by AP, run b by nDCG."""
    rng = np.random.default_rng(1)
    return _scores(rng.random((6, 25)) - np.arange(6)[:, None] / 10 + 1)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("test", ["t", "wilcoxon", "randomization"])
def test_the_best_run_is_corrected_for_all_pairs(
    scores: gw.Scores, correction: Correction, test: Test
) -> None:
    everything = gw.compare(scores, test=test, correction=correction, replicates=500)
    against = gw.compare(scores, "a", test=test, correction=correction, replicates=500)
    expected = {
        frozenset((row["run_a"], row["run_b"])): row["p_corrected"]
        for row in everything.pairs.filter(measure="AP").iter_rows(named=True)
    }
    rows = against.pairs.filter(measure="AP").iter_rows(named=True)
    found = {frozenset((row["run_a"], row["run_b"])): row["p_corrected"] for row in rows}
    assert len(found) == 5
    assert found == {pair: expected[pair] for pair in found}


def test_another_baseline_is_corrected_for_its_pairs(scores: gw.Scores) -> None:
    against = gw.compare(scores, "a").pairs.filter(measure="nDCG")
    assert against["p_corrected"].to_list() == pytest.approx(
        stats.correct(against["p"].to_numpy(), "holm").tolist(), abs=1e-15
    )
    explained = gw.compare(scores, "a").explanation()
    assert "over 5 pairs (all 15 pairs for AP, by which a is the best run)" in explained
    assert "over 5 pairs, alpha" in gw.compare(scores, "c").explanation()


def test_a_baseline_that_shares_the_best_mean_counts_as_best() -> None:
    means = np.array([0.1 + 0.2, 0.3, 0.1])
    assert [len(find_family(means, run)) for run in range(3)] == [3, 3, 2]
    assert len(find_family(means, 2, joint=True)) == 3


# 2 m / α: 861 pairs of 42 runs need 34,440 samples.
@pytest.mark.parametrize(
    ("correction", "pairs", "expected"),
    [
        ("holm", 1, 10_000),
        ("holm", 861, 34_440),
        ("bonferroni", 861, 34_440),
        ("bh", 861, 34_440),
        ("none", 861, 10_000),
        ("holm", 10_153, 406_120),
        ("holm", 499_500, MOST_REPLICATES),
    ],
)
def test_default_replicates(correction: Correction, pairs: int, expected: int) -> None:
    chosen = choose_replicates(CORRECTIONS[correction], pairs, 0.05)
    assert chosen == expected
    if chosen < MOST_REPLICATES:
        assert pairs / (chosen + 1) <= 0.05 or correction == "none"


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_a_clear_difference_survives_any_number_of_pairs(test: Test) -> None:
    rng = np.random.default_rng(2)
    clear = _scores(rng.random((24, 20)) / 10 + np.linspace(1, 0, 24)[:, None])
    found = gw.compare(clear, test=test)
    assert found.replicates == 2 * 276 / 0.05
    assert found.notes == ()
    assert found.pairs["significant"].mean() > 0.8
    weak = gw.compare(clear, test=test, replicates=1000)
    assert not weak.pairs["significant"].any()
    assert weak.notes[0] == (
        "AP: with 276 pairs and Holm's correction, 1,000 replicates cannot show any difference; "
        "use 5,519 replicates or more"
    )
    assert not any("cannot" in note for note in gw.compare(clear, test=test, replicates=5519).notes)


def test_what_few_topics_cannot_show() -> None:
    values = np.random.default_rng(3).random((5, 6)) + 1
    note = (
        "AP: with 10 pairs and Holm's correction, a sign test over 6 topics, whose p is at least "
        "0.031, cannot show any difference; use more topics, fewer runs or another test"
    )
    assert gw.compare(_scores(values), test="sign").notes[0] == note
    assert gw.compare(_scores(values), test="t").notes == ()
    assert gw.compare(_scores(values[:2]), test="sign").notes == ()
    together = gw.compare(_scores(values), test="bootstrap", correction="bh", replicates=50)
    assert "cannot show fewer than 4 differences" in together.notes[0]


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("topics", [4, 7, 20])
def test_the_smallest_p_is_reached_and_not_passed(name: Test, topics: int) -> None:
    test = TESTS[name]
    clear = 1.0 + np.arange(topics) / 100  # all differences have one sign, and none are tied
    if test.joint:
        values = np.stack([100 * clear, np.zeros(topics)])
        p = float(test.apply(values, replicates=200, seed=0)[0, 1])
    else:
        p = float(test.apply(clear[None], replicates=200, seed=0)[0])
    least = test.least(topics, 200)
    assert p >= least - 1e-15
    if name in {"sign", "wilcoxon", "strict"} or (name == "randomization" and topics < 20):
        assert p == pytest.approx(least, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t", "wilcoxon", "bootstrap", "randomization"])
def test_equal_runs_are_seldom_told_apart(name: Test) -> None:
    """Family-wise error of Holm's correction; benchmarks/family_wise.py has the full study."""
    rng, experiments, errors = np.random.default_rng(4), 150, 0
    first, second = np.triu_indices(10, 1)
    for _ in range(experiments):
        topic, own = rng.standard_normal((1, 20)), rng.standard_normal((10, 20))
        values = special.betaincinv(1.35, 4.8, special.ndtr(topic * 0.75**0.5 + own / 2))
        p = stats.paired_p(values[first] - values[second], name, replicates=1800)
        errors += bool((stats.correct(p, "holm") <= 0.05).any())
    assert errors / experiments <= 0.05 + 2 * (0.05 * 0.95 / experiments) ** 0.5


def test_less_is_better_for_some_measures(scores: gw.Scores) -> None:
    """The best run by a search length is the one with the shortest, and is corrected as such."""
    lengths = gw.Scores(
        scores.runs,
        scores.topics,
        (parse_measure("ESL(size=1000)"),),
        100 - scores.values[:, :, :1],
        scores.counted,
    )
    best_first = gw.compare(lengths)
    assert best_first.parts[0].runs == tuple("abcdef")
    assert best_first.parts[0].runs == lengths.sorted().runs
    same = gw.compare(scores).pairs.filter(measure="AP")
    for column in ("p", "p_corrected", "wins", "ties", "losses"):
        assert best_first.pairs[column].to_list() == pytest.approx(same[column].to_list())
    assert len(gw.compare(lengths, "a").parts[0].p) == 5
    assert gw.compare(lengths, "a").parts[0].family == 15  # the best run: all pairs
    assert gw.compare(lengths, "f").parts[0].family == 5
