"""Few people, many model labels: intervals of runs, on samples of topics and of documents."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError, MeasureError, OptionError
from gradewise.stats.prediction_powered import prediction_powered

Labels = dict[str, dict[str, int]]


@pytest.fixture(scope="module")
def sample() -> gw.simulate.Simulated:
    return gw.simulate.collection(topics=30, runs=4, depth=40, relevant=12, seed=4)


@pytest.fixture(scope="module")
def labels(sample: gw.simulate.Simulated) -> tuple[Labels, Labels]:
    """What people say, and a model that errs more on some topics than on others."""
    people = sample.qrels.to_dict()
    rng = random.Random(0)
    model = {}
    for topic, held in people.items():
        rate = rng.uniform(0.05, 0.4)
        model[topic] = {
            d: g if rng.random() > rate else rng.choice([0, 0, 1, 2]) for d, g in held.items()
        }
    return people, model


@pytest.fixture(scope="module")
def full(labels: tuple[Labels, Labels]) -> gw.meta.Panel:
    return gw.meta.judges({"people": labels[0], "model": labels[1]})


def test_intervals_are_those_of_the_values_by_topic(
    labels: tuple[Labels, Labels], sample: gw.simulate.Simulated
) -> None:
    people, model = labels
    chosen = sorted(people)[::3]
    panel = gw.meta.judges({"people": {t: people[t] for t in chosen}, "model": model})
    found = gw.meta.powered_scores(panel, panel.join(sample.runs), ["AP", "nDCG@5"], model="model")
    assert found.topics == (10, 30)
    first = gw.evaluate(people, sample.runs, ["AP", "nDCG@5"])
    second = gw.evaluate(model, sample.runs, ["AP", "nDCG@5"])
    mine = np.isin(first.topics, chosen)
    rows = {row[:2]: row[2:] for row in found.frame.rows()}
    for m, measure in enumerate(("AP", "nDCG@5")):
        given = (
            first.values[:, mine, m],
            second.values[:, mine, m],
            second.values[:, ~mine, m],
        )
        both, alone = prediction_powered(*given), prediction_powered(*given, weight=0.0)
        for r, run in enumerate(first.runs):
            expected = [
                alone.mean[r], alone.low[r], alone.high[r], second.values[r, :, m].mean(),
                both.mean[r], both.low[r], both.high[r], both.weight[r],
                1 - both.width[r] / alone.width[r],
            ]  # fmt: skip
            assert rows[run, measure][:9] == pytest.approx(expected)
    pair = found.pairs.filter(measure="AP", run_a="run1", run_b="run3").row(0, named=True)
    apart = [each[0] - each[2] for each in (
        first.values[:, mine, 0], second.values[:, mine, 0], second.values[:, ~mine, 0]
    )]  # fmt: skip
    both = prediction_powered(*apart)
    assert (pair["mean"], pair["low"], pair["high"]) == pytest.approx(
        (both.mean, both.low, both.high)
    )


def test_labels_saved_are_topics_saved_times_labels_of_a_topic(
    full: gw.meta.Panel, labels: tuple[Labels, Labels], sample: gw.simulate.Simulated
) -> None:
    people, model = labels
    panel = gw.meta.judges({"people": {t: people[t] for t in list(people)[:9]}, "model": model})
    found = gw.meta.powered_scores(panel, panel.join(sample.runs), "AP", model="model")
    each = np.mean([len(people[t]) for t in list(people)[:9]])
    frame = found.frame
    np.testing.assert_allclose(frame["labels_saved"], frame["topics_saved"] * each)
    assert (frame["topics_saved"] > 0).all() == (frame["narrower"] > 0).all()


def test_coverage_of_resamplings(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    found = gw.meta.powered_coverage(
        full, full.join(sample.runs), ["AP"], model="model", numbers=(8, 15), resamples=400
    )
    frame = found.frame
    assert frame["target"].to_list() == ["future", "future", "these", "these"]
    assert frame["topics"].to_list() == [8, 15, 8, 15]
    assert (frame["coverage"] > 0.88).all()
    assert (frame["worst"] <= frame["coverage"]).all()
    widths = frame.filter(target="these")["width"].to_list()
    assert widths[1] < widths[0]
    np.testing.assert_allclose(frame["narrower"], 1 - frame["width"] / frame["alone_width"])
    again = gw.meta.powered_coverage(
        full, full.join(sample.runs), ["AP"], model="model", numbers=(8, 15), resamples=400
    )
    assert again.frame.equals(frame)


def test_coverage_by_hand(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    """The same draws, one resampling at a time."""
    judged = full.join(sample.runs)
    found = gw.meta.powered_coverage(
        full, judged, ["AP"], model="model", numbers=(7,), targets=("these",), resamples=25, seed=5
    )
    people, model = (
        gw.score_judged(full.under(judged, name), "AP").values[:, :, 0] for name in full.judges
    )
    rng = np.random.default_rng([5, 0, 0])
    order = rng.permuted(np.tile(np.arange(30), (25, 1)), axis=1)
    held = np.zeros(4)
    for row in order:
        interval = prediction_powered(
            people[:, row[:7]], model[:, row[:7]], model[:, row[7:]], target="these"
        )
        truth = people.mean(axis=1)
        held += (interval.low <= truth) & (truth <= interval.high)
    np.testing.assert_allclose(found.covered[0, 0, 0], held / 25)


def sampled(panel: gw.meta.Panel, share: float, rng: np.random.Generator) -> gw.meta.Panel:
    """The same panel, with people's labels of a random sample of each topic only."""
    order = np.lexsort((rng.random(len(panel)), panel.topic))
    rank = np.empty(len(panel), np.int64)
    rank[order] = np.arange(len(panel)) - panel.offsets[panel.topic[order]]
    sizes = np.maximum(np.rint(share * np.diff(panel.offsets)), 2)
    levels = panel.levels.copy()
    levels[0, rank >= sizes[panel.topic]] = -1
    return replace(panel, levels=levels)


