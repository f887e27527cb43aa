"""What a training of a net begins with: what is given for rows, and the net that it continues."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import AnyArray, Floats, Ints
from gradewise.errors import OptionError
from gradewise.learn.estimator import HeldOut, topics_in
from gradewise.learn.features import FeatureSet, check_width, topics_of
from gradewise.learn.nets.algorithms import ALGORITHMS
from gradewise.learn.nets.network import Weights
from gradewise.learn.nets.row_inputs import BIAS, Positions, RowInputs
from gradewise.learn.positions import checked_positions
from gradewise.learn.row_numbers import row_numbers, row_weights

if TYPE_CHECKING:
    from gradewise.learn.nets.ranker import NetRanker


def inputs_of(
    ranker: "NetRanker",
    train: tuple[FeatureSet, HeldOut],
    held: tuple[FeatureSet, HeldOut] | None,
    position: Any,
    init_model: Any,
) -> RowInputs:
    """Return what is given besides features and grades, list after list as in the sets."""
    data, asked = train
    weight, start = _numbers(data, asked)
    shown = _positions(ranker, position, data, asked)
    held_weight, held_start = (None, None) if held is None else _numbers(*held)
    net = None if init_model is None else _net_before(ranker, init_model, data.width, shown)
    return RowInputs(shown, weight, start, held_weight, held_start, net)


def _numbers(data: FeatureSet, asked: HeldOut) -> tuple[Floats | None, Floats | None]:
    """Return weights and first scores of rows."""
    rows, order = len(data.grades), _order(data, asked)
    weight = row_weights(asked.weight, rows, data.sizes, order)
    start = row_numbers("init_score", asked.start, rows)
    return _in_order(weight, order), _in_order(start, order)


def _order(data: FeatureSet, asked: HeldOut) -> Ints | None:
    """Return the order that puts the rows that were given list after list; None if they are."""
    if isinstance(asked.x, FeatureSet):
        return None
    _, qid, group = topics_in(asked.x, asked.qid, asked.group)
    return None if qid is None else topics_of(group, qid, len(data.grades))[2]


def _in_order(numbers: AnyArray | None, order: Ints | None) -> Any:
    return numbers if numbers is None or order is None else numbers[order]


def _positions(
    ranker: "NetRanker", position: Any, data: FeatureSet, asked: HeldOut
) -> Positions | None:
    """Return where the documents of training rows were shown."""
    if position is None:
        if ranker.propensity is not None:
            raise OptionError("propensity needs position: the rank at which each row was shown")
        return None
    if ranker.propensity is not None and not ALGORITHMS[ranker.algorithm].of_pairs:
        weighing = [name for name, each in ALGORITHMS.items() if each.of_pairs]
        raise OptionError(f"propensity needs an algorithm of pairs: {', '.join(weighing)}")
    places = checked_positions(position, len(data.grades))
    return Positions.at(_in_order(places, _order(data, asked)), ranker.propensity)


def _net_before(ranker: "NetRanker", given: Any, width: int, shown: Positions | None) -> Weights:
    """Return the weights of another ranker, or of its file, and its biases of positions."""
    other = given if isinstance(given, type(ranker)) else ranker.load(given)
    other._check_fitted()
    check_width(width, other.n_features_in_, "init_model")
    units = len(other.weights_["weight1"][0]) if "weight1" in other.weights_ else 0
    if units != ranker.hidden:
        raise OptionError(f"init_model has {units} hidden units, not {ranker.hidden}")
    if other.normalize != ranker.normalize:
        raise OptionError(
            f"init_model has features normalized by {other.normalize!r}, not {ranker.normalize!r}"
        )
    if shown is None or not shown.learned:
        return dict(other.weights_)
    if other.position_bias_ is None:
        raise OptionError(
            "init_model does not know its position biases (it was trained without position), so "
            "training with position cannot continue it; train from scratch"
        )
    biases = [other.position_bias_.get(int(place), 0.0) for place in shown.positions]
    return {**other.weights_, BIAS: np.array(biases, np.float32)}
