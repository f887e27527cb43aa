"""Judgments by intent, sampled pools and preferences: what each part takes, and what it refuses."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from command import caller
from gradewise.errors import GradewiseError, MeasureError

RUNS = {
    "one": {"1": {"a": 4.0, "b": 3.0, "c": 2.0}, "2": {"a": 3.0, "c": 2.0}},
    "two": {"1": {"c": 4.0, "a": 3.0, "x": 2.0}, "2": {"b": 3.0, "a": 2.0}},
}
INTENTS = b"1 1 a 1\n1 2 a 2\n1 2 b 0\n1 1 c 1\n2 1 a 1\n2 2 b 2\n"
STRATA = b"1 0 a 1 2\n1 0 b 1 0\n1 0 c 2 1\n1 0 d 2 -1\n2 0 a 1 1\n2 0 b 2 0\n2 0 c 2 -1\n"
CHANCES = b"1 a 2 1 0.5\n1 b 0 1 0.25\n1 c 1 0 1\n2 a 1 1 0.5\n2 b 0 1 1\n"
PAIRS = b"1 a b -1\n1 b c -1\n2 a b 1\n"

Judge = Callable[[], gw.Qrels]
KINDS: dict[str, tuple[Judge, str]] = {  # how judgments are read, and a measure that uses them
    "intents": (lambda: gw.read_qrels(io.BytesIO(INTENTS)), "alpha_nDCG@3"),
    "strata": (lambda: gw.read_qrels(io.BytesIO(STRATA)), "infNDCG"),
    "probabilities": (lambda: gw.read_qrels(io.BytesIO(CHANCES)), "statAP"),
    "preferences": (lambda: gw.read_preferences(io.BytesIO(PAIRS)), "ppref"),
}


def _tune(qrels: gw.Qrels, measure: str) -> Any:
    return gw.fusion.tune(qrels, RUNS, measure, folds=2, trials=5)


def _learn(qrels: gw.Qrels, measure: str) -> Any:
    return gw.learn.objective(measure)


def _lists(study: Callable[..., Any], **options: Any) -> Callable[[gw.Qrels, str], Any]:
    return lambda qrels, measure: study(gw.judge(qrels, RUNS), [measure], **options)


def _one_list(study: Callable[..., Any]) -> Callable[[gw.Qrels, str], Any]:
    return lambda qrels, measure: study(gw.judge(qrels, RUNS).list_of("one", "1"), [measure])


def _noise(qrels: gw.Qrels, measure: str) -> Any:
    judged = gw.judge(qrels, RUNS)
    return gw.meta.judgment_noise(judged, measure, flips={1: {0: 0.1}}, replicates=2)


def _correlate(qrels: gw.Qrels, measure: str) -> Any:
    return gw.meta.correlation(gw.judge(qrels, RUNS), [measure, "NumRet"], replicates=3)


ROOMS: dict[str, Callable[[gw.Qrels, str], Any]] = {
    "evaluate": lambda qrels, measure: gw.evaluate(qrels, RUNS, measure),
    "correlation": _correlate,
    "discrimination": _lists(gw.meta.discrimination, replicates=5),
    "pool bias": _lists(gw.meta.pool_bias),
    "report": lambda qrels, measure: gw.report.make_report(qrels, RUNS, measure),
    "tuning": _tune,
    "incompleteness": _lists(gw.meta.incompleteness, replicates=1),
    "informativeness": _lists(gw.meta.informativeness, least=1, least_top=0),
    "flips": _lists(gw.meta.flips),
    "sensitivity": _one_list(gw.meta.sensitivity),
    "derivatives": _one_list(gw.meta.derivatives),
    "judgment noise": _noise,
    "distance": lambda qrels, measure: gw.distance.med(RUNS["one"], RUNS["two"], qrels, measure),
    "matrix": lambda qrels, measure: gw.distance.med_matrix(RUNS, qrels, measure),
    "judge next": lambda qrels, measure: gw.distance.judge_next(RUNS, qrels, measure),
    "objective": _learn,
}
FAMILY = "is not in the pivot or gain-discount family"
# Why a part refuses a kind of judgments and its measure; where nothing is said, it takes them.
REFUSED = {
    "report": {"preferences": "a report is about grades"},
    "incompleteness": {
        "strata": "the pool was sampled already",
        "probabilities": "the pool was sampled already",
        "preferences": "removes documents grade by grade",
    },
    "informativeness": {
        "intents": FAMILY,
        "strata": FAMILY,
        "probabilities": FAMILY,
        "preferences": "informativeness infers grades",
    },
    "judgment noise": {
        "intents": "needs judgments by intent; judgment noise changes a single grade",
        "preferences": "are preferences between documents; judgment noise changes a single grade",
    },
}
for room, reason in (
    ("flips", "flips exchange documents that have a single grade"),
    ("sensitivity", "sensitivity changes a single grade per document"),
    ("distance", "distances assume a single grade per document"),
    ("matrix", "distances assume a single grade per document"),
    ("judge next", "distances assume a single grade per document"),
):
    REFUSED[room] = {
        "intents": f"needs judgments by intent; {reason}",
        "strata": f"infNDCG estimates from a sampled pool; {reason}",
        "probabilities": f"statAP estimates from a sampled pool; {reason}",
        "preferences": f"the judgments are preferences between documents; {reason}",
    }
REFUSED["derivatives"] = dict.fromkeys(KINDS, "is not a function of gains")
REFUSED["objective"] = dict.fromkeys(KINDS, "cannot be an objective")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("room", ROOMS)
def test_a_part_takes_a_kind_of_judgments_or_says_why_not(room: str, kind: str) -> None:
    read, measure = KINDS[kind]
    reason = REFUSED.get(room, {}).get(kind)
    if reason is None:
        assert ROOMS[room](read(), measure) is not None
        return
    with pytest.raises(GradewiseError) as error:
        ROOMS[room](read(), measure)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "infNDCG", "Bpref", "Compat", "NumRel"])
def test_preferences_are_not_taken_for_grades(measure: str) -> None:
    with pytest.raises(MeasureError, match="needs grades, and these judgments are preferences"):
        gw.evaluate(KINDS["preferences"][0](), RUNS, measure)


def test_counts_of_documents_need_no_grades() -> None:
    names = ["NumQ", "NumRet", "Judged@2", "Unjudged@2"]
    scores = gw.evaluate(KINDS["preferences"][0](), RUNS["two"], names)
    np.testing.assert_array_equal(scores.summary(), [[2, 5, 1.0, 0.0]])


def test_the_command_scores_preferences_without_naming_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.txt").write_bytes(PAIRS)
    (tmp_path / "run.txt").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 a 1 1 r\n")
    done = caller(monkeypatch)(
        "eval", tmp_path / "pairs.txt", tmp_path / "run.txt", "--preferences"
    )
    assert done.out.split()[:5] == ["run", "ppref", "rpref", "nwpref", "APpref"]


def test_distances_leave_open_what_was_not_drawn() -> None:
    """Document c is in the pool of topic 2 and was not judged, as if it were not in the qrels."""
    drawn = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "b": 0}}
    for measure in ("AP", "nDCG@2"):
        sampled = gw.distance.med(*RUNS.values(), KINDS["strata"][0](), measure)
        plain = gw.distance.med(*RUNS.values(), drawn, measure)
        assert sampled.frame.equals(plain.frame)


def test_trec_eval_refuses_documents_judged_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """trec_eval 10: `form_res_rels: duplicate docs a`; what the second column says is ignored."""
    command = caller(monkeypatch)
    (tmp_path / "run.txt").write_text("1 Q0 a 1 2 r\n2 Q0 a 1 1 r\n")
    (tmp_path / "qrels.txt").write_bytes(INTENTS)
    done = command("trec-eval", tmp_path / "qrels.txt", tmp_path / "run.txt")
    assert done.code == 2
    assert "documents are judged more than once, for different intents" in done.err
    (tmp_path / "qrels.txt").write_bytes(b"1 1 a 1\n1 2 b 0\n2 1 a 1\n")
    assert command("trec-eval", tmp_path / "qrels.txt", tmp_path / "run.txt").code == 0
