"""gradewise meta as a user meets it: each command's formats, figures, files, mistakes."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call, Done

PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<svg"
SAMPLED = ["correlation", "incompleteness", "pool-bias", "discrimination", "judgment-noise"]
STUDIES = [*SAMPLED, "informativeness"]
COMMANDS = [*STUDIES, "sensitivity"]
SEEDED = ["correlation", "incompleteness", "discrimination", "judgment-noise"]

# Few measures and replicates for each command, and the columns that it prints.
QUICK: dict[str, list[str]] = {
    "correlation": ["-m", "AP", "-m", "P@5", "-m", "nDCG", "--replicates", "20"],
    "incompleteness": ["-m", "AP", "-m", "Bpref", "--rate", "1", "--rate", ".2"],
    "pool-bias": ["-m", "AP", "-m", "nDCG"],
    "discrimination": ["-m", "AP", "-m", "P@5", "--replicates", "30"],
    "judgment-noise": ["--flip", "1:0:0.2", "--flip", "2:1:0.3", "--replicates", "3"],
    "sensitivity": ["--grades", "2,0,u,1", "--relevant", "1:3,2:1", "-m", "AP", "-m", "nDCG"],
}
QUICK["informativeness"] = ["-m", "AP", "-m", "nDCG", "--least", "3", "--least-top", "1"]
QUICK["incompleteness"] += ["--replicates", "2"]
COLUMNS = {
    "correlation": "measure_a,measure_b,tau,low,high,rms,rankings",
    "incompleteness": "measure,rate,tau,low,high,mean",
    "pool-bias": "run,group,measure,unique,full,without,change,rank,rank_without",
    "discrimination": "measure,alpha,pairs,told_apart,share,difference_needed",
    "judgment-noise": "run,measure,value,mean,sigma_mu2,sigma_d2,total,standard_error",
    "informativeness": "measure,threshold,lists,rms,mae,not_converged,not_certified",
    "sensitivity": "measure,rank,from_grade,to_grade,value,change",
}
ROWS = {
    "correlation": 3,  # pairs of measures
    "incompleteness": 2 * 2,  # measures, rates
    "pool-bias": 4 * 2,  # runs, measures
    "discrimination": 2 * 2,  # measures, levels
    "judgment-noise": 4,  # runs
    "informativeness": 3 * 2,  # measures and R/N, grades
    # of grades 2, 0, unjudged and 1: three become 0, three become 1, three become 2
    "sensitivity": 2 * 9,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Judgments and four runs; run4 misses a topic."""
    folder = tmp_path_factory.mktemp("collection")
    made = gw.simulate.collection(topics=8, runs=4, depth=40, relevant=15, pool_depth=12, seed=2)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    last = folder / "run4.txt"
    lines = last.read_text().splitlines(keepends=True)
    last.write_text("".join(line for line in lines if not line.startswith("103 ")))
    return [folder / "qrels.txt", *[folder / f"run{number}.txt" for number in (1, 2, 3, 4)]]


@pytest.fixture
def study(run: Call, files: list[Path]) -> Call:
    """Run a command on the files, if it wants any, with its quick options first."""

    def called(command: str, *arguments: object) -> Done:
        given = [] if command == "sensitivity" else files
        return run("meta", command, *given, *QUICK[command], *arguments)

    return called


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def runs_of(files: list[Path]) -> dict[str, Path]:
    return {path.stem: path for path in files[1:]}


# All commands


