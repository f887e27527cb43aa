"""A run: the documents that a system retrieved for each topic, with their scores."""

from dataclasses import dataclass
from typing import Any

from gradewise.arrays import Floats, Ints
from gradewise.collection.entries import Entries
from gradewise.collection.ordering import ranked_rows
from gradewise.collection.sources.ranx import import_ranx
from gradewise.collection.ties import Ties
from gradewise.errors import counted
from gradewise.showing import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Run(Shown, Entries):
    """Retrieved documents with their scores, grouped by topic, in the order of the input.

    Examples
    --------
    >>> import gradewise as gw
    >>> run = gw.read_run({"t1": {"a": 1.5, "b": 2.5}}, name="mine")
    >>> run
    Run('mine', 1 topic, 2 documents)
    >>> run.ranking("t1")
    ['b', 'a']
    """

    name: str
    tag: str | None = None
    notes: tuple[str, ...] = ()  # what was assumed when it was read

    @property
    def scores(self) -> Floats:
        """The score of every row."""
        return self.numbers

    def ranking(self, topic: str, *, ties: Ties = "trec", seed: int = 0) -> list[str]:
        """Return the documents of a topic, best first."""
        rows = ranked_rows(self, ties=ties, seed=seed)[self.rows_of(topic)]
        return self.docs.take(rows).to_list()

    def ranked(self, *, ties: Ties = "trec", seed: int = 0) -> Ints:
        """Return all rows, topic by topic, best rank first."""
        return ranked_rows(self, ties=ties, seed=seed)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return the scores as a dictionary of dictionaries, {topic: {document: score}}."""
        documents, scores = self.docs.to_list(), self.scores.tolist()
        return {
            topic: dict(zip(documents[rows], scores[rows], strict=True))
            for topic, rows in ((topic, self.rows_of(topic)) for topic in self.topics)
        }

    def to_ranx(self) -> Any:
        """Return the run as ranx's Run."""
        return import_ranx().Run(self.to_dict(), name=self.name)

    def __repr__(self) -> str:
        topics, documents = counted(len(self.topics), "topic"), counted(len(self), "document")
        return f"Run({self.name!r}, {topics}, {documents})"
