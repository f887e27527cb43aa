"""nDCG with another discount, and averaged over ranks: against another measure and a peer."""

import random

import pytest
import pytrec_eval

import gradewise as gw
from measures.cases import make_case


def test_linear_discount_at_a_cutoff_is_the_modified_sliding_ratio() -> None:
    """Both divide gains by ranks, the one as Robertson et al. 2010, the other as Kishida eq 27."""
    for seed in range(200):
        case = make_case(seed)
        for k in (1, 3, case.cutoff):
            linear = gw.score(f"nDCG(dcg='linear')@{k}", case.ranking, case.judged)
            sagara = gw.score(f"MSR@{k}", case.ranking, case.judged)
            assert linear == pytest.approx(sagara, abs=1e-12)


def test_average_with_log2_is_the_mean_of_ndcg_at_each_rank() -> None:
    """pytrec_eval gives nDCG at ranks 1, 2, ..., k; AnDCG(dcg='log2')@k is their mean."""
    rng, k = random.Random(4), 12
    qrels = {f"t{t}": {f"d{i}": rng.choice([0, 1, 2, 3]) for i in range(25)} for t in range(30)}
    run = {
        topic: {f"d{i}": float(n) for n, i in enumerate(rng.sample(range(40), 20))}
        for topic in qrels
    }
    cut = "ndcg_cut." + ",".join(str(i) for i in range(1, k + 1))
    peer = pytrec_eval.RelevanceEvaluator(qrels, {cut}).evaluate(run)
    scores = gw.evaluate(qrels, {"run": run}, f"AnDCG(dcg='log2')@{k}")
    for topic, value in zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True):
        mean = sum(peer[topic][f"ndcg_cut_{i}"] for i in range(1, k + 1)) / k
        assert value == pytest.approx(mean, abs=1e-12)
