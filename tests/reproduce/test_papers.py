"""Papers repeated on real collections, and the command that prints them."""

from pathlib import Path

import pytest

from command import Call
from gradewise.reproduce import yilmaz
from gradewise.reproduce.result import Property, Reproduced, numbers_section


def test_claims_are_told_not_asserted(real_data: Path) -> None:
    sections = yilmaz.sections(real_data, quick=True)
    assert sections
    for section in sections:
        assert not section.failures
        theorems = [claim for claim in section.properties if claim.necessary]
        assert len(theorems) == (2 if "Section 3.1 on" in section.title else 0)
        assert section.chart is not None
        assert section.chart().to_dict()["$schema"]


def test_exact_numbers_that_differ_are_failures() -> None:
    right = Reproduced("p", "1", "right", "0.30", 0.3004, exact=True)
    wrong = Reproduced("p", "1", "wrong", "0.30", 0.3104, exact=True)
    chance = Reproduced("p", "1", "chance", "0.30", 0.5, exact=False, error=0.01)
    section = numbers_section("table1", "Table 1", [right, wrong, chance])
    assert section.failures == ["wrong: the paper prints 0.30, but ours is 0.3104"]
    assert [row[-1] for row in section.table.rows] == ["yes", "NO", "NO"]
    assert str(Property("x", False, "by 2")) == "does not hold: x (by 2)"


@pytest.mark.slow
def test_command_prints_a_table(run: Call) -> None:
    code, out, _ = run("reproduce", "kishida:table5")
    assert code == 0
    assert "Table 5" in out
    assert "Table 4" not in out
    assert "NO" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kishda"], "there is no paper 'kishda'; did you mean kishida?"),
        (["kishida:table9"], "kishida has no part 'table9'; did you mean table"),
        (["ferrante", "--data", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_bad_arguments(run: Call, arguments: list[str], message: str) -> None:
    code, out, err = run("reproduce", *arguments)
    assert code == 1
    assert message in err
    assert "Traceback" not in err + out


def test_one_part_without_its_data(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    code, _, err = run("reproduce", "robertson:figure2")
    assert code == 1
    assert "give --data FOLDER or set GRADEWISE_DATA" in err
    assert "round1-runs.tar.xz" in err


def test_paper_without_its_data(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    code, out, err = run("reproduce", "moffat", "--quick")
    assert code == 0
    assert "moffat:table3 agrees: 24 of 24 numbers agree, 10 of 10 claims hold" in out
    assert "Figure" not in out
    assert err.count("gradewise:") == 1
    assert "skipped, because they need real collections: moffat:figure1, moffat:figure2;" in err


@pytest.mark.slow
def test_figure_of_printed_numbers(tmp_path: Path, run: Call) -> None:
    code, _, _ = run("reproduce", "kishida:table2", "--figures", str(tmp_path))
    assert code == 0
    drawn = (tmp_path / "kishida-table2-1.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "theta=0.9 mean" in drawn


def test_figures_are_written(real_data: Path, tmp_path: Path, run: Call) -> None:
    code, _, _ = run(
        "reproduce", "yilmaz:figure1", "--quick", "--data", real_data, "--figures", tmp_path
    )
    assert code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "yilmaz-figure1-1.svg",
        "yilmaz-figure1-2.svg",
    ]


def test_training_needs_no_data(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    code, out, _ = run("reproduce", "yilmaz:table2", "--quick")
    assert code == 0
    assert "on 30/15/30 simulated topics" in out
    assert "MSLR" not in out


@pytest.mark.slow
def test_local_optima_by_processes_and_taken_up_again(
    tmp_path: Path, run: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    arguments = ("reproduce", "yilmaz:table5", "--quick")
    plain = run(*arguments)
    assert run(*arguments, "--jobs", "2", "--keep", tmp_path) == plain
    kept = sorted(tmp_path.iterdir())
    times = [path.stat().st_mtime_ns for path in kept]
    assert len(kept) == 2 * 4  # seeds and objectives
    assert run(*arguments, "--keep", tmp_path) == plain
    assert [path.stat().st_mtime_ns for path in kept] == times
