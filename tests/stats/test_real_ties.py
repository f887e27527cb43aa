"""P@10 of the 143 runs of TREC-COVID, round 1: every p-value as integers give it."""

import tarfile
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.stats.tests import Test
from oracles import exact


@pytest.fixture(scope="module")
def scores(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> gw.Scores:
    folder = tmp_path_factory.mktemp("covid")
    with tarfile.open(real_data / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    runs = sorted(path for path in folder.rglob("*") if path.is_file())
    qrels = real_data / "qrels" / "qrels.covid-round1.txt.gz"
    return gw.evaluate(qrels, runs, "P@10")


@pytest.mark.slow
@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_all_pairs_as_integers(scores: gw.Scores, test: Test) -> None:
    pairs = gw.compare(scores, test=test, correction="none").pairs
    counts = dict(
        zip(scores.runs, np.rint(10 * scores.values[:, :, 0]).astype(int).tolist(), strict=True)
    )
    oracle = {"wilcoxon": exact.wilcoxon, "sign": exact.sign}[test]
    expected = [
        oracle([a - b for a, b in zip(counts[one], counts[other], strict=True)])
        for one, other in pairs.select("run_a", "run_b").iter_rows()
    ]
    assert len(expected) == 10_153
    assert pairs["p"].to_numpy() == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_some_pairs_as_integers(scores: gw.Scores, test: Test) -> None:
    few = np.linspace(0, 142, 8).astype(int)
    values = scores.values[few, :, 0]
    counts = np.rint(10 * values).astype(int).tolist()
    first, second = np.triu_indices(8, 1)
    found = gw.stats.paired_p(
        values[first] - values[second], test, scale=1.0, replicates=300, seed=1
    )
    oracle = {"randomization": exact.randomization, "bootstrap": exact.bootstrap}[test]
    expected = [
        oracle([exact.Fraction(a - b) for a, b in zip(counts[i], counts[j], strict=True)], 300, 1)
        for i, j in zip(first, second, strict=True)
    ]
    assert found.tolist() == expected
