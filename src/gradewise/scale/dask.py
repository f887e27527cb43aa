"""Evaluation on Dask: frames of dask.dataframe in, a frame of values out, lazily.

Examples
--------
>>> import dask.dataframe as dd
>>> import gradewise as gw
>>> import pandas as pd
>>> frame = pd.DataFrame({"topic": ["t", "t"], "doc": ["b", "a"], "score": [2.0, 1.0]})
>>> runs = {"mine": dd.from_pandas(frame, npartitions=2)}
>>> found = gw.scale.dask.evaluate({"t": {"a": 1}}, runs, "AP")
>>> found.compute().values.tolist()
[['mine', 't', 'AP', 0.5]]
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gradewise.collection.coverage import DEPTHS
from gradewise.errors import SHOWN_PROBLEMS
from gradewise.measures.summaries import SMALLEST
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.dask_plan import library, sampled, score_frame, to_arrow_table, to_long
from gradewise.scale.engine import Engine, Merge, Part
from gradewise.scale.fit import COUNTS
from gradewise.scale.outcome import PROBLEM, RELEVANT, RETRIEVED, SEEN, STATUS
from gradewise.scale.settings import Settings
from gradewise.scale.totals import MEASURE, VALUE

_FAN_IN = 16  # parts that are merged at a time


class Dask(Engine):
    """What `Engine` needs of Dask."""

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
        """Melt wide tables."""
        return to_long(wide, settings)

    def totals(self, result: Any) -> Sequence[dict[str, Any]]:
        """Aggregate by run and measure."""
        values = result[[RUN, MEASURE, VALUE]].map_partitions(_with_logs)
        by = values.groupby([RUN, MEASURE])
        found = by.agg({VALUE: ["count", "mean", "std"], "log": ["mean"], "size": ["max"]})
        table = _computed(found)[0].reset_index()
        table.columns = [RUN, MEASURE, "topics", "mean", "deviation", "logs", "largest"]
        rows: list[dict[str, Any]] = table.to_dict("records")
        return rows

    def fold(self, result: Any, part: Part, merge: Merge) -> bytes:
        """Shuffle by topic, apply, and merge some parts at a time."""
        delayed = library.delayed
        by_topic = result[[RUN, TOPIC, MEASURE, VALUE]].shuffle(on=TOPIC)
        parts = [delayed(_applied)(part, each) for each in by_topic.to_delayed()]
        while len(parts) > 1:
            steps = range(0, len(parts), _FAN_IN)
            parts = [delayed(merge)(parts[low : low + _FAN_IN]) for low in steps]
        return bytes(_computed(parts[0])[0])

    def counts(self, wide: Any) -> tuple[Sequence[dict[str, Any]], Sequence[dict[str, Any]]]:
        """Aggregate by run and status."""
        sums = wide.map_partitions(_counted)
        by_run = sums.groupby([RUN, STATUS]).sum()
        problems = wide.map_partitions(_first_problems)
        counts, wrong = _computed(by_run, problems)
        rows: list[dict[str, Any]] = counts.reset_index().to_dict("records")
        return rows, wrong.sort_values(RUN).head(SHOWN_PROBLEMS).to_dict("records")

    def collect(self, result: Any, share: float, seed: int) -> Any:
        """Collect rows of topics whose hash is small."""
        if share < 1:
            result = result.map_partitions(sampled, share, seed)
        return to_arrow_table(_computed(result[[RUN, TOPIC, MEASURE, VALUE]])[0])


def _computed(*given: Any) -> Any:
    """Compute, without what pandas 3.1 says of how Dask resets an index in a shuffle."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The inplace keyword in DataFrame.reset_index")
        return library.compute(*given)


def _with_logs(frame: Any) -> Any:
    values = frame[VALUE]
    return frame.assign(log=np.log(values.clip(lower=SMALLEST)), size=values.abs())


def _applied(part: Part, frame: Any) -> bytes:
    return part(to_arrow_table(frame))


def _first_problems(frame: Any) -> Any:
    return frame[frame[STATUS] == PROBLEM][[RUN, TOPIC]].head(SHOWN_PROBLEMS)


def _counted(frame: Any) -> Any:
    """Return the columns of `fit.COUNTS`."""
    found = {
        RUN: frame[RUN],
        STATUS: frame[STATUS],
        "rows": 1,
        "reported": frame[RETRIEVED],
        "without_relevant": (frame[RELEVANT] == 0).astype("int64"),
        **{f"seen_{depth}": frame[RETRIEVED].clip(upper=depth) for depth in DEPTHS},
        **{f"known_{depth}": frame[name] for depth, name in zip(DEPTHS, SEEN, strict=True)},
    }
    assert found.keys() == {RUN, STATUS, *COUNTS}
    return pd.DataFrame(found, index=frame.index)


ENGINE = Dask()
evaluate, check = ENGINE.evaluate, ENGINE.check
summarize, compare, scores = ENGINE.summarize, ENGINE.compare, ENGINE.scores
