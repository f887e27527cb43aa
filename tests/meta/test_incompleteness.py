"""Missing judgments: samples drawn by hand, and scorings of qrels that really lack documents."""

from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import incompleteness
from gradewise.meta.incompleteness import _Sampler

Grades = dict[str, dict[str, int]]
Rows = list[tuple[str, str]]

MEASURES = ["AP", "nDCG", "GAP(g=[0.3,0.7])", "Bpref", "P@10", "RBP"]
SAMPLE = gw.simulate.collection(
    topics=8, runs=6, depth=60, relevant=25, pool_depth=20, missing=0.1, ties=0.05, seed=6
)
GRADES: Grades = SAMPLE.qrels.to_dict()


@pytest.fixture(scope="module")
def lists() -> gw.Judged:
    return gw.judge(SAMPLE.qrels, SAMPLE.runs)


def rows_of(qrels: Grades) -> Rows:
    return [(topic, document) for topic, inner in qrels.items() for document in inner]


def literal_sample(qrels: Grades, order: NDArray[np.float64], rate: float) -> set[tuple[str, str]]:
    """Draw a sample as the notes of incompleteness tell it, one topic after another."""
    chance = dict(zip(rows_of(qrels), order.tolist(), strict=True))
    kept: set[tuple[str, str]] = set()
    for topic, inner in qrels.items():
        strata: dict[int, list[str]] = {}
        for document, grade in inner.items():
            strata.setdefault(max(grade, 0), []).append(document)
        for grade, documents in strata.items():
            documents = sorted(documents, key=lambda document: chance[topic, document])
            share = floor(rate * len(documents) + 0.5)
            kept |= {(topic, d) for d in documents[: share if grade else max(share, 10)]}
        relevant = {grade: documents for grade, documents in sorted(strata.items()) if grade}
        if relevant and not any((topic, d) in kept for each in relevant.values() for d in each):
            most = max(relevant.values(), key=len)
            kept.add((topic, min(most, key=lambda document: chance[topic, document])))
    return kept


def without(qrels: Grades, kept: set[tuple[str, str]]) -> Grades:
    """Take documents away, as if nobody had looked at them."""
    return {t: {d: g for d, g in inner.items() if (t, d) in kept} for t, inner in qrels.items()}


def as_pooled(qrels: Grades, kept: set[tuple[str, str]]) -> Grades:
    """Mark documents as trec_eval wants it: in the pool, and not judged."""
    return {t: {d: g if (t, d) in kept else -1 for d, g in x.items()} for t, x in qrels.items()}


def flags(qrels: Grades, kept: set[tuple[str, str]]) -> NDArray[np.bool_]:
    return np.array([row in kept for row in rows_of(qrels)])


def values(qrels: Grades, measures: Any, **options: Any) -> NDArray[np.float64]:
    scores = gw.evaluate(qrels, SAMPLE.runs, measures, **options)
    assert len(scores.topics) == len(GRADES)
    return scores.values


# The sample

UNEVEN: Grades = {
    "10": {**{f"n{i}": 0 for i in range(40)}, **{f"r{i}": 1 for i in range(30)}, "k": 2},
    "9": {**{f"n{i}": 0 for i in range(6)}, **{f"r{i}": 1 + i % 3 for i in range(4)}},
    "101": {**{f"n{i}": -(i % 3) for i in range(25)}, "r": 3},
    "7": {f"n{i}": 0 for i in range(3)},
    "8": {f"r{i}": 2 for i in range(12)},
}
RATES = [1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05, 0.01]


@pytest.fixture(scope="module")
def uneven() -> gw.Judged:
    return gw.judge(gw.read_qrels(UNEVEN), {"r": {"9": {"n0": 1.0}}})


@pytest.mark.parametrize("seed", range(5))
def test_samples_as_drawn_by_hand(uneven: gw.Judged, seed: int) -> None:
    order = np.random.default_rng(seed).random(len(rows_of(UNEVEN)))
    sampler = _Sampler.of(uneven)
    for rate in RATES:
        kept = sampler.kept(order, rate)
        assert kept.tolist() == flags(UNEVEN, literal_sample(UNEVEN, order, rate)).tolist()


def sizes(kept: NDArray[np.bool_], topic: str) -> dict[int, int]:
    """How many documents of a topic are kept: grade 0 and below together, then each grade."""
    found: dict[int, int] = {}
    for (name, document), keep in zip(rows_of(UNEVEN), kept.tolist(), strict=True):
        if name == topic and keep:
            grade = max(UNEVEN[name][document], 0)
            found[grade] = found.get(grade, 0) + 1
    return found


