"""What changes with the judge: rankings, significant differences, and the variance of values."""

import random

import numpy as np
import pytest
from scipy import stats

import gradewise as gw
from gradewise.errors import InputError, MeasureError, OptionError
from gradewise.meta.judging.components import PARTS

Labels = dict[str, dict[str, int]]
MEASURES = ["AP", "nDCG@10", "GAP"]


@pytest.fixture(scope="module")
def sample() -> gw.simulate.Simulated:
    return gw.simulate.collection(topics=15, runs=6, depth=40, relevant=12, seed=2)


def noisy(qrels: Labels, seed: int, rate: float) -> Labels:
    rng = random.Random(seed)
    return {
        topic: {d: g if rng.random() > rate else rng.randrange(3) for d, g in held.items()}
        for topic, held in qrels.items()
    }


@pytest.fixture(scope="module")
def qrels(sample: gw.simulate.Simulated) -> dict[str, Labels]:
    people = sample.qrels.to_dict()
    return {"people": people, "good": noisy(people, 1, 0.1), "bad": noisy(people, 2, 0.8)}


@pytest.fixture(scope="module")
def panel(qrels: dict[str, Labels]) -> gw.meta.Panel:
    return gw.meta.judges(qrels)


@pytest.fixture(scope="module")
def effect(panel: gw.meta.Panel, sample: gw.simulate.Simulated) -> gw.meta.JudgeEffect:
    return gw.meta.judge_effect(panel, panel.join(sample.runs), MEASURES, replicates=60)


def test_rankings_are_those_of_each_judge_s_own_qrels(
    effect: gw.meta.JudgeEffect,
    qrels: dict[str, Labels],
    sample: gw.simulate.Simulated,
) -> None:
    own = {name: gw.evaluate(held, sample.runs, MEASURES) for name, held in qrels.items()}
    for row in effect.frame.iter_rows(named=True):
        before, after = (
            np.array([own[judge][run, row["measure"]] for run in sample.runs])
            for judge in ("people", row["judge"])
        )
        assert row["tau"] == pytest.approx(stats.kendalltau(after, before).statistic)
        assert row["tau_ap"] == pytest.approx(gw.stats.ap_tau(after, before).item())
        assert row["difference"] == pytest.approx((after - before).mean())
        assert row["tau_low"] <= row["tau"] <= row["tau_high"]
        moved = stats.rankdata(-after) - stats.rankdata(-before)
        assert abs(row["moved"]) == np.abs(moved).max()
        assert row["moved"] == moved[list(sample.runs).index(row["mover"])]


def test_flips_are_what_compare_finds(
    effect: gw.meta.JudgeEffect,
    qrels: dict[str, Labels],
    sample: gw.simulate.Simulated,
) -> None:
    signs = {}
    for judge, held in qrels.items():
        pairs = gw.compare(gw.evaluate(held, sample.runs, MEASURES)).pairs
        for row in pairs.iter_rows(named=True):
            sign = row["significant"] * (1 if row["difference"] > 0 else -1)
            signs[judge, row["measure"], row["run_a"], row["run_b"]] = sign
            signs[judge, row["measure"], row["run_b"], row["run_a"]] = -sign
    runs = sorted(sample.runs)
    expected = set()
    for judge in ("good", "bad"):
        for measure in map(str, effect.values.measures):
            for a, b in ((a, b) for k, a in enumerate(runs) for b in runs[k + 1 :]):
                before = signs["people", measure, a, b]
                after = signs[judge, measure, a, b]
                if before and after and before != after:
                    expected.add((measure, judge, "reversed", a, b))
                elif bool(before) != bool(after):
                    expected.add((measure, judge, "lost" if before else "gained", a, b))
    assert {row[:5] for row in effect.flips.rows()} == expected
    assert expected
    counted = effect.frame.select("measure", "judge", "lost", "gained", "reversed").rows()
    for measure, judge, *numbers in counted:
        for kind, number in zip(("lost", "gained", "reversed"), numbers, strict=True):
            assert number == sum(e[:3] == (measure, judge, kind) for e in expected)


