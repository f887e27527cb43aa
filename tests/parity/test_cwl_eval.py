"""User models against cwl_eval, topic by topic, on drawn lists and on TREC-COVID."""

import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.arrays import Floats, Ints

ruler = pytest.importorskip("cwl.ruler.cwl_ruler", reason="cwl_eval is not installed")

HIGHEST = 2  # the highest grade of TREC-COVID's first round
DEPTH = 1000  # where cwl_eval ends its walks
Graded = tuple[str, Ints]  # a topic, and the grade at each rank

# cwl_eval's metric, the measure that it is, and the same user as a C/W/L declaration.
PAIRS: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: ruler.INSTCWLMetric(1.0), "INST(T=1)@1000", "CWL(user=inst,T=1)@1000"),
    (lambda: ruler.INSTCWLMetric(3.0), "INST(T=3)@1000", "CWL(user=inst,T=3)@1000"),
    (lambda: ruler.INSQCWLMetric(1.0), "INSQ(T=1)@1000", "CWL(user=insq,T=1)@1000"),
    (lambda: ruler.INSQCWLMetric(2.5), "INSQ(T=2.5)@1000", "CWL(user=insq,T=2.5)@1000"),
    (lambda: ruler.RBPCWLMetric(0.5), "RBP(p=0.5,gains=linear)", "CWL(user=rbp,p=0.5)"),
    (lambda: ruler.RBPCWLMetric(0.95), "RBP(p=0.95,gains=linear)", "CWL(user=rbp,p=0.95)"),
    (lambda: ruler.NDCGCWLMetric(10), "SDCG@10", "CWL(user=dcg)@10"),
    (lambda: ruler.PrecisionCWLMetric(10), "gP@10", "CWL(user=p)@10"),
    (lambda: ruler.BPMCWLMetric(2.0, 20), "BPM(T=2)@20", "CWL(user=bpm,T=2)@20"),
    (lambda: ruler.NERReq8CWLMetric(20), "NERR8@20", "CWL(user=nerr8)@20"),
    (lambda: ruler.NERReq9CWLMetric(20), "NERR9@20", "CWL(user=nerr9)@20"),
    (lambda: ruler.NERReq10CWLMetric(0.9), "NERR10", "CWL(user=nerr10,p=0.9)"),
    (lambda: ruler.NERReq11CWLMetric(1.0), "NERR11@1000", "CWL(user=nerr11)@1000"),
]
YES_OR_NO = "gains={1:1,2:1}"


def _drawn_lists() -> list[Graded]:
    rng = np.random.default_rng(7)
    sizes = rng.integers(1, 1500, 12)
    return [
        (str(t), rng.choice([0, 1, 2], size, p=[0.8, 0.15, 0.05])) for t, size in enumerate(sizes)
    ]


def _scores(lists: list[Graded], measures: list[str]) -> Floats:
    """Score lists whose documents are all judged: [topic, measure]."""
    qrels = {t: {f"{n:05}": int(g) for n, g in enumerate(grades)} for t, grades in lists}
    qrels["highest grade"] = {"x": HIGHEST}
    run = {t: {f"{n:05}": -float(n) for n in range(len(grades))} for t, grades in lists}
    scores = gw.evaluate(qrels, {"run": run}, measures)
    places = [scores.topics.index(topic) for topic, _ in lists]
    return scores.values[0, places, :]


def _ranking(grades: Ints, costs: Floats | None = None, *, binary: bool = False) -> Any:
    gains = np.minimum(grades, 1) if binary else grades / HIGHEST
    costs = np.ones(len(gains)) if costs is None else costs
    return ruler.Ranking("t", gains.astype(float), costs, max_n=DEPTH)


def _time_biased(grades: Ints, words: int, *, half_life: int = 224) -> float:
    """TBG by cwl_eval, which gives it per document seen and is told what each document costs."""
    opened = np.where(grades > 0, 0.64, 0.39)
    metric = ruler.TBGCWLMetric(half_life)
    rate = metric.measure(_ranking(grades, 4.4 + (0.018 * words + 7.8) * opened, binary=True))
    return float(0.64 * 0.77 * rate * metric.expected_items)


def _read(grades: Ints, patience: int, length: int) -> float:
    """U by cwl_eval, which gives it per document seen and one document further up."""
    metric = ruler.UMeasureCWLMetric(patience)
    below = np.concatenate([[0], grades])[:DEPTH]
    rate = metric.measure(_ranking(below, np.full(len(below), float(length))))
    return float(HIGHEST * rate * metric.expected_items)