@pytest.mark.parametrize("command", COMMANDS)
def test_every_format_has_the_same_rows(study: Call, command: str) -> None:
    header = COLUMNS[command].split(",")
    text = study(command, "-f", "csv").out
    rows = rows_of(text)
    assert text.splitlines()[0] == COLUMNS[command]
    assert len(rows) == ROWS[command]
    records = json.loads(study(command, "-f", "json").out)
    assert [list(record) for record in records] == [header] * len(rows)
    for record, row in zip(records, rows, strict=True):
        for name, value in record.items():
            kept = row[name] if isinstance(value, str) else row[name] and float(row[name])
            assert kept == ("" if value is None else value)
    lines = study(command, "--digits", "2").out.splitlines()
    assert lines[0].split() == header
    assert len(lines) == 1 + len(rows)
    for line, record in zip(lines[1:], records, strict=True):
        shown = [
            "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
            for value in record.values()
        ]
        assert line.split() == shown
    markdown = study(command, "-f", "markdown").out.splitlines()
    assert markdown[0] == f"| {' | '.join(header)} |"
    assert len(markdown) == 2 + len(rows)
    latex = study(command, "-f", "latex").out
    assert latex.startswith(r"\begin{tabular}")
    assert latex.count(r" \\") == 1 + len(rows)
    assert COLUMNS[command].replace("_", r"\_").replace(",", " & ") in latex


@pytest.mark.parametrize("command", COMMANDS)
def test_output_file_is_whole(study: Call, tmp_path: Path, command: str) -> None:
    shown = study(command, "-f", "csv").out
    target = tmp_path / "out.csv"
    target.write_text("old")
    done = study(command, "-f", "csv", "-o", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text() == shown
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("ending", "begin"), [("svg", SVG), ("png", PNG)])
def test_figures(study: Call, tmp_path: Path, command: str, ending: str, begin: bytes) -> None:
    target = tmp_path / f"figure.{ending}"
    done = study(command, "--figure", target)
    assert done.code == 0
    assert len(done.out.splitlines()) == 1 + ROWS[command]
    drawn = target.read_bytes()
    assert drawn.startswith(begin)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    if ending == "svg":
        assert drawn.rstrip().endswith(b"</svg>")
        shown = b"run3" if command == "judgment-noise" else b"AP"
        assert b">" + shown in drawn


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_figure_is_refused_before_the_work(run: Call, tmp_path: Path, command: str) -> None:
    target = tmp_path / "out.txt"
    given = [] if command == "sensitivity" else ["nowhere.txt", "nowhere.txt"]
    done = run("meta", command, *given, *QUICK[command], "--figure", "x.gif", "-o", target)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "gradewise: x.gif: a figure's name must end in .svg, .png, .pdf, .html, .json\n"
    )
    assert not target.exists()


@pytest.mark.parametrize("command", SEEDED)
def test_same_seed_same_bytes(study: Call, command: str) -> None:
    first, again, other = (study(command, "-f", "csv", "--seed", seed).out for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("command", STUDIES)
def test_quiet(study: Call, command: str) -> None:
    loud, quiet = study(command), study(command, "--quiet")
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == loud.out
    assert "run4: 1 of 8 judged topics are missing from the run" in loud.err


@pytest.mark.parametrize("command", STUDIES)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{qrels}", "nowhere.txt", "{run1}"], "nowhere.txt: cannot be read (no such file"),
        (["{run1}", "{run1}", "{run2}"], "run1.txt:1: expected 4 columns"),
        (["{qrels}", "{qrels}", "{run2}"], "qrels.txt:1: expected 6 columns"),
        (["{qrels}", "{run1}", "{run2}", "-m", "nDGC"], "did you mean nDCG"),
        (["{qrels}", "{run1}", "{run2}", "-o", "/nowhere/x.txt"], "cannot be written"),
    ],
)
def test_mistakes_of_every_study(
    run: Call, files: list[Path], command: str, arguments: list[str], message: str
) -> None:
    places = {path.stem: path for path in files}
    given = [argument.format(**places) for argument in arguments]
    done = run("meta", command, *given[:3], *QUICK[command], *given[3:])
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("gradewise: ")
    assert message in done.err.splitlines()[0]


