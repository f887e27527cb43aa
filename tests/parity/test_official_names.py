"""Every row of the page of official names: what can be typed, and the value of the tool itself."""

import contextlib
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradewise as gw
from parity.material import Grades, Ranked, gradewise_values, random_collection

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "measures" / "official-names.md"
Reference = Callable[[], float]


class Row(NamedTuple):
    """A row of the page, for one measure: its section, the official name, and how we write it."""

    section: str
    official: str
    ours: str


def _rows() -> Iterator[Row]:
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        columns = line.strip("| ").split(" | ")
        if not line.startswith("| ") or "`" not in columns[-1] or section == "Presets":
            continue
        official = re.sub(r" \(.*\)$| with .*$", "", columns[-2])
        names, ours = re.split(", ", official), re.findall("`([^`]+)`", columns[-1])
        assert len(names) == len(ours), line
        yield from (Row(section, *pair) for pair in zip(names, ours, strict=True))


ROWS = list(_rows())
SECTIONS = ["TREC", "NTCIR", "CLEF", "BEIR, MTEB and MS MARCO", "cwl_eval"]
# Names that mean something else here, or cannot be typed: the page says what to write.
OTHERWISE = {
    "P(10)": "P@10",
    "ERR@20": "ERR(max_grade=4)@20",
    "nDCG@20": "nDCG(dcg='exp-log2')@20",
    "RBP(p=.5)": "RBP(p=0.5,gains='linear')",
    "AP": "AP(rel=2)",
    "RR": "RR(rel=2)",
    "infNDCG": "infNDCG@1000",
    "infAP": "xinfAP@1000",
    "sDCG@10": "sDCG(queries=10)@5",
    "nSDCG@10": "nsDCG(queries=10)@5",
    "AP@0010": "AP(norm='min(k,R)')@10",
    "Q@0010": "Q(norm='min(k,R)')@10",
    "RBP": "RBP(p=0.95,gains='linear')",
    "ERR": "ERR(gains='linear')",
    "nDCG@0010": "nDCG(dcg='jk')@10",
    "D-nDCG": "D_nDCG@10",
    "IA-ERR@0010": "ERR_IA(gains='linear')@10",
}


def test_the_page_covers_all_communities() -> None:
    assert list(dict.fromkeys(row.section for row in ROWS)) == SECTIONS
    assert len(ROWS) > 70


@pytest.mark.parametrize("row", [row for row in ROWS if row.section != "cwl_eval"], ids=str)
def test_an_official_name_is_typed_as_it_is_or_the_page_says_otherwise(row: Row) -> None:
    ours = gw.parse_measure(row.ours)
    if OTHERWISE.get(row.official) != row.ours:
        assert gw.parse_measure(row.official) == ours
        return
    with contextlib.suppress(gw.MeasureError):
        assert gw.parse_measure(row.official) != ours


# ----------------------------------------------------------------- trec_eval, and what uses it


@pytest.fixture(scope="module")
def collection() -> tuple[Grades, Ranked]:
    """Topics that all have a relevant document and a list, and no ties."""
    qrels, run = random_collection(31, topics=40, ties=False, grades=(0, 0, 0, 1, 2, 3, 4))
    kept = [topic for topic in qrels if max(qrels[topic].values()) > 0]
    return {topic: qrels[topic] for topic in kept}, {topic: run[topic] for topic in kept}


def _trec_eval(qrels: Grades, run: Ranked, name: str, level: int = 1) -> list[float]:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {name}, relevance_level=level)
    rows = evaluator.evaluate(run)
    return [rows[topic][name.replace(".", "_")] for topic in qrels]


def _ranked(run: Mapping[str, float]) -> list[str]:
    return sorted(run, key=lambda document: -run[document])


def _geometric(qrels: Grades, run: Ranked) -> float:
    logs = [math.log(max(value, 0.00001)) for value in _trec_eval(qrels, run, "map")]
    return math.exp(sum(logs) / len(logs))


def _mean(measure: Callable[[dict[str, int], list[str]], float]) -> Callable[..., float]:
    def mean(qrels: Grades, run: Ranked) -> float:
        values = [measure(qrels[topic], _ranked(run[topic])) for topic in qrels]
        return sum(values) / len(values)

    return mean


