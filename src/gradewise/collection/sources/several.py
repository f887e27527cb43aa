"""Several runs in one source: a column names the run of each row."""

from collections.abc import Sequence
from functools import cached_property
from types import TracebackType
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.batch import Batch
from gradewise.collection.ids import Ids
from gradewise.collection.sources.rows import rows_batch
from gradewise.collection.sources.source import Part, Parts, Source
from gradewise.errors import InputError
from gradewise.kernels import ids
from gradewise.parallel import stream_map


class Shared:
    """A source that holds several runs; `kept` is what has been read of them all, if it was."""

    def __init__(self, source: Source):
        self.source = source
        self.kept: dict[str, Any] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The runs, in the order of their first rows; to tell them takes a pass over the source."""
        numbering = ids.Numbering()
        for names in stream_map(_names_of, self.source.parts()):
            numbering.add(names.data, names.offsets)
        return tuple(Ids(*numbering.column()).to_list())

    def runs(self) -> list["RunOf"]:
        """Return each run as a source of its own."""
        return [RunOf(self, name) for name in self.names]


class RunOf(Source):
    """The rows of one run, of a source that holds several."""

    def __init__(self, shared: Shared, run: str):
        self.shared, self.run, self.name = shared, run, shared.source.name
        self.origin, self.by_order = shared.source.origin, shared.source.by_order
        self.found, self.stream = shared.source.found, shared.source.stream

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was assumed about the whole source."""
        return self.shared.source.notes

    def parts(self) -> Parts:
        """Give the rows of the run, part by part."""
        for part in self.shared.source.parts():
            yield _PartOf(part, self.run)

    def place(self, number: int) -> str:
        """Name a place of the whole source."""
        return self.shared.source.place(number)

    def places(self, rows: Ints) -> list[tuple[str, str]]:
        """Return the places of some rows of the run, by reading once more."""
        found: list[Ints] = []
        before = seen = 0
        for part in self.shared.source.parts():
            with part as batch:
                [mine] = rows_of_runs(batch, [self.run])
                inside = rows[(rows >= seen) & (rows < seen + len(mine))] - seen
                found.append(before + mine[inside])
                before, seen = before + len(batch), seen + len(mine)
        return self.shared.source.places(np.concatenate(found))

    def tag(self) -> str | None:
        """Return what the source calls the run."""
        return self.run


class _PartOf:
    """The rows of a run as a part."""

    def __init__(self, part: Part, run: str):
        self.part, self.run = part, run

    def __enter__(self) -> Batch:
        batch = self.part.__enter__()
        return split_runs(batch, [self.run])[0]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.part.__exit__(kind, error, trace)


def _names_of(part: Part) -> Ids:
    with part as batch:
        return batch.runs.names.copied() if batch.runs is not None else Ids.from_strings([])


def rows_of_runs(batch: Batch, runs: Sequence[str]) -> list[Ints]:
    """Return the rows of a batch that belong to each of some runs."""
    if batch.runs is None:
        return [np.empty(0, np.int64) for _ in runs]
    numbering, wanted = ids.Numbering(), Ids.from_strings(runs)
    numbering.add(wanted.data, wanted.offsets)
    names, edges = batch.runs
    number = numbering.find(names.data, names.offsets).repeat(np.diff(edges))
    return [np.flatnonzero(number == index) for index in range(len(runs))]


def split_runs(batch: Batch, runs: Sequence[str]) -> list[Batch]:
    """Return the rows of each of some runs as a batch; the first also tells what is wrong."""
    made = []
    for index, rows in enumerate(rows_of_runs(batch, runs)):
        topic = np.searchsorted(batch.edges, rows, "right") - 1
        made.append(
            rows_batch(
                batch.topics.take(topic),
                batch.docs.take(rows),
                batch.numbers[rows],
                size=batch.size,
                faults=batch.faults if index == 0 else (),
                fault_count=batch.fault_count if index == 0 else 0,
            )
        )
    return made


def one_run(source: Source) -> Source:
    """Return a source that holds a single run; raise an InputError if it holds more."""
    if not source.holds_runs:
        return source
    shared = Shared(source)
    if len(shared.names) > 1:
        shown = ", ".join(shared.names[:5]) + (", ..." if len(shared.names) > 5 else "")
        raise InputError(
            f"{source.name}: contains {len(shared.names)} runs ({shown}); use read_runs to read "
            "them all"
        )
    return shared.runs()[0] if shared.names else source
