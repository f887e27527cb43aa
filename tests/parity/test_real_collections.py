"""Published numbers of real collections: TREC-COVID, Ferrante et al. 2014, Robust, DL 2019."""

import csv
import gzip
import tarfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from parity.material import read_lines

# Columns of the leaderboard, and the measure that each is. Its RBP is graded.
LEADERBOARD = {
    "MAP": "AP",
    "ndcg@10": "nDCG@10",
    "p@5": "P@5",
    "bpref": "Bpref",
    "RBP(p=.5)": "RBP(p=0.5,gains='linear')",
}
# Its scores lie so close that many are equal in single precision, and the leaderboard was made
# with trec_eval 9, which compares them so.
TIED_IN_SINGLE_PRECISION = "BERT"


@pytest.fixture(scope="module")
def covid_runs(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the 143 runs of TREC-COVID's first round."""
    folder = tmp_path_factory.mktemp("covid")
    with tarfile.open(real_data / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def published(real_data: Path) -> dict[str, dict[str, str]]:
    """The leaderboard: the digits printed for each run."""
    path = real_data / "trec-covid-round1" / "round1-leaderboard.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["run"]: {c: row[c] for c in LEADERBOARD} for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def covid_qrels(real_data: Path) -> gw.Qrels:
    return gw.read_qrels(real_data / "qrels" / "qrels.covid-round1.txt.gz")


def _digits(scores: gw.Scores) -> dict[str, dict[str, str]]:
    """Print each run's summaries as the leaderboard does."""
    rows = zip(scores.runs, scores.summary().tolist(), strict=True)
    return {
        run: dict(zip(LEADERBOARD, [f"{value:.4f}" for value in row], strict=True))
        for run, row in rows
    }


def test_trec_covid_runs_have_the_values_of_the_leaderboard(
    covid_qrels: gw.Qrels, covid_runs: Path, published: dict[str, dict[str, str]]
) -> None:
    runs = {path.name: path for path in sorted(covid_runs.rglob("*")) if path.is_file()}
    assert runs.keys() == published.keys()
    assert len(runs) == 143
    values = _digits(gw.evaluate(covid_qrels, runs, list(LEADERBOARD.values())))
    differing = {run for run in runs if values[run] != published[run]}
    assert differing == {TIED_IN_SINGLE_PRECISION}


def test_the_exception_has_them_with_scores_in_single_precision(
    covid_qrels: gw.Qrels, covid_runs: Path, published: dict[str, dict[str, str]]
) -> None:
    run: dict[str, dict[str, float]] = {}
    path = covid_runs / TIED_IN_SINGLE_PRECISION
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, document, _, score, _ = line.split()
        run.setdefault(topic, {})[document] = float(np.float32(score))
    scores = gw.evaluate(covid_qrels, {TIED_IN_SINGLE_PRECISION: run}, list(LEADERBOARD.values()))
    expected = published[TIED_IN_SINGLE_PRECISION]
    assert _digits(scores) == {TIED_IN_SINGLE_PRECISION: expected}


def _relevant(qrels: gw.Qrels, grade: int) -> dict[str, int]:
    """Count the documents of each topic with at least a grade, with a run that misses them all."""
    scores = gw.evaluate(qrels, {"other": {"none": {"d": 1.0}}}, f"NumRel(rel={grade})")
    return dict(zip(scores.topics, scores.values[0, :, 0].astype(int).tolist(), strict=True))


def _few(qrels: gw.Qrels, grades: Iterable[int]) -> int:
    """Count topics with R(1) >= 10 R(grades) > 0, Ferrante's 'few highly relevant' or 'few key'."""
    at_least = {grade: _relevant(qrels, grade) for grade in range(1, 6)}

    def exactly(topic: str, grade: int) -> int:
        return at_least[grade][topic] - at_least[grade + 1][topic]

    wanted = list(grades)
    rows = [(exactly(t, 1), sum(exactly(t, grade) for grade in wanted)) for t in at_least[1]]
    return sum(1 for one, more in rows if one >= 10 * more > 0)


# Ferrante, Ferro, Maistro 2014, Table 1: topics, minimum, average and maximum number of relevant
# documents, and topics with few highly relevant ones.
FERRANTE = {
    "TREC 10": ("adhoc.451-550", 50, 2, 67.26, 372, 17),
    "TREC 14": ("robust05", 50, 9, 131.22, 376, 6),
    "TREC 21": ("web.151-200", 50, 6, 70.46, 253, 10),
}


def _qrels(real_data: Path, name: str) -> gw.Qrels:
    qrels = gw.read_qrels(real_data / "qrels" / f"qrels.{name}.txt.gz")
    if name != "adhoc.451-550":
        return qrels
    judged = qrels.to_dict()  # TREC-9 and TREC-10; the latter has topics 501 to 550
    return gw.read_qrels({topic: judged[topic] for topic in map(str, range(501, 551))})


@pytest.mark.parametrize("collection", FERRANTE)
def test_ferrante_table_1(real_data: Path, collection: str) -> None:
    name, topics, least, average, most, few_highly_relevant = FERRANTE[collection]
    qrels = _qrels(real_data, name)
    relevant = list(_relevant(qrels, 1).values())
    assert len(relevant) == topics
    assert (min(relevant), max(relevant)) == (least, most)
    assert sum(relevant) / topics == pytest.approx(average, abs=1e-9)
    assert _few(qrels, [2]) == few_highly_relevant


def test_ferrante_table_1_few_key_documents(real_data: Path) -> None:
    # "50 (10 / 7)". The file has grades 1, 2 (highly relevant), 3 (key) and 4 (navigational), and
    # the paper four degrees with "not relevant": key must be 3 and 4 together. The grade 4 alone
    # gives the same topics; the grade 3 alone, which would be its R(3) as printed, gives 6.
    qrels = _qrels(real_data, "web.151-200")
    assert _few(qrels, [3, 4]) == 7
    assert _few(qrels, [4]) == 7
    assert _few(qrels, [3]) == 6


# Topics, judgments by grade; counted without gradewise, DL 2019 as in its overview: 43 topics and
# 9,260 judgments.
LOADED = {
    "dl19-passage": (43, {0: 5158, 1: 1601, 2: 1804, 3: 697}),
    "robust03": (100, {0: 122722, 1: 5667, 2: 407}),
    "covid-round1": (30, {0: 6339, 1: 1115, 2: 1237}),
}


@pytest.mark.parametrize("name", LOADED)
def test_judgments_load(real_data: Path, name: str) -> None:
    topics, grades = LOADED[name]
    judged = _qrels(real_data, name).to_dict()
    assert len(judged) == topics
    assert Counter(grade for row in judged.values() for grade in row.values()) == grades
    expected: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in read_lines(real_data / "qrels" / f"qrels.{name}.txt.gz"):
        expected.setdefault(topic, {})[document] = int(grade)
    assert judged == expected


def test_only_new_topics_of_robust_2003_are_graded(real_data: Path) -> None:
    # 50 topics come from earlier years, with judgments of two degrees; 601 to 650 are new.
    judged = _qrels(real_data, "robust03").to_dict()
    new = set(map(str, range(601, 651)))
    assert new < judged.keys()
    assert {grade for t in judged.keys() - new for grade in judged[t].values()} == {0, 1}
    assert {grade for t in new for grade in judged[t].values()} == {0, 1, 2}


def _lines_by_topic(path: Path) -> Counter[str]:
    with gzip.open(path) as file:
        return Counter(line.split(None, 1)[0].decode() for line in file)


def test_runs_of_robust_2003_load(real_data: Path) -> None:
    paths = sorted((real_data / "robust03-runs").iterdir())
    assert len(paths) == 17
    qrels = real_data / "qrels" / "qrels.robust03.txt.gz"
    scores = gw.evaluate(qrels, paths, "NumRet")
    lines = {path.name.removesuffix(".gz"): _lines_by_topic(path) for path in paths}
    assert set(scores.runs) == lines.keys()
    for run, row in zip(scores.runs, scores.values[:, :, 0], strict=True):
        assert dict(zip(scores.topics, row.tolist(), strict=True)) == lines[run]
