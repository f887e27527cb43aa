"""Lists of a part of a collection, on the scale of the whole."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.collection.scales import on_scale
from gradewise.errors import OptionError
from measures.complete import COMPLETE
from parity.material import random_collection


def test_topics_have_the_values_that_they_have_among_others() -> None:
    qrels, run = random_collection(31, topics=12, grades=(-1, 0, 0, 1, 2, 4))
    whole = gw.judge(qrels, {"run": run}, scores=True)
    assert whole.scale.tolist() == [1, 2, 4]
    part = {t: grades for t, grades in qrels.items() if 2 not in grades.values()}
    assert 2 <= len(part) < len(qrels)
    few = gw.judge(part, {"run": run}, scores=True)
    assert few.scale.tolist() != [1, 2, 4]
    again = on_scale(few, whole.scale)
    rows = [whole.topics.index(topic) for topic in few.topics]
    for text in COMPLETE:
        measure = gw.parse_measure(text)
        if not measure.uses_intents:
            expected = measure.values(whole)[rows]
            assert measure.values(again) == pytest.approx(expected, abs=1e-12, nan_ok=True), text


def test_single_lists_keep_documents_that_are_only_counted() -> None:
    one = gw.judge_list([2, None, 0], {0: 3, 2: 4})
    again = on_scale(one, np.array([1, 2, 3]))
    assert again.counts.tolist() == [[3, 0, 4, 0]]
    assert again.with_grades(np.array([3, 0])).counts.tolist() == [[3, 0, 3, 1]]


def test_no_grade_may_be_missing() -> None:
    one = gw.judge_list([2], {2: 1})
    assert on_scale(one, np.array([2])) is one
    with pytest.raises(OptionError, match="documents of grade 2, which is not among the grades 1"):
        on_scale(one, np.array([1]))
