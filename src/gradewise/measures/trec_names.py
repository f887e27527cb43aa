"""trec_eval's names for measures: `map`, `ndcg_cut.10`, `P.5,10`, `Rprec_mult.0.5`."""

import re

from gradewise.measures.measure import Measure
from gradewise.measures.trec_eval import SUMMED_ALIKE, TABLE, Settings, choose_lines

# Names that are ours as well keep our meaning, without parameters behind a dot.
_OURS = {"P", "Rprec", "infAP", "G"}
# These have no value, or one that only `gradewise trec-eval` computes.
_NOT_HERE = {"runid", "relstring", "Rndcg", "ideal_dcg", "yaap", "rbp", "rbp_resid"}
_NAMES = [entry.name for entry in TABLE if entry.name not in _NOT_HERE]
_WITH_PLACES = re.compile(rf"({'|'.join(map(re.escape, _NAMES))})[._]([-0-9.,=]+)")


def trec_measures(name: str) -> list[Measure] | None:
    """Return what a trec_eval name stands for, or None if it is no such name."""
    match = _WITH_PLACES.fullmatch(name)
    if match is not None:
        request = f"{match[1]}.{match[2]}"
    elif name in _NAMES and name not in _OURS:
        request = name
    else:
        return None
    return [_ours(line.measure) for line in choose_lines([request], Settings()) if line.measure]


def _ours(measure: Measure) -> Measure:
    """Return our own measure where trec_eval's only adds up in another order."""
    own = SUMMED_ALIKE.get(type(measure))
    if own is None:
        return measure
    return own(cutoff=measure.cutoff, **{name: getattr(measure, name) for name in own.parameters()})
