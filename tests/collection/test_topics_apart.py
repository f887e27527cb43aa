"""Some topics taken out of judgments and of judged lists score as they did among all."""

import random

import numpy as np
import pytest

import gradewise as gw

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from gradewise.collection.topic_subsets import keep_topics
from scale.cases import KINDS, measures_for


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_some_topics(kind: str) -> None:
    rng = random.Random(kind)
    case = KINDS[kind](rng)
    measures = measures_for(case)
    judged = gw.judge(case.qrels, case.runs, scores=True)
    everything = gw.score_judged(judged, measures)
    for size in (1, 4, len(judged.topics)):
        places = np.array(sorted(rng.sample(range(len(judged.topics)), size)))
        some = keep_topics(judged, np.isin(np.arange(len(judged.topics)), places))
        assert some.topics == tuple(judged.topics[place] for place in places)
        found = gw.score_judged(some, measures)
        expected = everything.values[:, places]
        assert np.array_equal(found.values, expected, equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_judgments_of_some_topics(kind: str) -> None:
    rng = random.Random(kind)
    case = KINDS[kind](rng)
    measures = measures_for(case)
    qrels = gw.read_qrels(case.qrels)
    everything = gw.evaluate(qrels, case.runs, measures)
    numbers = np.array(rng.sample(range(len(qrels.topics)), 5))
    found = gw.evaluate(qrels.of_topics(numbers), case.runs, measures)
    places = [everything.topics.index(topic) for topic in found.topics]
    assert sorted(found.topics) == sorted(qrels.topics[number] for number in numbers)
    assert np.array_equal(found.values, everything.values[:, places], equal_nan=True)
