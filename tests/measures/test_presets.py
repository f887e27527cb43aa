"""Presets: official lists of measures, with the values of official tools."""

import csv
from pathlib import Path

import pytest

import gradewise as gw
from gradewise.errors import MeasureError
from gradewise.measures.catalogue import explain, list_measures
from gradewise.measures.grammar import parse_measures
from gradewise.measures.presets import PRESETS
from parity.material import Grades, Ranked, random_collection
from parity.test_ntcireval import WWW_NAMES, WWW_PRINTED, WWW_TOPICS


def _summaries(preset: str, qrels: Grades, run: Ranked, **options: str) -> dict[str, float]:
    scores = gw.evaluate(qrels, {"run": run}, preset, **options)  # type: ignore[arg-type]
    return dict(zip(map(str, scores.measures), scores.summary()[0].tolist(), strict=True))


@pytest.mark.parametrize("name", PRESETS)
def test_every_measure_of_a_preset_parses_and_is_explained(name: str) -> None:
    measures = parse_measures(f"@{name}")
    assert [gw.parse_measure(text) for text in PRESETS[name].measures] == measures
    text = explain(f"@{name.upper()}")
    assert text.startswith(f"@{name}\n")
    assert all(f"  {written} " in text for written in PRESETS[name].measures)
    assert f"  @{name} " in list_measures()


def test_presets_are_measures_among_others_and_each_measure_comes_once() -> None:
    scores = gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, ["AP", "@beir", "nDCG@10", "@msmarco"])
    assert [str(measure) for measure in scores.measures] == ["AP", "nDCG@10", "R@100", "RR@10"]


def test_mistakes_get_a_sentence() -> None:
    with pytest.raises(MeasureError, match=r"no preset '@bier'; did you mean @beir\? \(presets:"):
        gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, "@bier")
    with pytest.raises(MeasureError, match="'@beir' names 3 measures where one is expected"):
        gw.parse_measure("@beir")


@pytest.fixture(scope="module")
def collection() -> tuple[Grades, Ranked]:
    """Topics that all have a relevant document and a list: tools differ in what others count."""
    qrels, run = random_collection(21, topics=80, ties=False, grades=(0, 0, 1, 2, 3, 4))
    kept = [topic for topic in qrels if max(qrels[topic].values()) > 0]
    return {topic: qrels[topic] for topic in kept}, {topic: run[topic] for topic in kept}


def _by_trec_eval(qrels: Grades, run: Ranked, name: str, level: int = 1) -> float:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {name}, relevance_level=level)
    values = [row[name.replace(".", "_")] for row in evaluator.evaluate(run).values()]
    return float(sum(values) / len(values))


def _mean_reciprocal_rank(qrels: Grades, run: Ranked, k: int) -> float:
    """MRR@k as BEIR, MTEB and MS MARCO have it."""
    total = 0.0
    for topic, grades in qrels.items():
        ranking = sorted(run[topic], key=lambda document: run[topic][document], reverse=True)
        for n, document in enumerate(ranking[:k], 1):
            if grades.get(document, 0) > 0:
                total += 1 / n
                break
    return total / len(qrels)


def test_beir_and_mteb(collection: tuple[Grades, Ranked]) -> None:
    # Both average what pytrec_eval computes, and have a function of their own for MRR.
    assert _summaries("@beir", *collection) == pytest.approx(
        {
            "nDCG@10": _by_trec_eval(*collection, "ndcg_cut.10"),
            "R@100": _by_trec_eval(*collection, "recall.100"),
            "RR@10": _mean_reciprocal_rank(*collection, 10),
        },
        abs=1e-10,
    )
    assert _summaries("@mteb", *collection) == pytest.approx(
        {
            "nDCG@10": _by_trec_eval(*collection, "ndcg_cut.10"),
            "AP@10": _by_trec_eval(*collection, "map_cut.10"),
            "R@10": _by_trec_eval(*collection, "recall.10"),
            "P@10": _by_trec_eval(*collection, "P.10"),
            "RR@10": _mean_reciprocal_rank(*collection, 10),
        },
        abs=1e-10,
    )


def test_beir_keeps_tied_documents_in_the_order_of_the_run() -> None:
    qrels, run = random_collection(22, topics=60, ties=True)
    expected = _mean_reciprocal_rank(qrels, run, 10)
    assert _summaries("@beir", qrels, run, ties="input")["RR@10"] == pytest.approx(expected)
    assert _summaries("@beir", qrels, run)["RR@10"] != pytest.approx(expected, abs=1e-4)


def test_msmarco(collection: tuple[Grades, Ranked]) -> None:
    for preset, k in (("@msmarco", 10), ("@msmarco-doc", 100)):
        expected = {f"RR@{k}": _mean_reciprocal_rank(*collection, k)}
        assert _summaries(preset, *collection) == pytest.approx(expected)


def test_trec_deep_learning(collection: tuple[Grades, Ranked]) -> None:
    # Passages as NIST asks for: trec_eval -l 2; nDCG does not depend on -l.
    for preset, rel, suffix in (("@trec-dl", 2, "(rel=2)"), ("@trec-dl-doc", 1, "")):
        assert _summaries(preset, *collection) == pytest.approx(
            {
                "nDCG@10": _by_trec_eval(*collection, "ndcg_cut.10"),
                f"RR{suffix}": _by_trec_eval(*collection, "recip_rank", rel),
                f"AP{suffix}": _by_trec_eval(*collection, "map", rel),
            },
            abs=1e-10,
        )


def test_trec_covid_is_the_leaderboard(real_data: Path) -> None:
    # tests/parity compares the values of all 143 runs.
    path = real_data / "trec-covid-round1" / "round1-leaderboard.csv"
    with path.open(encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))[-5:]
    names = [str(measure).partition("(")[0].lower() for measure in parse_measures("@trec-covid")]
    assert [column.partition("(")[0].lower().replace("map", "ap") for column in columns] == names


@pytest.mark.parametrize("topic", WWW_TOPICS)
def test_ntcir_we_want_web_has_the_values_that_ntcireval_prints(topic: str) -> None:
    ranking, counts = WWW_TOPICS[topic]
    parsed = [gw.parse_measure(name) for name in WWW_NAMES]
    printed = dict(zip(parsed, map(float, WWW_PRINTED[topic].split()), strict=True))
    for measure in parse_measures("@ntcir-www"):
        value = gw.score(measure, list(map(int, ranking)), counts)
        assert value == pytest.approx(printed[measure], abs=0.00005)


def test_trec_web_is_gdeval(collection: tuple[Grades, Ranked]) -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    provider = ir_measures.gdeval
    if not provider.is_available():
        pytest.skip("ir_measures' provider gdeval is not available (it needs Perl)")
    theirs = [ir_measures.ERR @ 20, ir_measures.nDCG(dcg="exp-log2") @ 20]
    expected = provider.calc_aggregate(theirs, *collection)
    found = _summaries("@trec-web", *collection)
    assert found["ERR(max_grade=4)@20"] == pytest.approx(expected[theirs[0]], abs=5e-6)
    assert found["nDCG(dcg='exp-log2')@20"] == pytest.approx(expected[theirs[1]], abs=5e-6)
    assert found["P@20"] == pytest.approx(_by_trec_eval(*collection, "P.20"), abs=1e-10)
    assert found["AP"] == pytest.approx(_by_trec_eval(*collection, "map"), abs=1e-10)
