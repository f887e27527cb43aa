"""Click logs: click models, propensities, thresholds of users, interleaving, estimates for runs."""

from gradewise.clicks.counterfactual import Counterfactual, estimate
from gradewise.clicks.interleaving import (
    Interleaved,
    TeamComparison,
    compare_teams,
    interleave,
)
from gradewise.clicks.log import ClickLog
from gradewise.clicks.model import ClickModel, Prediction
from gradewise.clicks.models import MODELS, fit
from gradewise.clicks.propensities import Propensities, propensities
from gradewise.clicks.reading import read_clicks
from gradewise.clicks.thresholds import ThresholdShares, thresholds

__all__ = [
    "MODELS",
    "ClickLog",
    "ClickModel",
    "Counterfactual",
    "Interleaved",
    "Prediction",
    "Propensities",
    "TeamComparison",
    "ThresholdShares",
    "compare_teams",
    "estimate",
    "fit",
    "interleave",
    "propensities",
    "read_clicks",
    "thresholds",
]
