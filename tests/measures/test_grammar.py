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
        ("nDCG(gains={1:1, 2:3, 3:10})@10", "nDCG(gains={1:1,2:3,3:10})@10"),
        ("nDCG(gains={0:0,1:1,2:3})", "nDCG(gains={1:1,2:3})"),
        ("nDCG(gains=linear)", "nDCG(gains='linear')"),
        ("nDCG( gains = exponential )", "nDCG(gains='exp')"),
        ("nDCG(dcg=exp-log2)@10", "nDCG(dcg='exp-log2')@10"),
        ("AP(norm=min(k, R))@5", "AP(norm='min(k,R)')@5"),
        ("AP(norm=min)@5", "AP(norm='min(k,R)')@5"),
        ("GAP(g=equal)", "GAP(g='equal')"),
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
        ("hit_rate@10", "Success@10"),
        ("HitRate@10", "Success@10"),
        ("Hits@10", "Success@10"),
        ("HR@10", "Success@10"),
        ("hit@1", "Success@1"),
        ("F1@10", "F1@10"),
        ("f1_score@10", "F1@10"),
        ("NCG@100", "SR@100"),
        ("accuracy", "Accuracy"),
        ("roc_auc", "AUC"),
        ("gauc", "AUC"),
        ("mean_average_precision@10", "AP@10"),
        ("mean_reciprocal_rank", "RR"),
        ("ndcg_at_10", "nDCG@10"),
        ("map_at_100", "AP@100"),
        ("precision_at_5", "P@5"),
        ("recall_at_1000", "R@1000"),
        ("mrr_at_10", "RR@10"),
        ("psp(points=9)@5", "PSP(points=9)@5"),
        ("inst(T=2)", "INST(T=2.0)"),
        ("CWL(user=inst, expected=total)", "CWL(expected='total',user='inst')"),
        ("U-measure(L=9000)", "U(L=9000.0,length=200.0)"),
        ("TBG", "TBG(words=500.0)"),
        ("MSnDCG@0010", "nDCG@10"),
        ("Prec@0010", "P@10"),
        ("Hit@0010", "Success@10"),
        ("NCUgu,P", "NCUguP"),
        ("NCUrb,BR(gamma=0.9)", "NCUrbBR(gamma=0.9)"),
        ("NCUuP", "AP"),
        ("NCUu,BR", "Q"),
        ("O_measure", "Omeasure"),
        ("P+-measure", "Pplus"),
        ("P+", "Pplus"),
        ("R_cap@100", "RelP@100"),
        ("recall_cap_at_10", "RelP@10"),
        ("hit_ratio@10", "Success@10"),
        ("HitRatio@10", "Success@10"),
        ("MeanAveragePrecision@10", "AP@10"),
        ("αnDCG@20", "alpha_nDCG@20"),
        ("alphanDCG@20", "alpha_nDCG@20"),
        ("DnDCG@10", "D_nDCG@10"),
        ("D#nDCG@10", "Dsharp_nDCG@10"),
        ("Irec@10", "StRecall@10"),
        ("subtopic_recall@10", "StRecall@10"),
        ("IA-nDCG@10", "nDCG_IA@10"),
        ("PSPrecision(points=9)@5", "PSP(points=9)@5"),
        ("nDCG(gains=trec-web)@20", "nDCG(gains='exp')@20"),
        ("nDCG(gains=@trec-web)@20", "nDCG(gains='exp')@20"),
        ("Q(gains='ntcir-www')@10", "Q(gains='linear')@10"),
    ],
)
def test_canonical_names(text: str, canonical: str) -> None:
    measure = gw.parse_measure(text)
    assert str(measure) == canonical
    assert gw.parse_measure(canonical) == measure
    assert hash(gw.parse_measure(canonical)) == hash(measure)