def test_measures_are_ordered_by_how_little_they_move(effect: gw.meta.JudgeEffect) -> None:
    frame = effect.by_measure
    assert frame["tau"].is_sorted(descending=True)
    assert frame["best"].sum() == pytest.approx(1)
    by_judge = effect.frame.filter(measure="AP")
    row = frame.filter(measure="AP").row(0, named=True)
    assert row["tau"] == pytest.approx(by_judge["tau"].mean())
    moved = by_judge.select("lost", "gained", "reversed").sum_horizontal() / by_judge["pairs"]
    assert row["moved"] == pytest.approx(moved.mean())


def test_equal_judges_change_nothing(sample: gw.simulate.Simulated) -> None:
    panel = gw.meta.judges({"a": sample.qrels, "b": sample.qrels})
    joined = panel.join(sample.runs)
    frame = gw.meta.judge_effect(panel, joined, "AP", replicates=20).frame
    assert frame.select("tau", "tau_ap", "difference", "lost", "gained", "reversed", "moved").row(
        0
    ) == (pytest.approx((1, 1, 0, 0, 0, 0, 0)))
    found = gw.meta.variance_components(panel, joined, "AP").frame.row(0, named=True)
    for part in ("judge", "topic_judge", "judge_run", "topic_judge_run"):
        assert found[part] == pytest.approx(0, abs=1e-12)
    assert found["standard_error"] == pytest.approx(found["error_topics"])


def literal_components(values: np.ndarray) -> dict[str, float]:
    """Components by sums of squares of a three-way layout, as textbooks print them."""
    j, r, t = values.shape
    m = values.mean()
    mj, mr, mt = values.mean((1, 2)), values.mean((0, 2)), values.mean((0, 1))
    mjr, mjt, mrt = values.mean(2), values.mean(1), values.mean(0)
    square = {
        "judge": r * t * ((mj - m) ** 2).sum() / (j - 1),
        "run": j * t * ((mr - m) ** 2).sum() / (r - 1),
        "topic": j * r * ((mt - m) ** 2).sum() / (t - 1),
        "judge:run": t
        * sum((mjr[a, b] - mj[a] - mr[b] + m) ** 2 for a in range(j) for b in range(r))
        / ((j - 1) * (r - 1)),
        "topic:judge": r
        * sum((mjt[a, c] - mj[a] - mt[c] + m) ** 2 for a in range(j) for c in range(t))
        / ((j - 1) * (t - 1)),
        "topic:run": j
        * sum((mrt[b, c] - mr[b] - mt[c] + m) ** 2 for b in range(r) for c in range(t))
        / ((r - 1) * (t - 1)),
        "topic:judge:run": sum(
            (values[a, b, c] - mjr[a, b] - mjt[a, c] - mrt[b, c] + mj[a] + mr[b] + mt[c] - m) ** 2
            for a in range(j)
            for b in range(r)
            for c in range(t)
        )
        / ((j - 1) * (r - 1) * (t - 1)),
    }
    rest = square["topic:judge:run"]
    found = {
        "topic:judge:run": rest,
        "topic:judge": (square["topic:judge"] - rest) / r,
        "topic:run": (square["topic:run"] - rest) / j,
        "judge:run": (square["judge:run"] - rest) / t,
        "topic": (square["topic"] - square["topic:judge"] - square["topic:run"] + rest) / (j * r),
        "judge": (square["judge"] - square["topic:judge"] - square["judge:run"] + rest) / (r * t),
        "run": (square["run"] - square["topic:run"] - square["judge:run"] + rest) / (j * t),
    }
    return {part: max(value, 0.0) for part, value in found.items()}


