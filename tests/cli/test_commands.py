"""The command line as a user meets it: output, errors, exit codes, files."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from gradewise.cli.app import COMMANDS, app
from gradewise.cli.meta import COMMANDS as META

RUNNER = CliRunner()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A qrels file and two runs; the second misses a topic and has one that is not judged."""
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 a 2\n1 0 b 1\n2 0 a 1\n2 0 c 0\n")
    first = tmp_path / "first.run"
    first.write_text("1 Q0 a 1 3 x\n1 Q0 z 2 2 x\n1 Q0 b 3 1 x\n2 Q0 a 1 1 x\n")
    second = tmp_path / "second.txt"
    second.write_text("1 Q0 z 1 3 y\n1 Q0 b 2 2 y\n9 Q0 a 1 1 y\n")
    return qrels, first, second


def run(*arguments: object, typed: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run gradewise in a process of its own."""
    command = [sys.executable, "-c", "from gradewise.cli import main; main()"]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, input=typed, check=False
    )


def test_judgments_by_intent(tmp_path: Path, files: tuple[Path, Path, Path]) -> None:
    """Topic 1 has two intents: (1/2 + 1/3) / 2 for AP, and one of two is covered at rank 1."""
    qrels = tmp_path / "intents.txt"
    qrels.write_text("1 1 a 2\n1 1 c 1\n1 2 b 1\n1 2 a 0\n")
    done = run("eval", qrels, files[1], "-m", "AP-IA", "-m", "I-rec@1", "-m", "AP")
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["run", "AP_IA", "StRecall@1", "AP"],
        ["first", "0.4167", "0.5000", "0.5556"],
    ]
    assert "measures without intents use a document's highest grade" in done.stderr
    refused = run("eval", files[0], files[1], "-m", "alpha_nDCG@20")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("gradewise: alpha_nDCG@20 needs intents, but the judgments")


def test_table_and_notes(files: tuple[Path, Path, Path]) -> None:
    done = run("eval", *files, "-m", "AP", "-m", "P@2")
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["run", "AP", "P@2"],
        ["first", "0.9167", "0.5000"],
        ["second", "0.1250", "0.2500"],
    ]
    assert "second: 1 of 2 judged topics are missing from the run" in done.stderr
    assert "second: ignored 1 topic without judgments" in done.stderr
    assert run("eval", *files, "--quiet").stderr == ""


def test_the_best_run_comes_first(files: tuple[Path, Path, Path]) -> None:
    qrels, first, second = files

    def order(*arguments: str) -> list[str]:
        done = run("eval", qrels, second, first, "--quiet", "-m", "AP", "-m", "NumRet", *arguments)
        assert done.returncode == 0, done.stderr
        return [line.split()[0] for line in done.stdout.splitlines()[1:]]

    assert order() == ["first", "second"]
    assert order("--sort", "NumRet") == ["first", "second"]  # 4 and 2 documents
    assert order("--sort", "input") == ["second", "first"]
    assert order("--top", "1") == ["first"]
    refused = run("eval", *files, "--sort", "input", "--top", "1")
    assert refused.returncode == 1
    assert "give one with --sort" in refused.stderr
    assert "P@5 was not scored" in run("eval", *files, "--sort", "P@5").stderr


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        (".csv", b"run,measure,value"),
        (".csv.gz", b"\x1f\x8b"),
        (".json", b"{"),
        (".md", b"| run |"),
        (".tex", b"\\begin{tabular}"),
        (".html", b"<table"),
        (".parquet", b"PAR1"),
        (".out", b"run "),
    ],
)
def test_the_ending_of_the_output_picks_the_format(
    files: tuple[Path, Path, Path], tmp_path: Path, ending: str, begins: bytes
) -> None:
    path = tmp_path / f"scores{ending}"
    assert run("eval", *files[:2], "-m", "AP", "-o", path).returncode == 0
    assert path.read_bytes().startswith(begins)
    given = tmp_path / f"given{ending}"
    assert run("eval", *files[:2], "-m", "AP", "-f", "json", "-o", given).returncode == 0
    if not ending.endswith(".gz"):
        assert given.read_bytes().startswith(b"{")


def test_formats(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    def output(*arguments: str) -> str:
        done = run("eval", *files[:2], "-m", "AP", *arguments)
        assert done.returncode == 0
        return done.stdout

    assert output("-f", "trec") == f"{'AP':<22}\tall\t0.9167\n"
    assert output("-f", "trec", "-q").splitlines()[0] == f"{'AP':<22}\t1\t0.8333"
    assert output("-f", "csv").splitlines()[0] == "run,measure,value"
    assert json.loads(output("-f", "json", "-q"))["first"]["2"] == {"AP": 1.0}
    assert output("-f", "markdown").startswith("| run | AP |")
    assert r"\toprule" in output("-f", "latex")
    assert output("-q").splitlines()[-1].split() == ["first", "all", "0.9167"]
    assert output("--digits", "2").splitlines()[1].split() == ["first", "0.92"]
    target = tmp_path / "out.parquet"
    assert output("-f", "parquet", "-o", str(target)) == ""
    assert pl.read_parquet(target).columns == ["run", "topic", "measure", "value"]
    refused = run("eval", *files[:2], "-f", "parquet")
    assert refused.returncode == 2
    assert "-o FILE" in refused.stderr


def test_several_runs_in_trec_format_begin_with_their_name(files: tuple[Path, Path, Path]) -> None:
    lines = run("eval", *files, "-m", "AP", "-f", "trec", "--quiet").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["first", "second"]


def test_options_reach_the_library(files: tuple[Path, Path, Path]) -> None:
    def value(*arguments: str) -> float:
        done = run("eval", *files[::2], "-m", "AP", "-f", "json", "--quiet", *arguments)
        return float(json.loads(done.stdout)["second"]["AP"])

    assert value() == pytest.approx(0.125)
    assert value("--missing", "drop") == pytest.approx(0.25)
    assert value("--judged-only") == pytest.approx(0.25)
    assert value("--depth", "1") == 0


def test_coverage_table(files: tuple[Path, Path, Path]) -> None:
    lines = run("eval", *files, "--quiet", "--coverage").stderr.splitlines()
    assert lines[-3].split()[:4] == ["run", "matched", "missing", "extra"]
    assert lines[-1].split()[:4] == ["second", "1", "1", "1"]


def test_standard_input(files: tuple[Path, Path, Path]) -> None:
    done = run("eval", files[0], "-", "-m", "AP", typed=files[1].read_text())
    assert done.stdout.splitlines()[1].split() == ["stdin", "0.9167"]


def test_same_file_name_in_two_folders(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    copy = other / "first.run"
    copy.write_text(files[1].read_text())
    lines = run("eval", files[0], files[1], copy, "-m", "AP").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [str(files[1]), str(copy)]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["eval", "{qrels}", "{first}", "-m", "nDGC@10"], 1, "did you mean nDCG"),
        (["eval", "{qrels}", "nowhere.txt"], 1, "nowhere.txt: cannot be read (no such file"),
        (["eval", "{first}", "{first}"], 1, "first.run:1: expected 4 columns"),
        (["eval", "{qrels}"], 2, "Missing argument"),
        (["eval", "{qrels}", "{first}", "--ties", "docid"], 2, "'docid' is not one of"),
        (["eval", "{qrels}", "{first}", "-m", "GAP(g=[0.5,0.4])"], 1, "sum to 1"),
        (["evaluate"], 2, "No such command"),
        (["eval", "{qrels}", "{first}", "-o", "/nowhere/x.txt"], 1, "cannot be written"),
        (["simulate", "/proc/none"], 1, "cannot be"),
    ],
)
def test_mistakes_end_with_a_message_and_no_traceback(
    files: tuple[Path, Path, Path], arguments: list[str], code: int, message: str
) -> None:
    places = {"qrels": files[0], "first": files[1]}
    done = run(*[argument.format(**places) for argument in arguments])
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_measures_lists_and_explains() -> None:
    listed = RUNNER.invoke(app, ["measures"]).stdout
    assert "eGAP[@k]" in listed
    assert listed.startswith("How good is the ranking, by grades?\n")
    explained = RUNNER.invoke(app, ["measures", "gap"]).stdout
    assert "Robertson" in explained
    assert "threshold probabilities" in explained
    assert run("measures", "nDCG@10").stdout == run("measures", "ndcg").stdout
    wrong = run("measures", "GAPS")
    assert wrong.returncode == 1
    assert "did you mean" in wrong.stderr


def test_demo_prints_a_leaderboard_and_writes_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = RUNNER.invoke(app, ["demo"])
    assert result.exit_code == 0
    assert "GAP(g=[0.5,0.5])" in result.stdout
    assert "95% bootstrap confidence intervals" in result.stdout
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = readme.partition("```text\n")[2].partition("```")[0]
    printed = result.stdout[: len(shown)]
    number = re.compile(r"\d+\.\d+")
    assert number.sub("#", printed) == number.sub("#", shown)
    # Versions of NumPy round quantiles differently.
    found, expected = ([float(each) for each in number.findall(text)] for text in (printed, shown))
    assert found == pytest.approx(expected, abs=0.0011)
    assert "gradewise-demo.html" in shown
    assert "<title>gradewise demo</title>" in (tmp_path / "gradewise-demo.html").read_text()


def test_simulate_and_eval(tmp_path: Path) -> None:
    done = run("simulate", tmp_path / "c", "--topics", 4, "--runs", 2, "--depth", 30)
    assert done.returncode == 0
    assert "2 runs" in done.stderr
    again = run("simulate", tmp_path / "d", "--topics", 4, "--runs", 2, "--depth", 30, "--quiet")
    assert again.stderr == ""
    for name in ("qrels.txt", "run1.txt", "run2.txt"):
        assert (tmp_path / "c" / name).read_bytes() == (tmp_path / "d" / name).read_bytes()
    scored = run("eval", *[tmp_path / "c" / n for n in ("qrels.txt", "run1.txt", "run2.txt")])
    assert scored.returncode == 0
    assert len(scored.stdout.splitlines()) == 3


def test_version_help_and_completion() -> None:
    assert RUNNER.invoke(app, ["--version"]).stdout.startswith("gradewise 0.")
    helped = RUNNER.invoke(app, ["--help"]).stdout
    for command in ("eval", "measures", "demo", "simulate", "trec-eval"):
        assert command in helped
    assert "--install-completion" in helped


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'from gradewise.cli import main; main()' measures | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("How good is the ranking, by grades?")
    assert done.stderr == ""


def test_import_is_light() -> None:
    """Heavy libraries are imported where they are used."""
    code = "import sys, gradewise; print(sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.strip("[]\n").replace("'", "").split(", "))
    heavy = {"polars", "scipy", "typer", "rich", "altair", "pandas", "torch", "ir_datasets"}
    assert not loaded & heavy


def test_scoring_files_needs_no_frames(files: tuple[Path, Path, Path]) -> None:
    code = (
        "import sys, gradewise as gw\n"
        f"gw.evaluate({str(files[0])!r}, [{str(files[1])!r}], ['AP', 'nDCG']).summary()\n"
        "print('polars' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("name", "place", "line"),
    [(name, *entry) for table in (COMMANDS, META) for name, entry in table.items()],
)
def test_the_list_of_commands_says_what_each_command_says(name, place, line):
    """The list is written apart, so that it imports no command."""
    module, _, function = place.partition(":")
    target = getattr(import_module(module), function)
    told = target.info.help if isinstance(target, typer.Typer) else target.__doc__
    assert told.splitlines()[0] == line


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], {"numpy", "polars", "pydantic", "gradewise.cli.eval"}),
        (["eval", "--help"], {"numpy", "polars", "gradewise.cli.compare"}),
        (["meta", "--help"], {"numpy", "polars", "pydantic", "gradewise.cli.meta.correlation"}),
        (
            ["eval", "QRELS", "RUN", "-m", "AP"],
            {"polars", "scipy", "pydantic", "nanoarrow", "rich"},
        ),
    ],
)
def test_a_command_imports_no_more_than_it_needs(tmp_path, arguments, absent):
    (tmp_path / "QRELS").write_text("1 0 a 1\n")
    (tmp_path / "RUN").write_text("1 Q0 a 1 1 t\n")
    code = (
        "import sys\nfrom gradewise.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('LOADED', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    loaded = set(done.stdout.rpartition("LOADED")[2].split())
    assert absent & loaded == set()


def test_values_that_need_no_conversion_are_told_like_others(tmp_path):
    """Text and defaults pass by typer's own conversion; what is wrong is told as by typer."""
    (tmp_path / "q").write_text("1 0 a 1\n")
    wrong = RUNNER.invoke(app, ["eval", str(tmp_path / "q"), "r", "--digits", "x"])
    assert wrong.exit_code == 2
    assert "--digits" in wrong.stderr
    wrong = RUNNER.invoke(app, ["eval", str(tmp_path / "q"), "r", "--ties", "docid"])
    assert wrong.exit_code == 2
    assert "'docid' is not one of" in wrong.stderr
    assert RUNNER.invoke(app, ["eval", str(tmp_path / "q")]).exit_code == 2
