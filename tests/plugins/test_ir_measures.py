"""gradewise's measures inside ir_measures: values, names, inputs, and nothing replaced."""

import pickle
from collections.abc import Iterator
from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, ERR, Metric, Qrel, ScoredDoc, SetF, nDCG

import gradewise as gw
from gradewise.plugins import ir_measures as plugin
from gradewise.plugins.ir_measures import GAP, Q, joined, provider, wrap
from measures.complete import COMPLETE
from parity.material import random_collection

REGISTERED = {name: id(ir_measures.measures.registry[name]) for name in ("AP", "nDCG", "P", "ERR")}
# With g = [.5,.5], K is .5 for each pair with a document of grade 1, and 1 otherwise.
# Topic 1 is 2, 0, 1: (1 + (.5 + .5)/3) / (.5 + 1). Topic 2 is 0, 1: (.5/2) / .5.
QRELS = {"1": {"a": 2, "b": 1}, "2": {"a": 1}}
RUN = {"1": {"a": 3.0, "z": 2.0, "b": 1.0}, "2": {"z": 2.0, "a": 1.0}}
BY_HAND = {"1": (4 / 3) / 1.5, "2": 0.5}
HALVES = GAP(g=[0.5, 0.5])


def values(measures: list[Any], qrels: Any, run: Any) -> dict[Any, dict[Any, float]]:
    found: dict[Any, dict[Any, float]] = {}
    for metric in ir_measures.iter_calc(measures, qrels, run):
        found.setdefault(metric.measure, {})[metric.query_id] = metric.value
    return found


def test_ours_stands_beside_theirs() -> None:
    found = ir_measures.calc_aggregate([HALVES, nDCG @ 10], QRELS, RUN)
    assert found[HALVES] == pytest.approx(sum(BY_HAND.values()) / 2, abs=1e-15)
    assert found[nDCG @ 10] == ir_measures.calc_aggregate([nDCG @ 10], QRELS, RUN)[nDCG @ 10]
    assert values([HALVES], QRELS, RUN)[HALVES] == pytest.approx(BY_HAND, abs=1e-15)


def test_nothing_of_ir_measures_is_replaced() -> None:
    names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
    assert "gradewise" not in names
    assert names[0] == "runtime"
    for name, identity in REGISTERED.items():
        assert id(ir_measures.measures.registry[name]) == identity
    assert ir_measures.parse_measure("AP(rel=2)@10") == AP(rel=2) @ 10
    assert not isinstance(ir_measures.parse_measure("AP"), plugin.GradewiseMeasure)


@pytest.mark.parametrize("text", COMPLETE)
def test_printed_names_are_read_again_by_both(text: str) -> None:
    ours = wrap(text)
    assert ir_measures.parse_measure(str(ours)) == ours
    assert gw.parse_measure(ours) == gw.parse_measure(text)
    assert gw.parse_measure(str(ours).removeprefix("gw_")) == gw.parse_measure(text)
    assert pickle.loads(pickle.dumps(ours)) == ours


def test_every_measure_has_its_own_values_there() -> None:
    qrels, run = random_collection(1, topics=20)
    rows = [Qrel(t, d, g, str(g % 2)) for t, grades in qrels.items() for d, g in grades.items()]
    scored = [ScoredDoc(t, d, s) for t, scores in run.items() for d, s in scores.items()]
    judgments = pd.DataFrame(rows).rename(columns={"iteration": "intent"})
    scores = gw.evaluate(judgments, {"run": run}, COMPLETE)
    found = values([wrap(text) for text in COMPLETE], rows, scored)
    sums = ir_measures.calc_aggregate([wrap(text) for text in COMPLETE], rows, scored)
    for place, text in enumerate(COMPLETE):
        expected = dict(zip(scores.topics, scores.values[0, :, place].tolist(), strict=True))
        assert found[wrap(text)] == pytest.approx(expected, abs=0, nan_ok=True), text
        assert sums[wrap(text)] == pytest.approx(scores.summary()[0, place], abs=1e-12), text


def as_rows(table: dict[str, dict[str, Any]], kind: type) -> Iterator[Any]:
    return (kind(t, d, value) for t, inner in table.items() for d, value in inner.items())


@pytest.mark.parametrize("form", ["dict", "tuples", "frame"])
def test_inputs_of_any_form(form: str) -> None:
    qrels: Any = QRELS
    run: Any = RUN
    if form != "dict":
        qrels, run = as_rows(QRELS, Qrel), as_rows(RUN, ScoredDoc)
    if form == "frame":
        qrels, run = pd.DataFrame(qrels), pd.DataFrame(run)
    assert values([HALVES], qrels, run)[HALVES] == pytest.approx(BY_HAND, abs=1e-15)


def test_ids_come_back_as_they_were() -> None:
    qrels = {1: {"a": 2, "b": 1}, 2: {"a": 1}}
    run = {1: RUN["1"], 2: RUN["2"]}
    expected = {1: BY_HAND["1"], 2: BY_HAND["2"]}
    assert values([HALVES], qrels, run)[HALVES] == pytest.approx(expected, abs=1e-15)


def test_missed_topics_count_and_strangers_do_not() -> None:
    run = {"1": RUN["1"], "9": {"a": 1.0}}
    assert values([HALVES], QRELS, run)[HALVES] == pytest.approx({**BY_HAND, "2": 0.0}, abs=1e-15)


