"""Values of catalogs: the share of items that a run shows, and the frequency of labels."""

from pathlib import Path

import pytest

import gradewise as gw
from command import caller

RUN = {"u1": {"a": 3.0, "b": 2.0}, "u2": {"a": 1.0, "c": 1.0}, "u3": {"b": 1.0}}


def test_coverage_counts_each_item_once() -> None:
    assert gw.catalog_coverage(RUN, cutoff=2, catalog=6) == 3 / 6
    # Of the tied documents of u2, the greater id comes first, unless the order of input counts.
    assert gw.catalog_coverage(RUN, cutoff=1, catalog=6) == 3 / 6
    assert gw.catalog_coverage(RUN, cutoff=1, catalog=6, ties="input") == 2 / 6


def test_a_catalog_of_judged_documents() -> None:
    qrels = {"u1": {"a": 1, "x": 0}, "u2": {"c": 1, "y": 0}}
    assert gw.catalog_coverage(RUN, cutoff=2, catalog=qrels) == 2 / 4


def test_a_catalog_is_as_large_as_what_is_shown() -> None:
    with pytest.raises(gw.GradewiseError, match="has 2 documents, but the run shows 3"):
        gw.catalog_coverage(RUN, cutoff=2, catalog=2)
    with pytest.raises(gw.GradewiseError, match="at least 1, not 0"):
        gw.catalog_coverage(RUN, cutoff=0, catalog=9)


def test_frequencies_of_training_judgments() -> None:
    training = {"1": {"a": 1, "b": 1}, "2": {"a": 2, "c": 0}, "3": {"a": 1, "b": -1}}
    graded = gw.grade_by_frequency({"t": {"a": 1, "b": 2, "c": 0, "z": 0}}, training)
    assert graded.to_dict() == {"t": {"a": 3, "b": 1, "c": 0, "z": 0}}
    with pytest.raises(gw.InputError, match=r"'c' is not relevant to any topic .* \(1 judgment"):
        gw.grade_by_frequency({"t": {"c": 1, "b": 1}}, training)


def test_rare_labels_count_for_more() -> None:
    labels = {"1": {"often": 1, "once": 1}, "2": {"often": 1}, "3": {"often": 1}}
    graded = gw.grade_by_frequency(labels)
    runs = {
        "once first": {"1": {"once": 2.0, "often": 1.0}},
        "often first": {"1": {"once": 1.0, "often": 2.0}},
    }
    for name in ("PSP(points=1000)@1", "PSnDCG(points=1000)@2"):
        scores = gw.evaluate(graded, runs, name)
        assert scores["once first", name] > scores["often first", name]


def test_the_command_prints_coverage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.txt"
    gw.write_run(gw.read_run(RUN), path)
    command = caller(monkeypatch)
    done = command("coverage", path, "-k", 2, "--catalog", 6)
    assert done.out.split() == ["run", "coverage@2", "mine", "0.5000"]
    everything = len({document for documents in RUN.values() for document in documents})
    done = command("coverage", path, "-k", 2)
    assert float(done.out.split()[-1]) == pytest.approx(3 / everything, abs=5e-5)