def test_sizes_of_strata(uneven: gw.Judged) -> None:
    order = np.random.default_rng(3).random(len(rows_of(UNEVEN)))
    sampler = _Sampler.of(uneven)
    half, tenth = sampler.kept(order, 0.5), sampler.kept(order, 0.1)
    assert sizes(half, "10") == {0: 20, 1: 15, 2: 1}  # a half of 1 is 1
    assert sizes(tenth, "10") == {0: 10, 1: 3}  # 4 of 40 would be too few
    assert sizes(half, "101") == {0: 13, 3: 1}  # 12.5 of 25, negative grades with grade 0
    assert sizes(tenth, "101") == {0: 10, 3: 1}  # the only relevant document
    assert sizes(tenth, "7") == {0: 3}  # there are no ten
    assert sizes(half, "8") == {2: 6}
    assert sizes(tenth, "8") == {2: 1}
    assert sum(n for grade, n in sizes(tenth, "9").items() if grade) == 1
    assert sizes(tenth, "9")[0] == 6
    assert sampler.kept(order, 1.0).all()


def test_no_grade_keeps_more_than_its_quota() -> None:
    """A topic keeps one relevant document beyond the quotas only if they leave it none."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        grades = {
            f"t{t}": {
                f"d{d}": int(g) for d, g in enumerate(rng.integers(0, 4, rng.integers(1, 60)))
            }
            for t in range(5)
        }
        sampler = _Sampler.of(gw.judge(gw.read_qrels(grades), {"r": {"t0": {"d0": 1.0}}}))
        rate = float(rng.uniform(0.005, 1))
        kept = sampler.kept(rng.random(len(rows_of(grades))), rate)
        names = [row for row, keep in zip(rows_of(grades), kept.tolist(), strict=True) if keep]
        for topic, inner in grades.items():
            found = [inner[document] for name, document in names if name == topic]
            quotas = {
                g: floor(rate * sum(grade == g for grade in inner.values()) + 0.5) for g in range(4)
            }
            if sum(quotas[g] for g in (1, 2, 3)):
                assert {g: found.count(g) for g in (1, 2, 3)} == {g: quotas[g] for g in (1, 2, 3)}
            else:
                assert sum(g > 0 for g in found) == any(g > 0 for g in inner.values())
            nonrelevant = sum(grade == 0 for grade in inner.values())
            assert found.count(0) == min(max(quotas[0], 10), nonrelevant)


def test_samples_are_nested_and_never_bare(uneven: gw.Judged) -> None:
    sampler = _Sampler.of(uneven)
    for seed in range(20):
        order = np.random.default_rng(seed).random(len(rows_of(UNEVEN)))
        series = [sampler.kept(order, rate) for rate in RATES]
        for more, fewer in pairwise(series):
            assert not (fewer & ~more).any()
            assert fewer.sum() < more.sum()
        for topic, inner in UNEVEN.items():
            smallest = sizes(series[-1], topic)
            nonrelevant = sum(grade <= 0 for grade in inner.values())
            assert smallest.pop(0, 0) == min(10, nonrelevant)
            assert sum(smallest.values()) == (1 if topic != "7" else 0)


def test_every_document_is_as_likely_to_stay() -> None:
    qrels = {"t": {f"r{i}": 1 for i in range(10)}}
    sampler = _Sampler.of(gw.judge(gw.read_qrels(qrels), {"r": {"t": {"r0": 1.0}}}))
    rng = np.random.default_rng(1)
    share = np.mean([sampler.kept(rng.random(10), 0.3) for _ in range(4000)], axis=0)
    assert share == pytest.approx(0.3, abs=5 * (0.3 * 0.7 / 4000) ** 0.5)


# Values with a sample


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("rate", [0.9, 0.5, 0.2])
def test_values_are_those_without_the_documents(
    lists: gw.Judged, rate: float, judged_only: bool
) -> None:
    for seed in range(4):
        order = np.random.default_rng(seed).random(len(SAMPLE.qrels))
        kept = literal_sample(GRADES, order, rate)
        assert len(kept) < len(order)
        judged = _Sampler.of(lists).judged(flags(GRADES, kept))
        found = gw.score_judged(judged, MEASURES, judged_only=judged_only).values
        expected = values(without(GRADES, kept), MEASURES, judged_only=judged_only)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rate", [0.9, 0.5, 0.2])
def test_inferred_ap_knows_the_pool(lists: gw.Judged, rate: float) -> None:
    order = np.random.default_rng(5).random(len(SAMPLE.qrels))
    kept = literal_sample(GRADES, order, rate)
    found = gw.score_judged(_Sampler.of(lists).judged(flags(GRADES, kept)), "infAP").values
    np.testing.assert_allclose(found, values(as_pooled(GRADES, kept), "infAP"), rtol=0, atol=1e-12)
    removed = values(without(GRADES, kept), "infAP")
    assert np.abs(found - removed).max() > 0.01  # it does make a difference


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("kind", ["tau", "spearman"])
def test_the_whole_study_as_a_loop(lists: gw.Judged, judged_only: bool, kind: Any) -> None:
    measures, rates, seed = ["AP", "Bpref", "nDCG", "infAP"], (1.0, 0.5, 0.1), 11
    found = incompleteness(
        lists,
        measures,
        rates=rates,
        replicates=3,
        judged_only=judged_only,
        kind=kind,
        seed=seed,
    )
    assert found.tau.shape == found.means.shape == (3, 3, 4)
    correlate = scipy_stats.kendalltau if kind == "tau" else scipy_stats.spearmanr
    full = values(GRADES, measures, judged_only=judged_only).mean(axis=1)
    rng = np.random.default_rng(seed)
    for replicate in range(3):
        order = rng.random(len(SAMPLE.qrels))
        for place, rate in enumerate(rates):
            kept = literal_sample(GRADES, order, rate)
            partial = values(without(GRADES, kept), measures, judged_only=judged_only).mean(axis=1)
            if not judged_only:  # condensed lists hold no unjudged document, pooled or not
                partial[:, 3] = values(as_pooled(GRADES, kept), "infAP").mean(axis=1)[:, 0]
            for measure in range(4):
                tau = correlate(partial[:, measure], full[:, measure]).statistic
                assert found.tau[place, replicate, measure] == pytest.approx(tau, abs=1e-12)
                mean = partial[:, measure].mean()
                assert found.means[place, replicate, measure] == pytest.approx(mean, abs=1e-12)
    assert (found.tau[2] < 1).any()


def test_the_whole_pool_agrees_with_itself(lists: gw.Judged) -> None:
    for judged_only in (False, True):
        found = incompleteness(
            lists, [*MEASURES, "infAP"], rates=[1.0], replicates=2, judged_only=judged_only
        )
        assert (found.tau == 1.0).all()
        assert found.frame["tau"].to_list() == [1.0] * 7


def test_chosen_topics_and_runs(lists: gw.Judged) -> None:
    """The rule counts the judgments of the whole pool, and runs are chosen by it."""
    topics = [t for t, inner in GRADES.items() if list(inner.values()).count(2) >= 3]
    assert 0 < len(topics) < len(GRADES)
    found = incompleteness(
        lists, ["nDCG"], rates=[0.2], replicates=1, topics="R(2) >= 3", above=0.5, seed=2
    )
    scores = gw.evaluate(GRADES, SAMPLE.runs, "AP")
    average = scores.values[:, :, 0].mean(axis=1)
    runs = [r for r, v in zip(scores.runs, average, strict=True) if v >= np.median(average)]
    assert found.runs == tuple(runs)
    assert found.topics == len(topics)
    kept = literal_sample(GRADES, np.random.default_rng(2).random(len(SAMPLE.qrels)), 0.2)
    places = [scores.topics.index(topic) for topic in topics]
    rows = [scores.runs.index(run) for run in runs]
    partial = values(without(GRADES, kept), "nDCG")[rows][:, places, 0].mean(axis=1)
    full = values(GRADES, "nDCG")[rows][:, places, 0].mean(axis=1)
    tau = scipy_stats.kendalltau(partial, full).statistic
    assert found.tau.item() == pytest.approx(tau, abs=1e-12)
    assert found.means.item() == pytest.approx(partial.mean(), abs=1e-12)


# What is reported


def test_frame(lists: gw.Judged) -> None:
    found = incompleteness(lists, ["AP", "Bpref"], rates=[1.0, 0.1], replicates=8, seed=3)
    frame = found.frame
    assert frame.columns == ["measure", "rate", "tau", "low", "high", "mean"]
    assert list(frame.select("measure", "rate").iter_rows()) == [
        ("AP", 1.0),
        ("AP", 0.1),
        ("Bpref", 1.0),
        ("Bpref", 0.1),
    ]
    for row, (measure, rate) in zip(
        frame.iter_rows(named=True), [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True
    ):
        taus = sorted(found.tau[rate, :, measure].tolist())
        assert row["tau"] == pytest.approx(sum(taus) / 8, abs=1e-12)
        assert row["low"] == pytest.approx(taus[0] + 0.175 * (taus[1] - taus[0]), abs=1e-12)
        assert row["high"] == pytest.approx(taus[7] - 0.175 * (taus[7] - taus[6]), abs=1e-12)
        assert row["mean"] == pytest.approx(sum(found.means[rate, :, measure]) / 8, abs=1e-12)


def test_an_undefined_correlation_counts_as_none() -> None:
    qrels = {t: {"a": 1, "b": 1} for t in "tu"}
    runs = {"x": {t: {"a": 2.0, "z": 1.0} for t in "tu"}, "y": {t: {"b": 1.0} for t in "tu"}}
    found = incompleteness(gw.judge(qrels, runs), ["AP"], rates=[1.0], replicates=2)
    assert np.isnan(found.tau).all()
    assert found.frame.select("tau", "low", "high").row(0) == (0.0, 0.0, 0.0)
    (note,) = found.notes
    assert note.startswith("AP gives all runs the same mean (0.5000)")


def test_same_seed_same_numbers(lists: gw.Judged) -> None:
    def taus(seed: int) -> list[float]:
        found = incompleteness(lists, ["AP", "Bpref"], rates=[0.1], replicates=3, seed=seed)
        return [*found.tau.ravel().tolist(), *found.means.ravel().tolist()]

    assert taus(1) == taus(1)
    assert taus(1) != taus(2)


def test_a_rate_does_not_change_the_samples_of_another(lists: gw.Judged) -> None:
    alone = incompleteness(lists, ["AP"], rates=[0.3], replicates=3)
    among = incompleteness(lists, ["AP", "RBP"], rates=[0.9, 0.3, 0.05], replicates=3)
    assert among.means[1, :, 0].tolist() == alone.means[0, :, 0].tolist()


def test_progress_is_called_for_every_sample(lists: gw.Judged) -> None:
    called: list[int] = []
    incompleteness(lists, ["AP"], rates=[1.0, 0.5, 0.1], replicates=4, progress=called.append)
    assert called == [1] * 12


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        (["AP"], {"rates": [0.5, 0.0]}, r"rates must be above 0 and at most 1, not 0\.0"),
        (["AP"], {"rates": [1.1]}, r"rates must be above 0 and at most 1, not 1\.1"),
        (["AP"], {"rates": [50]}, "rates must be above 0 and at most 1, not 50"),
        (["AP"], {"rates": [-0.1]}, "rates must be above 0"),
        (["AP"], {"rates": [float("nan")]}, "rates must be above 0"),
        (["AP"], {"replicates": 0}, "replicates must be at least 1, not 0"),
        (["AP"], {"kind": "taub"}, "correlation must be one of"),
        (["AP"], {"above": 2}, "the quantile must be between 0 and 1, not 2"),
        (["AP"], {"topics": "R(1) > 9999"}, "selects none of 8 topics"),
        (["AP"], {"by": "MAPS"}, "there is no measure 'MAPS'"),
        (["nDGC"], {}, "there is no measure 'nDGC'; did you mean nDCG"),
        ([], {}, "no measures were given"),
        (["ADM"], {}, "ADM needs the scores of documents"),
    ],
)
def test_what_is_refused(
    lists: gw.Judged, measures: list[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(GradewiseError, match=message):
        incompleteness(lists, measures, **options)


def test_one_run_is_refused() -> None:
    one = gw.judge(SAMPLE.qrels, {"run1": SAMPLE.runs["run1"]})
    with pytest.raises(GradewiseError, match="at least 2 runs, but there is 1 run"):
        incompleteness(one, ["AP"])


def test_the_whole_pool_agrees_with_itself_below_0() -> None:
    """With n judged and not relevant y is better, with n in the pool and not judged x is."""
    qrels = {"t": {"r": 1, "s": 1, "n": -1}}
    x = {"t": {"n": 2.0, "r": 1.0}}
    y = {"t": {"u": 5.0, "v": 4.0, "w": 3.0, "r": 2.0, "s": 1.0}}
    lists = gw.judge(qrels, {"x": x, "y": y})
    found = incompleteness(lists, ["AP", "infAP"], rates=[1.0], replicates=1)
    assert found.tau.ravel().tolist() == [1.0, 1.0]


def test_a_measure_given_twice_counts_once(lists: gw.Judged) -> None:
    found = incompleteness(lists, ["AP", "RBP", "AP"], rates=[0.5], replicates=1)
    assert found.frame["measure"].to_list() == ["AP", "RBP"]
