"""Sums over the topics of a partition, so that per-topic values need not travel.

Tables have the columns run, topic, measure, value, as `evaluate` gives them; a partition holds all
rows of its topics. What leaves a partition is a few numbers for each run or pair of runs.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.ids import Ids
from gradewise.errors import check_between
from gradewise.kernels import ids
from gradewise.scale.arrays import pa, to_floats, to_ids
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.totals import MEASURE, VALUE
from gradewise.stats.moments import Moments

BLOB = "blob"  # the column of what partitions send
_CELLS = 1 << 22  # values that are laid out at a time


@dataclass(frozen=True)
class Layout:
    """The runs and measures of values, in order, and the largest value of each measure."""

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    largest: tuple[float, ...]

    def tables(self, table: Any) -> Iterator[tuple[Ids, Floats]]:
        """Give topics and values[measure, run, topic], some topics at a time; NaN where none is."""
        topics = to_ids(table[TOPIC], TOPIC)
        numbering = ids.Numbering()
        number = numbering.add(topics.data, topics.offsets)
        run, measure = _places(table[RUN], self.runs), _places(table[MEASURE], self.measures)
        values = to_floats(table[VALUE], VALUE)
        names, count = Ids(*numbering.column()), len(numbering)
        step = max(1, _CELLS // (len(self.runs) * len(self.measures)))
        for low in range(0, count, step):
            size = min(step, count - low)
            here = np.flatnonzero((number >= low) & (number < low + size)) if count > step else ...
            found = np.full((len(self.measures), len(self.runs), size), np.nan)
            found[measure[here], run[here], number[here] - low] = values[here]
            yield names.part(low, low + size), found


def _places(column: Any, known: Sequence[str]) -> Ints:
    """Return the place of each name among those that are known."""
    numbering, own = ids.Numbering(), Ids.from_strings(known)
    numbering.add(own.data, own.offsets)
    given = to_ids(column, "names")
    return numbering.find(given.data, given.offsets)


def partial_moments(table: Any, layout: Layout) -> list[Moments]:
    """Return the sums of a partition, one for each measure."""
    found = [Moments.none(len(layout.runs)) for _ in layout.measures]
    for _, values in layout.tables(table):
        parts = zip(values, layout.largest, strict=True)
        found = [
            before.merged(Moments.of(own, largest))
            for before, (own, largest) in zip(found, parts, strict=True)
        ]
    return found


def merge_moments(parts: Iterable[list[Moments]]) -> list[Moments]:
    """Add the sums of partitions."""
    merged: list[Moments] = []
    for part in parts:
        merged = part if not merged else [a.merged(b) for a, b in zip(merged, part, strict=True)]
    return merged


def pack_moments(moments: Sequence[Moments]) -> bytes:
    """Return sums as bytes."""
    content = {
        f"{number}.{name}": np.asarray(getattr(each, name))
        for number, each in enumerate(moments)
        for name in Moments.__dataclass_fields__
    }
    buffer = io.BytesIO()
    np.savez(buffer, **content)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack_moments(content: bytes) -> list[Moments]:
    """Return what `pack_moments` packed."""
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        numbers = sorted({int(name.partition(".")[0]) for name in found.files})
        return [_unpacked(found, number) for number in numbers]


def _unpacked(found: Any, number: int) -> Moments:
    topics, left_out = (int(found[f"{number}.{name}"]) for name in ("topics", "left_out"))
    names = ("mean", "spread", "squares", "least", "most", "wins")
    return Moments(topics, left_out, *(found[f"{number}.{name}"] for name in names))


def resampled_sums(table: Any, layout: Layout, *, replicates: int, seed: int) -> Floats:
    """Return Σ w and Σ w x of bootstrap samples, [measure, run, replicate, 2].

    The weight of a topic in a sample is a Poisson number with mean 1 that depends on the topic, the
    sample and the seed alone, so that partitions agree on it without speaking to each other.
    """
    found = np.zeros((len(layout.measures), len(layout.runs), replicates, 2))
    for topics, values in layout.tables(table):
        present = ~np.isnan(values)
        filled = np.where(present, values, 0.0)
        for first in range(0, replicates, _step(topics)):
            last = min(first + _step(topics), replicates)
            weights = poisson_weights(topics, first, last, seed)
            found[:, :, first:last, 0] += present @ weights.T
            found[:, :, first:last, 1] += filled @ weights.T
    return found


def _step(topics: Ids) -> int:
    return max(1, _CELLS // max(len(topics), 1))


def poisson_weights(topics: Ids, first: int, last: int, seed: int) -> Floats:
    """Return how often topics are drawn in some samples, shape (samples, topics)."""
    weights = np.empty((last - first, len(topics)))
    for sample in range(first, last):
        drawn = ids.hash_ids(topics.data, topics.offsets, (seed * 1_000_003 + sample) % 2**64)
        weights[sample - first] = np.searchsorted(_POISSON, drawn, "right")
    return weights


def _poisson_borders() -> Any:
    """Return the cumulated Poisson probabilities with mean 1 as numbers of 64 bits."""
    chance, total, borders = np.exp(-1.0), 0.0, []
    for number in range(1, 20):
        total += chance
        borders.append(min(int(total * 2.0**64), 2**64 - 1))
        chance /= number
    return np.array(borders, np.uint64)


_POISSON = _poisson_borders()


def resampled_bounds(sums: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the percentile bounds of the means of samples, shape (runs, measures) each."""
    check_between(0, 1, level=level)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[..., 1] / sums[..., 0]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=2)
    return low.T, high.T


def blob_table(content: bytes) -> Any:
    """Return what a partition sends."""
    return pa.table({BLOB: pa.array([content], pa.binary())})
