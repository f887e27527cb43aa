"""Measures: two families, the others, the grammar that names them and the registry.

Every measure is here under its name, and is imported when it is first used. What `__all__` names is
in `gradewise` itself, too; `Judged` is not, since runs and judgments make something of that name.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.measures.average_precision import AP, GMAP, SP, SSP
    from gradewise.measures.counts import (
        JudgedAt as Judged,  # noqa: F401 - see above
    )
    from gradewise.measures.counts import (
        NumNonrelRet,
        NumQ,
        NumRel,
        NumRelRet,
        NumRet,
        Unjudged,
    )
    from gradewise.measures.cumulated_gain import CG, DCG, SDCG, nDCG
    from gradewise.measures.first_relevant import ERR, RR
    from gradewise.measures.gain_ratios import MSR, SR, AnDCG, gP, gR
    from gradewise.measures.generalized_average_precision import WAP, GenAP, Q
    from gradewise.measures.graded_average_precision import GAP, eGAP, xGAP
    from gradewise.measures.half_life import RHL
    from gradewise.measures.incomplete import Bpref, GMBpref, infAP
    from gradewise.measures.interpolated import AvgIPrec, IPrec
    from gradewise.measures.precision import P, R, RelP, Rprec, Success
    from gradewise.measures.rank_biased import RBP, RBPResidual
    from gradewise.measures.score_distance import ADM
    from gradewise.measures.sets import SetAP, SetF, SetP, SetR, SetRelP, Utility
    from gradewise.measures.trec_gains import BinG, G, RnDCG, nDCGrel
    from gradewise.measures.whole_ranking import NormPrec, NormRecall

__all__ = [
    "ADM",
    "AP",
    "CG",
    "DCG",
    "ERR",
    "GAP",
    "GMAP",
    "MSR",
    "RBP",
    "RHL",
    "RR",
    "SDCG",
    "SP",
    "SR",
    "SSP",
    "WAP",
    "AnDCG",
    "AvgIPrec",
    "BinG",
    "Bpref",
    "G",
    "GMBpref",
    "GenAP",
    "IPrec",
    "NormPrec",
    "NormRecall",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Q",
    "R",
    "RBPResidual",
    "RelP",
    "RnDCG",
    "Rprec",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "Success",
    "Unjudged",
    "Utility",
    "eGAP",
    "gP",
    "gR",
    "infAP",
    "nDCG",
    "nDCGrel",
    "xGAP",
]


def __getattr__(name: str) -> Any:
    from gradewise.measures.registry import find_measure, is_name

    if is_name(name):
        return find_measure(name)
    raise AttributeError(f"module 'gradewise.measures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
