"""Which solver a measure gets by what it declares: exact, bounded or refused for long lists."""

import re
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.distance.med import checked_measure
from gradewise.distance.pair import FREE, Pair
from gradewise.distance.solvers import SOLVERS, best_lead, find_solver
from gradewise.distance.trials import try_all
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.registry import all_measures

# Of lists with many unjudged documents, on one positive grade and on two.
STATED = {
    "ADM": ("refused", "refused"),
    "AP": ("exact", "exact"),
    "APpref": ("refused", "refused"),
    "AUC": ("refused", "refused"),
    "Accuracy": ("refused", "refused"),
    "AnDCG": ("bounded", "bounded"),
    "AvgIPrec": ("refused", "refused"),
    "BPM@10": ("bounded", "bounded"),
    "BinG": ("refused", "refused"),
    "Bpref": ("refused", "refused"),
    "CG": ("exact", "exact"),
    "Compat": ("refused", "refused"),
    "DCG": ("exact", "exact"),
    "ERR": ("exact", "exact"),
    "ESL": ("refused", "refused"),
    "CWL": ("refused", "refused"),
    "F1@10": ("bounded", "bounded"),
    "G": ("refused", "refused"),
    "GAP": ("bounded", "bounded"),
    "GMAP": ("exact", "exact"),
    "GMBpref": ("refused", "refused"),
    "GenAP": ("bounded", "bounded"),
    "INSQ": ("exact", "exact"),
    "INST": ("bounded", "bounded"),
    "IPrec@0.5": ("refused", "refused"),
    "Judged@10": ("refused", "refused"),
    "MSR": ("refused", "refused"),
    "MSR@10": ("exact", "exact"),
    "NCUguBR": ("bounded", "bounded"),
    "NCUguP": ("bounded", "bounded"),
    "NCUrbBR": ("bounded", "bounded"),
    "NCUrbP": ("bounded", "bounded"),
    "NERR10": ("bounded", "bounded"),
    "NERR11": ("bounded", "bounded"),
    "NERR8@10": ("bounded", "bounded"),
    "NERR9@10": ("bounded", "bounded"),
    "NormPrec": ("refused", "refused"),
    "NormRecall": ("refused", "refused"),
    "NumNonrelRet": ("refused", "refused"),
    "NumQ": ("refused", "refused"),
    "NumRel": ("refused", "refused"),
    "NumRelRet": ("refused", "refused"),
    "NumRet": ("refused", "refused"),
    "Omeasure": ("bounded", "bounded"),
    "P@10": ("exact", "exact"),
    "PSP(points=100)@10": ("refused", "refused"),
    "PSnDCG(points=100)@10": ("refused", "refused"),
    "Pmeasure": ("bounded", "bounded"),
    "Pplus": ("bounded", "bounded"),
    "Q": ("exact", "bounded"),
    "Q(norm='min(k,R)')@10": ("exact", "bounded"),
    "R@10": ("exact", "exact"),
    "RBP": ("exact", "exact"),
    "RBPResidual": ("refused", "refused"),
    "RHL": ("refused", "refused"),
    "RR": ("exact", "exact"),
    "RelP@10": ("exact", "exact"),
    "RnDCG": ("refused", "refused"),
    "Rprec": ("bounded", "bounded"),
    "SDCG@10": ("exact", "exact"),
    "SP": ("exact", "exact"),
    "SR": ("refused", "refused"),
    "SR@10": ("exact", "exact"),
    "SSP@10": ("exact", "exact"),
    "SetAP": ("refused", "refused"),
    "SetF": ("refused", "refused"),
    "SetP": ("refused", "refused"),
    "SetR": ("refused", "refused"),
    "SetRelP": ("refused", "refused"),
    "Success@10": ("refused", "refused"),
    "SwetsE": ("refused", "refused"),
    "TBG": ("refused", "refused"),
    "U": ("exact", "exact"),
    "Unjudged@10": ("refused", "refused"),
    "Utility": ("refused", "refused"),
    "WAP": ("bounded", "bounded"),
    "eGAP": ("bounded", "bounded"),
    "gP": ("exact", "exact"),
    "gR": ("exact", "exact"),
    "iRBU": ("bounded", "bounded"),
    "infAP": ("refused", "refused"),
    "infNDCG": ("refused", "refused"),
    "nERR": ("bounded", "bounded"),
    "nDCG": ("exact", "exact"),
    "nDCGrel": ("refused", "refused"),
    "nsDCG": ("exact", "exact"),
    "nwpref": ("refused", "refused"),
    "ppref": ("refused", "refused"),
    "rpref": ("refused", "refused"),
    "session_DCG": ("exact", "exact"),
    "statAP": ("refused", "refused"),
    "wpref": ("refused", "refused"),
    "xGAP": ("bounded", "bounded"),
    "AP_IA": ("refused", "refused"),
    "D_nDCG": ("refused", "refused"),
    "Dsharp_nDCG": ("refused", "refused"),
    "ERR_IA@10": ("refused", "refused"),
    "GAP_IA": ("refused", "refused"),
    "NRBP": ("refused", "refused"),
    "P_IA@10": ("refused", "refused"),
    "StRecall@10": ("refused", "refused"),
    "alpha_DCG@10": ("refused", "refused"),
    "alpha_nDCG@10": ("refused", "refused"),
    "eGAP_IA": ("refused", "refused"),
    "nDCG_IA": ("refused", "refused"),
    "nERR_IA@10": ("refused", "refused"),
    "nNRBP": ("refused", "refused"),
    "xGAP_IA": ("refused", "refused"),
    "xinfAP": ("refused", "refused"),
}


