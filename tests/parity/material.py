"""What the parity tests share: collections to score, and values by measure and topic."""

import gzip
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import gradewise as gw

Grades = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]
Values = dict[str, dict[str, float]]  # measure -> topic -> value

# Ids that sort in another way as numbers, without case, or as anything but bytes.
IDS = ["9", "10", "010", "a", "aa", "A", "a-1", "a_1", "Z", "z", "é", "e", "ß", "中", "文", "😀"]
DOCUMENTS = IDS + [f"d{number}" for number in range(24)]


def collections(max_grade: int = 4) -> st.SearchStrategy[tuple[Grades, Ranked]]:
    """Draw small collections with ties, unjudged documents, missed topics and missing grades.

    Topics are numbers, as gdeval wants; scores are the same in single precision.
    """
    topics = st.sampled_from(["7", "8", "10"])
    grades = st.integers(0, max_grade)
    scores = st.integers(-12, 12).map(lambda number: number / 4)
    documents = st.sampled_from(DOCUMENTS)
    judged = st.dictionaries(documents, grades, min_size=1, max_size=20)
    retrieved = st.dictionaries(documents, scores, min_size=1, max_size=30)
    return st.tuples(
        st.dictionaries(topics, judged, min_size=1),
        st.dictionaries(topics, retrieved, min_size=1),
    )


def random_collection(
    seed: int, *, topics: int, ties: bool = True, grades: Sequence[int] = (0, 0, 0, 1, 2, 4)
) -> tuple[Grades, Ranked]:
    """Draw a collection of many topics, some with neither relevant nor judged documents."""
    rng = random.Random(seed)
    qrels: Grades = {}
    run: Ranked = {}
    for topic in map(str, range(1, topics + 1)):
        documents = [f"d{number}" for number in range(rng.randint(2, 60))]
        scale = grades if rng.random() < 0.9 else (0,)
        judged = rng.sample(documents, rng.randint(1, len(documents)))
        retrieved = rng.sample(documents, rng.randint(1, len(documents)))
        scores = rng.sample(range(1000), len(retrieved))
        qrels[topic] = {document: rng.choice(scale) for document in judged}
        run[topic] = {
            document: float(score % 10 if ties else score)
            for document, score in zip(retrieved, scores, strict=True)
        }
    return qrels, run


def gradewise_values(qrels: Any, run: Any, names: Iterable[str], **options: Any) -> Values:
    """Score a run with gradewise, and arrange the values by name and topic."""
    names = list(names)
    scores = gw.evaluate(qrels, {"run": run}, names, **options)
    columns = {measure: column for column, measure in enumerate(scores.measures)}
    return {
        name: dict(
            zip(
                scores.topics,
                scores.values[0, :, columns[gw.parse_measure(name)]].tolist(),
                strict=True,
            )
        )
        for name in names
    }


def read_lines(path: Path) -> list[list[str]]:
    """Read the fields of a gzip-compressed file, line by line, without gradewise."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.split() for line in file]
