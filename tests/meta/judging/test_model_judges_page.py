"""The page on model judges tells what benchmarks/judges.py printed, and it still prints that.

`benchmarks/judges.txt` keeps the output of every part, which take minutes together.
"""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guides" / "researchers" / "model-judges.md").read_text(encoding="utf-8")
KEPT = (ROOT / "benchmarks" / "judges.txt").read_text(encoding="utf-8")
MODELS = ("umbrela-gpt4", "exam-graded-gpt4", "binary-gpt4", "binary-gpt4o", "binary-llama3.2")

Rows = list[dict[str, str]]


def table(title: str, text: str = KEPT) -> Rows:
    """The rows of a table that was printed under a title."""
    lines = text[text.index(title) :].split("\n\n", maxsplit=1)[0].splitlines()[1:]
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines if not line.startswith("(")]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]


def short(number: str, digits: int) -> str:
    """A number without the zero before its point, as the page has them."""
    return f"{float(number):.{digits}f}".replace("0.", ".", 1)


def percent(number: str) -> str:
    return f"{100 * float(number):.0f}%"


def name(measure: str) -> str:
    return measure.replace("(g='equal')", "")


def test_rankings_by_measure() -> None:
    judged = {row["measure"]: row for row in table("Kendall's tau by measure and judge")}
    rows = table("The same by measure, least moved first")
    for place, row in enumerate(rows):
        mean = short(row["tau"], 3)
        taus = " | ".join(short(judged[row["measure"]][model], 3) for model in MODELS)
        told = f"| {name(row['measure'])} | {taus} | {mean if place else f'**{mean}**'} |"
        assert f"{told} {short(row['tau_ap'], 3)} | {percent(row['moved'])} |" in PAGE
    assert [row["count"] for row in table("How often a measure is the least moved")] == ["9", "1"]


def test_rankings_by_judge() -> None:
    rows = table("Rankings of 40 runs")
    taus = [float(row["tau"]) for row in rows]
    assert (min(taus), max(taus)) == (taus[-1], taus[0])
    assert f"τ = {taus[-1]:.2f} (llama3.2) to {taus[0]:.2f} (umbrela)".replace("0.", ".") in PAGE
    kept = [float(row["kept"]) for row in rows]
    lost = {round(float(row["kept"]) + float(row["lost"])) for row in rows}
    told = f"Of {lost.pop()} significant differences under people, a model keeps"
    assert f"{told} {min(kept):.0f} to {max(kept):.0f}" in PAGE
    gained = [float(row["gained"]) for row in rows]
    assert f"It adds {min(gained):.0f} to {max(gained):.0f}, and reverses none" in PAGE
    assert {float(row["reversed"]) for row in rows} == {0.0}


def test_standard_errors() -> None:
    rows = {name(row["measure"]): row for row in table("Components of variance")}

    def both(measure: str, first: str, second: str) -> str:
        return f"{short(rows[measure][first], 3)} and {short(rows[measure][second], 3)}"

    means = "error_topics", "standard_error"
    assert f"for nDCG@10 it is {both('nDCG@10', *means)}, for xGAP {both('xGAP', *means)}" in PAGE
    first, second = both("GAP", *means).split(" and ")
    assert f"a standard error of {first} under a given judge, and of {second} under" in PAGE
    apart = "difference_topics", "difference_error"
    assert f"GAP's is {both('GAP', *apart)}, nDCG@10's {both('nDCG@10', *apart)}" in PAGE


def test_rankings_from_few_topics() -> None:
    numbers = ("5", "10", "15", "20", "30")
    for row in table("Kendall's tau with people's ranking on all topics"):
        if row["model"] == "umbrela-gpt4":
            taus = " | ".join(short(row[number], 2) for number in numbers)
            alone = f"{row['measure']} | {short(row['model_alone'], 2)} | alone"
            told = alone if row["people"] == "alone" else "| with umbrela"
            assert f"| {told} | {taus} |" in PAGE


def test_coverage() -> None:
    rows = table("Coverage of 95% intervals")
    for measure in ("AP", "nDCG@10", "GAP(g='equal')", "eGAP(g='equal')"):
        for target, first in (("future", f"{name(measure)} | to come"), ("these", " | these")):
            mine = [row for row in rows if (row["measure"], row["target"]) == (measure, target)]
            cells = [
                f"{short(row['coverage'], 3)} ({short(row['worst'], 3)}), "
                f"{percent(row['narrower'])}, {float(row['topics_saved']):.1f}"
                for row in mine
            ]
            assert f"| {first} | {' | '.join(cells)} |" in PAGE
    covered = [float(row["coverage"]) for row in rows if row["measure"] in ("P@10", "RBP")]
    told = f"cover only {min(covered):.2f} to {max(covered):.2f}".replace("0.", ".")
    assert told in PAGE


