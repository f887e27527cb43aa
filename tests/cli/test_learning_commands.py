"""Commands that train, rank and cross-validate, on small files."""

from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise.learn.letor import read_letor

ONE_THREAD = ["--booster-option", "nthread=1"]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import gradewise as gw
    from gradewise.learn.letor import write_letor

    folder = tmp_path_factory.mktemp("letor")
    for place, name in enumerate(("train", "validation", "test")):
        write_letor(gw.simulate.features(12, 15, 10, seed=place), folder / f"{name}.txt")
    return folder


def test_train_rank_and_score(sample: Path, tmp_path: Path, run: Call) -> None:
    model, figure = tmp_path / "model.safetensors", tmp_path / "curves.svg"
    arguments = ["--epochs", 5, "--normalize", "zscore", "-m", "P@5", "-o", model]
    done = run(
        *["train", sample / "train.txt", "-v", sample / "validation.txt", "-a", "softrank"],
        *["--learning-rate", 0.1, "--learning-rate", 0.3, "--figure", figure, *arguments],
    )
    assert done.code == 0, done.err
    assert done.out.startswith(f"{model}: epoch ")
    assert "on validation topics" in done.out
    assert figure.read_text(encoding="utf-8").startswith("<svg")
    done = run(
        *["rank", model, sample / "test.txt", "-o", tmp_path / "run.txt", "--tag", "mine"],
        *["--qrels", tmp_path / "qrels.txt"],
    )
    assert done.code == 0, done.err
    lines = (tmp_path / "run.txt").read_text().splitlines()
    data = read_letor(sample / "test.txt")
    assert len(lines) == len(data.grades)
    assert lines[0].split()[5] == "mine"
    from gradewise.learn import NetRanker

    ranker = NetRanker.load(model)
    done = run("eval", tmp_path / "qrels.txt", tmp_path / "run.txt", "-m", "P@5", "-f", "csv")
    found = float(done.out.splitlines()[1].split(",")[-1])
    assert found == pytest.approx(ranker.score(data))


def test_training_goes_on_from_a_checkpoint(sample: Path, tmp_path: Path, run: Call) -> None:
    state = tmp_path / "state"
    for name in ("a", "b"):
        done = run(
            *["train", sample / "train.txt", "--epochs", 3, "--checkpoint", state],
            *["-o", tmp_path / name, "--quiet"],
        )
        assert done.code == 0, done.err
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    done = run("train", sample / "train.txt", "--epochs", 4, "--checkpoint", state)
    assert done.code == 1
    assert "was written with other data or options" in done.err


def test_cross_validation(sample: Path, tmp_path: Path, run: Call) -> None:
    options = ["--epochs", 2, "--seeds", 1, "--objective", "AP", "--objective", "GAP"]
    parts = [sample / f"{name}.txt" for name in ("train", "validation", "test")]
    done = run("crossval", *parts, *options, "-m", "AP", "--pair", "AP", "GAP")
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].split() == ["algorithm", "trained", "for", "AP"]
    assert [line.split()[:2] for line in done.out.splitlines()[1:]] == [
        ["lambdarank", "AP"],
        ["lambdarank", "GAP(g='equal')"],
    ]
    frame = run("crossval", *parts, *options, "-m", "AP", "-f", "csv").out.splitlines()
    assert frame[0].startswith("algorithm,train_measure,test_measure,mean,standard_error")
    means = [float(line.split(",")[3]) for line in frame[1:]]
    shown = [float(line.split()[2]) for line in done.out.splitlines()[1:]]
    assert np.allclose(means, shown, atol=5e-5)
    single = run("crossval", parts[0], *options, "--folds", 3, "-f", "latex")
    assert single.out.startswith(r"\begin{tabular}")