def _cumulated(k: int) -> Callable[..., float]:
    """NCG@k as the Deep Learning track has it: the gain of k documents over that of the k best."""

    def ncg(grades: dict[str, int], ranking: list[str]) -> float:
        best = sorted(grades.values(), reverse=True)[:k]
        return sum(grades.get(document, 0) for document in ranking[:k]) / sum(best)

    return _mean(ncg)


def _capped_recall(k: int) -> Callable[..., float]:
    """R_cap@k as BEIR has it: relevant documents among k over those that k could hold."""

    def capped(grades: dict[str, int], ranking: list[str]) -> float:
        relevant = {document for document, grade in grades.items() if grade > 0}
        return len(relevant & set(ranking[:k])) / min(k, len(relevant))

    return _mean(capped)


def _reciprocal(k: int) -> Callable[..., float]:
    """MRR@k as MS MARCO, BEIR and MTEB have it."""

    def reciprocal(grades: dict[str, int], ranking: list[str]) -> float:
        places = [n for n, document in enumerate(ranking[:k], 1) if grades.get(document, 0) > 0]
        return 1 / places[0] if places else 0.0

    return _mean(reciprocal)


def _rank_biased(grades: dict[str, int], ranking: list[str]) -> float:
    """RBP(p=.5) of TREC-COVID: grade 2 is worth 1, grade 1 half of it, as the highest is here 4."""
    return sum(0.5**n * grades.get(document, 0) / 4 for n, document in enumerate(ranking, 1))


def _gdeval_err(grades: dict[str, int], ranking: list[str]) -> float:
    """gdeval.pl: (2^g - 1) / 2^4, down to rank 20."""
    total, go_on = 0.0, 1.0
    for n, document in enumerate(ranking[:20], 1):
        stop = (2 ** grades.get(document, 0) - 1) / 16
        total += go_on * stop / n
        go_on *= 1 - stop
    return total


def _gdeval_ndcg(grades: dict[str, int], ranking: list[str]) -> float:
    """gdeval.pl: (2^g - 1) / log2(n + 1), down to rank 20."""

    def dcg(gains: list[int]) -> float:
        return sum((2**g - 1) / math.log2(n + 1) for n, g in enumerate(gains[:20], 1))

    return dcg([grades.get(d, 0) for d in ranking]) / dcg(sorted(grades.values(), reverse=True))


def _by(name: str, level: int = 1) -> Callable[..., float]:
    def mean(qrels: Grades, run: Ranked) -> float:
        values = _trec_eval(qrels, run, name, level)
        return sum(values) / len(values)

    return mean


TREC: dict[str, Callable[..., float]] = {
    "MAP": _by("map"),
    "GMAP": _geometric,
    "P(10)": _by("P.10"),
    "ERR@20": _mean(_gdeval_err),
    "NDCG@10": _by("ndcg_cut.10"),
    "P@5": _by("P.5"),
    "RBP(p=.5)": _mean(_rank_biased),
    "bpref": _by("bpref"),
    "AP": _by("map", 2),
    "RR": _by("recip_rank", 2),
    "NCG@100": _cumulated(100),
    "NCG@1000": _cumulated(1000),
    "NDCG@3": _by("ndcg_cut.3"),
    "NDCG@5": _by("ndcg_cut.5"),
    "nDCG@100": _by("ndcg_cut.100"),
    "Recall@100": _by("recall.100"),
    "MRR": _by("recip_rank"),
}
CLEF: dict[str, Callable[..., float]] = {
    "MAP": _by("map"),
    "GMAP": _geometric,
    "R-Precision": _by("Rprec"),
    "P@10": _by("P.10"),
    "nDCG@10": _by("ndcg_cut.10"),
    "MAP@5": _by("map_cut.5"),
    "MRR@5": _reciprocal(5),
    "nDCG@5": _by("ndcg_cut.5"),
    "nDCG": _by("ndcg"),
}
BENCHMARKS: dict[str, Callable[..., float]] = {
    "NDCG@10": _by("ndcg_cut.10"),
    "MAP@100": _by("map_cut.100"),
    "Recall@100": _by("recall.100"),
    "R_cap@100": _capped_recall(100),
    "P@10": _by("P.10"),
    "MRR@10": _reciprocal(10),
    "MRR@100": _reciprocal(100),
    "ndcg_at_10": _by("ndcg_cut.10"),
    "map_at_10": _by("map_cut.10"),
    "recall_at_10": _by("recall.10"),
    "precision_at_10": _by("P.10"),
    "mrr_at_10": _reciprocal(10),
    "hit_rate_at_10": _by("success.10"),
    "Recall@1000": _by("recall.1000"),
}
REFERENCES = {"TREC": TREC, "CLEF": CLEF, "BEIR, MTEB and MS MARCO": BENCHMARKS}
# Rows whose values are compared elsewhere: with pyndeval, or with what scripts have printed.
ELSEWHERE = {
    **dict.fromkeys(
        ["ERR-IA@20", "alpha-nDCG@20", "NRBP", "MAP-IA", "P-IA@20", "strec@20"],
        "parity/test_pyndeval.py::test_random_collections",
    ),
    **dict.fromkeys(
        ["infNDCG", "infAP"], "measures/test_sampled.py::test_values_that_sample_eval_prints"
    ),
    **dict.fromkeys(
        ["sDCG@10", "nSDCG@10"],
        "measures/test_sessions.py::test_values_that_the_scorer_of_trec_prints",
    ),
    "statMAP": "measures/test_sampled.py::test_values_that_stat_ap_eval_prints",
    **dict.fromkeys(
        ["iRBU", "iRBU@0010"],
        "parity/test_ntcireval.py::test_the_sample_has_the_values_that_ntcireval_prints",
    ),
    **dict.fromkeys(
        ["I-rec@0010", "D-nDCG", "D#-nDCG@0010", "IA-MSnDCG@0010", "IA-ERR@0010"],
        "parity/test_ntcireval_diversity.py::test_levels_have_the_values_that_ntcireval_prints",
    ),
}


