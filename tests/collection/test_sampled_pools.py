"""Sampled pools: two layouts of five columns, told apart, and what is kept of them."""

import gzip
import io
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError

STRATA = "1 0 a 1 2\n1 0 b 2 -1\n1 0 c 2 0\n2 0 a 1 1\n"
CHANCES = "1 a 2 1 1\n1 b 0 1 0.25\n1 c 1 0 0.5\n2 a 1 1 0.5\n"


def read(text: str) -> gw.Qrels:
    return gw.read_qrels(io.BytesIO(text.encode()))


def test_strata() -> None:
    qrels = read(STRATA)
    assert qrels.to_dict() == {"1": {"a": 2, "b": -1, "c": 0}, "2": {"a": 1}}
    assert qrels.sample is not None
    assert qrels.sample.probability is None
    np.testing.assert_array_equal(qrels.sample.stratum, [1, 2, 2, 1])


def test_probabilities() -> None:
    """What another method chose, here 0, was sure to be judged."""
    qrels = read(CHANCES)
    assert qrels.to_dict() == {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1}}
    assert qrels.sample is not None
    assert qrels.sample.stratum is None
    np.testing.assert_array_equal(qrels.sample.probability, [1, 0.25, 1, 0.5])


def test_rows_of_a_topic_need_not_be_neighbors() -> None:
    lines = STRATA.splitlines()
    qrels = read("\n".join([lines[0], lines[3], *lines[1:3]]) + "\n")
    assert qrels.sample is not None
    assert qrels.topic_column() == ["1", "1", "1", "2"]
    np.testing.assert_array_equal(qrels.sample.stratum, [1, 2, 2, 1])


def test_document_ids_that_are_numbers_do_not_confuse_the_layouts() -> None:
    strata = read("1 0 17 2 1\n1 0 18 1 0\n")
    assert strata.to_dict() == {"1": {"17": 1, "18": 0}}
    chances = read("1 0 1 1 1\n1 17 2 1 0.5\n")
    assert chances.to_dict() == {"1": {"0": 1, "17": 2}}
    assert chances.sample is not None
    np.testing.assert_array_equal(chances.sample.probability, [1, 0.5])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 Q0 a 1 2\n1 Q0 b 2 -1\n", "the grade 'a' is not a whole number"),
        ("1 Q0 7 1 1\n1 Q0 8 1 1\n", "document Q0 appears twice for topic 1"),
        ("1 0 a 1 0.5\n1 0 b 1 1\n", "the grade '0.5' is not a whole number"),
        ("1 0 a x 1\n", "the stratum 'x' is not a whole number"),
        ("1 a 1 1 NA\n", "the probability 'NA' is not a finite number"),
        ("1 a 1 1 1.5\n", "the probability of document a is 1.5; it must be above 0"),
        ("1 a 1 1 0\n", "the probability of document a is 0; it must be above 0"),
        ("1 0 a 1 2 x\n", "or 5 columns (sampled pool), found 6"),
    ],
)
def test_what_fits_neither_layout_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert told in str(caught.value)


def test_documents_that_were_not_drawn_are_unjudged() -> None:
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    scores = gw.evaluate(read(STRATA), run, ["Judged@3", "P(judged_only=True)@2", "AP"])
    topic = dict(zip(map(str, scores.measures), scores.values[0, 0], strict=True))
    assert topic["Judged@3"] == pytest.approx(2 / 3)
    assert topic["P(judged_only=True)@2"] == 0.5
    assert topic["AP"] == 1
    assert scores.notes[0] == (
        "the judgments have 5 columns, read as topic 0 document stratum grade"
    )


def test_the_web_tracks_sample(real_data: Path) -> None:
    path = real_data / "qrels" / "prels.web.1-50.txt.gz"
    qrels = gw.read_qrels(path)
    with gzip.open(path, "rt") as file:
        rows = [line.split() for line in file]
    assert len(qrels.topics) == 50
    literal: dict[str, dict[str, int]] = {}
    for topic, document, grade, _, _ in rows:
        literal.setdefault(topic, {})[document] = int(grade)
    assert qrels.to_dict() == literal
    chance = {(row[0], row[1]): float(row[4]) if row[3] == "1" else 1.0 for row in rows}
    keys = zip(qrels.topic_column(), qrels.docs.to_list(), strict=True)
    assert qrels.sample is not None
    np.testing.assert_array_equal(qrels.sample.probability, [chance[key] for key in keys])