@pytest.fixture(scope="module")
def drawn() -> list[Graded]:
    return _drawn_lists()


@pytest.mark.parametrize(("make", "ours", "declared"), PAIRS, ids=[pair[1] for pair in PAIRS])
def test_rate_total_and_items(
    make: Callable[[], Any], ours: str, declared: str, drawn: list[Graded]
) -> None:
    total, items = (
        declared.replace("user=", f"expected={what},user=") for what in ("total", "items")
    )
    found = _scores(drawn, [ours, declared, total, items])
    for (_, grades), row in zip(drawn, found, strict=True):
        metric = make()
        ranking = _ranking(grades)
        rate = metric.measure(ranking)
        assert row[0] == pytest.approx(rate, abs=1e-12)
        assert row[1] == pytest.approx(rate, abs=1e-12)
        assert row[3] == pytest.approx(metric.expected_items, rel=1e-12)
        # cwl_eval drops the users who are still there at its last rank from the total.
        still_there = np.prod(metric.c_vector(ranking))
        left_out = still_there * ranking.get_gain_vector().sum()
        assert row[2] == pytest.approx(metric.expected_total_utility + left_out, rel=1e-9)


def test_reciprocal_rank(drawn: list[Graded]) -> None:
    found = _scores(drawn, ["RR", f"CWL(user=rr,{YES_OR_NO})"])
    for (_, grades), row in zip(drawn, found, strict=True):
        expected = ruler.RRCWLMetric().measure(_ranking(grades, binary=True))
        assert row == pytest.approx([expected, expected], abs=1e-12)


def test_average_precision_without_its_recall(drawn: list[Graded]) -> None:
    """The user of AP never looks for what a list lacks, so that R is what the list holds."""
    shortest = sorted(drawn, key=lambda each: len(each[1]))[:5]  # since cwl_eval takes a while
    found = _scores(shortest, ["AP", f"CWL(user=ap,{YES_OR_NO})"])
    for (_, grades), row in zip(shortest, found, strict=True):
        assert len(grades) <= DEPTH  # so that all relevant documents are seen
        expected = ruler.APCWLMetric().measure(_ranking(grades, binary=True))
        assert row == pytest.approx([expected, expected], abs=1e-12)


@pytest.fixture(scope="module")
def covid(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A few runs of TREC-COVID's first round."""
    folder = tmp_path_factory.mktemp("covid")
    with tarfile.open(real_data / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        members = [m for m in archive.getmembers() if m.isfile()]
        chosen = sorted(members, key=lambda m: m.name)[::60]
        archive.extractall(folder, members=chosen, filter="data")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _graded_lists(qrels: gw.Qrels, run: gw.Run) -> Iterator[Graded]:
    judgments = qrels.to_dict()
    for topic in judgments:
        ranked = run.ranking(topic) if topic in run.topics else []
        yield topic, np.array([max(judgments[topic].get(d, 0), 0) for d in ranked], np.int64)


@pytest.mark.slow
def test_trec_covid(real_data: Path, covid: list[Path]) -> None:
    qrels = gw.read_qrels(real_data / "qrels" / "qrels.covid-round1.txt.gz")
    assert len(covid) >= 3
    others = ["TBG(words=500)@1000", "U(L=132000,length=2000)"]
    scores = gw.evaluate(qrels, covid, [*[ours for _, ours, _ in PAIRS], *others])
    for number, path in enumerate(covid):
        for topic, grades in _graded_lists(qrels, gw.read_run(path)):
            if not len(grades):
                continue
            row = scores.values[number, scores.topics.index(topic)]
            expected = [make().measure(_ranking(grades)) for make, _, _ in PAIRS]
            expected += [_time_biased(grades, 500), _read(grades, 132000, 2000)]
            np.testing.assert_allclose(row, expected, rtol=1e-12, atol=1e-12)


def test_time_biased_gain(drawn: list[Graded]) -> None:
    found = _scores(drawn, ["TBG(words=300)@1000", "TBG(words=900,half_life=60)@1000"])
    for (_, grades), row in zip(drawn, found, strict=True):
        expected = [_time_biased(grades, 300), _time_biased(grades, 900, half_life=60)]
        assert row == pytest.approx(expected, rel=1e-12)


def test_u_measure(drawn: list[Graded]) -> None:
    found = _scores(drawn, ["U(L=20000,length=300)", "U(L=132000,length=2000)"])
    for (_, grades), row in zip(drawn, found, strict=True):
        expected = [_read(grades, 20000, 300), _read(grades, 132000, 2000)]
        assert row == pytest.approx(expected, rel=1e-12)
