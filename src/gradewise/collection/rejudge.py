"""Rejudged: the same runs under other judgments of the same documents.

Finding the judged documents of runs takes most of the time of a join. Here it is done once, and
each hit keeps the row of its document in the qrels, so that other grades, or fewer judgments,
need no more than a look at a table.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Ints
from gradewise.collection.join import judge
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.qrels import NEGATIVE, Qrels
from gradewise.collection.reading import read_qrels
from gradewise.collection.ties import Ties
from gradewise.errors import OptionError


@dataclass(frozen=True, eq=False)
class Rejudged:
    """The hits of runs with the documents they are, ready for other grades.

    `qrels` holds the judged documents, a row each. `found` holds the lists; its hits have, in
    place of a level, the row of the document. Grades change, topics and scale do not: a topic
    stays when no judged document of it is left, and thresholds keep their meaning when no
    document has a grade any more.

    Examples
    --------
    >>> import gradewise as gw
    >>> import numpy as np
    >>> qrels = gw.read_qrels({"t": {"a": 1, "b": 0}})
    >>> rejudged = Rejudged.of(qrels, {"mine": {"t": {"a": 2.0, "b": 1.0}}})
    >>> gw.score_judged(rejudged.with_grades(np.array([0, 1])), "AP").summary()
    array([[0.5]])
    """

    qrels: Qrels
    found: Judged = field(repr=False)

    @staticmethod
    def of(
        qrels: Any,
        runs: Any,
        *,
        ties: Ties = "trec",
        seed: int = 0,
    ) -> "Rejudged":
        """Find the judged documents of runs.

        Parameters
        ----------
        qrels
            Judgments, or anything that `read_qrels` takes.
        runs
            One run, a list, or a dictionary {name: run}; each a Run or anything that `read_run`
            takes.
        ties
            The order of documents with equal scores, as for `evaluate`.
        seed
            Seed of the random order of ties.
        """
        table = read_qrels(qrels)
        judged = judge(table, runs, ties=ties, seed=seed)
        assert judged.hit_rows is not None
        return Rejudged(table, replace(judged, hits=replace(judged.hits, level=judged.hit_rows)))

    @cached_property
    def topic(self) -> Ints:
        """The topic of every row of the qrels, as its position among the topics of lists."""
        return self.qrels.place.repeat(self.qrels.sizes)

    def with_grades(self, grades: Ints, kept: Bools | None = None) -> Judged:
        """Return the lists under other grades.

        Parameters
        ----------
        grades
            A grade for every row of the qrels: one of the scale, or 0 or below.
        kept
            False for the rows that shall count as never judged; all are judged by default.
        """
        levels, topic, rows = self._levels(grades), self.topic, self.found.hits.level
        hits = replace(self.found.hits, level=levels[rows])
        if kept is not None:
            self._check_size("kept", kept)
            hits = _chosen(hits, kept[rows])
            levels, topic = levels[kept], topic[kept]
        shape = self.found.counts.shape
        cell = topic * shape[1] + np.maximum(levels, 0)
        counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
        return replace(self.found, hits=hits, counts=counts)

    def _levels(self, grades: Ints) -> NDArray[np.int32]:
        self._check_size("grades", grades)
        scale = self.qrels.scale
        place = np.searchsorted(scale, grades)
        on_scale = np.append(scale, NEGATIVE)[place] == grades
        unknown = (grades > 0) & ~on_scale
        if unknown.any():
            known = " ".join(map(str, scale)) or "nothing"
            raise OptionError(
                f"grade {grades[unknown][0]} is not on the scale of the qrels, which has {known}"
            )
        levels = np.where(grades > 0, place + 1, np.where(grades < 0, NEGATIVE, 0))
        return levels.astype(np.int32)

    def _check_size(self, name: str, values: Ints | Bools) -> None:
        if values.shape != (len(self.qrels),):
            raise OptionError(
                f"{name} must have {len(self.qrels)} values, one for each judged document; "
                f"its shape is {values.shape}"
            )


def _chosen(hits: Hits, chosen: Bools) -> Hits:
    """Return chosen hits in small integers, as all hits of a collection are kept."""
    index = np.flatnonzero(chosen)
    return Hits(hits.list[index], hits.rank[index], hits.level[index], hits.lists)