def test_a_run_may_be_empty() -> None:
    nothing = pd.DataFrame([], columns=["query_id", "doc_id", "score"])
    ours = [HALVES, plugin.gw_NumRel, plugin.ADM]
    found = values(ours, QRELS, nothing)
    assert found[HALVES] == {"1": 0.0, "2": 0.0}
    assert found[plugin.gw_NumRel] == {"1": 2.0, "2": 1.0}
    judged = gw.evaluate(QRELS, {"run": {"9": {"a": 1.0}}}, "ADM").values[0, :, 0].tolist()
    assert found[plugin.ADM] == dict(zip(("1", "2"), judged, strict=True))


@pytest.mark.skipif(
    ir_measures.__version__.startswith("0.3."), reason="ir_measures 0.3 fails without judgments"
)
def test_no_judgments_give_no_value() -> None:
    assert values([HALVES], {}, RUN) == {}


@pytest.mark.parametrize("g", [[0.5, 0.5], {1: 0.5, 2: 0.5}])
def test_a_batch_may_lack_a_grade(g: Any) -> None:
    alone = values([GAP(g=g)], {"2": QRELS["2"]}, {"2": RUN["2"]})[GAP(g=g)]
    assert alone == pytest.approx({"2": BY_HAND["2"]}, abs=1e-15)
    top = values([GAP(g=g)], {"1": {"a": 2}}, {"1": {"z": 2.0, "a": 1.0}})[GAP(g=g)]
    assert top == {"1": 0.5}


def test_a_list_that_does_not_fit_is_refused() -> None:
    with pytest.raises(gw.MeasureError, match="give one number for each, or a dict"):
        values([GAP(g=[0.5, 0.5])], {"1": {"a": 3}}, {"1": {"a": 1.0}})


def test_intents_are_those_of_the_iteration() -> None:
    qrels = [Qrel("1", "a", 1, "x"), Qrel("1", "b", 1, "y"), Qrel("1", "a", 0, "y")]
    run = [ScoredDoc("1", "a", 2.0), ScoredDoc("1", "c", 1.0)]
    measure = wrap("nDCG_IA@1")
    # The first document is the best for intent x and worth nothing for y.
    assert values([measure], qrels, run)[measure] == {"1": 0.5}


def test_wrong_parameters_are_told_at_once() -> None:
    with pytest.raises(gw.MeasureError, match="has no parameter 'h'"):
        GAP(h=1)
    with pytest.raises(gw.MeasureError, match="must sum to 1"):
        GAP(g=[0.5, 0.6])
    with pytest.raises(gw.MeasureError, match="needs a cutoff"):
        ir_measures.calc_aggregate([plugin.gw_P], QRELS, RUN)
    with pytest.raises(AttributeError, match="ir_measures has nDCG itself"):
        _ = plugin.nDCG


def test_runs_are_joined_once_for_all_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counting(*given: Any, **options: Any) -> gw.Judged:
        calls.append(given)
        return gw.judge(*given, **options)

    monkeypatch.setattr(joined, "judge", counting)
    ir_measures.calc_aggregate([HALVES, Q, plugin.eGAP, wrap("AP")], QRELS, RUN)
    assert len(calls) == 1


def test_the_provider_computes_everything_at_once() -> None:
    asked = [HALVES, nDCG @ 10, AP(rel=2), ERR @ 10, SetF(beta=4.0)]
    found = provider.calc_aggregate(asked, QRELS, RUN)
    theirs = ir_measures.calc_aggregate(asked, QRELS, RUN)
    assert found == pytest.approx(theirs, abs=0.000005000001)  # the digits of gdeval
    assert ir_measures.providers.registry["gradewise"] is provider
    assert all(isinstance(m, Metric) for m in provider.iter_calc(asked, QRELS, RUN))


def test_frames_may_change_between_calls() -> None:
    frame = pd.DataFrame(as_rows(RUN, ScoredDoc))
    for evaluator in (provider.evaluator([HALVES], QRELS), ir_measures.evaluator([HALVES], QRELS)):
        before = evaluator.calc_aggregate(frame)[HALVES]
        frame["score"] = -frame["score"]
        assert evaluator.calc_aggregate(frame)[HALVES] != before
        frame["score"] = -frame["score"]
        assert evaluator.calc_aggregate(frame)[HALVES] == before


def test_the_provider_knows_what_it_cannot_do() -> None:
    own = ir_measures.define_byquery(lambda qrels, run: 1.0, name="mine")
    assert not provider.supports(own)
    with pytest.raises(gw.MeasureError, match="a function of yours"):
        gw.evaluate(QRELS, RUN, [own])


def test_measures_of_ir_measures_are_taken_by_gradewise() -> None:
    scores = gw.evaluate(QRELS, RUN, [nDCG @ 10, HALVES, ERR @ 10])
    assert [str(each) for each in scores.measures] == [
        "nDCG@10",
        "GAP(g=[0.5,0.5])",
        "ERR(max_grade=4)@10",
    ]
    assert float(gw.evaluate(QRELS, RUN, AP)) == pytest.approx(
        ir_measures.calc_aggregate([AP], QRELS, RUN)[AP]
    )
    with pytest.raises(gw.MeasureError, match="is not a measure"):
        gw.evaluate(QRELS, RUN, [3.5])  # type: ignore[list-item]
