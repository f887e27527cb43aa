"""Datasets of ir_datasets: their qrels, or their scored documents."""

import copy
from collections.abc import Iterator
from itertools import islice
from typing import Any

from gradewise.collection.sources.names import KNOWN
from gradewise.collection.sources.rows import RowsSource, Triple
from gradewise.errors import InputError, MissingDependencyError, did_you_mean

_CHUNK = 100_000


class DatasetSource(RowsSource):
    """A dataset by its id, read through ir_datasets."""

    def __init__(self, dataset_id: str, *, grades: bool):
        super().__init__(f"irds:{dataset_id}", ([], [], []), grades=grades)
        self.id_column = "query_id"  # what stands first in a row
        self.dataset = load_dataset(dataset_id)
        if not (self.dataset.has_qrels() if grades else self.dataset.has_scoreddocs()):
            kind = "qrels" if grades else "scored documents, which make a run"
            raise InputError(f"{self.name}: the dataset has no {kind}")

    def chunks(self) -> Iterator[Triple]:
        """Give the rows, some at a time."""
        rows = self.dataset.qrels_iter() if self.grades else self.dataset.scoreddocs_iter()
        while chunk := list(islice(rows, _CHUNK)):
            yield (
                [getattr(row, self.id_column) for row in chunk],
                [row.doc_id for row in chunk],
                [row.relevance if self.grades else row.score for row in chunk],
            )

    def intents(self) -> "DatasetSource | None":
        """Return the same rows with the intent, if judgments have one, in place of the topic."""
        sample = next(iter(self.dataset.qrels_iter()), None)
        found = next((name for name in KNOWN["intent"] if hasattr(sample, name)), None)
        if found is None:
            return None
        other = copy.copy(self)
        other.id_column, other.first = found, "intent"
        return other


def load_dataset(dataset_id: str) -> Any:
    """Return a dataset of ir_datasets by its id."""
    try:
        import ir_datasets
    except ImportError:
        raise MissingDependencyError("ir_datasets", "plugins", f"irds:{dataset_id}") from None
    try:
        return ir_datasets.load(dataset_id)
    except KeyError:
        near = did_you_mean(dataset_id, ir_datasets.registry)
        raise InputError(f"irds:{dataset_id}: ir_datasets has no such dataset{near}") from None