def _pair(scale: list[int]) -> Pair:
    """Two lists of 24 documents, 12 of them shared, nothing judged."""
    rank = np.zeros((2, 36), np.int64)
    rank[0, :24] = np.arange(1, 25)
    rank[1, 12:] = np.arange(24, 0, -1)
    counts = np.zeros(len(scale) + 1, np.int64)
    return Pair(np.array(scale), rank, np.full(36, FREE), np.array([24, 24]), counts)


def _run(first: int, last: int, step: int) -> dict[str, dict[str, float]]:
    documents = range(first, last, step)
    return {"t": {f"d{doc}": float(-place) for place, doc in enumerate(documents)}}


def _found(measure: str, grades: list[int]) -> str:
    try:
        result = gw.distance.med(_run(0, 24, 1), _run(35, 11, -1), None, measure, grades=grades)
    except gw.GradewiseError:
        return "refused"
    return "exact" if result.exact else "bounded"


def test_every_measure_is_stated() -> None:
    assert {re.split("[(@]", name)[0] for name in STATED} == {each.name for each in all_measures()}


@pytest.mark.parametrize("measure", STATED)
def test_what_a_measure_gets_is_what_it_declares(measure: str) -> None:
    for grades, stated in zip(([1], [1, 2]), STATED[measure], strict=True):
        assert _stated(measure, grades) == stated
        found = _found(measure, grades)
        # Bounds may meet by luck; on one grade GAP and eGAP are AP, whose walk is exact.
        assert found == stated or (found, stated) == ("exact", "bounded")


def _stated(measure: str, grades: list[int]) -> str:
    try:
        parsed = checked_measure(measure)
    except gw.GradewiseError:
        return "refused"
    return find_solver(parsed, _pair(grades)).gives


def test_the_docs_name_every_solver() -> None:
    page = Path(__file__).parents[2] / "docs" / "guides" / "researchers" / "distance.md"
    rows = re.findall(r"^\| ([a-z ]+) \|", page.read_text(encoding="utf-8"), flags=re.M)
    assert [row for row in rows if row in {each.title for each in SOLVERS}] == [
        solver.title for solver in SOLVERS
    ]


def test_gains_that_fall_are_left_to_trials() -> None:
    rising, falling = (
        checked_measure(f"nDCG(gains={{1:{low},2:{high}}})@10") for low, high in ((1, 3), (3, 1))
    )
    assert find_solver(rising, _pair([1, 2])).title == "normalized"
    assert find_solver(falling, _pair([1, 2])).gives == "refused"


class InverseRoot(GainDiscount):
    """Gains of grades, discounted by the square root of the rank: static by declaration."""

    name = "InverseRoot"
    static = True

    def gain(self, lists: Lists) -> Floats:
        return np.concatenate([[0.0], lists.scale])

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        return 1 / np.sqrt(rank)

    def norm(self, lists: Lists) -> Floats:
        return np.ones(len(lists))


def test_a_declaration_is_all_that_a_solver_needs() -> None:
    rank = np.array([[1, 2, 3, 4, 0, 0], [0, 0, 3, 1, 2, 4]])
    level = np.array([FREE, 1, FREE, FREE, FREE, 2])
    pair = Pair(np.array([1, 2]), rank, level, np.array([4, 4]), np.array([0, 1, 1]))
    for each in (pair, pair.swapped()):
        assert find_solver(InverseRoot(), each).title == "static"
        found, tried = best_lead(InverseRoot(), each), try_all(InverseRoot(), each, 0)
        assert found.exact
        assert found.value == pytest.approx(tried.value, abs=1e-12)