def test_names_of_ntcireval_stand_among_others() -> None:
    found = parse_measures("AP,NCUgu,P,NCUrb,BR,P@5,10,nDCG@0010")
    names = ["AP", "NCUguP", "NCUrbBR", "P@5", "P@10", "nDCG@10"]
    assert [str(measure) for measure in found] == names


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
        ("NCU", "NCU is NCUguP, NCUguBR, NCUrbP or NCUrbBR"),
        (
            "coverage@10",
            "coverage is a value of a run, not of a topic; see gradewise coverage and "
            "gw.catalog_coverage",
        ),
        ("nDCG(gains=bier)", "not 'bier'; did you mean beir"),
        ("", "not a measure"),
        ("AP@", "not a measure"),
        ("AP(rel=2", "not a measure"),
        ("AP(rel)", "parameters need names"),
        ("AP(2)", "parameters need names"),
        ("AP(rel=two)", "neither a number nor a literal"),
        ("AP(rel=__import__('os'))", "neither a number nor a literal"),
        ("AP(rel=0)", "at least 1"),
        ("AP(rel=1.5)", "whole number"),
        ("AP(rel=True)", "must be a number"),
        ("AP(level=2)", "has no parameter 'level'"),
        ("AP(rel=1,rel=2)", "cannot read the parameters"),
        ("AP@0", "of 1 or more"),
        ("AP@2.5", "whole number"),
        ("AP@x", "not a number"),
        ("P", "needs a cutoff, such as P@10"),
        ("Bpref@10", "takes no cutoff"),
        ("IPrec@2", "between 0 and 1"),
        ("GAP(g=[0.5,0.6])", "sum to 1"),
        ("GAP(g=[1.5,-0.5])", "negative probability"),
        ("GAP(g=[])", "sum to 1"),
        ("GAP(g='often')", "list or a dict"),
        ("GAP(g={0:1.0})", "only positive grades"),
        ("GAP(g=[0.5,'a'])", "must be a number"),
        ("nDCG(dcg='log')", "'log2', 'exp-log2', 'linear', 'jk'"),
        ("nDCG(gains={1:-1})", "negative gain"),
        ("nDCG(gains=3)", "must be a dict"),
        ("nDCG(gains=[1,2])", "must be a dict"),
        ("nDCG(gains={0:1,1:2})", "only positive grades"),
        (
            "nDCG(gains=linaer)",
            "'linear', 'exp' or a preset such as 'trec-web', not 'linaer'; did you mean linear?",
        ),
        ("nDCG(gains='expo')", "did you mean exp"),
        ("nDCG(dcg=explog2)", "did you mean exp-log2"),
        ("nDCG(dcg=jk())", "neither a number nor a literal"),
        ("AP(norm=['R'])", "'R', 'min(k,R)'"),
        ("RBP(p=1)", "between 0 and 1"),
        ("NormRecall", "needs the number of documents"),
        ("AP(norm='k')", "'R', 'min(k,R)'"),
        ("Utility(weights=[1,2])", "4 numbers"),
        ("P.5,x", "there is no measure 'x'"),
        ("hits_rate@10", "did you mean hit_rate"),
        ("INST(T=0.2)", "at least 0.5"),
        ("CWL(user=rpb)", "did you mean rbp"),
        ("CWL(expected=gain)", "'rate', 'total', 'items'"),
        ("PSP@5", "needs the number of training points"),
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


WITH_GAINS = [measure for measure in all_measures() if "gains" in measure.parameters()]


@pytest.mark.parametrize("measure", WITH_GAINS, ids=lambda measure: measure.name)
def test_every_measure_with_gains_takes_any_gain_map(measure: type[gw.measures.measure.Measure]):
    cutoff = "@3" if measure.cutoff_rule == "required" else ""
    ranking, relevant = [1, 0, 3, 2, 1], {1: 4, 2: 2, 3: 3}
    scores = {"scores": [0.9, 0.7, 0.5, 0.3, 0.1]} if measure.uses_scores else {}

    run = {"t": {str(n): -float(n) for n in range(5)}}
    judged = {str(n): grade for n, grade in enumerate([*ranking, 3, 2, 1, 1])}
    by_intent = {"t": {"i": judged, "j": {"0": 3, "5": 1}}}

    def value(gains: str) -> float:
        name = f"{measure.name}(gains={gains}){cutoff}"
        if measure.uses_intents:
            return float(gw.evaluate(by_intent, run, name))
        return gw.score(name, ranking, relevant, **scores)

    assert value("{1:1,2:2,3:3}") == pytest.approx(value("linear"))
    assert value("{1:1,2:3,3:7}") == pytest.approx(value("exp")) == value("exponential")
    assert value("{1:1,2:3,3:10}") != value("linear")


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AP,nDCG@10", ["AP", "nDCG@10"]),
        ("AP, nDCG@10 ,P@5", ["AP", "nDCG@10", "P@5"]),
        ("P@5,10", ["P@5", "P@10"]),
        ("P@5,10,AP", ["P@5", "P@10", "AP"]),
        ("P.5,10,AP", ["P@5", "P@10", "AP"]),
        ("GAP(g=[0.5,0.5]),AP(rel=2)@5", ["GAP(g=[0.5,0.5])", "AP(rel=2)@5"]),
        ("nDCG(gains={1:2,2:3}),Q(norm=min(k,R))@5", None),
        ("@beir,AP", ["nDCG@10", "R@100", "RR@10", "AP"]),
        ("ndcg.1=3,2=9", ["nDCG(gains={1:3.0,2:9.0})"]),
    ],
)
def test_several_measures_between_commas(text: str, expected: list[str] | None) -> None:
    found = parse_measures(text)
    names = expected or ["nDCG(gains={1:2,2:3})", "Q(norm='min(k,R)')@5"]
    assert [str(measure) for measure in found] == names


@pytest.mark.parametrize("text", ["AP,", ",AP", "AP,,P@5", "AP, ,P@5"])
def test_a_comma_needs_a_measure(text: str) -> None:
    with pytest.raises(MeasureError, match="a comma must separate two measures"):
        parse_measures(text)
