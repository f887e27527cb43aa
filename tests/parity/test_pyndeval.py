"""Measures of diversity agree, topic by topic, with pyndeval, which wraps TREC's ndeval 4.5."""

import math
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from parity.material import Ranked, Values, gradewise_values, read_lines

pyndeval = pytest.importorskip("pyndeval", reason="pyndeval is not installed")

Judgments = list[tuple[str, str, str, int]]  # topic, intent, document, grade
CUT = ["ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec"]
UNCUT = ["NRBP", "nNRBP", "MAP-IA"]
NOVELTY = {"ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "NRBP", "nNRBP"}
PATIENT = {"NRBP", "nNRBP"}


def names(cutoffs: Iterable[int] = (2, 5, 10, 20)) -> list[str]:
    return [*[f"{name}@{k}" for name in CUT for k in cutoffs], *UNCUT]


def spelled(name: str, *, rel: int, alpha: float, beta: float) -> str:
    """Write a measure of ndeval, with parameters, as gradewise reads it."""
    base, _, cutoff = name.partition("@")
    inside = f"rel={rel}"
    inside += f",alpha={alpha}" if base in NOVELTY else ""
    inside += f",beta={beta}" if base in PATIENT else ""
    return f"{base}({inside})" + (f"@{cutoff}" if cutoff else "")


def peer_values(
    judgments: Judgments, run: Ranked, measures: list[str], *, rel: int, alpha: float, beta: float
) -> Values:
    evaluator = pyndeval.RelevanceEvaluator(
        judgments, measures, relevance_level=rel, alpha=alpha, beta=beta
    )
    rows = [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
    found = evaluator.evaluate(rows)
    return {name: {topic: found[topic][name] for topic in found} for name in measures}


def nested(judgments: Judgments) -> dict[str, dict[str, dict[str, int]]]:
    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for topic, intent, document, grade in judgments:
        qrels.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    return qrels


def draw_judgments(rng: random.Random, topics: int) -> Judgments:
    """Draw judgments of a few intents; some have no relevant document, some documents no row.

    Sorted by intent, since ndeval adds up intents in the order in which they first appear.
    """
    drawn = [
        (str(topic), str(intent), f"d{document:02d}", rng.choice([0, 0, 0, 1, 2, 3]))
        for topic in range(1, topics + 1)
        for intent in range(rng.choice([0, 1]), rng.randint(2, 6))
        for document in range(rng.randint(1, 40))
        if rng.random() < 0.7 or document == 0
    ]
    return sorted(drawn, key=lambda row: (row[1], row[0], row[2]))


def draw_run(rng: random.Random, judgments: Judgments) -> Ranked:
    """Draw a run with unjudged documents and without ties."""
    run: Ranked = {}
    for topic in sorted({row[0] for row in judgments}):
        judged = sorted({row[2] for row in judgments if row[0] == topic})
        documents = [*judged, *[f"x{number}" for number in range(10)]]
        chosen = rng.sample(documents, rng.randint(1, len(documents)))
        run[topic] = {document: -float(place) for place, document in enumerate(chosen)}
    return run


def check_agreement(
    qrels: Any, judgments: Judgments, run: Ranked, options: dict[str, Any], within: float
) -> None:
    measures = names()
    theirs = peer_values(judgments, run, measures, **options)
    ours = gradewise_values(qrels, run, [spelled(name, **options) for name in measures])
    for name in measures:
        for topic, value in ours[spelled(name, **options)].items():
            expected = theirs[name][topic]
            # ndeval divides by 0 where a topic has no relevant document; here it is worth 0.
            expected = 0.0 if name == "nNRBP" and math.isnan(expected) else expected
            assert value == pytest.approx(expected, abs=within), (name, topic)


@pytest.mark.parametrize("seed", range(12))
def test_random_collections(seed: int) -> None:
    rng = random.Random(seed)
    judgments = draw_judgments(rng, topics=8)
    options = {
        "rel": rng.choice([1, 1, 2]),
        "alpha": rng.choice([0.5, 0.5, 0.25, 0.9]),
        "beta": rng.choice([0.5, 0.8]),
    }
    run = draw_run(rng, judgments)
    check_agreement(gw.read_qrels(nested(judgments)), judgments, run, options, 1e-12)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_trec_2013_web(real_data: Path, share: float) -> None:
    """Rankings of judged and unjudged documents, from good to random, agree to all digits."""
    path = real_data / "qrels" / "qrels.web.201-250.ndeval.txt.gz"
    judgments = [(t, i, d, int(g)) for t, i, d, g in read_lines(path)]
    rng = random.Random(f"{share}")
    best: dict[tuple[str, str], int] = {}
    for topic, _, document, grade in judgments:
        best[topic, document] = max(grade, best.get((topic, document), 0))
    run: Ranked = {}
    for (topic, document), grade in sorted(best.items()):
        score = rng.random() + (1 - share) * grade
        run.setdefault(topic, {})[document] = score
        if rng.random() < 0.5:
            run[topic][f"clueweb12-unjudged-{document}"] = rng.random() * 2
    options = {"rel": 1, "alpha": 0.5, "beta": 0.5}
    check_agreement(path, sorted(judgments, key=lambda r: r[1]), run, options, 1e-12)


def test_ndeval_does_not_divide_at_rank_1() -> None:
    """Its loops over ranks begin at the second (ndeval.c, computeERR and computeDCG)."""
    judgments = [("1", "1", "a", 1), ("1", "2", "a", 1), ("1", "3", "b", 1)]
    run = {"1": {"a": 1.0}}
    options: dict[str, Any] = {"rel": 1, "alpha": 0.5, "beta": 0.5}
    theirs = peer_values(judgments, run, ["ERR-IA@1", "alpha-DCG@1"], **options)
    ours = gradewise_values(nested(judgments), run, ["ERR-IA@1", "alpha-DCG@1"])
    for name in theirs:
        assert theirs[name]["1"] == 2
        assert ours[name]["1"] == pytest.approx(2 / 3)


def test_pyndeval_puts_the_lesser_id_first_among_equal_scores() -> None:
    """ndeval itself sorts by rank or, with -traditional, puts the greater id first, as we do."""
    judgments = [("1", "1", "a", 1), ("1", "2", "b", 0), ("1", "2", "a", 0)]
    run = {"1": {"a": 1.0, "b": 1.0}}
    theirs = peer_values(judgments, run, ["P-IA@1"], rel=1, alpha=0.5, beta=0.5)
    assert theirs["P-IA@1"]["1"] == 1
    assert gradewise_values(nested(judgments), run, ["P-IA@1"])["P-IA@1"]["1"] == 0
