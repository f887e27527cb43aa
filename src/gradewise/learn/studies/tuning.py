"""The best of several objectives by validation, fold by fold: tuned as one would tune it."""

from collections.abc import Sequence

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError
from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.measures.grammar import parse_measure


def tune(
    result: CrossValidation, objectives: Sequence[str], *, test: int = 0, algorithm: int = 0
) -> tuple[Floats, Ints]:
    """Let the validation part of each fold choose among objectives, for each seed.

    Return `values[seed, topic]` of a test measure on test topics, and `chosen[seed, fold]`, which
    of the objectives.
    """
    if result.validation is None or result.fold_of_topic is None:
        raise OptionError("this cross-validation has no values on validation topics")
    places = [result._place(name) for name in objectives]
    validation = result.validation[algorithm, places, test]
    higher = parse_measure(result.test_measures[test]).higher_is_better
    chosen = np.argmax(validation if higher else -validation, axis=0)
    values = result.by_test[algorithm, places, test]
    seeds, topics = np.arange(len(result.seeds)), np.arange(len(result.topics))
    return values[chosen[:, result.fold_of_topic], seeds[:, None], topics], chosen