def test_components_follow_from_mean_squares(
    panel: gw.meta.Panel, sample: gw.simulate.Simulated
) -> None:
    found = gw.meta.variance_components(panel, panel.join(sample.runs), MEASURES)
    for place, parts in enumerate(found.parts):
        expected = literal_components(found.values.values[..., place])
        assert dict(zip(PARTS, parts, strict=True)) == pytest.approx(expected, abs=1e-12)
    row = found.frame.row(0, named=True)
    topics = 15
    alone = row["topic"] + row["topic_run"] + row["topic_judge"] + row["topic_judge_run"]
    assert row["error_topics"] == pytest.approx(np.sqrt(alone / topics))
    both = alone / topics + row["judge"] + row["judge_run"]
    assert row["standard_error"] == pytest.approx(np.sqrt(both))


def test_components_are_recovered_from_simulated_effects() -> None:
    from gradewise.meta.judging.components import _components

    rng = np.random.default_rng(0)
    truth = dict(zip(PARTS, (0.04, 0.02, 0.01, 0.03, 0.02, 0.005, 0.01), strict=True))
    j, r, t = 40, 40, 40
    shape = {"judge": (j, 1, 1), "run": (1, r, 1), "topic": (1, 1, t)}
    estimates = []
    for _ in range(20):
        values = np.zeros((j, r, t))
        for part, variance in truth.items():
            size = np.max([shape[name] for name in part.split(":")], axis=0)
            values = values + rng.normal(0, np.sqrt(variance), size)
        estimates.append(_components(values))
    mean, error = np.mean(estimates, axis=0), np.std(estimates, axis=0) / np.sqrt(20)
    assert (np.abs(mean - list(truth.values())) < 4 * error + 1e-4).all()


def test_kishida_s_decomposition(panel: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    found = gw.meta.variance_components(panel, panel.join(sample.runs), MEASURES)
    noise = found.noise("GAP")
    values = found.values.values[..., 2]
    assert noise.replicates == 3
    np.testing.assert_allclose(noise.sigma_d2, values.var(axis=0, ddof=1).mean(axis=1))
    np.testing.assert_allclose(noise.sigma_mu2, values.mean(axis=0).var(axis=1, ddof=1))


def test_topics_that_a_judge_lacks_are_left_out(sample: gw.simulate.Simulated) -> None:
    people = sample.qrels.to_dict()
    few = {topic: people[topic] for topic in list(people)[:9]}
    panel = gw.meta.judges({"people": people, "few": few})
    effect = gw.meta.judge_effect(panel, panel.join(sample.runs), "AP", replicates=10)
    assert len(effect.values.topics) == 9
    assert effect.notes == ("left out 6 topics that not all judges have labeled",)


def test_what_cannot_be_studied_is_refused(
    panel: gw.meta.Panel, sample: gw.simulate.Simulated
) -> None:
    joined = panel.join(sample.runs)
    with pytest.raises(OptionError, match="geometric mean"):
        gw.meta.judge_effect(panel, joined, "GMAP")
    with pytest.raises(MeasureError, match="not averaged over topics"):
        gw.meta.judge_effect(panel, joined, "num_rel_ret")
    with pytest.raises(MeasureError, match="single grade per document"):
        gw.meta.judge_effect(panel, joined, "alpha_nDCG@10")
    with pytest.raises(OptionError, match="only 1 run"):
        gw.meta.judge_effect(panel, panel.join({"one": sample.runs["run1"]}), "AP")
    with pytest.raises(OptionError, match=r"was not studied \(studied: AP"):
        gw.meta.judge_effect(panel, joined, "AP", replicates=5).ranks("RR")
    few = {"a": {"t": {"x": 1}, "u": {"x": 1}}, "b": {"t": {"x": 1}, "v": {"y": 1}}}
    apart = gw.meta.judges(few)
    joined = apart.join({"r": {"t": {"x": 1.0}}, "s": {"t": {"y": 1.0}}})
    with pytest.raises(InputError, match="share 1 topic"):
        gw.meta.judge_effect(apart, joined, "AP")
