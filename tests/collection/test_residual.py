"""Residual collections: the same as removing the documents by hand before anything else."""

import random
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise.errors import InputError

MEASURES = ["AP", "nDCG@5", "P@3", "Bpref", "Judged@5", "NumRet", "NumRel", "GAP", "ADM", "RR"]
Grades = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


def draw(rng: random.Random) -> tuple[Grades, Grades, Ranked]:
    """Draw judgments, earlier ones, partly of other topics and documents, and a run with ties."""
    documents = [f"d{number}" for number in range(25)]

    def judged(topics: range) -> Grades:
        return {
            str(t): {
                d: rng.choice([-1, 0, 1, 2]) for d in rng.sample(documents, rng.randint(1, 20))
            }
            for t in topics
        }

    run = {
        str(t): {d: rng.randint(1, 9) / 4 for d in rng.sample(documents, rng.randint(1, 25))}
        for t in range(1, 13)
    }
    return judged(range(1, 11)), judged(range(4, 15)), run


def without(rows: dict, earlier: Grades) -> dict:  # type: ignore[type-arg]
    """Remove documents topic by topic, and topics of which nothing is left."""
    left = {
        topic: {d: number for d, number in documents.items() if d not in earlier.get(topic, {})}
        for topic, documents in rows.items()
    }
    return {topic: documents for topic, documents in left.items() if documents}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", [{}, {"ties": "input"}, {"judged_only": True}])
def test_equals_removal_by_hand(seed: int, options: dict[str, bool]) -> None:
    qrels, earlier, run = draw(random.Random(seed))
    found = gw.evaluate(qrels, {"r": run}, MEASURES, residual=earlier, **options)
    by_hand = gw.evaluate(
        without(qrels, earlier), {"r": without(run, earlier)}, MEASURES, **options
    )
    assert found.topics == by_hand.topics
    np.testing.assert_allclose(found.values, by_hand.values, rtol=0, atol=1e-12)


def test_depth_counts_what_is_left() -> None:
    qrels, earlier, run = draw(random.Random(3))
    found = gw.evaluate(qrels, run, ["AP", "NumRet"], residual=earlier, depth=4)
    by_hand = gw.evaluate(without(qrels, earlier), without(run, earlier), ["AP", "NumRet"], depth=4)
    np.testing.assert_allclose(found.values, by_hand.values, rtol=0, atol=1e-12)


def test_a_worked_example() -> None:
    qrels = {"1": {"old": 2, "a": 1, "b": 0}}
    run = {"1": {"old": 9.0, "seen": 8.0, "b": 7.0, "a": 6.0}}
    scores = gw.evaluate(qrels, run, ["AP", "NumRet"], residual={"1": {"old": 2, "seen": 0}})
    assert scores.summary().tolist() == [[0.5, 2.0]]


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing is left to score"):
        gw.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "AP", residual={"1": {"a": 0}})


def test_the_command_drops_judged_documents(run: Call, tmp_path: Path) -> None:
    for name, text in {
        "qrels": "1 0 old 2\n1 0 a 1\n1 0 b 0\n",
        "round1": "1 0 old 2\n1 0 seen 0\n",
        "run": "1 Q0 old 1 9 x\n1 Q0 seen 2 8 x\n1 Q0 b 3 7 x\n1 Q0 a 4 6 x\n",
    }.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in ("qrels", "run")]
    out = run("eval", *paths, "-m", "AP", "--drop-judged", str(tmp_path / "round1"))
    assert "0.5000" in str(out)