def test_coverage_is_near_its_level() -> None:
    """But for P@10 and RBP, whose values lie at their upper end, as the page says."""
    for row in table("Coverage of 95% intervals"):
        coverage, topics = float(row["coverage"]), int(row["topics"])
        if row["measure"] in ("P@10", "RBP"):
            assert coverage > float(row["alone"]) - 0.03, row
        elif row["target"] == "these":
            assert coverage >= 0.91, row
        else:
            assert (0.92 if topics == 10 else 0.93) <= coverage <= 0.97, row


def test_samples_of_documents() -> None:
    labels = {"0.1000": "10% | 926", "0.2500": "25% | 2,315"}
    for row in table("People on a share of the documents"):
        if row["share"] in labels:
            cells = " | ".join(short(row[key], 3) for key in ("coverage", "alone"))
            told = f"| {row['measure']} | {labels[row['share']]} | {cells} |"
            assert f"{told} {percent(row['narrower'])} |" in PAGE


def test_single_topics() -> None:
    rows = table("90% intervals of single topics")
    spans = {}
    for shape in ("tails", "shift"):
        widths = [float(row["width"]) for row in rows if row["shape"] == shape]
        spans[shape] = f"{min(widths):.2f} to {max(widths):.2f}".replace("0.", ".")
    assert f"({spans['shift']} wide)" in PAGE
    assert f"({spans['tails']})" in PAGE


def test_labels_that_are_asked_for() -> None:
    steps = (0, 50, 100, 150)
    for row in table("Label error of a difference"):
        errors = " | ".join(short(row[f"error_{step}"], 4) for step in steps)
        off = " | ".join(short(row[f"off_{step}"], 3) for step in steps)
        first = f"{row['measure']} | asked" if row["labels"] == "asked" else "| random"
        assert f"| {first} | {errors} | {off} |" in PAGE


def test_favor() -> None:
    rows = {(r["judge"], r["family"]): r for r in table("Favor for families of runs")}

    def told(judge: str, family: str) -> str:
        row = rows[judge, family]
        return f"{short(row['favor'], 3)} [{short(row['low'], 3)}, {short(row['high'], 3)}]"

    own = told("umbrela-gpt4", "umbrela-gpt4"), told("binary-gpt4o", "binary-gpt4o")
    assert f"the first family {own[0]} above where people's judgments would" in PAGE
    assert f"and gpt4o the second {own[1]}" in PAGE
    assert f"favors umbrela's runs by {told('exam-graded-gpt4', 'umbrela-gpt4')}" in PAGE
    assert f"those of gpt4o by {told('binary-gpt4', 'binary-gpt4o')}" in PAGE


def test_details() -> None:
    chances = table("Dawid and Skene's chances")[-1]
    assert f"a chance of {percent(chances['chance'])}" in PAGE
    assert f"people give it in {percent(chances['share'])} of the cases" in PAGE
    lowest = min(float(row["lowest"]) for row in table("Means of runs less those under people"))
    assert f"means are off by up to {-lowest:.2f}".replace("0.", ".") in PAGE
    biases = {(r["judge_b"], r["topic"]): float(r["bias"]) for r in table("Topics with the")}
    assert round(biases["umbrela-gpt4", "1112341"], 1) == -1.5
    assert round(biases["exam-graded-gpt4", "1112341"], 1) == -1.5
    assert round(biases["umbrela-gpt4", "573724"], 1) == 1.0
    shares = table("Shares of umbrela-gpt4's grades")
    assert float(shares[3]["umbrela 3"]) == pytest.approx(1 / 3, abs=0.02)
    assert float(shares[3]["umbrela 0"]) == pytest.approx(1 / 5, abs=0.02)
    assert 1 - float(shares[0]["umbrela 0"]) == pytest.approx(1 / 3, abs=0.02)


def load_benchmark() -> Any:
    place = ROOT / "benchmarks" / "judges.py"
    spec = importlib.util.spec_from_file_location("judges_benchmark", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("part", ["effect", "combined", "circles", "details"])
def test_the_benchmark_still_prints_this(
    real_data: Path, part: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("GRADEWISE_DATA", str(real_data))
    monkeypatch.setattr("sys.argv", ["judges.py", "--part", part])
    load_benchmark().main()
    printed = capsys.readouterr().out.split("\n\n")[1:]
    assert printed
    for block in printed:
        lines = [line for line in block.splitlines() if not line.startswith("(")]
        assert "\n".join(lines) in KEPT
