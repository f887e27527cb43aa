"""gradewise judges and judge-page: every view, what is printed, and what is refused."""

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call
from gradewise.cli.judge_views import VIEWS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments of people, of people on half of the topics, of two models, and six runs."""
    place = tmp_path_factory.mktemp("judges")
    sample = gw.simulate.collection(topics=14, runs=6, depth=30, relevant=10, seed=3)
    people = sample.qrels.to_dict()
    rng = random.Random(0)
    model = {
        t: {d: g if rng.random() < 0.8 else rng.randrange(3) for d, g in held.items()}
        for t, held in people.items()
    }
    binary = {t: {d: int(g == 2) for d, g in held.items()} for t, held in model.items()}
    half = {t: people[t] for t in list(people)[:7]}
    for name, labels in {"people": people, "half": half, "model": model, "binary": binary}.items():
        gw.write_qrels(gw.read_qrels(labels), place / f"{name}.txt")
    (place / "runs").mkdir()
    for name, run in sample.runs.items():
        gw.write_run(run, place / "runs" / f"{name}.txt")
    return place


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_agreement_is_printed_with_intervals(run: Call, folder: Path) -> None:
    done = run("judges", folder / "people.txt", f"gpt={folder / 'model.txt'}", "--replicates", 50)
    assert done.code == 0
    head, first, last = done.out.splitlines()
    assert head.split() == [
        "judge_a", "judge_b", "documents", "kappa", "kappa_quadratic", "alpha", "ac2", "overlap",
    ]  # fmt: skip
    assert first.split()[:2] == ["people", "gpt"]
    panel = gw.meta.judges({"people": folder / "people.txt", "gpt": folder / "model.txt"})
    found = gw.meta.judge_agreement(panel, replicates=50)
    kappa = found.frame.filter(statistic="kappa").row(0, named=True)
    assert f"{kappa['value']:.3f} [{kappa['low']:.3f}, {kappa['high']:.3f}]" in first
    assert last.split()[:2] == ["all", "all"]
    done = run(
        "judges", folder / "people.txt", folder / "model.txt", "-f", "csv", "--replicates", 50
    )
    assert float(rows_of(done.out)[1]["value"]) == pytest.approx(kappa["value"])


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_prints_a_frame(run: Call, folder: Path, view: str) -> None:
    arguments: list[Any] = [
        "judges",
        f"people={folder / ('half.txt' if view in ('powered', 'intervals') else 'people.txt')}",
        folder / "model.txt",
        f"two={folder / 'binary.txt'}",
        *["--show", view, "-f", "csv", "--replicates", 20, "-m", "RBP,P@10", "--model", "model"],
    ]
    if VIEWS[view].runs:  # type: ignore[index]
        arguments += ["--runs", *sorted((folder / "runs").iterdir())]
    if view == "circularity":
        arguments += ["--family", "run1", "--family", "run2"]
    done = run(*arguments)
    assert done.code == 0, done.err
    rows = rows_of(done.out)
    assert rows
    if view == "circularity":  # of the families that were named, not of every other run
        assert {row["family"] for row in rows} == {"run1", "run2"}


def test_runs_end_at_the_next_option(run: Call, folder: Path) -> None:
    runs = sorted((folder / "runs").iterdir())
    for given in ([*runs], [folder / "runs"], [f"{folder}/runs/*.txt"]):
        done = run(
            *["judges", folder / "people.txt", "--runs", *given, "-m", "AP", "--show", "effect"],
            *["-f", "csv", folder / "model.txt", "--replicates", 20],
        )
        (row,) = rows_of(done.out)
        assert row["judge"] == "model"
        assert row["pairs"] == "15"


def test_maps_and_reference(run: Call, folder: Path) -> None:
    files = [f"people={folder / 'people.txt'}", f"two={folder / 'binary.txt'}"]
    done = run("judges", *files, "--map", "two:0=0,1=2", "--show", "bias", "-f", "csv")
    assert "grades of two: 0 as 0, 1 as 2, by the map that was given" in done.err
    done = run("judges", *files, "--reference", "two", "--show", "confusion", "-f", "csv")
    assert {row["judge_a"] for row in rows_of(done.out)} == {"two"}
    done = run("judges", *files, "--map", "people:0=0,1=0,2=1", "--map", "two:same")
    assert done.code == 0


def test_next_and_the_page_to_judge_in(run: Call, folder: Path, tmp_path: Path) -> None:
    files = [f"people={folder / 'half.txt'}", folder / "model.txt", "--runs", folder / "runs"]
    listed, page = tmp_path / "list.txt", tmp_path / "judge.html"
    done = run("judges", *files, "-m", "nDCG@10", "--next", 7, "-o", listed, "--quiet")
    assert done.code == 0, done.err
    lines = listed.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    assert all(line.split()[1] == "0" and len(line.split()) == 3 for line in lines)
    judged = gw.read_qrels(folder / "half.txt").to_dict()
    for topic, _, document in map(str.split, lines):
        assert document not in judged.get(topic, {})  # people have judged it already
    done = run("judges", *files, "-m", "nDCG@10", "--next", 7, "-f", "json", "--aim", "order")
    assert len(json.loads(done.out)) == 7
    topics = {line.split()[0] for line in lines}
    (tmp_path / "topics.tsv").write_text(
        "".join(f"{t}\ttext of {t}\n" for t in topics), encoding="utf-8"
    )
    (tmp_path / "docs.jsonl").write_text('{"id": "x", "text": "y"}\n', encoding="utf-8")
    done = run(
        *["judge-page", listed, "--queries", tmp_path / "topics.tsv", "--docs"],
        *[tmp_path / "docs.jsonl", "-o", page, "--title", "Seven"],
        *["--grade", "0=No", "--grade", "1=Yes: It helps."],
    )
    assert done.code == 0, done.err
    assert "7 documents have no text" in done.err
    assert "with 7 documents to judge" in done.err
    content = page.read_text(encoding="utf-8")
    assert "<h1>Seven</h1>" in content
    data = json.loads(content.partition('id="data">')[2].partition("</script>")[0])
    assert data["grades"] == [
        {"grade": 0, "name": "No", "meaning": ""},
        {"grade": 1, "name": "Yes", "meaning": "It helps."},
    ]
    assert [item["document"] for item in data["items"]] == [line.split()[2] for line in lines]


def test_figures(run: Call, folder: Path, tmp_path: Path) -> None:
    files = [folder / "people.txt", folder / "model.txt", "--replicates", 10]
    for view in ("agreement", "bias"):
        done = run("judges", *files, "--show", view, "--figure", tmp_path / f"{view}.svg")
        assert done.code == 0, done.err
        assert (tmp_path / f"{view}.svg").read_bytes().startswith(b"<svg")
    with_runs = [*files, "--runs", folder / "runs", "-m", "AP,nDCG"]
    for view in ("effect", "measures", "coverage"):
        done = run("judges", *with_runs, "--show", view, "--figure", tmp_path / f"{view}.svg")
        assert done.code == 0, done.err
        assert (tmp_path / f"{view}.svg").exists()
    done = run("judges", *files, "--show", "documents", "--figure", tmp_path / "none.svg")
    assert done.code == 1
    assert "--show documents has no figure" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--show", "effect"], "--show effect needs runs; name them with --runs"),
        (["--next", "5"], "--next needs runs"),
        (["-f", "pool"], "the format pool requires --next"),
        (["--map", "model:1"], "--map model:1: expected NAME:0=0,1=2"),
        (["--map", "modal:fit"], "maps: no judge is named 'modal'; did you mean model?"),
        (["--reference", "peple"], "reference: no judge is named 'peple'; did you mean people?"),
        (["--truth", "nobody", "--show", "labels"], "there is no judge 'nobody'"),
    ],
)
def test_wrong_options_are_explained(
    run: Call, folder: Path, arguments: list[str], message: str
) -> None:
    done = run("judges", folder / "people.txt", folder / "model.txt", *arguments)
    assert done.code == 1
    assert message in done.err


def test_more_wrong_options(run: Call, folder: Path) -> None:
    people, model = folder / "people.txt", folder / "model.txt"
    done = run("judges", people, f"people={model}")
    assert "two judges are named 'people'" in done.err
    done = run("judges", people)
    assert "1 judge given" in done.err
    many = [people, model, folder / "binary.txt", "--runs", folder / "runs"]
    assert "which judge is the model?" in run("judges", *many, "--show", "powered").err
    done = run("judges", *many, "--show", "circularity")
    assert "needs families of runs" in done.err
    done = run("judges", *many, "--show", "circularity", "--family", "x")
    assert "--family x: no run's name starts with x" in done.err
    page = ["judge-page", people, "--queries", people, "--docs", people]
    assert "expected topic and document" in run(*page).err
    assert "--grade 1: expected GRADE=NAME" in run(*page, "--grade", "1").err
    assert "grade 1 is given twice" in run(*page, "--grade", "1=a", "--grade", "1=b").err
