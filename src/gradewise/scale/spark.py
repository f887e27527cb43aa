"""Evaluation on Spark, classic and Connect: DataFrames in, a DataFrame of values out, lazily."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gradewise.errors import SHOWN_PROBLEMS
from gradewise.measures.summaries import SMALLEST
from gradewise.scale.arrays import as_table
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.engine import Engine, Merge, Part
from gradewise.scale.fit import COUNTS
from gradewise.scale.outcome import PROBLEM, STATUS
from gradewise.scale.sampling import sample_sql
from gradewise.scale.settings import Settings
from gradewise.scale.spark_plan import (
    functions_of,
    plain_errors,
    quiet_on_pandas,
    score_frame,
    shuffle_partitions,
    to_long,
)
from gradewise.scale.sums import BLOB, blob_table
from gradewise.scale.totals import MEASURE, VALUE


class Spark(Engine):
    """What `Engine` needs of Spark."""

    def score(
        self,
        qrels: Any,
        runs: Any,
        settings: Settings,
        *,
        partitions: int | None = None,
    ) -> Any:
        """Shuffle rows and judgments by topic, and score them."""
        return score_frame(qrels, runs, settings, partitions=partitions)

    def to_long(self, wide: Any, settings: Settings) -> Any:
        """Unpivot wide tables."""
        return to_long(wide, settings)

    def totals(self, result: Any) -> Sequence[dict[str, Any]]:
        """Aggregate by run and measure."""
        value = f"nanvl({VALUE}, cast(null as double))"
        wanted = {
            "topics": f"count({value})",
            "mean": f"avg({value})",
            "deviation": f"stddev_samp({value})",
            "logs": f"avg(ln(greatest({value}, {SMALLEST!r}D)))",
            "largest": f"max(abs({value}))",
        }
        return _rows(_aggregated(result, [RUN, MEASURE], wanted))

    def fold(self, result: Any, part: Part, merge: Merge) -> bytes:
        """Shuffle by topic, apply, and merge on some workers before the rest."""
        number = shuffle_partitions(result.sparkSession)
        by_topic = result.select(RUN, TOPIC, MEASURE, VALUE).repartition(number, TOPIC)
        with quiet_on_pandas(), plain_errors():
            parts = by_topic.mapInArrow(_applied(part), f"{BLOB} binary")
            fewer = parts.repartition(max(1, math.isqrt(number)))
            merged = fewer.mapInArrow(_merged(merge), f"{BLOB} binary")
            return merge(merged.toArrow()[BLOB].to_pylist())

    def counts(self, wide: Any) -> tuple[Sequence[dict[str, Any]], Sequence[dict[str, Any]]]:
        """Aggregate by run and status."""
        sums = {name: f"sum({expression})" for name, expression in COUNTS.items()}
        problems = wide.where(f"{STATUS} = {PROBLEM}").orderBy(RUN).limit(SHOWN_PROBLEMS)
        found = _rows(_aggregated(wide.where(f"{STATUS} < {PROBLEM}"), [RUN, STATUS], sums))
        wrong = _rows(_aggregated(wide.where(f"{STATUS} = {PROBLEM}"), [STATUS], sums))
        return [*found, *wrong], _rows(problems) if wrong else []

    def collect(self, result: Any, share: float, seed: int) -> Any:
        """Collect rows of topics whose hash is small."""
        if share < 1:
            result = result.where(sample_sql(TOPIC, share, seed))
        with plain_errors():
            return result.select(RUN, TOPIC, MEASURE, VALUE).toArrow()


ENGINE = Spark()
evaluate, check = ENGINE.evaluate, ENGINE.check
summarize, compare, scores = ENGINE.summarize, ENGINE.compare, ENGINE.scores


def _aggregated(frame: Any, by: list[str], wanted: Mapping[str, str]) -> Any:
    expr = functions_of(frame).expr
    return frame.groupBy(*by).agg(*(expr(sql).alias(name) for name, sql in wanted.items()))


def _rows(frame: Any) -> list[dict[str, Any]]:
    with plain_errors():
        found: list[dict[str, Any]] = frame.toArrow().to_pylist()
    return found


def _applied(part: Part) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def apply(batches: Iterable[Any]) -> Iterator[Any]:
        held = list(batches)
        if held:
            yield from blob_table(part(as_table(held))).to_batches()

    return apply


def _merged(merge: Merge) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def apply(batches: Iterable[Any]) -> Iterator[Any]:
        blobs = [blob for batch in batches for blob in batch[BLOB].to_pylist()]
        if blobs:
            yield from blob_table(merge(blobs)).to_batches()

    return apply
