"""Files as they are, on every command that reads runs: CSV, JSON, --columns, --names, and notes."""

import json
from pathlib import Path

import pytest

import gradewise as gw
from command import Call

NOTE = "topic from 'query', document from 'docid'"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments and three runs as TREC text, as CSV with names, and without any."""
    folder = tmp_path_factory.mktemp("files")
    made = gw.simulate.collection(topics=6, runs=3, depth=30, relevant=8, pool_depth=20, seed=5)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    rows = [(t, d, g) for t, inner in made.qrels.to_dict().items() for d, g in inner.items()]
    text = "".join(f"{t},{d},{g}\n" for t, d, g in rows)
    (folder / "qrels.csv").write_text("query,docid,rating\n" + text)
    (folder / "plain-qrels.csv").write_text("".join(f"{d};{g};{t}\n" for t, d, g in rows))
    several = ["system,query,docid,score\n"]
    for name, run in made.runs.items():
        gw.write_run(run, folder / f"{name}.txt", tag=f"tag-{name}")
        rows = [(t, d, s) for t, inner in run.to_dict().items() for d, s in inner.items()]
        text = "".join(f"{t},{d},{s!r}\n" for t, d, s in rows)
        (folder / f"{name}.csv").write_text("query,docid,score\n" + text)
        (folder / f"{name}-plain.csv").write_text("".join(f"{s!r};{d};{t}\n" for t, d, s in rows))
        (folder / f"{name}.json").write_text(json.dumps(run.to_dict()))
        several += [f"{name},{t},{d},{s!r}\n" for t, d, s in rows]
    (folder / "several.csv").write_text("".join(several))
    return folder


# Every command, with what stands before the runs and behind them.
COMMANDS = {
    "eval": (["eval", "QRELS"], ["-m", "AP"]),
    "compare": (["compare", "QRELS"], ["-m", "AP"]),
    "med": (["med", "QRELS"], ["-m", "AP@10"]),
    "rbo": (["rbo"], []),
    "fuse": (["fuse"], []),
    "fuse --tune": (["fuse"], ["--method", "w_sum", "--tune", "QRELS", "--folds", "2"]),
    "correlation": (["meta", "correlation", "QRELS"], ["-m", "AP", "-m", "P@5"]),
    "incompleteness": (["meta", "incompleteness", "QRELS"], ["-m", "AP", "--replicates", "2"]),
    "pool-bias": (["meta", "pool-bias", "QRELS"], ["-m", "AP"]),
    "discrimination": (["meta", "discrimination", "QRELS"], ["-m", "AP", "--replicates", "20"]),
    "flips": (["meta", "flips", "QRELS"], ["-m", "AP"]),
    "judgment-noise": (
        ["meta", "judgment-noise", "QRELS"],
        ["-m", "AP", "--flip", "1:0:0.1", "--replicates", "2"],
    ),
}


def call(run: Call, name: str, qrels: Path, runs: list[Path], *more: str):
    before, behind = COMMANDS[name]
    words = [str(qrels) if word == "QRELS" else word for word in (*before, "RUNS", *behind)]
    place = words.index("RUNS")
    done = run(*words[:place], *map(str, runs), *words[place + 1 :], *more)
    assert done.code == 0, done.err
    return done


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_reads_them_and_says_what_it_assumed(run: Call, files: Path, name: str):
    expected = call(run, name, files / "qrels.txt", [files / f"run{n}.txt" for n in (1, 2, 3)])
    assert "read as" not in expected.err
    has_qrels = "QRELS" in str(COMMANDS[name])
    for kind, told in (("csv", f"read as CSV: {NOTE}"), ("json", "read as JSON: {topic")):
        runs = [files / f"run{n}.{kind}" for n in (1, 2, 3)]
        found = call(run, name, files / "qrels.csv", runs)
        assert found.out == expected.out
        assert found.err.count(f"gradewise: run1: {told}") == 1
        assert found.err.count(f"qrels: read as CSV: {NOTE}, grade from 'rating'") == has_qrels
    found = call(run, name, files / "qrels.csv", [files / "several.csv"])
    assert found.out == expected.out
    assert found.err.count("run from 'system'") == 3


@pytest.mark.parametrize("name", COMMANDS)
def test_columns_settle_it_on_every_command(run: Call, files: Path, name: str):
    expected = call(run, name, files / "qrels.txt", [files / f"run{n}.txt" for n in (1, 2)])
    more = ["--columns", "score,doc,topic"]
    if "QRELS" in str(COMMANDS[name]):
        more += ["--columns", "doc,grade,topic"]
    runs = [files / f"run{n}-plain.csv" for n in (1, 2)]
    found = call(run, name, files / "plain-qrels.csv", runs, *more)
    assert "read as" not in found.err
    assert found.out.replace("-plain", "").split() == expected.out.split()


@pytest.mark.parametrize("name", ["eval", "compare", "fuse", "pool-bias"])
def test_names_of_runs_by_tag(run: Call, files: Path, name: str):
    runs = [files / f"run{n}.txt" for n in (1, 2)]
    expected = call(run, name, files / "qrels.txt", runs)
    found = call(run, name, files / "qrels.txt", runs, "--names", "tag")
    assert found.out.replace("tag-", "").split() == expected.out.split()
    assert name == "fuse" or "tag-run1" in found.out


def test_check_and_report(run: Call, files: Path, tmp_path: Path):
    runs = [str(files / f"run{n}-plain.csv") for n in (1, 2)]
    qrels = str(files / "plain-qrels.csv")
    columns = ["--columns", "score,doc,topic", "--columns", "doc,grade,topic"]
    done = run("check", qrels, *runs, "-m", "AP", *columns)
    assert (done.code, done.err) == (0, "")
    expected = run(
        "check", str(files / "qrels.txt"), *[str(files / f"run{n}.txt") for n in (1, 2)], "-m", "AP"
    )
    assert done.out.replace("-plain", "").split() == expected.out.split()
    page = tmp_path / "report.html"
    done = run("report", qrels, *runs, "-m", "AP", "-o", str(page), *columns)
    assert done.code == 0
    assert qrels in page.read_text()
    several = str(files / "several.csv")
    done = run("check", str(files / "qrels.txt"), several, str(files / "run1.txt"))
    assert (done.code, "one run each" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--columns", "topic,doc,points"], 1, "there is no role 'points'"),
        (["--columns", "topic,doc,score", "--columns", "topic,doc,rank"], 1, "both for runs"),
        (["--columns", "topic=frage,doc=docid,score=score"], 1, "there is no column 'frage'"),
        (["--names", "tags"], 2, "tags"),
    ],
)
def test_mistakes(run: Call, files: Path, options: list[str], code: int, told: str):
    done = run("eval", str(files / "qrels.txt"), str(files / "run1.csv"), *options)
    assert done.code == code
    assert told in done.err


def test_simulated_runs_for_judgments_of_any_form(run: Call, files: Path, tmp_path: Path):
    done = run("simulate-runs", str(files / "qrels.csv"), str(tmp_path / "made"), "--runs", "2")
    assert done.code == 0
    assert f"qrels: read as CSV: {NOTE}, grade from 'rating'" in done.err
    columns = ["--columns", "doc,grade,topic", "--runs", "2"]
    done = run("simulate-runs", str(files / "plain-qrels.csv"), str(tmp_path / "more"), *columns)
    assert (done.code, "read as" in done.err) == (0, False)
