"""Datasets of ir_datasets: their qrels, or their scored documents."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gradewise.collection.sources.rows import Columns, RowsSource
from gradewise.errors import InputError, MissingDependencyError

_CHUNK = 100_000


class DatasetSource(RowsSource):
    """A dataset by its id, read through ir_datasets."""

    def __init__(self, dataset_id: str, *, grades: bool):
        super().__init__(f"irds:{dataset_id}", ([], [], []), grades=grades)
        self.dataset = _load(dataset_id)
        if not (self.dataset.has_qrels() if grades else self.dataset.has_scoreddocs()):
            kind = "qrels" if grades else "scored documents, which make a run"
            raise InputError(f"{self.name}: the dataset has no {kind}")

    def chunks(self) -> Iterator[Columns]:
        """Give the rows, some at a time."""
        rows = self.dataset.qrels_iter() if self.grades else self.dataset.scoreddocs_iter()
        while chunk := list(islice(rows, _CHUNK)):
            yield (
                [row.query_id for row in chunk],
                [row.doc_id for row in chunk],
                [row.relevance if self.grades else row.score for row in chunk],
            )


def _load(dataset_id: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingDependencyError("ir_datasets", "plugins", f"irds:{dataset_id}") from None
    try:
        return ir_datasets.load(dataset_id)
    except KeyError:
        raise InputError(f"irds:{dataset_id}: ir_datasets has no such dataset") from None
