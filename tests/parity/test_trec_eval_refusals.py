"""What gradewise trec-eval refuses: exit codes as trec_eval's, one message, nothing printed."""

from pathlib import Path

import pytest

from gradewise.cli.trec_eval import run

Output = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and run that can be scored."""
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 0\n", encoding="utf-8")
    (tmp_path / "run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n", encoding="utf-8")
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def _refusal(capsys: Output, *arguments: str) -> tuple[int, str]:
    """Run the command; return its exit code and its message, and see that nothing is printed."""
    code = run(list(arguments))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    return code, printed.err


# Options that the command line cannot be read with, and what the message names.
USAGE = {
    "unknown option": (["-x"], "-x"),
    "unknown long option": (["--nosuch"], "nosuch"),
    "ambiguous abbreviation": (["--R", "qrels"], "R"),
    "case matters": (["--Query_eval_wanted"], "Query_eval_wanted"),
    "flag with a value": (["--help=yes"], "help"),
    "level is no number": (["-l", "high"], "high"),
    "depth is no number": (["-M", "deep"], "deep"),
    "debugging": (["-D", "1"], "-D"),
    "z-scores": (["-Z", "zscores"], "-Z"),
    "preferences": (["-R", "prefs"], "prefs"),
    "judgment groups": (["-R", "qrels_jg"], "qrels_jg"),
    "other results": (["-T", "letor"], "letor"),
}


@pytest.mark.parametrize("case", USAGE)
def test_bad_usage_is_1_with_the_usage(capsys: Output, files: list[str], case: str) -> None:
    options, named = USAGE[case]
    code, message = _refusal(capsys, *options, *files)
    assert code == 1
    assert named in message
    assert "usage: gradewise trec-eval" in message


@pytest.mark.parametrize("number", [0, 1, 3])
def test_two_files_are_needed(capsys: Output, files: list[str], number: int) -> None:
    code, message = _refusal(capsys, *[*files, files[1]][:number])
    assert code == 1
    assert str(number) in message
    assert "usage: gradewise trec-eval" in message


def test_a_missing_argument_is_1(capsys: Output, files: list[str]) -> None:
    code, message = _refusal(capsys, *files, "-m")
    assert code == 1
    assert "-m" in message


@pytest.mark.parametrize("name", ["nosuch", "MAP", "ndcg@10", "all_qrels", "Runj", "P."])
def test_an_unknown_measure_is_1(capsys: Output, files: list[str], name: str) -> None:
    code, message = _refusal(capsys, "-m", name, *files)
    assert code == 1
    assert name in message


def test_an_unknown_measure_is_found_before_the_files_are_read(capsys: Output) -> None:
    code, message = _refusal(capsys, "-m", "nosuch", "/no/qrels", "/no/run")
    assert code == 1
    assert "nosuch" in message


@pytest.mark.parametrize("name", ["map_avgjg", "prefs_simp", "all_prefs", "prefs", "qrels_jg"])
def test_measures_that_trec_eval_has_are_not_denied(
    capsys: Output, files: list[str], name: str
) -> None:
    code, message = _refusal(capsys, "-m", name, *files)
    assert code == 1
    assert name in message
    assert "trec_eval has no measure" not in message


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "content", [None, b"", b"1 a\n", b"\x00\x01\x02", b"1 0 a 1\n1 0 a 1 1 x y z\n1\n"]
)
def test_a_bad_file_is_2(
    capsys: Output, files: list[str], which: int, content: bytes | None
) -> None:
    path = Path(files[which])
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    code, message = _refusal(capsys, *files)
    assert code == 2
    assert str(path) in message


def test_a_sampled_pool_is_2(capsys: Output, files: list[str]) -> None:
    Path(files[0]).write_text("1 0 a 1 1\n2 0 a 1 -1\n", encoding="utf-8")
    code, message = _refusal(capsys, *files)
    assert code == 2
    assert "have 4 columns, not 5" in message


def test_a_missing_topic_without_c_is_4(capsys: Output, files: list[str]) -> None:
    Path(files[1]).write_text("1 Q0 a 1 1 x\n", encoding="utf-8")
    code, message = _refusal(capsys, "-q", *files)
    assert code == 4
    assert "topic 2" in message
    assert "-c" in message


def test_no_topic_in_common_is_4_without_c_and_0_with_it(capsys: Output, files: list[str]) -> None:
    Path(files[1]).write_text("3 Q0 a 1 1 x\n", encoding="utf-8")
    assert _refusal(capsys, *files)[0] == 4
    assert run(["-c", "-m", "map", *files]) == 0
    assert capsys.readouterr().out == "map                   \tall\t0.0000\n"


@pytest.mark.parametrize(
    "measure", ["P.0", "P.5,5", "recall.-3", "iprec_at_recall.0.5,0.5", "ndcg.1", "rbp.p"]
)
def test_bad_parameters_are_2(capsys: Output, files: list[str], measure: str) -> None:
    code, message = _refusal(capsys, "-m", measure, *files)
    assert code == 2
    assert message.startswith("gradewise trec-eval: ")


def test_a_negative_depth_is_refused(capsys: Output, files: list[str]) -> None:
    code, message = _refusal(capsys, "-M", "-1", *files)
    assert code == 1
    assert "-M" in message
