"""check: verdicts of intervals, exit codes, and what a pull request is shown."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from scipy import stats as scipy_stats

import gradewise as gw


def scores_of(base: list[float], new: list[float], *measures: str) -> gw.Scores:
    """Scores of two runs with given values, the same by each measure."""
    parsed = tuple(gw.parse_measure(name) for name in measures or ("AP",))
    values = np.stack([np.array([base, new])] * len(parsed), axis=2)
    topics = tuple(map(str, range(len(base))))
    return gw.Scores(("old", "new"), topics, parsed, values, np.ones(values.shape[:2], bool))


RNG = np.random.default_rng(5)
BASE = RNG.uniform(0.2, 0.8, 40)
NOISE = RNG.normal(0, 0.05, 40)
NOISE -= NOISE.mean()


def test_interval_is_that_of_scipy_at_the_corrected_level() -> None:
    new = BASE + NOISE + 0.01
    found = gw.check(scores_of(BASE.tolist(), new.tolist(), "AP", "P@10"), "old", "new")
    expected = scipy_stats.ttest_rel(new, BASE).confidence_interval(0.975)  # 1 - 0.05 / 2
    for each in found.measures:
        assert (each.low, each.high) == pytest.approx(tuple(expected), abs=1e-12)
        assert each.topics == 40


@pytest.mark.parametrize(
    ("change", "options", "outcome", "passed"),
    [
        (-0.05, {}, "worse", False),
        (-0.05, {"by": 0.03}, "worse", False),
        (-0.05, {"by": 0.05}, "undecided", True),
        (-0.05, {"by": 0.05, "strict": True}, "undecided", False),
        (-0.05, {"by": 0.1, "strict": True}, "not worse", True),
        (0.0, {}, "undecided", True),
        (0.0, {"strict": True}, "undecided", False),
        (0.0, {"strict": True, "by": 0.02}, "not worse", True),
        (0.05, {"strict": True}, "better", True),
    ],
)
def test_outcomes(change: float, options: dict[str, float], outcome: str, passed: bool) -> None:
    # The interval is about change +- 0.016.
    found = gw.check(scores_of(BASE.tolist(), (BASE + NOISE + change).tolist()), "old", **options)
    assert found.measures[0].outcome == outcome
    assert found.passed is passed
    assert found.verdict().startswith("PASS" if passed else "FAIL")


def test_the_same_run_passes_even_strictly() -> None:
    found = gw.check(scores_of(BASE.tolist(), BASE.tolist()), "old", strict=True)
    assert found.measures[0].outcome == "not worse"


def test_a_measure_whose_low_values_are_good() -> None:
    found = gw.check(scores_of(BASE.tolist(), (BASE + NOISE + 0.05).tolist(), "RBPResidual"), "old")
    assert found.measures[0].outcome == "worse"
    assert found.measures[0].losses > found.measures[0].wins


def test_error_rate_under_the_null() -> None:
    # Of 2,000 pairs that do not differ, some 2.5% fail: the lower tail of a 95% interval.
    rng = np.random.default_rng(11)
    failed = 0
    for _ in range(2000):
        old, new = rng.normal(0.5, 0.1, (2, 30))
        failed += not gw.check(scores_of(old.tolist(), new.tolist()), "old").passed
    assert abs(failed / 2000 - 0.025) < 3 * (0.025 * 0.975 / 2000) ** 0.5


def test_junit_and_json_say_the_same() -> None:
    found = gw.check(scores_of(BASE.tolist(), (BASE + NOISE - 0.05).tolist(), "AP", "P@10"), "old")
    suite = Xml.fromstring(found.to_junit())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert [case.get("name") for case in suite] == ["AP", "P@10"]
    content = json.loads(found.to_json())
    assert content["passed"] is False
    assert content["measures"][0]["difference"] == found.measures[0].difference


def test_refusals() -> None:
    scores = scores_of([0.1, 0.2], [0.2, 0.3])
    with pytest.raises(gw.InputError, match="there is no run 'olt'; did you mean old"):
        gw.check(scores, "olt", "new")
    with pytest.raises(gw.GradewiseError, match="by must be 0 or more"):
        gw.check(scores, "old", by=-1)


def test_exit_codes_and_files(tmp_path: Path) -> None:
    sample = gw.simulate.collection(topics=30, runs=2, depth=50, seed=1)
    gw.write_qrels(sample.qrels, tmp_path / "qrels.txt")
    for name, run in sample.runs.items():
        gw.write_run(run, tmp_path / f"{name}.txt")

    def checked(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gradewise", "check", "qrels.txt", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    gate = "--fail-if-worse"
    assert checked("run2.txt", "run1.txt").returncode == 0  # reported, not enforced
    worse = checked("run2.txt", "run1.txt", gate, "-m", "AP")
    assert worse.returncode == 1
    assert worse.stdout.splitlines()[-1] == "FAIL: run1 is worse than run2 in AP (95% confidence)"
    assert checked("run1.txt", "run2.txt", gate, "-m", "AP").returncode == 0
    done = checked("run2.txt", "run1.txt", gate, "-m", "AP", "-o", "check.xml")
    assert (done.returncode, done.stdout.startswith("FAIL")) == (1, True)
    assert Xml.parse(tmp_path / "check.xml").getroot().get("failures") == "1"
    checked("run2.txt", "run1.txt", "-m", "AP", "-o", "check.md")
    assert (tmp_path / "check.md").read_text().startswith("**FAIL**: run1 is worse")