@pytest.mark.parametrize(
    ("command", "arguments", "code", "message"),
    [
        ("correlation", ["--topics", ""], 1, "topics: no topics were given"),
        ("correlation", ["--topics", "__import__('os')"], 1, "there is no such file"),
        ("correlation", ["--topics", "R(7) > 0"], 1, "R(7): no document has grade 7"),
        ("correlation", ["--topics", "R(1) > 9999"], 1, "selects none of 8 topics"),
        ("correlation", ["--above", "0.99"], 1, "at least 2 runs, but there is 1 run"),
        ("correlation", ["--above", "1.5"], 1, "the quantile must be between 0 and 1"),
        ("correlation", ["--above", "-1"], 2, "'--above'"),
        ("correlation", ["--by", "MAPS"], 1, "there is no measure 'MAPS'"),
        ("correlation", ["--kind", "kendall"], 2, "'kendall' is not one of"),
        ("correlation", ["--grid", "--step", "0.3"], 1, "step must divide 1"),
        ("correlation", ["--grid", "--g", "1"], 1, "each point must have 2 probabilities"),
        ("correlation", ["--grid", "--g", "0.5,0.6"], 1, "g must sum to 1"),
        ("correlation", ["--grid", "--g", "a,b"], 2, "--g takes numbers"),
        ("correlation", ["--replicates", "0"], 2, "'--replicates'"),
        ("incompleteness", ["--rate", "0"], 1, "rates must be above 0 and at most 1"),
        ("incompleteness", ["--rate", "50"], 1, "rates must be above 0 and at most 1"),
        ("incompleteness", ["--topics", "R(1)"], 1, "'R(1)' is not a comparison"),
        ("incompleteness", ["--replicates", "0"], 2, "'--replicates'"),
        ("pool-bias", ["--depth", "0"], 2, "'--depth'"),
        ("discrimination", ["--best", "1"], 2, "'--best'"),
        ("discrimination", ["--method", "t"], 2, "'t' is not one of"),
        ("judgment-noise", ["--flip", "2:1"], 1, "--flip 2:1: expected FROM:TO:PROBABILITY"),
        ("judgment-noise", ["--flip", "2:a:0.1"], 1, "expected FROM:TO:PROBABILITY"),
        ("judgment-noise", ["--flip", "0:2:2"], 1, "must be between 0 and 1, not 2.0"),
        ("judgment-noise", ["--flip", "2:9:0.1"], 1, "cannot turn grade 2 into 9"),
        ("judgment-noise", ["--half-width", "0"], 1, "half_width must be positive"),
        ("judgment-noise", ["--half-width", "0.1", "--level", "2"], 1, "level must be between"),
        ("judgment-noise", ["--replicates", "1"], 2, "'--replicates'"),
        ("sensitivity", ["--grades", "2,x"], 1, "--grades 2,x: 'x' is not a whole number"),
        ("sensitivity", ["--relevant", "1-3"], 1, "--relevant 1-3: '1-3' is not a whole number"),
        ("sensitivity", ["--relevant", "1:3"], 1, "the list has 1 documents of grade 2"),
        (
            "sensitivity",
            ["--to", "5"],
            1,
            "grade 5 does not occur in the judgments (grades: 0, 1, 2)",
        ),
        ("sensitivity", ["--new", "--to", "0"], 1, "must be positive, not 0"),
        ("sensitivity", ["-m", "nDGC"], 1, "there is no measure 'nDGC'"),
        ("sensitivity", ["--totals", "none"], 2, "'none' is not one of"),
    ],
)
def test_mistakes_of_one_study(
    study: Call, tmp_path: Path, command: str, arguments: list[str], code: int, message: str
) -> None:
    target = tmp_path / "out.txt"
    done = study(command, *arguments, "-o", target)
    assert (done.code, done.out) == (code, "")
    assert message in done.err.splitlines()[-1]
    if code == 1:
        assert done.err.splitlines()[-1].startswith("gradewise: ")
    assert not target.exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("correlation", "at least 2 runs, but there is 1 run"),
        ("incompleteness", "at least 2 runs, but there is 1 run"),
        ("pool-bias", "pool bias needs at least 2 runs, but there is 1 run"),
        ("discrimination", "discriminative power needs at least 2 runs, but there is 1 run"),
    ],
)
def test_one_run_is_too_few(run: Call, files: list[Path], command: str, message: str) -> None:
    done = run("meta", command, *files[:2], *QUICK[command])
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1].startswith("gradewise: ")
    assert done.err.splitlines()[-1].endswith(message)


