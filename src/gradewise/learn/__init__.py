"""Rankers trained for a measure: nets, boosted trees, and losses for any torch model.

Whatever needs torch, scikit-learn or a booster is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.letor import read_letor, write_letor
from gradewise.learn.normalization import normalize
from gradewise.learn.studies.folds import Fold, rotated, split

if TYPE_CHECKING:
    from gradewise.learn import losses, plain_torch
    from gradewise.learn.estimator import NotFittedError
    from gradewise.learn.loading import load_ranker
    from gradewise.learn.nets.ranker import NetRanker
    from gradewise.learn.studies.brute_force import BruteForce, brute_force
    from gradewise.learn.studies.cross_validated import CrossValidation
    from gradewise.learn.studies.cross_validation import crossval
    from gradewise.learn.studies.less_data import DataStudy, data_study
    from gradewise.learn.studies.local_optimality import LocalOptimality, local_optimality
    from gradewise.learn.studies.recommendation import Recommendation, recommend
    from gradewise.learn.trees.dask_ranker import DaskTreeRanker
    from gradewise.learn.trees.metric import Metric, metric
    from gradewise.learn.trees.objective import Objective, objective
    from gradewise.learn.trees.ranker import TreeRanker
    from gradewise.learn.trees.xgb_ranker import XGBRanker

_PLACES = {
    "BruteForce": "studies.brute_force",
    "CrossValidation": "studies.cross_validated",
    "DaskTreeRanker": "trees.dask_ranker",
    "DataStudy": "studies.less_data",
    "LocalOptimality": "studies.local_optimality",
    "Metric": "trees.metric",
    "NetRanker": "nets.ranker",
    "NotFittedError": "estimator",
    "Objective": "trees.objective",
    "Recommendation": "studies.recommendation",
    "TreeRanker": "trees.ranker",
    "XGBRanker": "trees.xgb_ranker",
    "brute_force": "studies.brute_force",
    "crossval": "studies.cross_validation",
    "data_study": "studies.less_data",
    "load_ranker": "loading",
    "local_optimality": "studies.local_optimality",
    "metric": "trees.metric",
    "objective": "trees.objective",
    "recommend": "studies.recommendation",
}
_ROOMS = ("losses", "plain_torch")

__all__ = [
    "BruteForce",
    "CrossValidation",
    "DaskTreeRanker",
    "DataStudy",
    "FeatureSet",
    "Fold",
    "LocalOptimality",
    "Metric",
    "NetRanker",
    "NotFittedError",
    "Objective",
    "Recommendation",
    "TreeRanker",
    "XGBRanker",
    "brute_force",
    "crossval",
    "data_study",
    "from_arrays",
    "load_ranker",
    "local_optimality",
    "losses",
    "metric",
    "normalize",
    "objective",
    "plain_torch",
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
