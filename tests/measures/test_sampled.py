"""Measures of sampled pools: literal definitions, the tools that defined them, and simulation."""

import io
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import MeasureError
from oracles import sampled
from parity.material import gradewise_values

Pool = dict[str, tuple[int, int]]
DOCUMENTS = [f"d{number:02d}" for number in range(40)]


def strata_qrels(pools: Mapping[str, Pool]) -> gw.Qrels:
    """Read pools as sample_eval's prels."""
    rows = [f"{t} 0 {d} {s} {g}\n" for t, pool in pools.items() for d, (s, g) in pool.items()]
    return gw.read_qrels(io.BytesIO("".join(rows).encode()))


def chance_qrels(samples: Mapping[str, Mapping[str, tuple[int, float]]]) -> gw.Qrels:
    """Read samples as prels of the Million Query track."""
    rows = [f"{t} {d} {g} 1 {p!r}\n" for t, docs in samples.items() for d, (g, p) in docs.items()]
    return gw.read_qrels(io.BytesIO("".join(rows).encode()))


def random_ranking(rng: random.Random) -> list[str]:
    return rng.sample(DOCUMENTS, rng.randint(1, len(DOCUMENTS)))


def as_run(rankings: Mapping[str, list[str]]) -> dict[str, dict[str, float]]:
    return {t: {d: -float(n) for n, d in enumerate(docs)} for t, docs in rankings.items()}


def random_pool(rng: random.Random) -> Pool:
    """Draw a pool with up to 4 strata, some of them without a judged document."""
    rates = {stratum: rng.choice([0, 0.3, 0.7, 1]) for stratum in (1, 2, 5, 7)}
    pool = {}
    for document in rng.sample(DOCUMENTS, rng.randint(1, 35)):
        stratum = rng.choice(list(rates))
        drawn = rng.random() < rates[stratum]
        pool[document] = (stratum, rng.choice([0, 0, 1, 2, 4]) if drawn else -1)
    return pool


@pytest.mark.parametrize(
    ("text", "oracle", "options"),
    [
        ("xinfAP", sampled.xinf_ap, {}),
        ("xinfAP(rel=2)", sampled.xinf_ap, {"rel": 2}),
        ("xinfAP@7", sampled.xinf_ap, {"cutoff": 7}),
        ("infNDCG", sampled.inf_ndcg, {}),
        ("infNDCG(gains={1:3,4:9})", sampled.inf_ndcg, {"gains": {1: 3, 4: 9}}),
        ("infNDCG@7", sampled.inf_ndcg, {"cutoff": 7}),
    ],
)
def test_strata_equal_the_literal_definitions(text: str, oracle: Any, options: Any) -> None:
    rng = random.Random(15)
    pools = {str(topic): random_pool(rng) for topic in range(1, 121)}
    rankings = {topic: random_ranking(rng) for topic in pools}
    found = gradewise_values(strata_qrels(pools), as_run(rankings), [text])[text]
    for topic, pool in pools.items():
        expected = oracle(rankings[topic], pool, **options)
        assert found[topic] == pytest.approx(expected, abs=1e-12), (topic, pool)


@pytest.mark.parametrize("options", [{}, {"rel": 2}, {"cutoff": 7}])
def test_probabilities_equal_the_literal_definition(options: dict[str, int]) -> None:
    rng = random.Random(16)
    samples = {
        str(topic): {
            document: (rng.choice([0, 0, 1, 2]), rng.choice([1.0, 0.5, rng.uniform(0.01, 1)]))
            for document in rng.sample(DOCUMENTS, rng.randint(1, 30))
        }
        for topic in range(1, 121)
    }
    rankings = {topic: random_ranking(rng) for topic in samples}
    cutoff = f"@{options['cutoff']}" if "cutoff" in options else ""
    text = f"statAP(rel={options.get('rel', 1)}){cutoff}"
    found = gradewise_values(chance_qrels(samples), as_run(rankings), [text])[text]
    for topic, sample in samples.items():
        expected = sampled.stat_ap(rankings[topic], sample, **options)
        assert found[topic] == pytest.approx(expected, abs=1e-11)


def test_stat_ap_of_strata_takes_their_rates_for_probabilities() -> None:
    rng = random.Random(17)
    pools = {str(topic): random_pool(rng) for topic in range(1, 61)}
    rankings = {topic: random_ranking(rng) for topic in pools}
    found = gradewise_values(strata_qrels(pools), as_run(rankings), ["statAP"])["statAP"]
    for topic, pool in pools.items():
        sizes: dict[int, list[int]] = {}
        for stratum, grade in pool.values():
            sizes.setdefault(stratum, []).append(grade)
        rate = {s: sum(g >= 0 for g in grades) / len(grades) for s, grades in sizes.items()}
        sample = {d: (g, rate[s]) for d, (s, g) in pool.items() if g >= 0}
        expected = sampled.stat_ap(rankings[topic], sample)
        assert found[topic] == pytest.approx(expected, abs=1e-12)


