"""gradewise trec-eval against trec_eval 10's own expected output, its options and exit codes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gradewise.cli.trec_eval import run

Output = pytest.CaptureFixture[str]

# trec_eval 10's tests: the file with the output, the options, qrels and run.
MEAS_PARAMS = [
    *("-q", "-miprec_at_recall..10,.20,.25,.75,.50", "-m", "P.5,7,3", "-m", "recall.20,2000"),
    *("-m", "Rprec_mult.5.0,0.2,0.35", "-mutility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75"),
    *("-mndcg.1=3,2=9,4=4.5", "-mndcg_cut.10,20,23.4", "-msuccess.2,5,20"),
]
GOLDEN = {
    "official": ("out.test", [], "qrels.test.gz", "results.test.gz"),
    "with comments": ("out.test", [], "qrels.test.with-comments.gz", "results.test.gz"),
    "hash in ids": ("out.comment.test", [], "qrels.comment.test.gz", "results.comment.test.gz"),
    "all": ("out.test.a", ["-m", "all_trec"], "qrels.test.gz", "results.test.gz"),
    "by topic": ("out.test.aq", ["-m", "all_trec", "-q"], "qrels.test.gz", "results.test.gz"),
    "complete": ("out.test.aqc", ["-m", "all_trec", "-q", "-c"], "qrels.test.gz", "results.trunc"),
    "depth 100": (
        "out.test.aqcM",
        ["-m", "all_trec", "-q", "-c", "-M100"],
        "qrels.test.gz",
        "results.trunc",
    ),
    "level 2": (
        "out.test.aql",
        ["-m", "all_trec", "-mrelstring.20", "-q", "-l2"],
        "qrels.rel_level.gz",
        "results.test.gz",
    ),
    "parameters": ("out.test.meas_params", MEAS_PARAMS, "qrels.test.gz", "results.test.gz"),
}


@pytest.fixture(scope="module")
def trec_tests(real_data: Path) -> Path:
    return real_data / "trec_eval-test"


@pytest.mark.parametrize("case", GOLDEN)
def test_output_is_that_of_trec_eval(trec_tests: Path, capsys: Output, case: str) -> None:
    expected, options, qrels, results = GOLDEN[case]
    assert run([*options, str(trec_tests / qrels), str(trec_tests / results)]) == 0
    printed = capsys.readouterr()
    assert printed.out.encode() == (trec_tests / expected).read_bytes()
    assert printed.err == ""


def test_installed_command_prints_the_same(trec_tests: Path) -> None:
    command = shutil.which("gradewise", path=str(Path(sys.executable).parent))
    assert command is not None, "the console script is not beside the interpreter"
    files = [str(trec_tests / "qrels.test.gz"), str(trec_tests / "results.test.gz")]
    done = subprocess.run(
        [command, "trec-eval", "-q", "-m", "all_trec", *files], capture_output=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout == (trec_tests / "out.test.aq").read_bytes()
    assert done.stderr == b""


# A collection small enough to score by hand. Topic 10 comes before 9: its bytes do.
QRELS = """\
9 0 a 1
9 0 b 0
10 0 a 2
10 0 b -1
10 0 c 1
10 0 d 12
"""
RUN = """\
9 Q0 b 1 3.0 mine
9 Q0 a 2 2.0 mine
10 Q0 x 1 5.0 mine
10 Q0 b 2 4.0 mine
10 Q0 a 3 3.0 mine
10 Q0 d 4 2.0 mine
11 Q0 a 1 1.0 last
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and run, with a topic in the run that is not judged."""
    (tmp_path / "qrels").write_text(QRELS, encoding="utf-8")
    (tmp_path / "run").write_text(RUN, encoding="utf-8")
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def _lines(capsys: Output, *arguments: str) -> list[list[str]]:
    """Run the command, and split what it prints into name, topic and value."""
    code = run(list(arguments))
    printed = capsys.readouterr()
    assert (code, printed.err) == (0, "")
    return [[field.strip() for field in line.split("\t")] for line in printed.out.splitlines()]


def test_topics_come_in_the_order_of_their_bytes(capsys: Output, files: list[str]) -> None:
    assert _lines(capsys, "-q", "-mnum_ret", *files) == [
        ["num_ret", "10", "4"],
        ["num_ret", "9", "2"],
        ["num_ret", "all", "6"],
    ]


def test_a_line_has_three_fields_in_fixed_columns(capsys: Output, files: list[str]) -> None:
    assert run(["-m", "map", "-m", "num_nonrel_judged_ret", *files]) == 0
    # AP is (1/3 + 2/4) / 3 and 1/2.
    assert capsys.readouterr().out == (
        "map                   \tall\t0.3889\nnum_nonrel_judged_ret \tall\t1\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ["-q", "-m", "P.2", "-l", "2", "-M", "3"],
        ["-qmP.2", "-l2", "-M3"],
        ["-l2", "-M3", "-qm", "P.2"],
        ["--query_eval_wanted", "--measure", "P.2", "--level_for_rel=2", "--Max_retrieved=3"],
        ["--q", "--meas=P.2", "--lev", "2", "--M", "3"],
    ],
)
def test_options_are_spelled_as_one_likes(
    capsys: Output, files: list[str], options: list[str]
) -> None:
    expected = [["P_2", "10", "0.0000"], ["P_2", "9", "0.0000"], ["P_2", "all", "0.0000"]]
    assert _lines(capsys, *options, *files) == expected
    assert _lines(capsys, *files, *options) == expected
    assert _lines(capsys, files[0], *options, "--", files[1]) == expected


def test_levels_and_depth_count(capsys: Output, files: list[str]) -> None:
    arguments = ["-q", "-n", "-m", "num_rel", "-m", "num_rel_ret", "-m", "num_ret", *files]
    assert _lines(capsys, "-l", "2", "-M", "3", *arguments) == [
        ["num_ret", "10", "3"],
        ["num_rel", "10", "2"],
        ["num_rel_ret", "10", "1"],
        ["num_ret", "9", "2"],
        ["num_rel", "9", "0"],
        ["num_rel_ret", "9", "0"],
    ]


def test_unjudged_documents_are_dropped_and_negative_grades_with_them(
    capsys: Output, files: list[str]
) -> None:
    assert _lines(capsys, "-J", "-q", "-n", "-m", "num_ret", "-m", "map", *files) == [
        ["num_ret", "10", "2"],
        ["map", "10", "0.6667"],
        ["num_ret", "9", "2"],
        ["map", "9", "0.5000"],
    ]


def test_relstring_shows_grades(capsys: Output, files: list[str]) -> None:
    assert _lines(capsys, "-q", "-m", "relstring", *files) == [
        ["relstring", "10", "'-.2>'"],
        ["relstring", "9", "'01'"],
    ]


def test_size_of_the_collection_counts_in_utility(capsys: Output, files: list[str]) -> None:
    # Neither relevant nor retrieved: 100 - 4 - 1 (topic 10 misses one), and 100 - 2.
    arguments = ["-q", "-n", "-m", "utility.0,0,0,1", *files]
    assert _lines(capsys, "-N", "100", *arguments) == [
        ["utility_0,0,0,1", "10", "95.0000"],
        ["utility_0,0,0,1", "9", "98.0000"],
    ]


def test_tag_is_that_of_the_last_line(capsys: Output, files: list[str]) -> None:
    assert _lines(capsys, "-m", "runid", *files) == [["runid", "all", "last"]]


def test_first_parameters_of_a_measure_count(capsys: Output, files: list[str]) -> None:
    names = [line[0] for line in _lines(capsys, "-mP.5", "-mP.10", "-mmap", "-mmap", *files)]
    assert names == ["map", "P_5"]


def _without_topic_9(files: list[str]) -> None:
    kept = [line for line in RUN.splitlines(keepends=True) if not line.startswith("9 ")]
    Path(files[1]).write_text("".join(kept), encoding="utf-8")


def test_a_missing_topic_counts_with_c(capsys: Output, files: list[str]) -> None:
    _without_topic_9(files)
    options = [
        "-c",
        "-q",
        "-l2",
        "-m",
        "num_ret",
        "-m",
        "num_rel",
        "-m",
        "relstring",
        "-m",
        "unj.1",
    ]
    assert _lines(capsys, *options, *files) == [
        ["num_ret", "10", "4"],
        ["num_rel", "10", "2"],
        ["relstring", "10", "'-.2>'"],
        ["unj_1", "10", "1.0000"],
        ["num_ret", "9", "0"],
        ["num_rel", "9", "0"],
        ["relstring", "9", "''"],
        ["unj_1", "9", "0.0000"],
        ["num_ret", "all", "4"],
        ["num_rel", "all", "4"],  # trec_eval ignores -l here
        ["unj_1", "all", "0.5000"],
    ]


def test_a_missing_topic_is_one_unjudged_document_to_measures_with_parameters(
    capsys: Output, files: list[str]
) -> None:
    _without_topic_9(files)
    options = ["-m", "relstring.20", "-m", "utility.1,2,3,4", "-m", "rbp_resid.p=0.5", "-N", "10"]
    lines = _lines(capsys, "-c", "-q", "-n", *options, *files)
    assert [line for line in lines if line[1] == "9"] == [
        ["relstring_20", "9", "'-'"],
        ["utility_1,2,3,4", "9", "37.0000"],  # 2 + 3 + 4 (10 - 1 - 1)
        ["rbp_resid_p=0.5", "9", "1.0000"],
    ]


def test_measures_that_no_group_has(capsys: Output, files: list[str]) -> None:
    assert _lines(capsys, "-q", "-n", "-m", "yaap", "-m", "dcg", "-m", "ideal_dcg", *files) == [
        ["dcg", "10", "6.1681"],  # 2 / log2(4) + 12 / log2(5)
        ["ideal_dcg", "10", "13.7619"],  # 12 + 2 / log2(3) + 1 / log2(4)
        ["yaap", "10", "-0.5465"],  # s = 1/3 + 2/4: ln((1 + s) / (1 + 3 - s))
        ["dcg", "9", "0.6309"],
        ["ideal_dcg", "9", "1.0000"],
        ["yaap", "9", "0.0000"],
    ]


def test_rbp_divides_by_the_highest_gain_that_is_named(capsys: Output, files: list[str]) -> None:
    # Topic 9 has the gain 2 at rank 2. trec_eval's highest gain is 4, of a grade without documents
    # (setup_gains in its gain_init.c lists all gains of the parameters).
    lines = _lines(capsys, "-q", "-n", "-m", "rbp.p=0.5,1=2,2=4", *files)
    assert lines[1] == ["rbp_p=0.5,1=2,2=4", "9", "0.1250"]


def test_without_summary_and_topics_nothing_is_printed(capsys: Output, files: list[str]) -> None:
    assert _lines(capsys, "-n", *files) == []


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_on_standard_output(capsys: Output, option: str) -> None:
    assert run([option]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    for letter in "hqmcnlMJN":
        assert f"-{letter}" in printed.out
    assert "Average precision" not in printed.out


def test_help_explains_the_measures_asked_for(capsys: Output) -> None:
    assert run(["-h", "-m", "map", "-m", "P.5"]) == 0
    text = capsys.readouterr().out
    assert "Average precision: the mean of the precisions" in text
    assert "Precision at k" in text
    assert "Reciprocal rank" not in text


@pytest.mark.parametrize("option", ["-v", "--version"])
def test_version_is_on_standard_error(capsys: Output, option: str) -> None:
    assert run([option]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "trec_eval version 10" in printed.err
