"""Trees as the LTR plugins of Elasticsearch and OpenSearch evaluate them.

Their model type `model/xgboost+json` is a list of trees. A node has `split` (the name of a
feature), `split_condition`, the ids `yes` and `no`, and its `children`; a document goes to `yes` if
the feature is below the condition. Features, conditions and leaves are held in single precision,
and the score is the sum of leaves.
"""

import struct
from collections.abc import Mapping
from typing import Any


def single(number: float) -> float:
    """A number as single precision holds it."""
    return struct.unpack("f", struct.pack("f", number))[0]


def score(trees: list[dict[str, Any]], features: Mapping[str, float]) -> float:
    """The score of a document."""
    total = 0.0
    for tree in trees:
        node = tree
        while "leaf" not in node:
            below = single(features[node["split"]]) < single(node["split_condition"])
            wanted = node["yes"] if below else node["no"]
            node = next(child for child in node["children"] if child["nodeid"] == wanted)
        total += single(node["leaf"])
    return total
