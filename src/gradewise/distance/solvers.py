"""Which algorithm finds the distance of a measure."""

from dataclasses import replace

from gradewise.distance.cascade import expected_reciprocal_rank_lead, reciprocal_rank_lead
from gradewise.distance.closing import can_close, close_gap
from gradewise.distance.graded import egap_lead, gap_lead, other_lead
from gradewise.distance.normalised import is_normalised, normalised_lead
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.precisions import (
    binary_q_lead,
    is_binary_q,
    is_sum_of_precisions,
    precisions_lead,
)
from gradewise.distance.static import is_static, static_lead
from gradewise.distance.trials import MOST_TRIALS, best_alone, can_try_all, try_all
from gradewise.errors import MeasureError, counted
from gradewise.measures.first_relevant import ERR, RR
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.gain_ratios import AnDCG
from gradewise.measures.generalized_average_precision import WAP, GenAP, Q
from gradewise.measures.graded_average_precision import GAP, eGAP, xGAP
from gradewise.measures.measure import Measure
from gradewise.measures.precision import Rprec

# Relevant documents elsewhere do more to these than divide. They lower each list's own value, but
# for Rprec, so that the best value of a list bounds its lead.
_LOWERED_ELSEWHERE = (xGAP, Q, WAP, AnDCG)
_ELSEWHERE_MATTERS = (eGAP, Rprec, *_LOWERED_ELSEWHERE)
_FEW_TRIALS = 100  # up to here trying is quicker than walking, which settles most cases of GAP
_AT_MOST_ONE = (xGAP, GenAP, Q, WAP, AnDCG, Rprec)


def best_lead(measure: Measure, pair: Pair, unretrieved: int | None = None) -> Lead:
    """Return how far the first list of a pair can lead, by the algorithm that a measure has."""
    if (pair.rank[0] == pair.rank[1]).all():
        return lead(pair, 0.0, nobody, 0)
    if is_static(measure):
        assert isinstance(measure, GainDiscount)
        return static_lead(measure, pair)
    if is_normalised(measure, pair):
        assert isinstance(measure, GainDiscount)
        return normalised_lead(measure, pair)
    if is_sum_of_precisions(measure):
        return precisions_lead(measure, pair)  # type: ignore[arg-type]
    if isinstance(measure, RR):
        return reciprocal_rank_lead(measure, pair)
    if isinstance(measure, ERR):
        return expected_reciprocal_rank_lead(measure, pair)
    if isinstance(measure, Q) and is_binary_q(measure, pair):
        found = binary_q_lead(measure, pair, unretrieved)
        settled = found.exact or unretrieved is None
        return found if settled else _tried(measure, pair, unretrieved, found)
    return _tried(measure, pair, unretrieved, None)


def _whatever_is_elsewhere(measure: Measure, pair: Pair) -> float:
    """Return a bound that holds for any number of relevant documents elsewhere."""
    if isinstance(measure, eGAP):
        return egap_lead(measure, pair).upper
    return best_alone(measure, pair) if isinstance(measure, _LOWERED_ELSEWHERE) else 1.0


def _tried(measure: Measure, pair: Pair, unretrieved: int | None, bounds: Lead | None) -> Lead:
    """Try every assignment, or else find bounds."""
    if isinstance(measure, GAP) and not can_try_all(pair, 0, _FEW_TRIALS):
        bounds = gap_lead(measure, pair)
        if bounds.exact:
            return bounds
    matters = isinstance(measure, _ELSEWHERE_MATTERS)
    elsewhere = (unretrieved or 0) + pair.deeper if matters else 0
    if can_try_all(pair, elsewhere):
        found = try_all(measure, pair, elsewhere)
        upper = 0.0
        if matters and unretrieved is None:
            upper = _whatever_is_elsewhere(measure, pair)
        inside = found.value if not elsewhere else None
        return replace(found, upper=max(found.value, upper), inside=inside)
    if bounds is not None:
        if isinstance(measure, GAP) and can_close(pair):
            return close_gap(measure, pair, bounds)
        return bounds
    if isinstance(measure, eGAP):
        return egap_lead(measure, pair)
    if isinstance(measure, _AT_MOST_ONE):
        return other_lead(measure, pair, 1.0)
    raise MeasureError(
        f"{measure}: its distance is known only by trying every assignment, and "
        f"{counted(int(pair.free.sum()), 'unjudged document')} are too many for that (at most "
        f"{MOST_TRIALS:,} assignments); cut lists with k, or judge more"
    )
