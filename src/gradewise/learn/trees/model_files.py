"""What a model's file says about its ranker, beside the trees."""

from typing import Any

import numpy as np

from gradewise.learn.trees.guarded import blank_checksum
from gradewise.learn.trees.objective import Objective
from gradewise.measures.measure import Measure


def describe(ranker: Any) -> dict[str, Any]:
    """Return what is known about a trained ranker, as JSON can hold it."""
    biases = ranker.position_bias_
    return {
        "parameters": {name: _storable(value) for name, value in ranker.get_params().items()},
        "scale": [int(grade) for grade in ranker.scale_],
        "best": [ranker.best_iteration_, ranker.best_value_],
        "evals": ranker.evals_result_,
        "notes": list(ranker.notes_),
        "trees_before": ranker.trees_before_,
        "features": ranker._names(),
        "position_bias": None if biases is None else [list(pair) for pair in biases.items()],
        **blank_checksum(),
    }


def restore(ranker: Any, about: dict[str, Any]) -> None:
    """Let a ranker know what `describe` told about it; a file may tell less."""
    ranker.scale_ = np.array(about.get("scale", []), np.int64)
    ranker.best_iteration_, ranker.best_value_ = about.get("best", (None, None))
    ranker.evals_result_ = dict(about.get("evals", {}))
    ranker.notes_ = tuple(about.get("notes", ()))
    ranker.trees_before_ = int(about.get("trees_before", 0))
    biases = about.get("position_bias")
    ranker.position_bias_ = None if biases is None else {int(p): float(b) for p, b in biases}
    if about.get("features") is not None:
        ranker.feature_names_in_ = np.array(about["features"], object)


def _storable(value: Any) -> Any:
    """Return a parameter as JSON can hold it."""
    if isinstance(value, (Measure, Objective)):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(key): _storable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_storable(each) for each in value]
    return value
