"""Commands on click logs as a user meets them."""

import json
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from command import Call, Done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments, two runs and a log."""
    folder = tmp_path_factory.mktemp("clicks")
    made = gw.simulate.collection(topics=20, runs=2, depth=10, relevant=15, seed=4)
    gw.write_qrels(made.qrels, folder / "qrels.txt")
    for name, each in made.runs.items():
        gw.write_run(each, folder / f"{name}.txt")
    log = gw.simulate.clicks(made.qrels, made.runs["run1"], 3000, g=[0.6, 0.4], seed=1)
    log.frame.write_csv(folder / "clicks.csv")
    log = gw.simulate.clicks(made.qrels, made.runs["run1"], 3000, shuffle="swap", seed=1)
    log.frame.write_csv(folder / "swapped.csv")
    return folder


def records(done: Done) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    return list(json.loads(done.out))


def test_click_model(run: Call, folder: Path) -> None:
    qrels = folder / "grades.txt"
    done = run("click-model", folder / "clicks.csv", "-f", "json", "--qrels", qrels,
               "--grades", "0.1,0.4")  # fmt: skip
    found = records(done)
    assert [row["rank"] for row in found] == list(range(1, 11))
    assert found[0]["examination"] == 1
    assert set(found[0]) == {"rank", "shown", "clicks", "rate", "examination", "perplexity"}
    assert "held-out sessions: log-likelihood -" in done.err
    assert gw.read_qrels(qrels).scale.tolist() == [1, 2]
    found = records(run("click-model", folder / "clicks.csv", "--model", "bayesian", "--held-out",
                        0, "--documents", "-f", "json"))  # fmt: skip
    assert {"topic", "doc", "relevance", "satisfaction"} < set(found[0])


def test_a_model_that_does_not_converge_is_noted(run: Call, folder: Path) -> None:
    done = run("click-model", folder / "swapped.csv", "--iterations", 1)
    assert "did not converge in 1 iterations" in done.err


def test_thresholds(run: Call, folder: Path) -> None:
    done = run("thresholds", folder / "qrels.txt", folder / "clicks.csv", "-f", "json",
               "--replicates", 20, "--seed", 1)  # fmt: skip
    expected = gw.clicks.thresholds(
        folder / "qrels.txt", folder / "clicks.csv", replicates=20, seed=1
    )
    assert records(done) == expected.frame.to_dicts()
    assert f"measure: {expected.measure}" in done.err


def test_propensities(run: Call, folder: Path) -> None:
    done = run("simulate-clicks", folder / "qrels.txt", folder / "run1.txt",
               folder / "swapped.parquet", "--sessions", 2000, "--shuffle", "swap")  # fmt: skip
    assert done.err == f"gradewise: wrote {gw.read_clicks(folder / 'swapped.parquet')}\n"
    found = records(run("propensities", folder / "swapped.parquet", "-f", "json",
                        "--replicates", 10))  # fmt: skip
    assert found[0]["propensity"] == 1
    refused = run("propensities", folder / "clicks.csv")
    assert refused.code == 1
    assert "no document was shown at two ranks" in refused.err


def test_counterfactual(run: Call, folder: Path) -> None:
    paths = [folder / "swapped.csv", folder / "run1.txt", folder / "run2.txt"]
    options = ["-m", "DCG@10,P@5", "--replicates", 20, "-f", "json"]
    found = records(run("counterfactual", *paths, *options))
    assert [(row["run"], row["measure"]) for row in found] == [
        ("run1", "DCG@10"), ("run1", "P@5"), ("run2", "DCG@10"), ("run2", "P@5"),
    ]  # fmt: skip
    assert found[0]["coverage"] == 1
    assert len(records(run("counterfactual", *paths, *options, "--pairs"))) == 2
    refused = run("counterfactual", *paths, "-m", "AP")
    assert refused.code == 1
    assert "AP is not additive" in refused.err
    refused = run("counterfactual", folder / "clicks.csv", *paths[1:])
    assert (
        "the examination of ranks cannot be estimated from the log; set examination" in refused.err
    )


def test_interleaving(run: Call, folder: Path) -> None:
    lists = folder / "lists.csv"
    assert run("interleave", folder / "run1.txt", folder / "run2.txt", "-o", lists).code == 0
    assert lists.read_text().startswith("topic,draw,rank,doc,team\n")
    log = folder / "teams.csv"
    lines = ["session,topic,doc,rank,click,team"]
    for session in range(6):
        lines += [f"{session},q{session},a,1,1,new", f"{session},q{session},b,2,0,old"]
    log.write_text("\n".join(lines) + "\n")
    (row,) = records(run("compare-teams", log, "-f", "json"))
    assert (row["team"], row["wins"], row["p_sessions"]) == ("new", 6, 2 * 0.5**6)


def test_a_log_that_cannot_be_read(run: Call, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("session,topic,doc,rank,click\ns,q,d,1,2\n")
    done = run("click-model", tmp_path / "log.csv")
    assert (done.code, done.err) == (
        1, f"gradewise: {tmp_path}/log.csv:2: the click must be 0 or 1, not 2: s,q,d,1,2\n"
    )  # fmt: skip
