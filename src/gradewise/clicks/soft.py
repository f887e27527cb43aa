"""The relevance that clicks tell as soft labels, which `gw.meta.soft_scores` takes."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.clicks.log import ClickLog
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.scales import ScaleMap
from gradewise.meta.judging.soft_labels import SoftLabels

_JUDGE = "clicks"


def soft_labels(log: ClickLog, relevance: Floats, kept: Ints) -> SoftLabels:
    """Return binary labels of some pairs: relevant with the chance of their relevance."""
    chance = np.clip(relevance[kept], 0.0, 1.0)
    topic = log.topic_of_pair[kept]
    used, place = np.unique(topic, return_inverse=True)
    scale = np.array([0, 1])
    levels = (chance > 0.5).astype(np.int64)
    panel = Panel(
        (_JUDGE,),
        _JUDGE,
        tuple(log.topics[each] for each in used.tolist()),
        place,
        log.docs.take(kept),
        scale,
        levels[None, :],
        (levels,),
        (scale,),
        (ScaleMap("same", {0: 0, 1: 1}),),
    )
    chances = np.stack([1 - chance, chance], axis=1)
    return SoftLabels(panel, "click model", (_JUDGE,), chances, np.eye(2)[None])