def test_simulated_files(tmp_path: Path, run: Call) -> None:
    done = run("simulate-letor", tmp_path / "made", "--topics", 4, "--documents", 6, "--seed", 2)
    assert done.code == 0
    sizes = [
        len(read_letor(tmp_path / "made" / f"{n}.txt")) for n in ("train", "validation", "test")
    ]
    assert sizes == [4, 2, 4]
    assert "grades" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (
            ["train", "{train}", "--objective", "Bpref", "-a", "softrank"],
            "Bpref has no soft version",
        ),
        (["train", "{train}", "--objective", "GAP(g=[1.0])"], "has 1 number, but the qrels have"),
        (["train", "{train}", "-v", "{wide}"], "found feature 12, but expected only 10 features"),
        (["train", "{train}", "--figure", "curves.doc"], "curves.doc"),
        (["rank", "{train}", "{train}"], "is not a safetensors file"),
        (["crossval", "{train}", "{train}"], "folds need at least 3 parts, but there are 2"),
        (
            ["crossval", "{train}", "--pair", "AP", "RR", "--epochs", "1"],
            "RR is not one of the objectives",
        ),
    ],
)
def test_bad_arguments(
    sample: Path, tmp_path: Path, run: Call, arguments: list[str], message: str
) -> None:
    wide = tmp_path / "wide.txt"
    wide.write_text("1 qid:1 12:1\n0 qid:1 1:1\n")
    places = {"train": sample / "train.txt", "wide": wide}
    done = run(*[argument.format(**places) for argument in arguments])
    assert done.code == 1
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
def test_trees_are_trained_and_rank(
    sample: Path, tmp_path: Path, run: Call, booster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(booster, reason=f"{booster} is not installed")
    monkeypatch.chdir(tmp_path)
    done = run(
        *["train", sample / "train.txt", "-v", sample / "validation.txt", "--booster", booster],
        *["--objective", "eGAP", "-m", "AP", "--trees", 8, "--stop-after", 4, "--truncation", 20],
        *["--learning-rate", 0.2, "--booster-option", "max_depth=3", "--figure", "curves.svg"],
        *ONE_THREAD,
    )
    assert done.code == 0, done.err
    model = "model.txt" if booster == "lightgbm" else "model.json"
    assert done.out.startswith(f"{model}: ")
    assert f"trees of {booster}, AP 0." in done.out
    assert "on validation topics" in done.out
    assert (tmp_path / "curves.svg").read_text(encoding="utf-8").startswith("<svg")
    done = run("rank", model, sample / "test.txt", "-o", "run.txt", "--qrels", "qrels.txt")
    assert done.code == 0, done.err
    from gradewise.learn import TreeRanker

    data = read_letor(sample / "test.txt")
    expected = dict(zip(data.docs, TreeRanker.load(model).predict(data).tolist(), strict=True))
    found = gw.read_run("run.txt").to_dict()
    scores = {doc: score for by_doc in found.values() for doc, score in by_doc.items()}
    assert scores == pytest.approx(expected)
    assert gw.evaluate("qrels.txt", "run.txt", "AP").summary()[0, 0] > 0.3
    shared = ["train", sample / "train.txt", "--booster", booster, *ONE_THREAD]
    done = run(*shared, "--trees", 2, "-o", "plain")
    assert "plain: 2 trees" in done.out
    assert "on training topics" in done.out


def test_cross_validation_of_nets_and_trees(sample: Path, tmp_path: Path, run: Call) -> None:
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    parts = [sample / f"{name}.txt" for name in ("train", "validation", "test")]
    shared = ["crossval", *parts, "-m", "AP", "--seeds", 1, "-f", "csv", "--trees", 4, *ONE_THREAD]
    done = run(*shared, "-a", "lightgbm", "--objective", "built-in", "--objective", "GAP")
    assert done.code == 0, done.err
    rows = [line.split(",")[:2] for line in done.out.splitlines()[1:]]
    assert rows == [["lightgbm", "built-in"], ["lightgbm", "GAP(g='equal')"]]
    done = run(*shared, "-a", "lightgbm", "-a", "lambdarank", "--epochs", 2, "--objective", "AP")
    assert done.code == 0, done.err
    assert [line.split(",")[0] for line in done.out.splitlines()[1:]] == ["lightgbm", "lambdarank"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--trees", 3], "--trees applies to trees; give --booster"),
        (["train", "--booster", "lightgbm", "--hidden", 3], "--hidden applies to nets"),
        (["train", "--booster", "lightgbm", "--booster-option", "a"], "takes NAME=VALUE, not 'a'"),
        (["train", "--booster", "xgboost", "--objective", "Bpref"], "Bpref cannot be an objective"),
        (["crossval", "--trees", 3], "--trees applies to trees; give -a lightgbm"),
        (["crossval", "-a", "lightgbm", "--epochs", 3], "--epochs applies to nets"),
    ],
)
def test_options_of_nets_and_trees_are_not_mixed_up(
    sample: Path, run: Call, arguments: list[str], message: str
) -> None:
    done = run(arguments[0], sample / "train.txt", *arguments[1:])
    assert done.code == 1
    assert message in done.err
