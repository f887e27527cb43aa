"""Training rankers for a measure: nets, boosted trees, and losses for any torch model.

What needs torch or a booster is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradewise.collection.features import FeatureSet, from_arrays
from gradewise.collection.letor import read_letor, write_letor
from gradewise.learn.folds import Fold, rotated, split
from gradewise.learn.normalise import normalised

if TYPE_CHECKING:
    from gradewise.learn import losses
    from gradewise.learn.advice import Recommendation, recommend
    from gradewise.learn.boosting import Metric, Objective, metric, objective
    from gradewise.learn.cross_validation import CrossValidation, crossval
    from gradewise.learn.dask_ranker import DaskTreeRanker
    from gradewise.learn.loading import load_ranker
    from gradewise.learn.net_ranker import NetRanker
    from gradewise.learn.optimality import LocalOptimality, local_optimality
    from gradewise.learn.study import DataStudy, data_study
    from gradewise.learn.tree_ranker import TreeRanker

_PLACES = {
    "CrossValidation": "cross_validation",
    "DaskTreeRanker": "dask_ranker",
    "DataStudy": "study",
    "LocalOptimality": "optimality",
    "Metric": "boosting",
    "NetRanker": "net_ranker",
    "Objective": "boosting",
    "Recommendation": "advice",
    "TreeRanker": "tree_ranker",
    "crossval": "cross_validation",
    "data_study": "study",
    "load_ranker": "loading",
    "local_optimality": "optimality",
    "metric": "boosting",
    "objective": "boosting",
    "recommend": "advice",
}
_ROOMS = ("losses",)

__all__ = [
    "CrossValidation",
    "DaskTreeRanker",
    "DataStudy",
    "FeatureSet",
    "Fold",
    "LocalOptimality",
    "Metric",
    "NetRanker",
    "Objective",
    "Recommendation",
    "TreeRanker",
    "crossval",
    "data_study",
    "from_arrays",
    "load_ranker",
    "local_optimality",
    "losses",
    "metric",
    "normalised",
    "objective",
    "read_letor",
    "recommend",
    "rotated",
    "split",
    "write_letor",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(f"gradewise.learn.{_PLACES[name]}"), name)
    if name in _ROOMS:
        return import_module(f"gradewise.learn.{name}")
    raise AttributeError(f"module 'gradewise.learn' has no attribute {name!r}")