def test_documents_by_hand(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    """Totals and their variances, document by document."""
    panel = sampled(full, 0.4, np.random.default_rng(1))
    joined = panel.join(sample.runs)
    found = gw.meta.powered_documents(panel, joined, "DCG@10", model="model").frame
    levels, documents = panel.levels, panel.docs.to_list()
    for run, row in zip(sample.runs, found.iter_rows(named=True), strict=True):
        values, variances, terms = [], [], []
        for t, topic in enumerate(panel.topics):
            ranking = {d: n for n, d in enumerate(sample.runs[run].ranking(topic)[:10], 1)}
            rows = np.flatnonzero(panel.topic == t)
            weight = [
                1 / np.log2(ranking[documents[r]] + 1) if documents[r] in ranking else 0.0
                for r in rows
            ]
            a = [w * levels[0, r] for w, r in zip(weight, rows, strict=True) if levels[0, r] >= 0]
            b = [w * levels[1, r] for w, r in zip(weight, rows, strict=True) if levels[0, r] >= 0]
            size, total = len(a), len(rows)
            factor = total**2 * (1 - size / total) / size
            terms.append((factor * np.cov(a, b)[0, 1], factor * np.var(b, ddof=1)))
            model = sum(w * levels[1, r] for w, r in zip(weight, rows, strict=True))
            values.append((a, b, model, size, total, factor))
        lam = min(max(sum(c for c, _ in terms) / sum(v for _, v in terms), 0), 1)
        means = []
        for a, b, model, size, total, factor in values:
            residual = np.array(a) - lam * np.array(b)
            means.append(lam * model + total / size * residual.sum())
            variances.append(factor * residual.var(ddof=1))
        half = 1.959964 * np.sqrt(sum(variances)) / len(values)
        assert row["weight"] == pytest.approx(lam)
        assert row["mean"] == pytest.approx(np.mean(means))
        assert row["high"] - row["mean"] == pytest.approx(half, rel=1e-6)


def test_documents_cover(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    joined = full.join(sample.runs)
    measures = ["RBP", "DCG@20"]
    truth = gw.score_judged(full.under(joined, "people"), measures).summary().ravel()
    rng, held, narrower, apart = np.random.default_rng(0), [], [], []
    real = truth.reshape(4, 2)
    for _ in range(150):
        panel = sampled(full, 0.3, rng)
        found = gw.meta.powered_documents(panel, joined, measures, model="model")
        frame = found.frame.sort("run", "measure", maintain_order=True)
        wanted = [real[r, m] for r in range(4) for m in (1, 0)]  # DCG@20 before RBP
        held.append((frame["low"] <= wanted) & (wanted <= frame["high"]))
        narrower.append(frame["narrower"].mean())
        pairs = found.pairs.filter(measure="RBP", run_a="run1", run_b="run2").row(0, named=True)
        apart.append(pairs["low"] <= real[0, 0] - real[1, 0] <= pairs["high"])
    assert 0.9 < np.mean(held) < 0.98
    assert np.mean(apart) > 0.88
    assert np.mean(narrower) > 0.1


def test_documents_for_topics_to_come(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    panel = sampled(full, 0.5, np.random.default_rng(3))
    joined = panel.join(sample.runs)
    these, future = (
        gw.meta.powered_documents(panel, joined, "RBP", model="model", target=target).frame
        for target in ("these", "future")
    )
    assert (future["high"] - future["low"] > these["high"] - these["low"]).all()
    np.testing.assert_allclose(these["mean"], future["mean"])


@pytest.mark.parametrize("shape", ["tails", "shift"])
def test_topic_intervals_cover(
    full: gw.meta.Panel, sample: gw.simulate.Simulated, shape: Any
) -> None:
    labels = gw.meta.combine_judges(full, "majority", judges=["model"])
    joined = full.join(sample.runs)
    found = gw.meta.topic_intervals(
        joined, labels, ["AP", "nDCG@10"], people="people", shape=shape, level=0.8
    )
    assert (found.limits()[0] <= found.limits()[1]).all()
    frame = found.coverage(12, resamples=200)
    assert (frame["coverage"] >= 0.78).all()
    assert (frame["width"] < 0.9).all()
    assert (np.diff(found.lows, axis=3) <= 1e-12).all()
    assert (np.diff(found.highs, axis=3) >= -1e-12).all()


def test_topic_intervals_need_enough_topics(
    labels: tuple[Labels, Labels], sample: gw.simulate.Simulated
) -> None:
    people, model = labels
    panel = gw.meta.judges({"people": {t: people[t] for t in list(people)[:8]}, "model": model})
    soft = gw.meta.combine_judges(panel, "majority", judges=["model"])
    found = gw.meta.topic_intervals(panel.join(sample.runs), soft, "AP", people="people")
    low, high = found.limits()
    assert (low == 0).all()
    assert (high == 1).all()
    assert found.notes == (
        "a level of 0.9 needs at least 9 topics labeled by people, but there are 8; with fewer, "
        "every value is possible",
    )
    assert found.frame["people"].null_count() == 4 * 22


def test_certain_labels_and_no_growth_predict_the_value_itself(
    full: gw.meta.Panel, sample: gw.simulate.Simulated
) -> None:
    labels = gw.meta.combine_judges(full, "majority", judges=["model"])
    joined = full.join(sample.runs)
    found = gw.meta.topic_intervals(joined, labels, "AP", people="people", shape="shift")
    own = gw.score_judged(full.under(joined, "model"), "AP").values
    np.testing.assert_allclose(found.predicted, own, atol=1e-12)
    np.testing.assert_allclose(found.lows[..., 0], own, atol=1e-12)


def test_wrong_options_are_explained(full: gw.meta.Panel, sample: gw.simulate.Simulated) -> None:
    joined = full.join(sample.runs)
    with pytest.raises(OptionError, match="the same judge"):
        gw.meta.powered_scores(full, joined, "AP", model="people")
    with pytest.raises(OptionError, match="numbers must lie between 3 and 29"):
        gw.meta.powered_coverage(full, joined, "AP", model="model", numbers=(30,))
    with pytest.raises(MeasureError, match="AP is not a sum over documents"):
        gw.meta.powered_documents(full, joined, "AP", model="model")
    labels = gw.meta.combine_judges(full, "majority", judges=["model"])
    with pytest.raises(OptionError, match="contributed to the labels"):
        gw.meta.topic_intervals(joined, labels, "AP", people="model")
    trusted = gw.meta.combine_judges(full, "calibrated", truth="people")
    with pytest.raises(OptionError, match="people contributed to the labels"):
        gw.meta.topic_intervals(joined, trusted, "AP", people="people")
    few = {"people": {"1": {"a": 1, "b": 0}}, "model": {"1": {"a": 1, "b": 0}, "2": {"c": 1}}}
    panel = gw.meta.judges(few)
    lists = panel.join({"r": {"1": {"a": 1.0}}})
    with pytest.raises(InputError, match="share 1 topic"):
        gw.meta.powered_scores(panel, lists, "AP", model="model")
    with pytest.raises(InputError, match="topic 2 has fewer than 2 documents"):
        gw.meta.powered_documents(panel, lists, "P@1", model="model")
