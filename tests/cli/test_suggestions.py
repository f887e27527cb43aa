"""Whatever name is misspelled, the nearest one is suggested."""

from pathlib import Path

import pytest

import gradewise as gw
from command import Call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = gw.simulate.collection(topics=4, runs=2, depth=20, relevant=8, seed=2)
    folder = tmp_path_factory.mktemp("collection")
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    return folder


QRELS, RUNS = "{}/qrels.txt", ["{}/run1.txt", "{}/run2.txt"]
SCORED = [QRELS, *RUNS]
# What is typed, and what is suggested.
MISTAKES = [
    (["evl"], "did you mean eval?"),
    (["meta", "corelation"], "did you mean correlation"),
    (["eval", *SCORED, "--mesure", "AP"], "--measure"),
    (["eval", *SCORED, "-m", "hitrat@10"], "did you mean HitRate or hit_rate"),
    (["eval", *SCORED, "-m", "RBP(gian=linear)"], "did you mean gains?"),
    (["eval", *SCORED, "-m", "RBP(gains=linaer)"], "did you mean linear?"),
    (["eval", *SCORED, "-m", "@beri"], "did you mean @beir?"),
    (["eval", *SCORED, "-m", "CWL(user=infst)"], "did you mean inst"),
    (["eval", *SCORED, "-m", "nDCG@10", "--sort", "nDCG@20"], "did you mean nDCG@10?"),
    (["eval", *SCORED, "--rename", "run11=BM25"], "did you mean run1"),
    (["eval", *SCORED, "--rename", "nDGC@10=x"], "did you mean nDCG@10"),
    (["eval", *SCORED, "--topics", "1O1,102"], "did you mean 101"),
    (["eval", *SCORED, "--ties", "inptu"], "did you mean input?"),
    (["eval", *SCORED, "--missing", "drp"], "did you mean drop?"),
    (["eval", *SCORED, "-f", "latx"], "did you mean latex?"),
    (["eval", "{}/qrel.txt", *RUNS], "did you mean qrels.txt"),
    (["eval", QRELS, "{}/rn1.txt"], "did you mean run1.txt"),
    (["compare", *SCORED, "-b", "rn1"], "did you mean run1"),
    (["compare", *SCORED, "--test", "wilcoxn"], "did you mean wilcoxon?"),
    (["compare", *SCORED, "--correction", "hom"], "did you mean holm"),
    (["compare", *SCORED, "--interval", "studentised"], "did you mean studentized?"),
    (["compare", *SCORED, "--groups", "tier"], "did you mean tiers?"),
    (["compare", *SCORED, "--figure", "x.pgn"], "did you mean .png?"),
    (["check", *SCORED, "-f", "junti"], "did you mean junit?"),
    (["report", QRELS, "{}/rn1.txt"], "did you mean run1.txt"),
    (["measures", "nDGC"], "did you mean nDCG"),
    (["measures", "@trec-convid"], "did you mean @trec-covid"),
    (["fuse", *RUNS, "--method", "rff", "-o", "x"], "did you mean rrf?"),
    (["fuse", *RUNS, "--normalize", "minmax", "-o", "x"], "did you mean min-max"),
    (["meta", "correlation", *SCORED, "--kind", "taub"], "did you mean tau"),
    (["reproduce", "kishda"], "did you mean kishida?"),
    (["reproduce", "kishida:tabel3"], "did you mean table3"),
    (["train", "x", "-a", "lambdarnak"], "did you mean lambdarank?"),
    (["train", "x", "--booster", "lightgb"], "did you mean lightgbm?"),
    (["crossval", "x", "-a", "sotfrank"], "did you mean softrank?"),
    (["trec-eval", "-m", "mpa", QRELS, "{}/run1.txt"], "did you mean map?"),
]


@pytest.mark.parametrize(("arguments", "suggested"), MISTAKES, ids=str)
def test_the_nearest_name_is_suggested(
    run: Call, folder: Path, arguments: list[str], suggested: str
) -> None:
    done = run(*[argument.replace("{}", str(folder)) for argument in arguments])
    assert done.code in (1, 2)
    assert done.out == ""
    assert suggested in done.err
    assert "Traceback" not in done.err
    assert "Value error" not in done.err


@pytest.mark.parametrize("ending", ["xlsx", "tsv", "pdf"])
def test_formats_that_nothing_writes(run: Call, folder: Path, tmp_path: Path, ending: str) -> None:
    """A name that promises another format is refused before the work, not filled with a table."""
    for command in ("eval", "compare"):
        target = tmp_path / f"x.{ending}"
        done = run(command, folder / "qrels.txt", folder / "run1.txt", "nowhere", "-o", target)
        assert done.code == 1
        assert (
            f"there is no format for .{ending}; known extensions are .csv, .json, .md" in done.err
        )
        assert not target.exists()
    done = run("check", folder / "qrels.txt", "nowhere", "nowhere", "-o", "x.html")
    assert "there is no format for .html; known extensions are .md, .xml, .csv, .json" in done.err


def test_names_of_measures_in_any_spelling_can_be_renamed(run: Call, folder: Path) -> None:
    files = [folder / name for name in ("qrels.txt", "run1.txt", "run2.txt")]
    done = run("eval", *files, "-m", "nDCG@10", "--rename", "ndcg_cut_10=NDCG", "--quiet")
    assert done.out.split()[:2] == ["run", "NDCG"]
    text = run("compare", *files, "-m", "AP", "--rename", "run1=BM25", "-b", "run1", "--quiet").out
    assert "run1" not in text
    assert "differ significantly from BM25" in text