def test_strata_judged_in_full_give_the_measures_that_are_estimated() -> None:
    rng = random.Random(18)
    pools = {
        str(t): {d: (rng.choice([1, 2]), rng.choice([0, 1, 3])) for d in rng.sample(DOCUMENTS, 20)}
        for t in range(1, 31)
    }
    run = as_run({topic: random_ranking(rng) for topic in pools})
    names = ["AP", "xinfAP", "statAP", "nDCG", "infNDCG", "nDCG@5", "infNDCG@5"]
    found = gradewise_values(strata_qrels(pools), run, names)
    for topic in pools:
        assert found["statAP"][topic] == pytest.approx(found["AP"][topic], abs=1e-12)
        assert found["infNDCG"][topic] == pytest.approx(found["nDCG"][topic], abs=1e-12)
        assert found["infNDCG@5"][topic] == pytest.approx(found["nDCG@5"][topic], abs=1e-12)
        # The smoothing of each stratum is below 0.00003 a document.
        assert found["xinfAP"][topic] == pytest.approx(found["AP"][topic], abs=1e-4)


def test_probabilities_of_1_give_ap() -> None:
    rng = random.Random(19)
    samples = {
        str(t): {d: (rng.choice([0, 1, 2]), 1.0) for d in rng.sample(DOCUMENTS, 20)}
        for t in range(1, 31)
    }
    run = as_run({topic: random_ranking(rng) for topic in samples})
    found = gradewise_values(chance_qrels(samples), run, ["AP", "statAP"])
    assert found["statAP"] == pytest.approx(found["AP"], abs=1e-12)


def test_inferred_measures_refuse_probabilities() -> None:
    qrels = chance_qrels({"1": {"a": (1, 0.5)}})
    for name in ("xinfAP", "infNDCG"):
        with pytest.raises(MeasureError, match=f"{name} needs strata.*use statAP"):
            gw.evaluate(qrels, {"1": {"a": 1.0}}, name)


# What the tools print for small files, and for a sample of the TREC 2009 Web track.

SMALL_STRATA = """
1 0 a 1 2\n1 0 b 1 0\n1 0 c 1 1\n1 0 d 2 -1\n1 0 e 2 1\n1 0 f 2 -1\n1 0 g 2 0\n1 0 h 2 -1
1 0 i 3 -1\n1 0 j 3 2\n1 0 k 3 -1\n1 0 l 3 0\n1 0 m 3 1
2 0 a 1 0\n2 0 b 1 1\n2 0 c 2 -1\n2 0 d 2 -1\n2 0 e 2 3\n2 0 f 2 0\n2 0 g 3 -1
3 0 a 1 0\n3 0 b 2 -1
"""
SMALL_CHANCES = """
1 a 2 1 0.5\n1 b 0 1 0.25\n1 c 1 0 1\n1 d 1 1 0.125\n1 e 0 0 1\n1 f 1 2 0.3
2 a 0 1 1\n2 b 1 1 0.6\n2 c 2 1 0.1
"""


def listed(**rankings: str) -> dict[str, dict[str, float]]:
    return as_run({topic.removeprefix("t"): docs.split() for topic, docs in rankings.items()})


def test_values_that_sample_eval_prints() -> None:
    """sample_eval.pl -q of 10 October 2011."""
    run = listed(t1="d a z1 e g i c f l j z2", t2="g e c b f", t3="b a")
    found = gradewise_values(
        gw.read_qrels(io.BytesIO(SMALL_STRATA.encode())), run, ["xinfAP", "infNDCG"]
    )
    assert {t: f"{v:.4f}" for t, v in found["xinfAP"].items()} == {
        "1": "0.4476",
        "2": "0.7222",
        "3": "0.0000",
    }
    assert {t: f"{v:.4f}" for t, v in found["infNDCG"].items()} == {
        "1": "0.5463",
        "2": "0.6063",
        "3": "0.0000",
    }


def test_values_that_stat_ap_eval_prints() -> None:
    """statAP_MQ_eval_v3.pl -q."""
    run = listed(t1="b a z d e c", t2="z c b")
    qrels = gw.read_qrels(io.BytesIO(SMALL_CHANCES.encode()))
    found = gradewise_values(qrels, run, ["statAP"])["statAP"]
    assert {t: f"{v:.6f}" for t, v in found.items()} == {"1": "0.736111", "2": "0.952381"}


