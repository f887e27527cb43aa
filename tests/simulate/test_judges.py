"""Simulated judges: how often they err, and how much they err together."""

from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise.errors import OptionError


@pytest.fixture(scope="module")
def qrels() -> gw.Qrels:
    return gw.simulate.collection(topics=60, runs=2, depth=60, grades=3, relevant=25, seed=1).qrels


def errors_of(qrels: gw.Qrels, **options: float) -> np.ndarray:
    made = gw.simulate.judges(qrels, 2, seed=3, **options)  # type: ignore[arg-type]
    return np.array([each.grades - qrels.grades for each in made.values()])


def test_without_errors_all_judges_agree(qrels: gw.Qrels) -> None:
    assert not errors_of(qrels, noise=0.0, leaning=0.0, generosity=0.0).any()


def test_errors_grow_with_noise_and_are_shared(qrels: gw.Qrels) -> None:
    quiet, loud = (
        np.abs(errors_of(qrels, noise=noise, leaning=0, generosity=0)).mean()
        for noise in (0.5, 1.2)
    )
    assert quiet < loud
    apart, alike = (
        np.corrcoef(errors_of(qrels, noise=1.0, leaning=0, generosity=0, together=t))[0, 1]
        for t in (0.0, 0.9)
    )
    assert abs(apart) < 0.4  # what is clipped at the ends of the scale errs alike
    assert alike > apart + 0.3
    first, second = errors_of(qrels, together=1.0, generosity=0)
    assert (first == second).all()


def test_the_same_seed_gives_the_same_judges(qrels: gw.Qrels) -> None:
    first, second = (gw.simulate.judges(qrels, 2, seed=9)["judge2"] for _ in range(2))
    assert (first.grades == second.grades).all()
    assert first.docs.to_list() == qrels.docs.to_list()
    assert set(first.grades.tolist()) <= {0, 1, 2, 3}


def test_the_command_writes_files(run: Call, qrels: gw.Qrels, tmp_path: Path) -> None:
    gw.write_qrels(qrels, tmp_path / "qrels.txt")
    done = run("simulate-judges", tmp_path / "qrels.txt", tmp_path / "made", "--judges", 2)
    assert done.code == 0
    made = gw.simulate.judges(tmp_path / "qrels.txt", 2)
    for name, labels in made.items():
        assert gw.read_qrels(tmp_path / "made" / f"{name}.txt").to_dict() == labels.to_dict()


def test_wrong_options_are_explained(qrels: gw.Qrels) -> None:
    for options in ({"judges": 0}, {"together": 1.5}, {"noise": -1.0}):
        with pytest.raises(OptionError, match=next(iter(options))):
            gw.simulate.judges(qrels, **options)  # type: ignore[arg-type]
