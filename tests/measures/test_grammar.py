"""Reading and writing the names of measures."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import MeasureError
from gradewise.measures.grammar import parse_measures
from gradewise.measures.registry import PLACES, all_measures
from measures.cases import ORACLES, make_case


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AP", "AP"),
        ("MAP", "AP"),
        ("map", "AP"),
        ("NDCG@10", "nDCG@10"),
        (" nDCG ( ) @ 10 ", "nDCG@10"),
        ("GAP(g=[0.5,0.5])@100", "GAP(g=[0.5,0.5])@100"),
        ("GAP(g=[.5, .5])", "GAP(g=[0.5,0.5])"),
        ("GAP(g=(0.5,0.5))", "GAP(g=[0.5,0.5])"),
        ("GAP(g={2:0.75,1:0.25})", "GAP(g={1:0.25,2:0.75})"),
        ("GAP", "GAP(g='equal')"),
        ("xgap", "xGAP(g='equal')"),
        ("AP(rel=1)", "AP"),
        ("AP(rel=2)@5", "AP(rel=2)@5"),
        ("AP(norm='min')@5", "AP(norm='min(k,R)')@5"),
        ("nDCG(gains={1:3,2:9},dcg='jk',b=3)", "nDCG(b=3.0,dcg='jk',gains={1:3,2:9})"),
        ("RBP(rel=2,p=0.5)", "RBP(p=0.5,rel=2)"),
        ("RBP(p=0.8)", "RBP"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("P@5.0", "P@5"),
        ("P(judged_only=True)@5", "P(judged_only=True)@5"),
        ("Q-measure", "Q"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P.5", "P@5"),
        ("P_5", "P@5"),
        ("recall_1000", "R@1000"),
        ("map_cut.100", "AP@100"),
        ("recip_rank", "RR"),
        ("bpref", "Bpref"),
        ("iprec_at_recall.0.25", "IPrec@0.25"),
        ("Rprec_mult.0.5", "Rprec(mult=0.5)"),
        ("set_F.4", "SetF(beta=2.0)"),
        ("ndcg.1=3,2=9", "nDCG(gains={1:3.0,2:9.0})"),
        ("11pt_avg", "AvgIPrec"),
        ("gm_map", "GMAP"),
        ("success.5", "Success@5"),
    ],
)
def test_canonical_names(text: str, canonical: str) -> None:
    measure = gw.parse_measure(text)
    assert str(measure) == canonical
    assert gw.parse_measure(canonical) == measure
    assert hash(gw.parse_measure(canonical)) == hash(measure)


def test_trec_eval_names_stand_for_several_measures() -> None:
    assert [str(measure) for measure in parse_measures("P.10,5")] == ["P@5", "P@10"]
    assert len(parse_measures("ndcg_cut")) == 9
    assert len(parse_measures("iprec_at_recall")) == 11
    scores = gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, ["P.5,10", "success"])
    assert [str(m) for m in scores.measures] == [
        "P@5",
        "P@10",
        "Success@1",
        "Success@5",
        "Success@10",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "did you mean nDCG"),
        ("", "not a measure"),
        ("AP@", "not a measure"),
        ("AP(rel=2", "not a measure"),
        ("AP(rel)", "parameters need names"),
        ("AP(2)", "parameters need names"),
        ("AP(rel=two)", "not a number or literal"),
        ("AP(rel=__import__('os'))", "not a number or literal"),
        ("AP(rel=0)", "at least 1"),
        ("AP(rel=1.5)", "whole number"),
        ("AP(rel=True)", "must be a number"),
        ("AP(level=2)", "has no parameter 'level'"),
        ("AP(rel=1,rel=2)", "cannot read the parameters"),
        ("AP@0", "from 1 on"),
        ("AP@2.5", "whole number"),
        ("AP@x", "not a number"),
        ("P", "needs a cutoff, such as P@10"),
        ("Bpref@10", "takes no cutoff"),
        ("IPrec@2", "0..1"),
        ("GAP(g=[0.5,0.6])", "sum to 1"),
        ("GAP(g=[1.5,-0.5])", "negative probability"),
        ("GAP(g=[])", "sum to 1"),
        ("GAP(g='often')", "list or a dict"),
        ("GAP(g={0:1.0})", "only positive grades"),
        ("GAP(g=[0.5,'a'])", "must be a number"),
        ("nDCG(dcg='log')", "'log2', 'exp-log2', 'jk'"),
        ("nDCG(gains={1:-1})", "negative gain"),
        ("nDCG(gains=3)", "must be a dict"),
        ("RBP(p=1)", "between 0 and 1"),
        ("RBP(gains={1:2})", "between 0 and 1"),
        ("NormRecall", "needs the number of documents"),
        ("AP(norm='k')", "'R', 'min(k,R)'"),
        ("Utility(weights=[1,2])", "4 numbers"),
        ("P.5,x", "not a measure"),
    ],
)
def test_mistakes_get_a_sentence(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=r".") as error:
        gw.parse_measure(text)
    assert message in str(error.value)


def test_one_measure_is_expected() -> None:
    with pytest.raises(MeasureError, match="names 2 measures"):
        gw.parse_measure("P.5,10")


@pytest.mark.parametrize("name", ORACLES)
def test_names_round_trip(name: str) -> None:
    for seed in range(30):
        for pair in ORACLES[name][1](make_case(seed)):
            measure = gw.parse_measure(pair.text)
            assert gw.parse_measure(str(measure)) == measure
            assert str(gw.parse_measure(str(measure))) == str(measure)


@given(st.text(max_size=30))
def test_any_text_gives_a_measure_or_a_measure_error(text: str) -> None:
    try:
        measure = gw.parse_measure(text)
    except MeasureError:
        return
    assert gw.parse_measure(str(measure)) == measure


@given(st.text(alphabet="()@=,[]{}:.'\"GAPgrel0125_ nDC", max_size=25))
def test_nearly_measures_too(text: str) -> None:
    try:
        gw.parse_measure(f"GAP{text}")
    except MeasureError:
        return


def test_probabilities_follow_the_grades_of_the_qrels() -> None:
    qrels = {"t": {"a": 2, "b": 7, "c": 0}}  # positive grades 2 and 7
    run = {"t": {"b": 2.0, "a": 1.0}}
    by_order = gw.evaluate(qrels, run, "GAP(g=[0.25,0.75])").values
    by_grade = gw.evaluate(qrels, run, "GAP(g={2:0.25,7:0.75})").values
    assert by_order == by_grade
    equal = gw.evaluate(qrels, run, "GAP")
    assert equal.values == gw.evaluate(qrels, run, "GAP(g=[0.5,0.5])").values
    assert equal.mean["measure"].to_list() == ["GAP(g='equal')"]


def test_probabilities_that_do_not_fit_the_grades() -> None:
    qrels, run = {"t": {"a": 2, "b": 7}}, {"t": {"b": 2.0}}
    with pytest.raises(MeasureError, match=r"3 numbers.*2 positive grades \(2, 7\)"):
        gw.evaluate(qrels, run, "GAP(g=[0.2,0.3,0.5])")
    with pytest.raises(MeasureError, match="grade 5, which the qrels do not have"):
        gw.evaluate(qrels, run, "eGAP(g={2:0.5,5:0.5})")


def test_measures_cannot_be_changed() -> None:
    measure = gw.parse_measure("AP")
    with pytest.raises(AttributeError, match="cannot be changed"):
        measure.cutoff = 3


def test_the_registry_knows_where_every_measure_is_declared():
    """So that a name loads no more than its module."""
    declared: dict[str, dict[str, tuple[str, ...]]] = {}
    for measure in all_measures():
        module = measure.__module__.rpartition(".")[2]
        declared.setdefault(module, {})[measure.name] = measure.aliases
    assert declared == PLACES


def test_a_name_loads_no_more_than_its_module():
    code = (
        "import sys, gradewise as gw\n"
        "gw.parse_measure('nDCG@10')\n"
        "print(sorted(name for name in sys.modules if name.startswith('gradewise.measures.')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cumulated_gain" in done.stdout
    assert "trec" not in done.stdout
    assert "average_precision" not in done.stdout
