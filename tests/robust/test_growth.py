"""Work that grows fast: bounded memory, an estimate before it starts, a bar, or a refusal."""

import io
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise import effort
from gradewise.cli.watching import progress_bar
from gradewise.distance import estimate
from gradewise.effort import Effort
from gradewise.errors import OptionError
from gradewise.kernels import staircase
from oracles.pivot import gap
from robust.commands import write_sample


class Watcher:
    """Notes what is told."""

    def __init__(self) -> None:
        self.begun: list[Effort] = []
        self.done = 0.0

    def begin(self, effort: Effort) -> None:
        self.begun.append(effort)

    def advance(self, seconds: float) -> None:
        self.done += seconds


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    """Watch all work, however short it is."""
    monkeypatch.setattr(effort, "_LONG", 0.0)
    monkeypatch.setattr(estimate, "_FEW", 0.0)
    watching = Watcher()
    with effort.watched_by(watching):
        yield watching


@contextmanager
def memory_below(megabytes: float) -> Iterator[None]:
    """Fail if more memory than that is taken at any time."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak / 2**20 < megabytes


def two_runs(documents: int, topics: int = 1, seed: int = 1) -> tuple[Any, Any, Any]:
    """Return judgments of a few documents, and two runs that rank the same ones by chance."""
    rng = np.random.default_rng(seed)
    qrels = {f"t{t}": {"d0": 1, "d1": 2, "d2": 0} for t in range(topics)}

    def run() -> dict[str, dict[str, float]]:
        scores = rng.permutation(documents)
        listed = {f"d{n}": float(score) for n, score in enumerate(scores)}
        return dict.fromkeys(qrels, listed)

    return qrels, run(), run()


@pytest.mark.parametrize("measure", ["AP", "ERR", "GAP", "eGAP", "xGAP", "Q"])
def test_distances_take_about_what_is_estimated(measure: str, watcher: Watcher) -> None:
    qrels, first, second = two_runs(60)
    gw.distance.med(first, second, qrels, measure)
    (told,) = watcher.begun
    # A climb may end at once; walks are as many as they are.
    assert watcher.done < 3 * told.seconds
    assert watcher.done > told.seconds / (3 if measure in ("AP", "ERR") else 100)


def test_quick_distances_are_not_estimated(watcher: Watcher) -> None:
    qrels, first, second = two_runs(60)
    gw.distance.med(first, second, qrels, "nDCG@10")
    assert watcher.begun == []


def test_the_path_of_a_long_list_fits_in_little_memory() -> None:
    number = 800
    order = np.random.default_rng(1).permutation(number)
    place, back = np.empty(number, np.int64), order + 1
    place[order] = np.arange(1, number + 1)
    row = np.arange(number + 1)
    earned = np.concatenate([np.arange(n + 1) / (n + 1.0) for n in row])
    _, left = staircase.best_sums(place, back, earned, earned)
    size = number // 2
    whole = staircase.best_set(place, back, earned, earned, size, int(left[size]))
    with memory_below(16):  # its steps alone would take 800 * 800 * 400 / 8 bytes, or 31 MB
        found = staircase.best_set(place, back, earned, earned, size, int(left[size]), 1 << 20)
    assert found.sum() == size
    assert (found == whole).all()


@pytest.mark.parametrize("judged", [True, False])
def test_trials_and_climbs_hold_a_batch_at_a_time(judged: bool) -> None:
    # All but 12 documents are judged, so all assignments are tried; or none are, so one climbs.
    qrels, first, second = two_runs(2500 if judged else 300)
    if judged:
        qrels = {"t0": {f"d{n}": n % 2 for n in range(12, 2500)}}
    with memory_below(300):  # 2^12 assignments of 2,500 documents, twice, take 160 MB more
        found = gw.distance.med(first, second, qrels, "xGAP" if judged else "GAP")
    assert 0 < found.value <= found.upper <= 1


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_sample(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MANY = ("--test", "bootstrap", "--replicates", 10**13)
ENDLESS: dict[str, tuple[object, ...]] = {
    "compare": ("compare", "qrels.txt", "run1.txt", "run2.txt", *MANY),
    "randomization": (
        *("compare", "qrels.txt", "run1.txt", "run2.txt", "--test", "randomization"),
        *("--replicates", 10**14),
    ),
    "tukey": (
        *("compare", "qrels.txt", "run1.txt", "run2.txt", "--test", "tukey"),
        *("--replicates", 10**13),
    ),
    "interval": (
        *("compare", "qrels.txt", "run1.txt", "run2.txt", "--interval", "bca"),
        *("--replicates", 10**13),
    ),
}


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("name", ENDLESS)
def test_what_would_not_end_is_refused(name: str, run: Call) -> None:
    done = run(*ENDLESS[name], "-m", "AP")
    assert done.code == 1
    *_, told = done.err.splitlines()
    assert "would take about" in told
    assert "--replicates" in told
    assert "GRADEWISE_HOURS" in told


@pytest.mark.parametrize("command", ["med", "matrix", "next"])
def test_long_distances_are_refused_or_told(
    command: str, run: Call, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate, "SUMS_PER_SECOND", 1e-3)  # as if a second were a few weeks
    runs = ("run1.txt", "run2.txt", *(("run3.txt",) if command == "matrix" else ()))
    more = ("--next", 5) if command == "next" else ()
    given = ("med", "qrels.txt", *runs, "-m", "AP@60", *more)
    done = run(*given)
    assert done.code == 1
    assert "the AP@60 distance of " in done.err
    assert "cut the lists (--depth, k=), or set GRADEWISE_HOURS to a larger number" in done.err
    monkeypatch.setenv("GRADEWISE_HOURS", "1e12")
    done = run(*given)
    assert done.code == 0, done.err
    assert " will take about " in done.err
    assert " will take about " not in run(*given, "--quiet").err
    for wrong in ("x", "0", "nan"):
        monkeypatch.setenv("GRADEWISE_HOURS", wrong)
        assert "GRADEWISE_HOURS must be a number above 0" in run(*given).err


def test_what_would_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "find_memory", lambda: 1e6)
    monkeypatch.setattr(estimate, "_LONG_LIST", 0)
    qrels, first, second = two_runs(500)
    with pytest.raises(
        OptionError, match=r"would need about \d+ MB of memory, but only 1 MB is available; cut"
    ):
        gw.distance.med(first, second, qrels, "AP")


def scores_of(runs: int, topics: int) -> gw.Scores:
    made = gw.simulate.collection(topics=topics, runs=2, depth=10, relevant=5, seed=1)
    scores = gw.evaluate(made.qrels, made.runs, "AP")
    values = np.random.default_rng(1).random((runs, topics, 1))
    names = tuple(f"r{n}" for n in range(runs))
    return type(scores)(
        **{**vars(scores), "runs": names, "values": values,
           "counted": np.ones((runs, topics), np.bool_)}
    )  # fmt: skip


TESTS = ["bootstrap", "randomization", "tukey"]


@pytest.mark.parametrize("test", TESTS)
def test_comparisons_take_what_is_estimated(test: Any, watcher: Watcher) -> None:
    gw.compare(scores_of(12, 20), test=test, replicates=500)
    (told,) = watcher.begun
    assert told.what.endswith("of 66 pairs of runs with 500 replicates")
    assert watcher.done == pytest.approx(told.seconds)


def test_intervals_take_what_is_estimated(watcher: Watcher) -> None:
    gw.compare(scores_of(12, 20), interval="bca", replicates=500)
    (told,) = watcher.begun
    assert watcher.done == pytest.approx(told.seconds)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["strict", *TESTS])
def test_many_runs_are_compared_in_bounded_memory(test: Any) -> None:
    scores = scores_of(500, 50)
    with memory_below(150):  # the differences of all pairs take 50 MB, their samples 100 MB
        compared = gw.compare(scores, test=test, replicates=100 if test != "strict" else None)
        assert len(compared.to_text().splitlines()) > 500


def many_grades(number: int = 2000) -> tuple[dict[str, dict[str, int]], dict[str, Any]]:
    rng = np.random.default_rng(1)
    documents = [f"d{n}" for n in range(number)]
    qrels = {
        f"t{t}": dict(zip(documents, (rng.permutation(number) + 1).tolist(), strict=True))
        for t in range(2)
    }
    runs = {
        name: {
            topic: {doc: float(rng.random()) for doc in rng.choice(documents, 100, replace=False)}
            for topic in qrels
        }
        for name in "ab"
    }
    return qrels, runs


def test_two_thousand_grades_fit_in_memory() -> None:
    qrels, runs = many_grades()
    measures = ["GAP", "eGAP", "xGAP", "Q", "GenAP", "nDCG", "ERR(max_grade=2000)", "AP(rel=1000)"]
    with memory_below(500):  # a table of grades by grades takes 32 MB, for each list and topic
        found = gw.evaluate(qrels, runs, measures)
    assert np.isfinite(found.values).all()
    topic, ranked = "t0", sorted(runs["a"]["t0"], key=runs["a"]["t0"].__getitem__, reverse=True)
    grades = [qrels[topic][doc] for doc in ranked]
    judged = dict.fromkeys(range(1, 2001), 1)
    truth = gap(grades, judged, g=[1 / 2000] * 2000)
    assert found.values[0, 0, 0] == pytest.approx(truth, abs=1e-12)


def test_many_grades_are_scored_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    made = gw.simulate.collection(topics=8, runs=3, depth=60, relevant=20, seed=3)
    measures = [f"{name}{cut}" for name in ("GAP", "eGAP", "xGAP", "Q", "AP") for cut in ("", "@7")]
    few = gw.evaluate(made.qrels, made.runs, measures).values
    monkeypatch.setattr("gradewise.measures.pivot._MANY_LEVELS", 0)
    many = gw.evaluate(made.qrels, made.runs, measures).values
    np.testing.assert_allclose(many, few, rtol=0, atol=1e-12)


def test_reports_of_two_thousand_grades_leave_the_explorer_out(tmp_path: Path) -> None:
    qrels, runs = many_grades()
    with memory_below(500):
        report = gw.report.make_report(qrels, runs, ["AP", "nDCG", "GAP"])
        report.save(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "2,000 distinct positive grades are too many to explore thresholds" in text


def test_probabilities_of_many_grades_are_refused_in_a_short_sentence() -> None:
    qrels, runs = many_grades()
    with pytest.raises(gw.GradewiseError, match="2000 positive grades") as refused:
        gw.evaluate(qrels, runs, "GAP(g=[.5,.5])")
    assert len(str(refused.value)) < 300


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_counts_seconds_of_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(effort, "_LONG", 0.0)
    with progress_bar("topics", 1) as advance:
        assert advance is not None
        effort.begin(Effort("the work", 100.0, advice="do less"))
        effort.advance(40.0)
        advance(1)  # a topic, which is not what is counted any more
    shown = sys.stderr.getvalue()
    assert "gradewise: the work will take about 100 seconds" in shown
    assert "40/100" in shown


def test_memory_is_that_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    resource: Any = pytest.importorskip("resource", reason="limits of memory are of Unix")
    there = effort.find_memory()
    assert there is not None
    assert there > 2**28
    limit: Callable[[int], tuple[int, int]] = lambda kind: (2**27, 2**27)  # noqa: E731
    monkeypatch.setattr(resource, "getrlimit", limit)
    assert effort.find_memory() == 2**27