def test_tests_that_compare_values_elsewhere_exist() -> None:
    for place in set(ELSEWHERE.values()):
        path, _, name = place.partition("::")
        assert f"def {name}(" in (ROOT / "tests" / path).read_text(encoding="utf-8")
    assert ELSEWHERE.keys() <= {row.official for row in ROWS}


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.section in REFERENCES and r.official not in ELSEWHERE], ids=str
)
def test_trec_clef_and_benchmarks(row: Row, collection: tuple[Grades, Ranked]) -> None:
    reference = REFERENCES[row.section].get(row.official)
    if row.official == "nDCG@20":  # by gdeval in the Web tracks, by trec_eval in RAG
        reference = _mean(_gdeval_ndcg) if "exp" in row.ours else _by("ndcg_cut.20")
    assert reference is not None, f"{row.official} has no reference"
    found = float(gw.evaluate(*collection, row.ours))
    assert found == pytest.approx(reference(*collection), abs=1e-9)


# ------------------------------------------------------------------------------------ NTCIREVAL

GAINS = [1, 2, 3]


def _ntcireval() -> dict[str, Callable[[list[int]], Any]]:
    theirs = pytest.importorskip("pyNTCIREVAL.metrics", reason="pyNTCIREVAL is not installed")
    return {
        "RR": lambda counts: theirs.RR(),
        "O-measure": lambda counts: theirs.OMeasure(counts, GAINS, 1.0),
        "P-measure": lambda counts: theirs.PMeasure(counts, GAINS, 1.0),
        "P-plus": lambda counts: theirs.PPlusMeasure(counts, GAINS, 1.0),
        "AP": lambda counts: theirs.AP(counts, GAINS),
        "AP@0010": lambda counts: theirs.AP(counts, GAINS, 10),
        "Q-measure": lambda counts: theirs.QMeasure(counts, GAINS, 1.0),
        "Q@0010": lambda counts: theirs.QMeasure(counts, GAINS, 1.0, 10),
        "NCUgu,P": lambda counts: theirs.NCUguP(counts, GAINS, GAINS),
        "NCUgu,BR": lambda counts: theirs.NCUguBR(counts, GAINS, GAINS, 1.0),
        "NCUrb,P": lambda counts: theirs.NCUrbP(counts, GAINS, 0.95),
        "NCUrb,BR": lambda counts: theirs.NCUrbBR(counts, GAINS, 0.95, 1.0),
        "RBP": lambda counts: theirs.RBP(counts, GAINS, 0.95),
        "ERR": lambda counts: theirs.ERR(counts, GAINS),
        "nERR@0010": lambda counts: theirs.nERR(counts, GAINS, 10),
        "nDCG@0010": lambda counts: theirs.nDCG(counts, GAINS, 2.0, 10),
        "MSnDCG@0010": lambda counts: theirs.MSnDCG(counts, GAINS, 10),
        "Prec@0010": lambda counts: theirs.Precision(10),
        "Hit@0010": lambda counts: theirs.Hit(10),
    }


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.section == "NTCIR" and r.official not in ELSEWHERE], ids=str
)
def test_ntcir(row: Row) -> None:
    qrels, run = random_collection(32, topics=25, ties=False, grades=(0, 0, 0, 1, 2, 3))
    make = _ntcireval()[row.official]
    found = gradewise_values(qrels, run, [row.ours])[row.ours]
    compared = 0
    for topic, grades in qrels.items():
        if max(grades.values()) == 0:
            continue  # pyNTCIREVAL divides by 0
        levels = [list(grades.values()).count(level) for level in range(len(GAINS) + 1)]
        ranked = [(document, grades.get(document)) for document in _ranked(run[topic])]
        assert found[topic] == pytest.approx(float(make(levels).compute(ranked)), abs=1e-12)
        compared += 1
    assert compared > 15