def test_the_web_tracks_sample_as_stat_ap_eval_prints_it(real_data: Path) -> None:
    """statAP_MQ_eval_v3.pl -q, for a run that lists the sampled documents of a topic by id."""
    qrels = gw.read_qrels(real_data / "qrels" / "prels.web.1-50.txt.gz")
    run = as_run({topic: sorted(docs) for topic, docs in qrels.to_dict().items()})
    found = gradewise_values(qrels, run, ["statAP"])["statAP"]
    printed = {
        "1": "0.533190",
        "2": "0.349798",
        "3": "1.289269",
        "12": "9.292315",
        "32": "13.416163",
        "47": "0.474360",
        "49": "0.277808",
        "50": "0.342311",
    }
    assert {topic: f"{found[topic]:.6f}" for topic in printed} == printed
    assert found["20"] == 0  # no relevant document


# The mean over many samples of the same list, each of them a topic.

SAMPLES = 4000
RANKING = [f"d{n:02d}" for n in range(60)]


def true_grades(rng: random.Random) -> dict[str, int]:
    return {d: rng.choice([0, 1, 2]) if rng.random() < 1.2 - n / 60 else 0
            for n, d in enumerate(RANKING)}  # fmt: skip


def within_3_errors(values: list[float], expected: float) -> bool:
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    return bool(abs(np.mean(values) - expected) < 3 * error)


def test_stat_ap_estimates_the_sum_of_precisions_without_bias() -> None:
    rng = random.Random(20)
    grades = true_grades(rng)
    chances = {d: 0.2 + 0.7 * rng.random() for d in RANKING}
    samples = {
        str(t): {d: (grades[d], chances[d]) for d in RANKING if rng.random() < chances[d]}
        for t in range(SAMPLES)
    }
    run = as_run(dict.fromkeys(samples, RANKING))
    found = gradewise_values(chance_qrels(samples), run, ["statAP"])["statAP"]
    sums = []
    for topic, sample in samples.items():
        sums.append(found[topic] * sum(1 / p for grade, p in sample.values() if grade > 0))
    ap = gw.evaluate({"t": grades}, as_run({"t": RANKING}), "AP").summary()[0, 0]
    assert within_3_errors(sums, ap * sum(grade > 0 for grade in grades.values()))


def stratified(rng: random.Random, grades: dict[str, int]) -> dict[str, Pool]:
    """Draw samples of a pool: the first 20 documents all, half of the others."""
    pools = {}
    for t in range(SAMPLES):
        drawn = {*RANKING[:20], *rng.sample(RANKING[20:], 20)}
        pools[str(t)] = {
            d: (1 if n < 20 else 2, grades[d] if d in drawn else -1) for n, d in enumerate(RANKING)
        }
    return pools


def test_inferred_ndcg_estimates_dcg_without_bias() -> None:
    rng = random.Random(21)
    grades = true_grades(rng)
    pools = stratified(rng, grades)
    run = as_run(dict.fromkeys(pools, RANKING))
    found = gradewise_values(strata_qrels(pools), run, ["infNDCG"])["infNDCG"]
    gained = []
    for topic, pool in pools.items():
        counts = [0.0, 0.0, 0.0]
        for stratum, grade in pool.values():
            counts[max(grade, 0)] += stratum if grade > 0 else 0  # each stands for 1 or 2
        ideal = [2] * int(counts[2]) + [1] * int(counts[1])
        best = sum(gain / math.log2(n + 1) for n, gain in enumerate(ideal, 1))
        gained.append(found[topic] * best)
    dcg = gw.evaluate({"t": grades}, as_run({"t": RANKING}), "DCG").summary()[0, 0]
    assert within_3_errors(gained, dcg)


def test_xinf_ap_estimates_the_sum_of_precisions_but_for_its_smoothing() -> None:
    """Where no document above was drawn from the second stratum, its share is taken as 1/3."""
    rng = random.Random(22)
    grades = true_grades(rng)
    pools = stratified(rng, grades)
    run = as_run(dict.fromkeys(pools, RANKING))
    found = gradewise_values(strata_qrels(pools), run, ["xinfAP"])["xinfAP"]
    sums = []
    for topic, pool in pools.items():
        # A document of the second stratum stands for two.
        sums.append(found[topic] * sum(stratum for stratum, grade in pool.values() if grade > 0))
    expected = 0.0
    for n, document in enumerate(RANKING):
        if grades[document] > 0:
            first = sum(grades[d] > 0 for d in RANKING[: min(n, 20)])
            second = sum(grades[d] > 0 for d in RANKING[20:n])
            size = max(n - 20, 0)
            nothing_drawn = math.comb(39 - size, 19) / math.comb(39, 19) if size else 1
            guessed = (1 - nothing_drawn) * second + nothing_drawn * size / 3
            expected += (1 + first + guessed) / (n + 1)
    assert within_3_errors(sums, expected)