def test_commands_are_listed(run: Call) -> None:
    helped = run("meta", "--help").out
    for command in COMMANDS:
        assert command in helped
    assert run("meta", "correlations").code == 2


@pytest.mark.parametrize("command", ["correlation", "sensitivity"])
def test_no_traceback_in_a_process_of_its_own(files: list[Path], command: str) -> None:
    given = [] if command == "sensitivity" else files
    code = "from gradewise.cli import main; main()"
    arguments = [sys.executable, "-c", code, "meta", command, *map(str, given), *QUICK[command]]
    done = subprocess.run([*arguments, "-m", "nDGC"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("gradewise: there is no measure 'nDGC'")


# One command each: options reach the library


def records(done: Done) -> list[dict[str, Any]]:
    assert done.code == 0
    return list(json.loads(done.out))


def test_correlation_options(study: Call, files: list[Path]) -> None:
    judged = gw.judge(files[0], runs_of(files))
    for arguments, options in (
        ([], {}),
        (["--kind", "tau_ap"], {"kind": "tau_ap"}),
        (["--topics", "R(1) >= 2 * R(2) > 0"], {"topics": "R(1) >= 2 * R(2) > 0"}),
        (["--above", "0.3", "--by", "P@5"], {"above": 0.3, "by": "P@5"}),
        (["--seed", "5", "--replicates", "7"], {"seed": 5, "replicates": 7}),
    ):
        options = {"replicates": 20, **options}
        expected = gw.meta.correlation(judged, ["AP", "P@5", "nDCG"], **options).frame
        assert records(study("correlation", *arguments, "-f", "json")) == expected.to_dicts()


def test_correlation_grid(run: Call, files: list[Path], tmp_path: Path) -> None:
    figure = tmp_path / "grid.svg"
    arguments = ["--grid", "--step", "0.5", "-m", "GAP", "-m", "AP", "--figure", figure]
    rows = records(run("meta", "correlation", *files, *arguments, "-f", "json"))
    assert [row["g1"] for row in rows] == [0.0] * 6 + [0.5] * 6 + [1.0] * 6
    assert [row["measure"] for row in rows[:6]] == ["GAP", "GAP", "xGAP", "xGAP", "eGAP", "eGAP"]
    assert [row["other"] for row in rows] == ["GAP", "AP"] * 9
    assert [row["tau"] for row in rows[12:]] == [1.0] * 6  # g1 = 1 makes all of them AP
    assert figure.read_bytes().startswith(SVG)


def test_correlation_at_given_thresholds(run: Call, files: list[Path]) -> None:
    arguments = ["--grid", "-m", "AP", "--g", "0.25,0.75", "--g", "1,0", "-f", "json"]
    rows = records(run("meta", "correlation", *files, *arguments))
    assert [(row["g1"], row["g2"]) for row in rows] == [(0.25, 0.75)] * 3 + [(1.0, 0.0)] * 3
    assert [row["tau"] for row in rows[3:]] == [1.0] * 3


def test_correlation_scatter_has_a_point_for_each_run(study: Call, tmp_path: Path) -> None:
    figure = tmp_path / "scatter.json"
    assert study("correlation", "--scatter", "--figure", figure).code == 0
    chart = json.loads(figure.read_text())
    (points,) = chart["datasets"].values()
    assert sorted(point["run"] for point in points) == ["run1", "run2", "run3", "run4"]
    assert set(points[0]) == {"run", "x", "y"}


def test_correlation_of_a_constant_measure_is_told(run: Call, files: list[Path]) -> None:
    arguments = ["-m", "AP", "-m", "P(rel=2)@1", "-m", "NumRel", "--replicates", "5"]
    done = run("meta", "correlation", *files, *arguments)
    assert "NumRel gives all runs the same mean" in done.err
    row = done.out.splitlines()[2].split()
    assert row[:3] == ["AP", "NumRel", "-"]
    assert "nan" not in done.out.lower()


def test_incompleteness_options(study: Call, files: list[Path]) -> None:
    judged = gw.judge(files[0], runs_of(files))
    for arguments, options in (
        ([], {}),
        (["--judged-only"], {"judged_only": True}),
        (["--kind", "spearman", "--seed", "4"], {"kind": "spearman", "seed": 4}),
        (["--topics", "R(2) > 0", "--above", "0.3"], {"topics": "R(2) > 0", "above": 0.3}),
    ):
        expected = gw.meta.incompleteness(
            judged, ["AP", "Bpref"], rates=[1.0, 0.2], replicates=2, **options
        ).frame
        assert records(study("incompleteness", *arguments, "-f", "json")) == expected.to_dicts()


def test_incompleteness_defaults(run: Call, files: list[Path]) -> None:
    rows = records(run("meta", "incompleteness", *files, "--replicates", 1, "-f", "json"))
    rates = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05]
    assert [row["rate"] for row in rows if row["measure"] == "AP"] == rates
    assert len(rows) == 11 * 8
    assert {row["tau"] for row in rows if row["rate"] == 1.0} == {1.0}


def test_pool_bias_groups_and_depth(study: Call, files: list[Path], run: Call) -> None:
    judged = gw.judge(files[0], runs_of(files))
    alone = records(study("pool-bias", "-f", "json"))
    assert [row["group"] for row in alone[::2]] == ["run1", "run2", "run3", "run4"]
    groups = {"run1": "run1", "run2": "run2", "run3": "run", "run4": "run"}
    arguments = ["--group", "run1", "--group", "run2", "--group", "run", "--depth", "6"]
    expected = gw.meta.pool_bias(judged, ["AP", "nDCG"], groups=groups, depth=6).frame
    assert records(study("pool-bias", *arguments, "-f", "json")) == expected.to_dicts()


def test_discrimination_options(study: Call, files: list[Path]) -> None:
    judged = gw.judge(files[0], runs_of(files))
    for arguments, options in (
        ([], {}),
        (["--method", "tukey"], {"method": "tukey"}),
        (["--best", "3", "--seed", "2"], {"best": 3, "seed": 2}),
        (["--alpha", "0.2", "--alpha", "0.1"], {"alphas": (0.2, 0.1)}),
    ):
        expected = gw.meta.discrimination(judged, ["AP", "P@5"], replicates=30, **options).frame
        assert records(study("discrimination", *arguments, "-f", "json")) == expected.to_dicts()


def test_prediction(run: Call, files: list[Path]) -> None:
    options = ["-m", "AP", "-m", "P@5", "--replicates", "6", "--kind", "spearman", "--seed", "3"]
    done = run("meta", "prediction", *files, *options, "-f", "json")
    judged = gw.judge(files[0], runs_of(files))
    found = gw.meta.prediction(judged, ["AP", "P@5"], kind="spearman", replicates=6, seed=3)
    assert [tuple(row.values()) for row in records(done)] == found.frame.rows()
    assert done == run("meta", "prediction", *files, *options, "-f", "json")


def test_informativeness_options(study: Call, files: list[Path], tmp_path: Path) -> None:
    judged = gw.judge(files[0], runs_of(files))
    kept = tmp_path / "kept"
    for arguments, options in (
        ([], {}),
        (["--least", "6", "--least-top", "2"], {"least": 6, "least_top": 2}),
        (["--jobs", "2", "--keep", kept], {}),
        (["--keep", kept], {}),  # what was found before
    ):
        expected = gw.meta.informativeness(
            judged, ["AP", "nDCG"], baseline=True, **{"least": 3, "least_top": 1, **options}
        )
        got = records(study("informativeness", *arguments, "-f", "json"))
        assert got == expected.frame.to_dicts()
    assert len(list(kept.iterdir())) == 3
    done = study("informativeness", "--inferred", "-f", "json")
    assert records(done) == expected.inferences.to_dicts()
    assert "the most informative measure is " in done.err


def test_informativeness_over_thresholds(run: Call, files: list[Path], tmp_path: Path) -> None:
    figure = tmp_path / "sweep.svg"
    arguments = ["--sweep", "--step", "0.5", "--least", "3", "--least-top", "1", "-f", "json"]
    rows = records(run("meta", "informativeness", *files, *arguments, "--figure", figure))
    assert [row["measure"] for row in rows[::2]] == [
        "GAP(g=[0.0,1.0])",
        "GAP(g=[0.5,0.5])",
        "GAP(g=[1.0,0.0])",
        "nDCG",
        "R/N",
    ]
    assert figure.read_bytes().startswith(SVG)


def test_sensitivity_by_hand(run: Call) -> None:
    arguments = ["--grades", "1,0", "--relevant", "1:2", "-m", "AP", "-f", "json"]
    gained = records(run("meta", "sensitivity", *arguments, "--to", 1))
    assert gained == [
        {"measure": "AP", "rank": 2, "from_grade": 0, "to_grade": 1, "value": 1.0, "change": 0.5}
    ]
    moved = records(run("meta", "sensitivity", *arguments, "--to", 1, "--totals", "moved"))
    assert moved[0]["value"] == pytest.approx(2 / 3)
    new = records(run("meta", "sensitivity", *arguments, "--new"))
    assert [row["rank"] for row in new] == [2, None]
    assert [row["value"] for row in new] == pytest.approx([2 / 3, 1 / 3])


def test_judgment_noise_without_noise(run: Call, files: list[Path]) -> None:
    arguments = ["--flip", "1:0:0", "--replicates", 2, "-m", "AP", "-f", "json"]
    rows = records(run("meta", "judgment-noise", *files, *arguments, "--half-width", "0.1"))
    frame = gw.evaluate(files[0], runs_of(files), "AP").per_topic
    for row in rows:
        values = frame.filter(run=row["run"])["value"]
        assert row["mean"] == row["value"] == pytest.approx(values.mean(), abs=1e-12)
        assert row["sigma_d2"] == pytest.approx(0, abs=1e-15)
        assert row["sigma_mu2"] == pytest.approx(values.var(), abs=1e-12)
        assert row["topics_needed"] == row["topics_without_noise"]


# What is wrong


@pytest.mark.parametrize("alpha", ["2", "-1", "nan"])
@pytest.mark.parametrize("method", ["bootstrap", "tukey"])
def test_discrimination_refuses_an_alpha(study: Call, method: str, alpha: str) -> None:
    done = study("discrimination", "--method", method, "--alpha", alpha)
    assert done.code == 1
    assert "alpha" in done.err


@pytest.mark.parametrize("command", ["correlation", "incompleteness", "pool-bias"])
def test_a_measure_given_twice(study: Call, command: str) -> None:
    once, twice = study(command, "--quiet"), study(command, "-m", "MAP", "--quiet")
    assert twice == once


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("correlation", ["--grid", "--step", "0"]),
        ("pool-bias", ["--group", "nobody"]),
        ("informativeness", ["--least", "1000"]),
        ("informativeness", ["-m", "Bpref"]),
        ("sensitivity", ["--grades", "2,,1"]),
        ("sensitivity", ["--grades", ""]),
        ("sensitivity", ["--relevant", "1:3,2:1,1:4"]),
        ("judgment-noise", ["--flip", "2:1:0.2"]),
    ],
    ids=[
        "step 0",
        "group of no run",
        "too few lists",
        "not in the pivot or gain-discount family",
        "no grade",
        "no grades",
        "a grade twice",
        "a flip twice",
    ],
)
def test_what_is_passed_over(study: Call, command: str, arguments: list[str]) -> None:
    assert study(command, *arguments).code != 0
