"""Values of a measure for the frames that ir_measures hands over."""

import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.collection.scales import on_scale
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import EQUAL

if TYPE_CHECKING:
    import pandas as pd


class _Kept(NamedTuple):
    """The last join; frames are compared by identity, and not kept alive."""

    qrels: "weakref.ref[pd.DataFrame]"
    run: "weakref.ref[pd.DataFrame]"
    scores: bool  # whether it has the scores of documents
    intents: bool  # whether it has intents
    judged: Judged


_last: list[_Kept] = []


def topic_values(
    measure: Measure, qrels: "pd.DataFrame", run: "pd.DataFrame"
) -> Iterator[tuple[Any, float]]:
    """Give the value of each judged topic, by its id as the qrels have it."""
    if not len(qrels):
        return
    judged = _joined(qrels, run, scores=measure.uses_scores, intents=measure.uses_intents)
    values = measure.values(on_scale(judged, scale_for(measure, judged.scale)))
    given = {str(topic): topic for topic in qrels["query_id"].unique().tolist()}
    for topic, value in zip(judged.topics, values.tolist(), strict=True):
        yield given[topic], value


def scale_for(measure: Measure, found: Ints) -> Ints:
    """Return the positive grades of the scale, where g tells more of them than the qrels have.

    Other tools score batches of topics, which may lack a grade. A measure that cannot do with the
    grades that are found says so itself.
    """
    g = getattr(measure, "g", EQUAL)
    if g == EQUAL:
        return found
    if isinstance(g[0], tuple):
        return np.union1d(found, [pair[0] for pair in g]).astype(np.int64)
    whole = np.arange(1, len(g) + 1)
    return whole if len(g) > len(found) and np.isin(found, whole).all() else found


def _joined(qrels: "pd.DataFrame", run: "pd.DataFrame", *, scores: bool, intents: bool) -> Judged:
    """Join a run with judgments, once for all measures that are asked for in turn."""
    for kept in _last:
        same = kept.qrels() is qrels and kept.run() is run
        if same and kept.scores >= scores and kept.intents >= intents:
            return kept.judged
    # Where a measure asks for intents, ir_measures has them in the column of iterations.
    table = qrels.rename(columns={"iteration": "intent"}) if intents else qrels
    judged = judge(table, {"run": run if len(run) else _nothing(qrels)}, scores=scores)
    frames = weakref.ref(qrels), weakref.ref(run, lambda _: _last.clear())
    _last[:] = [_Kept(*frames, scores, intents, judged)]
    return judged


def _nothing(qrels: "pd.DataFrame") -> dict[str, dict[str, float]]:
    """Return a run that retrieves nothing for any judged topic."""
    longest = max(map(str, qrels["query_id"].unique()), key=len)
    return {f"{longest}+": {"document": 0.0}}  # longer than all topics, so that it is none of them
