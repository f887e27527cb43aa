"""gradewise med and gradewise rbo as a user meets them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call, Done


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Judgments and three runs."""
    folder = tmp_path_factory.mktemp("collection")
    made = gw.simulate.collection(topics=5, runs=3, depth=30, relevant=8, pool_depth=5, seed=4)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    return [folder / "qrels.txt", *[folder / f"run{number}.txt" for number in (1, 2, 3)]]


def records(done: Done) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    return list(json.loads(done.out))


@pytest.mark.parametrize("measure", ["AP@10", "nDCG@5", "GAP@5", "RBP"])
def test_two_runs(run: Call, files: list[Path], measure: str) -> None:
    done = run("med", *files[:3], "-m", measure, "-f", "json")
    expected = gw.distance.med(files[1], files[2], files[0], measure)
    *topics, last = records(done)
    assert topics == expected.frame.to_dicts()
    assert last["topic"] == "all"
    assert last["med"] == pytest.approx(expected.value, abs=1e-12)
    assert last["known"] == pytest.approx(expected.known, abs=1e-12)
    assert (last["winner"], last["relevant"], last["score_a"]) == (None, None, None)
    assert expected.conclusion in done.err
    assert run("med", *files[:3], "-m", measure, "--quiet").err == ""


@pytest.mark.slow
def test_options_reach_the_library(run: Call, files: list[Path]) -> None:
    qrels, a, b, _ = files
    for arguments, given, options in (
        (["--depth", "4"], qrels, {"k": 4}),
        (["--unretrieved", "1"], qrels, {"unretrieved": 1}),
        (["--unjudged"], None, {"grades": [1, 2]}),
        (["--ties", "input"], qrels, {"ties": "input"}),
    ):
        for measure in ("AP@8", "eGAP@3"):
            rows = records(run("med", qrels, a, b, "-m", measure, *arguments, "-f", "json"))
            expected = gw.distance.med(a, b, given, measure, **options)
            assert [row["med"] for row in rows[:-1]] == expected.frame["med"].to_list()
            assert [row["upper"] for row in rows[:-1]] == expected.frame["upper"].to_list()


def test_little_is_told_when_nothing_is_judged(run: Call, files: list[Path]) -> None:
    done = run("med", *files[:3], "-m", "AP@20", "--unjudged", "-f", "csv")
    assert "0% of the documents are judged" in done.err
    assert "the SSP distance is more informative here" in done.err
    rows = list(csv.DictReader(io.StringIO(done.out)))
    for row in rows[:-1]:
        ssp = gw.distance.med(files[1], files[2], None, "SSP@20")[row["topic"]]
        assert float(row["ssp"]) == pytest.approx(ssp.value, abs=1e-12)
    assert "more informative" not in run("med", *files[:3], "-m", "AP@10").err


def test_assignment_attains_the_distance(run: Call, files: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "best.txt"
    done = run("med", *files[:3], "-m", "AP@10", "--assignment", target, "-f", "json")
    rows = records(done)
    merged = gw.read_qrels(files[0]).to_dict()
    for topic, grades in gw.read_qrels(target).to_dict().items():
        merged[topic].update(grades)
    values = gw.evaluate(merged, {"a": files[1], "b": files[2]}, "AP@10").values[:, :, 0]
    for row, a, b in zip(rows[:-1], *values, strict=True):
        assert abs(a - b) == pytest.approx(row["med"], abs=1e-12)
        assert (row["score_a"], row["score_b"]) == pytest.approx((a, b), abs=1e-12)


def test_next(run: Call, files: list[Path]) -> None:
    expected = gw.distance.judge_next(files[1:], files[0], "nDCG@5", number=4)
    done = run("med", *files, "-m", "nDCG@5", "--next", 4)
    assert (done.code, done.out) == (0, expected.pool())
    assert run("med", *files, "-m", "nDCG@5", "--next", 4, "-f", "pool").out == done.out
    assert records(run("med", *files, "-m", "nDCG@5", "--next", 4, "-f", "json")) == (
        expected.frame.to_dicts()
    )


def test_many_runs(run: Call, files: list[Path], tmp_path: Path) -> None:
    figure = tmp_path / "map.svg"
    rows = records(run("med", *files, "-m", "SDCG@5", "-f", "json", "--figure", figure))
    named = {path.stem: path for path in files[1:]}
    assert rows == gw.distance.med_matrix(named, files[0], "SDCG@5").frame.to_dicts()
    drawn = figure.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert ">run3<" in drawn


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_figure_of_two(run: Call, files: list[Path], tmp_path: Path, ending: str) -> None:
    figure = tmp_path / f"two.{ending}"
    assert run("med", *files[:3], "-m", "AP@5", "--figure", figure).code == 0
    assert figure.read_bytes()[:4] in (b"<svg", b"\x89PNG", b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == [figure.name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{q}", "{a}"], "a distance needs at least 2 runs, but there is 1 run"),
        (["{q}", "{a}", "{b}", "-f", "pool"], "the format pool requires --next"),
        (["{q}", "{a}", "{b}", "{c}", "--assignment", "x"], "--assignment needs exactly two"),
        (["{q}", "{a}", "{b}", "--next", "3", "--unretrieved", "1"], "--unretrieved needs exactly"),
        (["{q}", "{a}", "{b}", "-m", "nDGC"], "did you mean nDCG"),
        (["{q}", "{a}", "{b}", "-m", "AP(judged_only=True)"], "drops unjudged documents"),
        (["{q}", "{a}", "{b}", "-m", "ADM"], "uses scores"),
        (["{q}", "{a}", "{b}", "-m", "RBPResidual"], "lower values of RBPResidual are better"),
        (["{q}", "{a}", "{b}", "-m", "Bpref", "--unjudged"], "are too many to try all"),
        (["{q}", "{a}", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["{q}", "{a}", "{b}", "--figure", "x.gif"], "a figure's name must end in"),
    ],
)
def test_mistakes(run: Call, files: list[Path], arguments: list[str], message: str) -> None:
    places = dict(zip("qabc", files, strict=True))
    done = run("med", *[argument.format(**places) for argument in arguments])
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("gradewise: ")
    assert message in done.err


def test_no_common_topic(run: Call, files: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("x 0 d 1\n")
    done = run("med", other, *files[1:3])
    assert "no topics in common" in done.err


def test_overlap(run: Call, files: list[Path]) -> None:
    _, a, b, c = files
    *topics, last = records(run("rbo", a, b, "-p", "0.7", "-f", "json"))
    expected = gw.distance.rbo(a, b, 0.7)
    assert topics == expected.frame.to_dicts()
    assert last["topic"] == "all"
    assert last["extrapolated"] == pytest.approx(expected.extrapolated, abs=1e-12)
    rows = records(run("rbo", a, b, c, "--depth", "5", "--ties", "tied", "-f", "json"))
    assert [(row["run_a"], row["run_b"]) for row in rows] == [
        ("run1", "run2"),
        ("run1", "run3"),
        ("run2", "run3"),
    ]
    assert rows[1]["minimum"] == gw.distance.rbo(a, c, k=5, ties="tied").minimum
    assert "an overlap needs at least 2" in run("rbo", a).err
    assert "p must be between 0 and 1" in run("rbo", a, b, "-p", "1").err
