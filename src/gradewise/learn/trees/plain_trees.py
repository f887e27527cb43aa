"""LightGBM's trees in the form of XGBoost's JSON dump, which search engines read."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from gradewise.errors import InputError


def plain_tree(tree: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a tree of LightGBM's `dump_model` as nodes with split, yes, no, missing, children.

    LightGBM goes left if value <= threshold, XGBoost if value < split_condition. Search engines
    hold values and conditions in single precision, in which the next number above the threshold
    makes both the same.

    Examples
    --------
    >>> leaf = {"leaf_value": 1.0}
    >>> split = {"split_feature": 0, "threshold": 0.5, "decision_type": "<="}
    >>> split |= {"default_left": True, "missing_type": "None"}
    >>> plain_tree({**split, "left_child": leaf, "right_child": leaf}, ["price"])["split_condition"]
    0.5000000596046448
    """
    return _node(tree, names, count(), 0)


def _node(tree: dict[str, Any], names: Sequence[str], numbers: Any, depth: int) -> dict[str, Any]:
    number = next(numbers)
    if "split_feature" not in tree:
        if "leaf_coeff" in tree:
            raise InputError("linear trees cannot be written for a search engine")
        return {"nodeid": number, "leaf": float(tree["leaf_value"])}
    if tree["decision_type"] != "<=" or tree["missing_type"] == "Zero":
        what = "splits by category" if tree["decision_type"] != "<=" else "zeros as missing values"
        raise InputError(f"trees with {what} cannot be written for a search engine")
    left, right = (
        _node(tree[side], names, numbers, depth + 1) for side in ("left_child", "right_child")
    )
    return {
        "nodeid": number,
        "depth": depth,
        "split": names[tree["split_feature"]],
        "split_condition": _just_above(float(tree["threshold"])),
        "yes": left["nodeid"],
        "no": right["nodeid"],
        "missing": (left if tree["default_left"] else right)["nodeid"],
        "children": [left, right],
    }


def _just_above(threshold: float) -> float:
    """Return the smallest number of single precision above a threshold."""
    near = np.float32(threshold)
    below = near if float(near) <= threshold else np.nextafter(near, np.float32(-np.inf))
    return float(np.nextafter(below, np.float32(np.inf)))
