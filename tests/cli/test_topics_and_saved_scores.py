"""eval, compare and check on some topics, on sets of topics, and on saved scores."""

import csv
import io
import json
import os
import re
import sys
import tarfile
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
import polars as pl
import pytest

import gradewise as gw
from command import Call

HARD, EASY = ["101", "104", "107"], [f"1{n:02}" for n in range(8, 13)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Judgments of 12 topics, three runs, and a file with three of the topics."""
    folder = tmp_path_factory.mktemp("collection")
    made = gw.simulate.collection(topics=12, runs=3, depth=30, relevant=10, seed=2)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    (folder / "hard.txt").write_text("\n".join(HARD))
    return [folder / "qrels.txt", *[folder / f"run{number}.txt" for number in (1, 2, 3)]]


@pytest.fixture(scope="module")
def sets(files: list[Path]) -> list[str]:
    """Options for two named sets of topics."""
    hard = files[0].with_name("hard.txt")
    return ["--topics", f"hard={hard}", "--topics", "easy=^1(08|09|1[0-2])$"]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def mean(files: list[Path], run: str, measure: str, topics: list[str]) -> float:
    scores = gw.evaluate(files[0], {path.stem: path for path in files[1:]}, measure)
    return float(scores.per_topic.filter(pl.col("topic").is_in(topics), run=run)["value"].mean())


def test_some_topics(run: Call, files: list[Path]) -> None:
    hard = files[0].with_name("hard.txt")
    for given in (hard, ",".join(HARD), "^10[147]$"):
        done = run("eval", *files, "-m", "AP", "--topics", given, "-f", "csv")
        assert done.code == 0
        assert done.err == f"gradewise: kept 3 of 12 topics ({given})\n"
        for row in rows(done.out):
            assert float(row["value"]) == pytest.approx(mean(files, row["run"], "AP", HARD))
    assert run("eval", *files, "--topics", hard, "--quiet").err == ""


def test_named_sets_in_eval(run: Call, files: list[Path], sets: list[str]) -> None:
    done = run("eval", *files, "-m", "AP,P@5", *sets, "-f", "csv")
    assert [line.split(" (")[0] for line in done.err.splitlines()] == [
        "gradewise: hard: kept 3 of 12 topics",
        "gradewise: easy: kept 5 of 12 topics",
    ]
    found = rows(done.out)
    assert [row["topics"] for row in found] == ["hard"] * 6 + ["easy"] * 6
    for row in found:
        chosen = {"hard": HARD, "easy": EASY}[row["topics"]]
        expected = mean(files, row["run"], row["measure"], chosen)
        assert float(row["value"]) == pytest.approx(expected)
    text = run("eval", *files, "-m", "AP", *sets, "--quiet").out.splitlines()
    assert text[0].split() == ["topics", "run", "AP"]
    values = [float(line.split()[2]) for line in text[1:4]]
    assert values == sorted(values, reverse=True)
    content = json.loads(run("eval", *files, "-m", "AP", *sets, "-f", "json", "--quiet").out)
    assert {name: list(part) for name, part in content.items()} == {
        "hard": [line.split()[1] for line in text[1:4]],
        "easy": [line.split()[1] for line in text[4:7]],
    }
    lines = run("eval", *files, "-m", "AP", *sets, "-f", "trec", "-q", "--quiet").out.splitlines()
    assert len(lines) == 3 * (4 + 6)
    assert lines[0].split("\t")[0] == "hard"
    assert run("eval", *files[:2], "-m", "AP", *sets, "-f", "trec", "--quiet").out.startswith(
        "hard\tAP "
    )
    markdown = run("eval", *files, "-m", "AP", *sets, "-f", "markdown", "--quiet").out
    assert markdown.count("**") == 4  # the best of each set


def test_named_sets_in_compare(
    run: Call, files: list[Path], sets: list[str], tmp_path: Path
) -> None:
    done = run("compare", *files, "-m", "AP", *sets, "-f", "csv", "--pairs", "--quiet")
    found = rows(done.out)
    assert [row["topics"] for row in found] == ["hard"] * 3 + ["easy"] * 3
    scores = gw.evaluate(files[0], {path.stem: path for path in files[1:]}, "AP")
    for name, topics in (("hard", HARD), ("easy", EASY)):
        alone = gw.compare(scores.of_topics(topics)).pairs
        own = [row for row in found if row["topics"] == name]
        for row, expected in zip(own, alone.iter_rows(named=True), strict=True):
            assert (row["run_a"], row["run_b"]) == (expected["run_a"], expected["run_b"])
            assert float(row["p_corrected"]) == pytest.approx(expected["p_corrected"])
    text = run("compare", *files, "-m", "AP", *sets, "--figure", tmp_path / "f.svg").out
    assert "hard, 3 topics\n\nrun" in text
    assert "easy, 5 topics\n\nrun" in text
    drawn = (tmp_path / "f.svg").read_text()
    for name, topics in (("hard", HARD), ("easy", EASY)):
        best = gw.compare(scores.of_topics(topics)).parts[0].runs[0]
        assert f">{name}: {best} is best by AP" in drawn
    for ending, begin in (("md", "**hard, 3 topics**"), ("tex", "% hard"), ("html", "<h3>hard")):
        target = tmp_path / f"c.{ending}"
        assert run("compare", *files, "-m", "AP", *sets, "-o", target).code == 0
        assert target.read_text().startswith(begin)
    run("compare", *files, "-m", "AP", *sets, "-o", tmp_path / "c.json")
    content = json.loads((tmp_path / "c.json").read_text())
    assert content["easy"]["measures"][0]["topics"] == 5
    run("compare", *files, "-m", "AP", *sets, "-o", tmp_path / "c.parquet")
    assert set(pl.read_parquet(tmp_path / "c.parquet")["topics"]) == {"hard", "easy"}
    latex = run("compare", *files, *sets, "-f", "latex", "--caption", "All", "--label", "t").out
    assert r"\caption{All. Topics: hard. Runs that share" in latex
    assert r"\label{t-easy}" in latex


def test_named_sets_in_check(run: Call, files: list[Path], sets: list[str]) -> None:
    """A run has to pass on every set; intervals are wider for two sets than for one."""
    scores = gw.evaluate(files[0], {path.stem: path for path in files[1:]}, "AP")
    best, *_, worst = gw.compare(scores).parts[0].runs
    pair = [files[0].with_name(f"{name}.txt") for name in (best, worst)]
    done = run("check", files[0], *pair, "-m", "AP", *sets, "--fail-if-worse", "-f", "junit")
    assert "hard: kept 3 of 12 topics" in done.err
    suite = Xml.fromstring(done.out)
    assert [case.get("name") for case in suite] == ["AP (hard)", "AP (easy)"]
    assert done.code == (int(suite.get("failures", "0")) > 0)
    found = rows(run("check", files[0], *pair, "-m", "AP", *sets, "-f", "csv", "--quiet").out)
    alone = gw.check(scores.of_topics(EASY), best, worst, confidence=0.975).measures[0]
    assert float(found[1]["low"]) == pytest.approx(alone.low)
    assert float(found[1]["high"]) == pytest.approx(alone.high)
    assert found[1]["outcome"] == alone.outcome


MISTAKES = [
    (["--topics", "hrad.txt"], 1, "there is no such file, and no topic matches"),
    (["--topics", "101,113"], 1, "there is no topic '113'; did you mean"),
    (["--topics", "a=101", "--topics", "a=102"], 2, "two sets of topics are named 'a'"),
    (["--topics", "R(9) > 1"], 1, "R(9): no document has grade 9"),
    (["--topics", "x=^9"], 1, "topics '^9': there is no such file"),
]


@pytest.mark.parametrize("command", ["eval", "compare"])
@pytest.mark.parametrize(("arguments", "code", "message"), MISTAKES)
def test_mistakes(
    run: Call, files: list[Path], command: str, arguments: list[str], code: int, message: str
) -> None:
    done = run(command, *files, *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_set_of_one_topic_is_named(run: Call, files: list[Path]) -> None:
    sets = ["--topics", "many=^1", "--topics", "one=101"]
    for command in (["compare", *files], ["check", *files[:3]]):
        done = run(*command, "-m", "AP", *sets)
        assert (done.code, done.out) == (1, "")
        assert "one: AP: a comparison needs at least 2 topics that all runs share" in done.err
        assert done.err.rstrip().endswith("but there is 1")


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "csv.gz"])
def test_saved_scores_are_compared_as_runs_are(
    run: Call, files: list[Path], tmp_path: Path, ending: str
) -> None:
    saved = tmp_path / f"scores.{ending}"
    assert run("eval", *files, "-m", "AP,nDCG@10", "-q", "-o", saved, "--quiet").code == 0
    options = ["-m", "AP,nDCG@10", "--pairs", "--quiet", "--topics", "^1"]
    assert run("compare", saved, *options).out == run("compare", *files, *options).out
    one = run("check", saved, "run1", "run2", "-m", "AP").out
    assert one == run("check", *files[:3], "-m", "AP").out
    table = run("eval", saved, "-m", "nDCG@10", "-f", "latex").out
    assert table == run("eval", *files, "-m", "nDCG@10", "-f", "latex").out
    assert [row["measure"] for row in rows(run("compare", saved, "-f", "csv").out)] == (
        ["AP"] * 3 + ["nDCG@10"] * 3
    )


def test_saved_scores_of_two_builds(run: Call, files: list[Path], tmp_path: Path) -> None:
    """The scores of the run in use are kept, not the run; both runs may have the same name."""
    for name, path in (("old", files[1]), ("new", files[2])):
        same = tmp_path / name / "ranker.txt"
        same.parent.mkdir()
        same.write_bytes(path.read_bytes())
        saved = tmp_path / f"{name}.csv"
        assert run("eval", files[0], same, "-q", "-m", "AP", "-o", saved).code == 0
    done = run("check", tmp_path / "old.csv", tmp_path / "new.csv")
    expected = run("check", *files[:3], "-m", "AP").out
    values = [line.split()[1:] for line in done.out.splitlines()[1:2]]
    assert values == [line.split()[1:] for line in expected.splitlines()[1:2]]
    assert "new" in done.out.splitlines()[0]


def test_saved_scores_that_do_not_fit(run: Call, files: list[Path], tmp_path: Path) -> None:
    saved, means = tmp_path / "scores.csv", tmp_path / "means.csv"
    run("eval", *files, "-m", "AP", "-q", "-o", saved)
    run("eval", *files, "-m", "AP", "-o", means)
    for arguments, message in (
        (["compare", means], "these scores are means over topics; save the values for each"),
        (["compare", saved, "-m", "nDCG@10"], "nDCG@10 was not scored (scored: AP)"),
        (["compare", saved, "--depth", 5], "--depth applies to runs, but"),
        (["eval", saved, "--drop-judged", files[0]], "--drop-judged applies to runs"),
        (["compare", saved, files[1]], "run1.txt: expected saved scores"),
        (["compare", files[0], saved], "contains saved scores, not a run; give it alone"),
        (["compare", saved, saved], "two runs named"),
        (["check", saved, "run1", "run5"], "there is no run 'run5'; did you mean run"),
        (["check", saved, saved], "this file contains 3 runs; name two of them"),
        (["check", saved, files[1]], "run1.txt: expected saved scores, like"),
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (1, "")
        assert message in done.err
    for arguments, name in (
        (["compare", files[0]], "RUN..."),
        (["check", files[0], files[1]], "NEW"),
        (["check", saved], "BASE"),
    ):
        done = run(*arguments)
        assert done.code == 2
        assert f"Missing argument '{name}'" in done.err


@pytest.fixture(scope="module")
def covid(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """TREC-COVID's judgments and the folder of its 143 runs."""
    folder = tmp_path_factory.mktemp("covid")
    with tarfile.open(real_data / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return real_data / "qrels" / "qrels.covid-round1.txt.gz", folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["eval"], ["compare"], ["compare", "-b", "sab20.1.meta.docs"]], ids=" ".join
)
def test_143_runs_fit_80_columns(run: Call, covid: tuple[Path, Path], arguments: list[str]) -> None:
    command, *options = arguments
    done = run(command, *covid, *options)
    assert done.code == 0
    lines = (done.out + done.err).splitlines()
    assert len(lines) > 143
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_143_runs_have_few_tiers(run: Call, covid: tuple[Path, Path]) -> None:
    found = rows(run("compare", *covid, "-m", "AP", "-f", "csv").out)
    tiers = [int(row["tier"]) for row in found]
    assert len(tiers) == 143
    assert 2 <= max(tiers) <= 10
    steps = np.diff(tiers)
    assert set(steps) == {0, 1}


def test_wide_tables_are_folded_at_a_terminal(files: list[Path]) -> None:
    """In a terminal of 60 columns, a table of ten measures takes several blocks."""
    pty = pytest.importorskip("pty", reason="terminals of this kind are of Unix")
    cutoffs = ",".join(f"nDCG@{k}" for k in range(1, 11))
    command = [
        sys.executable,
        "-m",
        "gradewise",
        "eval",
        *map(str, files),
        "-m",
        cutoffs,
        "--quiet",
    ]
    seen = bytearray()

    def read(descriptor: int) -> bytes:
        data = os.read(descriptor, 4096)
        seen.extend(data)
        return data

    environment = dict(os.environ)
    os.environ["COLUMNS"] = "60"
    try:
        assert pty.spawn(command, read) == 0
    finally:
        os.environ.clear()
        os.environ.update(environment)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    lines = [line.strip("\r") for line in text.split("\n")]
    blocks = "\n".join(lines).strip().split("\n\n")
    assert len(blocks) == 2
    assert max(map(len, lines)) <= 60
    for block in blocks:
        assert block.split()[0] == "run"
        assert len(block.splitlines()) == 4
