"""Names of measures that ir_measures accepts: what gradewise makes of each, and their values."""

import re
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import INST, RBP, Qrel, ScoredDoc

import gradewise as gw
from parity.material import random_collection

PAGE = Path(__file__).parents[2] / "docs" / "start" / "from" / "ir_measures.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("\n## Names\n")[2]
ROWS = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| ([^|]*?) ?\|$", SECTION, re.MULTILINE)


def test_the_table_has_every_name() -> None:
    names = {re.match(r"\w+", theirs)[0] for theirs, _, _ in ROWS}  # type: ignore[index]
    known = {
        name
        for name, measure in ir_measures.measures.registry.items()
        if not type(measure).__module__.startswith("gradewise")
    }
    assert names == known


@pytest.mark.parametrize(("theirs", "ours", "why"), ROWS)
def test_names_of_ir_measures_are_understood(theirs: str, ours: str, why: str) -> None:
    expected = gw.parse_measure(ours)
    assert str(expected) == ours
    assert gw.parse_measure(ir_measures.parse_measure(theirs)) == expected
    assert (gw.parse_measure(theirs) == expected) == (why == "")


@pytest.mark.parametrize(("theirs", "ours", "why"), ROWS)
def test_names_mean_the_same(theirs: str, ours: str, why: str) -> None:
    measure = ir_measures.parse_measure(theirs)
    qrels, run = random_collection(8, topics=60, ties=False)
    # Accuracy divides by zero there unless there is a pair of documents to compare.
    qrels = {t: grades for t, grades in qrels.items() if _top(grades, run[t]) >= {True, False}}
    assert len(qrels) >= 30
    rows = [Qrel(t, d, g, intent) for t, grades in qrels.items() for d, g, intent in _split(grades)]
    scored = [ScoredDoc(t, d, s + 1) for t, scores in run.items() for d, s in scores.items()]
    expected = {m.query_id: m.value for m in ir_measures.iter_calc([measure], rows, scored)}
    judged: dict[str, Any] = {}
    for row in rows:
        intents = judged.setdefault(row.query_id, {})
        intents.setdefault(row.iteration, {})[row.doc_id] = row.relevance
    ranked = {t: {d: s + 1 for d, s in scores.items()} for t, scores in run.items()}
    scores = gw.evaluate(judged, {"run": ranked}, ours)
    found = dict(zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True))
    digits = 0.000005000001 if "gdeval" in why or "exp-log2" in ours else 1e-10
    assert found == pytest.approx(expected, abs=digits)


def _top(grades: dict[str, int], scores: dict[str, float]) -> set[bool]:
    """Return what the judged ones of the first ten documents are, relevant or not."""
    first = sorted(scores, key=lambda document: -scores[document])[:10]
    return {grades[document] > 0 for document in first if document in grades}


def _split(grades: dict[str, int]) -> list[tuple[str, int, str]]:
    """Give each document to one of two intents, so that both have something to find."""
    return [(d, g, str(1 + place % 2)) for place, (d, g) in enumerate(sorted(grades.items()))]


def test_what_cannot_be_translated_is_told() -> None:
    with pytest.raises(gw.MeasureError, match="RBP with rel only"):
        gw.parse_measure(RBP(p=0.5))
    with pytest.raises(gw.MeasureError, match="min_rel must be 0"):
        gw.parse_measure(INST(min_rel=1, max_rel=4))
    with pytest.raises(gw.MeasureError, match="has no parameter"):
        gw.parse_measure("AP(max_rel=4)")
