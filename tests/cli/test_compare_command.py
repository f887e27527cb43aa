"""gradewise compare as a user meets it: formats, figures, files, mistakes."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from scipy import stats as scipy_stats

import gradewise as gw
from command import Call
from gradewise.stats.corrections import CORRECTIONS
from gradewise.stats.tests import TESTS

PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<svg"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Judgments and four runs; run4 misses a topic."""
    folder = tmp_path_factory.mktemp("collection")
    made = gw.simulate.collection(topics=8, runs=4, depth=30, relevant=10, pool_depth=15, seed=2)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    last = folder / "run4.txt"
    lines = last.read_text().splitlines(keepends=True)
    last.write_text("".join(line for line in lines if not line.startswith("103 ")))
    return [folder / "qrels.txt", *[folder / f"run{number}.txt" for number in (1, 2, 3, 4)]]


def columns(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def per_topic(files: list[Path], measure: str, run: str) -> list[float]:
    runs = {path.stem: path for path in files[1:]}
    return gw.evaluate(files[0], runs, measure).per_topic.filter(run=run)["value"].to_list()


def test_pairs_against_scipy(run: Call, files: list[Path]) -> None:
    done = run("compare", *files, "-m", "AP", "-f", "csv", "--pairs", "--correction", "none")
    assert done.code == 0
    rows = columns(done.out)
    assert len(rows) == 6
    for row in rows:
        a, b = per_topic(files, "AP", row["run_a"]), per_topic(files, "AP", row["run_b"])
        test = scipy_stats.ttest_rel(a, b)
        assert float(row["p"]) == pytest.approx(test.pvalue, abs=1e-12)
        assert row["significant"] == ("true" if test.pvalue <= 0.05 else "false")
        wins = sum(x > y for x, y in zip(a, b, strict=True))
        assert int(row["wins"]) == wins


def test_runs_have_means_and_intervals(run: Call, files: list[Path]) -> None:
    done = run("compare", *files, "-m", "AP", "-m", "P@5", "-f", "csv", "--level", "0.9")
    rows = columns(done.out)
    assert list(rows[0]) == ["measure", "run", "mean", "low", "high", "group", "tier"]
    assert len(rows) == 8
    for row in rows:
        values = per_topic(files, row["measure"], row["run"])
        mean = sum(values) / len(values)
        low, high = scipy_stats.t.interval(0.9, 7, mean, scipy_stats.sem(values))
        assert float(row["mean"]) == pytest.approx(mean, abs=1e-12)
        assert (float(row["low"]), float(row["high"])) == pytest.approx((low, high), abs=1e-12)


def test_default_measures_and_text(run: Call, files: list[Path]) -> None:
    done = run("compare", *files)
    assert done.code == 0
    blocks = done.out.split("\n\n")
    assert len(blocks) == 4
    for block, measure in zip(blocks, ("AP", "nDCG@10", "GAP"), strict=False):
        lines = block.splitlines()
        assert lines[0].split()[0] == "run"
        assert lines[0].split()[1].startswith(measure)
        means = {line.split()[0]: line.split()[1] for line in lines[1:]}
        for name, mean in means.items():
            values = per_topic(files, measure, name)
            assert mean == f"{sum(values) / 8:.4f}"
        assert sorted(means.values(), reverse=True) == list(means.values())
        assert len(means) == 4
    told = " ".join(blocks[3].split())
    assert "paired t-test, Holm's correction over 6 pairs, alpha 0.05, 8 topics" in told
    assert max(map(len, done.out.splitlines())) <= 80
    assert "run4: 1 of 8 judged topics are missing from the run" in done.err


def test_baseline(run: Call, files: list[Path]) -> None:
    done = run("compare", *files, "-m", "AP", "-b", "run2", "--digits", "2", "--quiet")
    assert done.code == 0
    assert "* marks runs that differ significantly from run2" in done.out
    header = done.out.index("change")
    rows = [line.split() for line in done.out[header:].splitlines()[1:4]]
    assert sorted(row[0] for row in rows) == ["run1", "run3", "run4"]
    for row in rows:
        a, b = per_topic(files, "AP", row[0]), per_topic(files, "AP", "run2")
        assert row[1] == f"{sum(a) / 8 - sum(b) / 8:+.2f}"


def test_markdown_and_latex(run: Call, files: list[Path]) -> None:
    best = max((f"run{n}" for n in (1, 2, 3, 4)), key=lambda r: sum(per_topic(files, "AP", r)))
    mean = sum(per_topic(files, "AP", best)) / 8
    markdown = run("compare", *files, "-m", "AP", "-f", "markdown").out.splitlines()
    assert markdown[0] == "| run | AP |"
    assert markdown[2].startswith(f"| {best} | **{mean:.4f}** a")
    latex = run("compare", *files, "-m", "AP", "-f", "latex", "--digits", "3").out
    assert latex.startswith(r"\begin{tabular}{lr@{}l}")
    assert rf"{best} & \textbf{{{mean:.3f}}} & $^{{\mathrm{{a" in latex
    assert latex.splitlines()[-1].startswith("% Runs that share a letter")


def test_every_test_interval_and_correction(run: Call, files: list[Path]) -> None:
    seen = {}
    for test in TESTS:
        arguments = ("-m", "AP", "--test", test, "--replicates", 50, "-f", "csv", "--pairs")
        done = run("compare", *files, *arguments, "--quiet")
        assert (done.code, done.err) == (0, "")
        seen[test] = [float(row["p"]) for row in columns(done.out)]
    a, b = per_topic(files, "AP", "run1"), per_topic(files, "AP", "run2")
    assert scipy_stats.wilcoxon(a, b).pvalue in [pytest.approx(p) for p in seen["wilcoxon"]]
    assert len({tuple(row) for row in seen.values()}) == len(TESTS)
    corrected = {}
    for correction in CORRECTIONS:
        done = run(
            "compare", *files, "-m", "AP", "--correction", correction, "-f", "csv", "--pairs"
        )
        corrected[correction] = [float(row["p_corrected"]) for row in columns(done.out)]
    plain = corrected["none"]
    assert corrected["bonferroni"] == pytest.approx([min(1, 6 * p) for p in plain])
    adjusted = scipy_stats.false_discovery_control(plain, method="bh")
    assert corrected["bh"] == pytest.approx(list(adjusted))
    by_size = sorted(plain)
    holm = [min(1, max((6 - i) * q for i, q in enumerate(by_size) if q <= p)) for p in plain]
    assert corrected["holm"] == pytest.approx(holm)


def test_options_reach_the_scores(run: Call, files: list[Path]) -> None:
    def means(*arguments: str) -> dict[str, float]:
        done = run("compare", *files, "-m", "AP", "-f", "csv", "--quiet", *arguments)
        return {row["run"]: float(row["mean"]) for row in columns(done.out)}

    runs = {path.stem: path for path in files[1:]}
    for arguments, options in (
        (("--depth", "5"), {"depth": 5}),
        (("--judged-only",), {"judged_only": True}),
        (("--ties", "input"), {"ties": "input"}),
    ):
        frame = gw.evaluate(files[0], runs, "AP", **options).mean  # type: ignore[arg-type]
        assert means(*arguments) == pytest.approx(dict(frame.select("run", "value").iter_rows()))
    dropped = run("compare", *files, "-m", "AP", "--missing", "drop")
    assert "AP: left out 1 topic not scored for all runs" in dropped.err
    assert "7 topics" in dropped.out


def test_same_seed_same_bytes(run: Call, files: list[Path]) -> None:
    def text(seed: int) -> str:
        arguments = ("--test", "bootstrap", "--interval", "bootstrap", "--replicates", 60)
        return run("compare", *files, *arguments, "--pairs", "--seed", seed).out

    assert text(1) == text(1)
    assert text(1) != text(2)


def test_output_file_is_whole(run: Call, files: list[Path], tmp_path: Path) -> None:
    shown = run("compare", *files, "-f", "csv").out
    target = tmp_path / "out.csv"
    target.write_text("old")
    done = run("compare", *files, "-f", "csv", "-o", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text() == shown
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert len(columns(shown)) == 12


def test_quiet(run: Call, files: list[Path]) -> None:
    assert run("compare", *files).err != ""
    assert run("compare", *files, "--quiet").err == ""


@pytest.mark.parametrize(("ending", "begin"), [("svg", SVG), ("png", PNG)])
def test_figures(run: Call, files: list[Path], tmp_path: Path, ending: str, begin: bytes) -> None:
    target = tmp_path / f"figure.{ending}"
    done = run("compare", *files, "-m", "AP", "--figure", target)
    assert done.code == 0
    assert target.read_bytes().startswith(begin)
    if ending == "svg":
        drawn = target.read_text()
        for name in ("run1", "run2", "run3", "run4"):
            assert f">{name}<" in drawn
        assert drawn.rstrip().endswith("</svg>")


def test_a_wrong_figure_is_refused_before_the_work(
    run: Call, files: list[Path], tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    done = run("compare", files[0], "nowhere.txt", "-o", target, "--figure", "figure.gif")
    assert done.code == 1
    assert "figure.gif: a figure's name must end in .svg, .png" in done.err
    assert not target.exists()


MISTAKES = [
    (["{qrels}", "{run1}"], 1, "a comparison needs at least 2 runs, but there is 1 run"),
    (["{qrels}", "{run1}", "{run1}"], 2, "the same run was given twice"),
    (["{qrels}", "{run1}", "nowhere.txt"], 1, "nowhere.txt: cannot be read (no such file"),
    (["{run1}", "{run1}", "{run2}"], 1, "run1.txt:1: expected 4 columns"),
    (["{qrels}", "{run1}", "{run2}", "-b", "run3"], 1, "there is no run 'run3'; did you mean"),
    (["{qrels}", "{run1}", "{run2}", "-m", "nDGC"], 1, "did you mean nDCG"),
    (["{qrels}", "{run1}", "{run2}", "-m", "GMAP"], 1, "GMAP is a geometric mean"),
    (["{qrels}", "{run1}", "{run2}", "--alpha", "2"], 1, "alpha must be between 0 and 1"),
    (["{qrels}", "{run1}", "{run2}", "--level", "95"], 1, "level must be between 0 and 1"),
    (["{qrels}", "{run1}", "{run2}", "--test", "welch"], 2, "'welch' is not one of"),
    (["{qrels}", "{run1}", "{run2}", "-f", "xlsx"], 2, "'xlsx' is not one of"),
    (["{qrels}", "{run1}", "{run2}", "--replicates", "0"], 2, "'--replicates'"),
    (["{qrels}"], 2, "Missing argument"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), MISTAKES)
def test_mistakes(
    run: Call,
    files: list[Path],
    tmp_path: Path,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    places = {path.stem: path for path in files}
    given = [argument.format(**places) for argument in arguments]
    target = tmp_path / "out.txt"
    done = run("compare", *given, "-o", target)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    if code == 1:
        assert done.err.startswith("gradewise: ")
        assert len(done.err.splitlines()) == 1
    assert not target.exists()


def test_in_a_process_of_its_own(files: list[Path]) -> None:
    command = [sys.executable, "-c", "from gradewise.cli import main; main()", "compare"]

    def process(*arguments: object) -> subprocess.CompletedProcess[str]:
        texts = [*command, *map(str, arguments)]
        return subprocess.run(texts, capture_output=True, text=True, check=False)

    good = process(*files, "-m", "AP", "--quiet")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines()[0].split() == ["run", "AP", "interval", "group"]
    bad = process(*files, "-b", "none")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert bad.stderr.splitlines()[-1].startswith("gradewise: there is no run 'none'")
    assert "Traceback" not in bad.stderr
