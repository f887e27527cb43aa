"""Who is generous, and which documents judges dispute."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Bools, Ints, quotient
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import NONE, Panel
from gradewise.meta.judging.together import label_counts
from gradewise.stats.percentiles import percentile_interval

if TYPE_CHECKING:
    import polars as pl


def bias_frame(panel: Panel, weights: Ints, level: float) -> "pl.DataFrame":
    """Return the mean grades of judges beside the reference's, overall and by its grades.

    `weights[sample, topic]` says how often each topic is drawn in a bootstrap sample.
    """
    rows: list[tuple[Any, ...]] = []
    reference = panel.levels[panel.place_of(panel.reference)]
    for name in panel.others:
        levels = panel.levels[panel.place_of(name)]
        both = (reference != NONE) & (levels != NONE)
        for grade in (None, *panel.scale.tolist()):
            chosen = both if grade is None else both & (panel.scale[reference] == grade)
            if chosen.any():
                found = _mean_grades(panel, (reference, levels), chosen, weights, level)
                rows.append((name, grade, *found))
    return frame_of(rows, "judge grade documents reference mean bias low high")


def _mean_grades(
    panel: Panel, labels: tuple[Ints, Ints], chosen: Bools, weights: Ints, level: float
) -> tuple[Any, ...]:
    topic, number = panel.topic[chosen], len(panel.topics)
    sums = [np.bincount(topic, panel.scale[each[chosen]], number) for each in labels]
    count = np.bincount(topic, minlength=number)
    drawn = weights @ np.stack([sums[1] - sums[0], count], axis=1)
    low, high = percentile_interval(quotient(drawn[:, 0], drawn[:, 1]), level)
    before, after = (float(each.sum() / count.sum()) for each in sums)
    return int(count.sum()), before, after, after - before, float(low), float(high)


def disputed_documents(panel: Panel, number: int) -> "pl.DataFrame":
    """Return the documents whose labels differ most, with all their grades."""
    import polars as pl

    counts = label_counts(panel)
    labels = counts.sum(axis=1)
    steps = np.arange(len(panel.scale))
    apart = np.einsum("di,ij,dj->d", counts, np.abs(steps[:, None] - steps), counts)
    spread = apart / np.maximum(labels * (labels - 1), 1)
    rows = np.lexsort((np.arange(len(panel)), -labels, -spread))[:number]
    rows = rows[spread[rows] > 0]
    columns = {
        name: [None if level == NONE else int(panel.scale[level]) for level in levels[rows]]
        for name, levels in zip(panel.judges, panel.levels, strict=True)
    }
    return pl.DataFrame(
        {
            "topic": [panel.topics[place] for place in panel.topic[rows]],
            "document": panel.docs.take(rows).to_list(),
            **columns,
            "spread": spread[rows],
        },
        schema_overrides={"topic": pl.String, "document": pl.String},
    )
