"""Training rankers for a measure: SoftRank and LambdaRank nets, losses for any torch model.

What needs torch or numba is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradewise.collection.features import FeatureSet, from_arrays
from gradewise.collection.letor import read_letor
from gradewise.learn.normalise import normalised

if TYPE_CHECKING:
    from gradewise.learn import losses
    from gradewise.learn.net_ranker import NetRanker

_PLACES = {"NetRanker": "gradewise.learn.net_ranker"}
_ROOMS = ("losses",)

__all__ = ["FeatureSet", "NetRanker", "from_arrays", "losses", "normalised", "read_letor"]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name in _ROOMS:
        return import_module(f"gradewise.learn.{name}")
    raise AttributeError(f"module 'gradewise.learn' has no attribute {name!r}")
