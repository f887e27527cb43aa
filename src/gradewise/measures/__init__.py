"""Measures: two families, the others, the grammar that names them and the registry.

Every measure is here under its name, and is imported when it is first used. What `__all__` names is
in `gradewise` itself, too; `Judged` is not, since runs and judgments make something of that name.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.measures.average_precision import AP, GMAP, SP, SSP
    from gradewise.measures.blended_ratio import Omeasure, Pmeasure, Pplus
    from gradewise.measures.compatibility import Compat
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
    from gradewise.measures.cwl import CWL
    from gradewise.measures.diversity import (
        ERR_IA,
        NRBP,
        StRecall,
        alpha_DCG,
        alpha_nDCG,
        nERR_IA,
        nNRBP,
    )
    from gradewise.measures.first_relevant import ERR, RR, iRBU, nERR
    from gradewise.measures.gain_ratios import MSR, SR, AnDCG, gP, gR
    from gradewise.measures.generalized_average_precision import WAP, GenAP, Q
    from gradewise.measures.global_gain import D_nDCG, Dsharp_nDCG
    from gradewise.measures.graded_average_precision import GAP, eGAP, xGAP
    from gradewise.measures.half_life import RHL
    from gradewise.measures.incomplete import Bpref, GMBpref, infAP
    from gradewise.measures.intent_aware import AP_IA, GAP_IA, P_IA, eGAP_IA, nDCG_IA, xGAP_IA
    from gradewise.measures.interpolated import AvgIPrec, IPrec
    from gradewise.measures.normalized_utility import NCUguBR, NCUguP, NCUrbBR, NCUrbP
    from gradewise.measures.pairs import AUC, Accuracy
    from gradewise.measures.precision import F1, P, R, RelP, Rprec, Success
    from gradewise.measures.preferences import APpref, nwpref, ppref, rpref, wpref
    from gradewise.measures.propensity import PSP, PSnDCG
    from gradewise.measures.rank_biased import RBP, RBPResidual
    from gradewise.measures.sampled import infNDCG, statAP, xinfAP
    from gradewise.measures.score_distance import ADM
    from gradewise.measures.search_length import ESL
    from gradewise.measures.session_gain import nsDCG, session_DCG
    from gradewise.measures.sets import SetAP, SetF, SetP, SetR, SetRelP, Utility
    from gradewise.measures.swets import SwetsE
    from gradewise.measures.time_biased import TBG, U
    from gradewise.measures.trec_gains import BinG, G, RnDCG, nDCGrel
    from gradewise.measures.user_models import BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11
    from gradewise.measures.whole_ranking import NormPrec, NormRecall

__all__ = [
    "ADM",
    "AP",
    "AP_IA",
    "AUC",
    "BPM",
    "CG",
    "CWL",
    "DCG",
    "ERR",
    "ERR_IA",
    "ESL",
    "F1",
    "GAP",
    "GAP_IA",
    "GMAP",
    "INSQ",
    "INST",
    "MSR",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "PSP",
    "P_IA",
    "RBP",
    "RHL",
    "RR",
    "SDCG",
    "SP",
    "SR",
    "SSP",
    "TBG",
    "WAP",
    "APpref",
    "Accuracy",
    "AnDCG",
    "AvgIPrec",
    "BinG",
    "Bpref",
    "Compat",
    "D_nDCG",
    "Dsharp_nDCG",
    "G",
    "GMBpref",
    "GenAP",
    "IPrec",
    "NCUguBR",
    "NCUguP",
    "NCUrbBR",
    "NCUrbP",
    "NormPrec",
    "NormRecall",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "Omeasure",
    "P",
    "PSnDCG",
    "Pmeasure",
    "Pplus",
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
    "StRecall",
    "Success",
    "SwetsE",
    "U",
    "Unjudged",
    "Utility",
    "alpha_DCG",
    "alpha_nDCG",
    "eGAP",
    "eGAP_IA",
    "gP",
    "gR",
    "iRBU",
    "infAP",
    "infNDCG",
    "nDCG",
    "nDCG_IA",
    "nDCGrel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "nsDCG",
    "nwpref",
    "ppref",
    "rpref",
    "session_DCG",
    "statAP",
    "wpref",
    "xGAP",
    "xGAP_IA",
    "xinfAP",
]


def __getattr__(name: str) -> Any:
    from gradewise.measures.registry import find_measure, is_name

    if is_name(name):
        return find_measure(name)
    if name.endswith("_IA"):  # made from a measure of the two families
        from gradewise.measures import intent_aware

        return getattr(intent_aware, name)
    raise AttributeError(f"module 'gradewise.measures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