def test_ncu_with_uniform_stops_is_ap_and_the_q_measure() -> None:
    """pyNTCIREVAL's NCU with the same stop for all levels."""
    qrels, run = random_collection(33, topics=20, ties=False, grades=(0, 0, 1, 2, 3))
    theirs = pytest.importorskip("pyNTCIREVAL.metrics", reason="pyNTCIREVAL is not installed")
    ours = gradewise_values(qrels, run, ["NCUuP", "NCUuBR"])
    for topic, grades in qrels.items():
        if max(grades.values()) == 0:
            continue
        levels = [list(grades.values()).count(level) for level in range(len(GAINS) + 1)]
        ranked = [(document, grades.get(document)) for document in _ranked(run[topic])]
        for name, metric in (
            ("NCUuP", theirs.NCUguP(levels, GAINS, [1, 1, 1])),
            ("NCUuBR", theirs.NCUguBR(levels, GAINS, [1, 1, 1], 1.0)),
        ):
            assert ours[name][topic] == pytest.approx(float(metric.compute(ranked)), abs=1e-12)


# ------------------------------------------------------------------------------------- cwl_eval


def _cwl_eval() -> dict[str, Any]:
    ruler = pytest.importorskip("cwl.ruler.cwl_ruler", reason="cwl_eval is not installed")
    return {
        "P@10": ruler.PrecisionCWLMetric(10),
        "RBP@0.8": ruler.RBPCWLMetric(0.8),
        "NDCG-k@10": ruler.NDCGCWLMetric(10),
        "RR": ruler.RRCWLMetric(),
        "AP": ruler.APCWLMetric(),
        "INST-T=1.0": ruler.INSTCWLMetric(1.0),
        "INSQ-T=1.0": ruler.INSQCWLMetric(1.0),
        "BPM-Static-T=1.0-K=10": ruler.BPMCWLMetric(1.0, 10),
        "NERR-EQ8@k=10": ruler.NERReq8CWLMetric(10),
        "NERR-EQ9@k=10": ruler.NERReq9CWLMetric(10),
        "NERR-EQ10@phi=0.9": ruler.NERReq10CWLMetric(0.9),
        "NERR-EQ11@T=1.0": ruler.NERReq11CWLMetric(1.0),
    }


@pytest.mark.parametrize("row", [r for r in ROWS if r.section == "cwl_eval"], ids=str)
def test_cwl_eval(row: Row) -> None:
    metric = _cwl_eval()[row.official]
    assert str(metric.name()) == row.official
    ruler = pytest.importorskip("cwl.ruler.cwl_ruler", reason="cwl_eval is not installed")
    rng = random.Random(5)
    for _ in range(5):
        grades = [rng.choice([0, 0, 0, 1, 2, 4]) for _ in range(rng.randint(20, 60))]
        binary = row.official in ("RR", "AP")
        gains = np.minimum(grades, 1) if binary else np.array(grades) / 4
        ranking = ruler.Ranking("t", gains.astype(float), np.ones(len(gains)), max_n=1000)
        counts = {grade: grades.count(grade) for grade in (1, 2, 3, 4)}
        expected = metric.measure(ranking)
        assert gw.score(row.ours, grades, counts) == pytest.approx(expected, abs=1e-12)
