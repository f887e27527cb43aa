"""Documents of each topic with features and grades: what rankers are trained and tested on."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, offsets_of, rows_of_lists
from gradewise.collection.entries import check_repeats
from gradewise.collection.ids import Ids
from gradewise.collection.judged import Judged, Lists
from gradewise.collection.levels import to_levels
from gradewise.collection.pool import Pool
from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.sources.text import LARGEST_GRADE
from gradewise.errors import InputError, OptionError, counted


@dataclass(frozen=True, eq=False, repr=False)
class FeatureSet:
    """Rows of features with a grade each; rows `offsets[i]:offsets[i + 1]` belong to `topics[i]`.

    Examples
    --------
    >>> from gradewise.learn.features import from_arrays
    >>> data = from_arrays([[0.1, 2.0], [0.3, 1.0], [0.2, 0.0]], [0, 2, 1], group=[2, 1])
    >>> data
    FeatureSet(2 topics, 3 documents, 2 features, grades 0 1 2)
    >>> data.features[data.rows_of(0)].shape
    (2, 2)
    """

    features: NDArray[np.float32]
    grades: Ints
    offsets: Ints
    topics: tuple[str, ...]
    docs: tuple[str, ...]
    _kept: dict[bytes, tuple[Lists, Ints]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        grades = " ".join(map(str, np.unique(self.grades)))
        return (
            f"FeatureSet({counted(len(self), 'topic')}, {counted(len(self.grades), 'document')}, "
            f"{counted(self.width, 'feature')}, grades {grades})"
        )

    @property
    def width(self) -> int:
        """How many features a document has."""
        return self.features.shape[1]

    @property
    def sizes(self) -> Ints:
        """How many documents each topic has."""
        return np.diff(self.offsets)

    @cached_property
    def owner(self) -> Ints:
        """The topic of each row, as a position."""
        return np.arange(len(self)).repeat(self.sizes)

    @cached_property
    def scale(self) -> Ints:
        """The positive grades that occur, ascending."""
        grades = np.unique(self.grades)
        return grades[grades > 0]

    def rows_of(self, topic: int) -> slice:
        """Return the rows of the topic at a position."""
        return slice(int(self.offsets[topic]), int(self.offsets[topic + 1]))

    def take(self, topics: Sequence[int] | Ints) -> "FeatureSet":
        """Return some topics, in the order given."""
        chosen = np.asarray(topics, np.int64)
        rows = rows_of_lists(self.offsets, chosen)
        return FeatureSet(
            self.features[rows],
            self.grades[rows],
            offsets_of(self.sizes[chosen]),
            tuple(self.topics[topic] for topic in chosen),
            tuple(self.docs[row] for row in rows),
        )

    def with_features(self, features: Any) -> "FeatureSet":
        """Return the same documents with other features."""
        return replace(self, features=np.ascontiguousarray(features, np.float32))

    def levels(self, scale: Ints) -> Ints:
        """Return the level of each row on a scale; NEGATIVE where the grade is below 0."""
        strangers = np.setdiff1d(self.scale, scale)
        if len(strangers):
            known = ", ".join(map(str, scale)) or "none"
            raise InputError(
                f"there are documents of grade {strangers[0]}, but the ranker was trained for the "
                f"positive grades {known}"
            )
        return to_levels(self.grades, scale)

    def lists(self, scale: Ints | None = None) -> Lists:
        """Return what a measure may know of the topics when all their documents are ranked."""
        scale = self.scale if scale is None else scale
        return self._on_scale(scale)[0]

    def _on_scale(self, scale: Ints) -> tuple[Lists, Ints]:
        """Return lists and levels, which are made once for a scale."""
        key = scale.tobytes()
        if key not in self._kept:
            levels = self.levels(scale)
            self._kept[key] = Lists.of_documents(scale, levels, self.sizes), levels
        return self._kept[key]

    def judged(
        self, scores: Floats, *, scale: Ints | None = None, seed: int | Sequence[int] = 0
    ) -> Judged:
        """Rank all documents by scores, `scores[row]` or `scores[run, row]`, and return the hits.

        Documents with equal scores are ordered at random: some collections list documents by
        grade, and the order of the input would leak it.
        """
        lists, levels = self._on_scale(self.scale if scale is None else scale)
        table = np.atleast_2d(scores)
        mixed = np.lexsort((np.random.default_rng(seed).random(len(self.grades)), self.owner))
        rows = np.concatenate([mixed[np.lexsort((-row[mixed], self.owner))] for row in table])
        topic, sizes = (np.tile(each, len(table)) for each in (lists.topic, lists.retrieved))
        ranked = Lists(lists.scale, lists.counts, topic, sizes)
        judged = Judged.of_levels(ranked, levels[rows], topics=self.topics)
        return replace(judged, pool=Pool(self.owner, self.grades, levels), hit_rows=rows)

    def run(self, scores: Floats, name: str = "gradewise") -> Run:
        """Return the documents with scores as a run."""
        entries = Run(self.topics, self.offsets, Ids.from_strings(self.docs), scores, name)
        check_repeats(entries, name)
        return entries

    def qrels(self) -> Qrels:
        """Return the grades as judgments."""
        docs = Ids.from_strings(self.docs)
        qrels = Qrels(self.topics, self.offsets, docs, self.grades.astype(np.float64))
        check_repeats(qrels, "qrels")
        return qrels


def from_arrays(
    x: Any,
    y: Any,
    *,
    group: Any = None,
    qid: Any = None,
    docs: Sequence[str] | None = None,
) -> FeatureSet:
    """Make a FeatureSet from arrays.

    Parameters
    ----------
    x
        Features, a row for each document.
    y
        The grade of each row, a whole number.
    group
        The number of rows of each topic, in the order of the rows, as for LightGBM.
    qid
        Instead of `group`, the topic of each row. The rows of a topic need not be adjacent; topics
        are ordered by their first row.
    docs
        The document id of each row. By default, the topic and a number.

    Examples
    --------
    >>> from gradewise.learn import from_arrays
    >>> from_arrays([[0.5], [0.25]], [1, 0], qid=["a", "a"])
    FeatureSet(1 topic, 2 documents, 1 feature, grades 0 1)
    """
    features = np.asarray(x, np.float32)
    if features.ndim != 2 or not features.size:
        raise InputError(f"features must be a table with at least one row, not shape {np.shape(x)}")
    grades = checked_grades(y, len(features))
    names, sizes, order = topics_of(group, qid, len(features))
    if order is not None:
        features, grades = features[order], grades[order]
        docs = None if docs is None else [docs[row] for row in order]
    _check_finite(features, names, sizes)
    if docs is not None and len(docs) != len(features):
        raise InputError(f"there are {len(features)} rows but {len(docs)} document ids")
    chosen = tuple(docs) if docs is not None else numbered(names, sizes)
    rows = np.ascontiguousarray(features)
    return FeatureSet(rows, grades, offsets_of(sizes), tuple(names), chosen)


def numbered(topics: Sequence[str], sizes: Ints) -> tuple[str, ...]:
    """Return ids for documents that have none: the topic and a number."""
    counts = zip(topics, sizes.tolist(), strict=True)
    return tuple(f"{topic}-{number}" for topic, size in counts for number in range(1, size + 1))


def checked_grades(y: Any, rows: int) -> Ints:
    """Return grades as whole numbers, one for each row."""
    given = np.asarray(y, np.float64)
    if given.shape != (rows,):
        raise InputError(f"there are {rows} rows of features, but grades have shape {given.shape}")
    wrong = ~np.isfinite(given) | (given != np.rint(given)) | (np.abs(given) > LARGEST_GRADE)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(f"the grade of row {row} is {given[row]}, not a whole number")
    return given.astype(np.int64)


def topics_of(group: Any, qid: Any, rows: int) -> tuple[list[str], Ints, Ints | None]:
    """Return names and sizes of topics, and the order of rows if it has to change."""
    if (group is None) == (qid is None):
        raise OptionError(
            "give either group (the number of rows of each topic) or qid (the topic of each row)"
        )
    if group is not None:
        sizes = np.asarray(group)
        if sizes.ndim != 1 or (sizes != np.rint(sizes)).any() or (sizes < 1).any():
            raise InputError(
                "group must hold whole numbers of 1 or more: the number of rows of each topic"
            )
        total = int(sizes.sum())
        if total != rows:
            raise InputError(
                f"the sizes in group sum to {total}, but there are {counted(rows, 'row')}"
            )
        return [str(index) for index in range(1, len(sizes) + 1)], sizes.astype(np.int64), None
    given = np.asarray(qid)
    if given.shape != (rows,):
        raise InputError(f"qid has {given.size} values, but there are {counted(rows, 'row')}")
    if given.dtype == object:
        given = given.astype(str)
    names, first, found = np.unique(given, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    owner = np.argsort(by_appearance)[found]
    order = np.argsort(owner, kind="stable") if (np.diff(owner) < 0).any() else None
    topics = [str(topic) for topic in names[by_appearance].tolist()]
    return topics, np.bincount(owner, minlength=len(topics)), order


def check_width(width: int, expected: int, whose: str = "the ranker") -> None:
    """Raise an InputError unless documents have as many features as a ranker expects."""
    if width != expected:
        raise InputError(  # scikit-learn's own sentence
            f"X has {width} features, but {whose} is expecting {expected} features as input"
        )


def topic_notes(grades: Ints, sizes: Ints) -> tuple[str, ...]:
    """Return sentences on how many topics are left out of training, and why."""
    return notes_on_left_out(count_left_out(grades, sizes))


def count_left_out(grades: Ints, sizes: Ints) -> Ints:
    """Count topics without a relevant document, with a single document, and of one grade."""
    starts = np.cumsum(sizes) - sizes
    highest = np.maximum.reduceat(grades, starts)
    lowest = np.minimum.reduceat(grades, starts)
    single = sizes == 1
    nothing = (highest <= 0) & ~single
    equal = (highest == lowest) & ~single & ~nothing
    return np.array([nothing.sum(), single.sum(), equal.sum()], np.int64)


def notes_on_left_out(counts: Ints) -> tuple[str, ...]:
    """Return sentences on what `count_left_out` has counted."""
    reasons = (
        "without a relevant document",
        "with a single document",
        "whose documents all have the same grade",
    )
    return tuple(
        f"{counted(count, 'topic')} {reason} left out of training"
        for count, reason in zip(counts.tolist(), reasons, strict=True)
        if count
    )


def _check_finite(features: NDArray[np.float32], names: Sequence[str], sizes: Ints) -> None:
    wrong = ~np.isfinite(features)
    if wrong.any():
        row, column = (int(place[0]) for place in np.nonzero(wrong))
        topic = names[int(np.searchsorted(np.cumsum(sizes), row, "right"))]
        raise InputError(
            f"feature {column + 1} of row {row} (topic {topic}) is {features[row, column]}; "
            f"{counted(int(wrong.sum()), 'value')} in total are NaN or infinite"
        )
