"""What products count, against scikit-learn, ir_measures and ranx."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

import gradewise as gw
from parity.material import gradewise_values, random_collection

CUTOFFS = (1, 5, 10)


def _impressions(seed: int) -> Iterator[tuple[str, list[int], list[float]]]:
    """Topics whose documents are all judged and ranked: grades, and scores without ties."""
    rng = np.random.default_rng(seed)
    for topic in range(60):
        size = int(rng.integers(2, 40))
        grades = rng.choice([0, 1, 2, 3], size, p=[0.6, 0.2, 0.1, 0.1])
        yield str(topic), grades.tolist(), rng.permutation(size).astype(float).tolist()


def test_auc_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    impressions = list(_impressions(1))
    qrels = {t: {f"d{i}": g for i, g in enumerate(grades)} for t, grades, _ in impressions}
    run = {t: {f"d{i}": s for i, s in enumerate(scores)} for t, _, scores in impressions}
    for rel in (1, 2):
        names = [f"AUC(rel={rel})", f"Accuracy(rel={rel})"]
        ours = gradewise_values(qrels, run, names)
        for topic, grades, scores in impressions:
            relevant = [grade >= rel for grade in grades]
            if len(set(relevant)) < 2:
                assert all(math.isnan(ours[name][topic]) for name in names)
                continue
            expected = metrics.roc_auc_score(relevant, scores)
            # All documents are judged and retrieved, so that both measures have the same pairs.
            for name in names:
                assert ours[name][topic] == pytest.approx(expected, abs=1e-12)


def test_missed_documents_are_tied_to_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    for topic, grades, scores in _impressions(2):
        kept = [score >= len(scores) / 3 for score in scores]
        relevant = [grade >= 1 for grade in grades]
        if len(set(relevant)) < 2:
            continue
        qrels = {topic: {f"d{i}": g for i, g in enumerate(grades)}}
        run = {topic: {f"d{i}": s for i, s in enumerate(scores) if kept[i]}}
        tied = [score if keep else -1.0 for score, keep in zip(scores, kept, strict=True)]
        expected = metrics.roc_auc_score(relevant, tied)
        assert gw.evaluate(qrels, run, "AUC").summary()[0, 0] == pytest.approx(expected, abs=1e-12)


def test_accuracy_is_that_of_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    qrels, run = random_collection(11, topics=80, ties=False)
    qrels = {t: grades for t, grades in qrels.items() if run.get(t, {}).keys() - grades.keys()}
    for rel in (1, 2):
        for k in (None, 20):
            theirs = ir_measures.Accuracy(rel=rel)
            text = f"Accuracy(rel={rel})" + ("" if k is None else f"@{k}")
            ours = gradewise_values(qrels, run, [text])[text]
            measure = theirs if k is None else theirs @ k
            found = {m.query_id: m.value for m in measure.iter_calc(qrels, run)}
            for topic, value in ours.items():
                if topic in found:
                    assert value == pytest.approx(found[topic], abs=1e-12)
                else:
                    assert math.isnan(value)
            assert len(found) > 30


@pytest.mark.filterwarnings("ignore")  # of its compiler
def test_f1_and_hit_rate_are_those_of_ranx() -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels, run = random_collection(12, topics=40, ties=False)
    qrels = {
        topic: {d: g for d, g in grades.items() if g > 0}
        for topic, grades in qrels.items()
        if topic in run and max(grades.values(), default=0) > 1
    }
    run = {topic: run[topic] for topic in qrels}
    for k in CUTOFFS:
        theirs = [f"f1@{k}", f"hit_rate@{k}", f"f1@{k}-l2", f"hit_rate@{k}-l2"]
        ours = [f"F1@{k}", f"hit_rate@{k}", f"F1(rel=2)@{k}", f"hit_rate(rel=2)@{k}"]
        found = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), theirs)
        means = gw.evaluate(qrels, run, ours).summary()[0]
        assert means == pytest.approx([found[name] for name in theirs], abs=1e-12)


def test_f1_and_hit_rate_are_those_of_scikit_learn() -> None:
    """The first k documents are what is predicted, out of all that are judged or retrieved."""
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    qrels, run = random_collection(13, topics=30, ties=False)
    for k in CUTOFFS:
        ours = gradewise_values(qrels, run, [f"F1@{k}", f"Hits@{k}", f"F1(rel=2)@{k}"])
        for topic, grades in qrels.items():
            scores = run.get(topic, {})
            top = sorted(scores, key=lambda document: -scores[document])[:k]
            # What a list lacks of k documents was predicted too, and is not relevant.
            known = [*{*grades, *scores}, *[f"none {n}" for n in range(k - len(top))]]
            predicted = [document in top or document.startswith("none ") for document in known]
            for rel, name in ((1, f"F1@{k}"), (2, f"F1(rel=2)@{k}")):
                relevant = [grades.get(document, 0) >= rel for document in known]
                expected = metrics.f1_score(relevant, predicted, zero_division=0.0)
                assert ours[name][topic] == pytest.approx(expected, abs=1e-12)
            hit = any(grades.get(document, 0) > 0 for document in top)
            assert ours[f"Hits@{k}"][topic] == hit
