"""Names of measures that ir_measures accepts: what gradewise makes of each."""

import ir_measures
import pytest
from ir_measures import SDCG, NumRelRet, NumRet, SetRelP

import gradewise as gw

# What ir_measures knows and gradewise has no measure for.
DIVERSITY = "alpha_DCG alpha_nDCG NRBP nNRBP ERR_IA nERR_IA AP_IA MAP_IA P_IA StRecall"
GREEK = {"α_DCG", "α_nDCG"}  # noqa: RUF001
USER_MODELS = "BPM INST INSQ NERR8 NERR9 NERR10 NERR11"
NOT_HERE = {*GREEK, *DIVERSITY.split(), *USER_MODELS.split(), "Accuracy", "Compat"}
SAME = {  # a name that ir_measures accepts, and what gradewise makes of it
    "AP": "AP",
    "MAP": "AP",
    "Bpref": "Bpref",
    "BPref": "Bpref",
    "ERR": "ERR",
    "IPrec@0.5": "IPrec@0.5",
    "infAP": "infAP",
    "Judged@10": "Judged@10",
    "nDCG@10": "nDCG@10",
    "NDCG@10": "nDCG@10",
    "NumQ": "NumQ",
    "NumRel": "NumRel",
    "NumRelRet": "NumRelRet",
    "NumRet": "NumRet",
    "P@5": "P@5",
    "Precision@5": "P@5",
    "R@1000": "R@1000",
    "Recall@1000": "R@1000",
    "RBP": "RBP",
    "Rprec": "Rprec",
    "RPrec": "Rprec",
    "RR": "RR",
    "MRR": "RR",
    "SDCG@10": "SDCG@10",
    "SetAP": "SetAP",
    "SetF": "SetF",
    "SetP": "SetP",
    "SetR": "SetR",
    "SetRelP": "SetRelP",
    "Success@1": "Success@1",
}


def test_every_name_of_ir_measures_has_its_place() -> None:
    understood = {name.partition("@")[0] for name in SAME}
    assert understood | NOT_HERE == ir_measures.measures.registry.keys()
    assert not understood & NOT_HERE


@pytest.mark.parametrize(("name", "canonical"), SAME.items())
def test_names_of_ir_measures_are_understood(name: str, canonical: str) -> None:
    assert str(gw.parse_measure(name)) == canonical


@pytest.mark.parametrize("name", sorted(NOT_HERE))
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(gw.MeasureError, match=r"no measure|not a measure"):
        gw.parse_measure(name)


SPELLED_OTHERWISE = {  # what ir_measures prints and gradewise refuses: how gradewise spells it
    str(NumRet(rel=2)): "NumRelRet(rel=2)",
    str(NumRelRet): "NumRelRet",
    str(SetRelP): "SetRelP",
    str(SDCG(max_rel=4) @ 10): "SDCG@10",  # the highest grade is that of the qrels
}


@pytest.mark.parametrize("text", SPELLED_OTHERWISE)
def test_other_spellings_are_refused_and_not_misread(text: str) -> None:
    with pytest.raises(gw.MeasureError, match="has no parameter"):
        gw.parse_measure(text)
    assert str(gw.parse_measure(SPELLED_OTHERWISE[text])) == SPELLED_OTHERWISE[text]
