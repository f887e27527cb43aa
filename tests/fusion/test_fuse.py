"""What fuse accepts and refuses, what it says of missing topics, and the command."""

from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call
from fusion.cases import random_runs

WORDS = {"t1": {"a": 12.5, "b": 11.0, "c": 7.5}, "t2": {"a": 1.0}}
VECTORS = {"t1": {"c": 0.9, "b": 0.8, "d": 0.7}}
BOTH = {"words": WORDS, "vectors": VECTORS}


def test_reciprocal_ranks_by_hand() -> None:
    fused = gw.fuse(BOTH, k=1)
    # c has ranks 3 and 1, b 2 and 2, a 1, d 3; t2 is missing from the second run.
    assert fused.to_dict() == {
        "t1": {"c": 1 / 4 + 1 / 2, "b": 1 / 3 + 1 / 3, "a": 1 / 2, "d": 1 / 4},
        "t2": {"a": 1 / 2},
    }
    assert fused.name == "rrf"


def test_missing_topics_are_told() -> None:
    assert gw.fuse(BOTH).notes == (
        "missing 1 topic from vectors; a topic missing from a run counts as an empty list",
    )
    assert gw.fuse({"1": VECTORS, "2": VECTORS}).notes == ()


def test_documents_with_equal_scores_follow_trec_eval() -> None:
    lists = [{"t": dict(zip("abc", (3.0, 2.0, 1.0), strict=True))}]
    lists.append({"t": dict(zip("cba", (3.0, 2.0, 1.0), strict=True))})
    lists.append({"t": dict(zip("bac", (3.0, 2.0, 1.0), strict=True))})
    lists.append({"t": dict(zip("bca", (3.0, 2.0, 1.0), strict=True))})
    fused = gw.fuse({str(n): run for n, run in enumerate(lists)})
    scores = fused.to_dict()["t"]
    assert scores["a"] == scores["c"]  # ranks 1 3 2 3 and 3 1 3 2
    assert fused.ranking("t") == ["b", "c", "a"]


def test_ties_of_a_run_decide_ranks() -> None:
    tied = {"t": {"a": 1.0, "b": 1.0}}
    other = {"t": {"x": 1.0}}
    assert gw.fuse({"1": tied, "2": other}).ranking("t") == ["x", "b", "a"]
    assert gw.fuse({"1": tied, "2": other}, ties="input").ranking("t") == ["x", "a", "b"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mnz"}, "did you mean .*combmnz"),
        ({"method": "wsum"}, "did you mean w_sum"),
        ({"method": "combsum", "normalize": "minmax"}, "did you mean min-max"),
        ({"method": "rrf", "normalize": "sum"}, "rrf uses ranks"),
        ({"method": "combsum", "weights": [1, 2]}, "combsum does not use weights"),
        ({"weights": [1, 2, 3]}, "3 weights given for 2 runs"),
        ({"weights": [1, -2]}, "weights must be"),
        ({"weights": [0, 0]}, "weights must be"),
        ({"weights": [1, float("nan")]}, "weights must be"),
        ({"weights": {"words": 1}}, "the runs are words, vectors"),
        ({"depth": 0}, "depth must be at least 1"),
        ({"phi": 0.5}, "rrf has no parameter 'phi'"),
        ({"k": -1}, "k must be at least 0"),
        ({"k": "many"}, "k must be at least 0"),
        ({"method": "rbc", "phi": 1.5}, "phi must be from 0 to 1"),
        ({"ties": "none"}, "ties must be one of"),
    ],
)
def test_wrong_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(gw.GradewiseError, match=message):
        gw.fuse(BOTH, **options)


def test_one_run_is_refused() -> None:
    with pytest.raises(gw.GradewiseError, match="only 1 run was given"):
        gw.fuse(WORDS)


def test_negative_scores_have_no_max() -> None:
    logs = {"t1": {"a": -1.0, "b": -2.0}}
    with pytest.raises(gw.GradewiseError, match="'min-max' instead"):
        gw.fuse({"1": logs, "2": logs}, "combsum", normalize="max")


def test_weights_by_name() -> None:
    by_name = gw.fuse(BOTH, "w_sum", weights={"vectors": 2.0, "words": 0.5})
    in_order = gw.fuse(BOTH, "w_sum", weights=[0.5, 2.0])
    assert by_name.to_dict() == in_order.to_dict()


def test_runs_are_left_as_they_are() -> None:
    runs = [gw.read_run(run, name) for name, run in random_runs(1).items()]
    before = [run.to_dict() for run in runs]
    gw.fuse(runs, "combsum", normalize="min-max-inverted")
    assert [run.to_dict() for run in runs] == before


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name, scores in BOTH.items():
        gw.write_run(gw.read_run(scores, name), tmp_path / f"{name}.txt")
    return [tmp_path / "words.txt", tmp_path / "vectors.txt"]


def test_the_command_writes_a_run(run: Call, files: list[Path], tmp_path: Path) -> None:
    output = tmp_path / "fused.run"
    done = run("fuse", *files, "-o", output, "-p", "k=1")
    assert (done.code, done.out) == (0, "")
    assert "missing 1 topic from vectors" in done.err
    assert output.read_text(encoding="utf-8").splitlines()[0] == "t1 Q0 c 1 0.75 rrf"
    assert gw.read_run(output).to_dict() == gw.fuse(BOTH, k=1).to_dict()


def test_the_command_takes_weights_and_a_normalization(run: Call, files: list[Path]) -> None:
    options = ("--method", "w_sum", "--normalize", "sum", "--weights", "1,2", "--quiet")
    done = run("fuse", *files, *options, "--depth", 2, "--tag", "mine")
    expected = gw.fuse(BOTH, "w_sum", normalize="sum", weights=[1, 2], depth=2)
    lines = [line.split() for line in done.out.splitlines()]
    assert [line[2] for line in lines if line[0] == "t1"] == expected.ranking("t1")
    assert {line[5] for line in lines} == {"mine"}
    assert done.err == ""


@pytest.mark.parametrize(
    "options",
    [
        ("--weights", "1,two"),
        ("-p", "k"),
        ("-p", "depth=3"),
        ("--method", "combsum", "--weights", "1,2"),
    ],
)
def test_the_command_refuses(run: Call, files: list[Path], tmp_path: Path, options: Any) -> None:
    output = tmp_path / "fused.run"
    done = run("fuse", *files, "-o", output, *options)
    assert done.code != 0
    assert "Traceback" not in done.err
    assert not output.exists()
