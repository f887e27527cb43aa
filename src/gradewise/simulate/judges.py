"""Simulated judges of given documents, who err together as models do.

A judge perceives the level of a document, plus a generosity of the judge's own, a leaning that
varies from topic to topic, and noise; part of both is common to all judges, as it is to models with
the same training data. What is perceived is rounded to the nearest level.
"""

from collections.abc import Mapping

import numpy as np

from gradewise.collection.accepted import QrelsLike
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.errors import OptionError


def judges(
    qrels: QrelsLike,
    judges: int = 3,
    *,
    noise: float = 0.7,
    leaning: float = 0.3,
    generosity: float = 0.2,
    together: float = 0.5,
    seed: int = 0,
) -> Mapping[str, Qrels]:
    """Simulate judges who judge the same documents again.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes; these are what judges try to reproduce.
    judges
        Number of judges.
    noise, leaning, generosity
        Standard deviations, in steps of the scale, of the error for a document, for a topic, and
        of a judge overall.
    together
        From 0 to 1: the share of the errors' variance that all judges have in common.
    seed
        The same seed gives the same judges.

    Examples
    --------
    >>> import gradewise as gw
    >>> people = {"t": {"a": 2, "b": 1, "c": 0}}
    >>> found = gw.simulate.judges(people, judges=2, seed=1)
    >>> list(found), found["judge1"]
    (['judge1', 'judge2'], Qrels(1 topic, 3 judged documents, ...))
    """
    if judges < 1:
        raise OptionError(f"judges must be positive, not {judges}")
    if not 0 <= together <= 1:
        raise OptionError(f"together must be from 0 to 1, not {together}")
    for name, value in (("noise", noise), ("leaning", leaning), ("generosity", generosity)):
        if value < 0:
            raise OptionError(f"{name} must be at least 0, not {value}")
    table = read_qrels(qrels)
    rng = np.random.default_rng([seed, 0])
    level = np.maximum(table.levels, 0).astype(np.float64)
    topic = np.arange(len(table.topics)).repeat(table.sizes)
    shared = [rng.normal(size=size) for size in (len(level), len(table.topics))]
    scale = np.concatenate([[0], table.scale])
    found = {}
    for number in range(1, judges + 1):
        own = np.random.default_rng([seed, number])
        errors = [
            np.sqrt(together) * common + np.sqrt(1 - together) * own.normal(size=len(common))
            for common in shared
        ]
        seen = level + noise * errors[0] + leaning * errors[1][topic] + generosity * own.normal()
        given = np.clip(np.rint(seen), 0, len(scale) - 1).astype(np.int64)
        name = f"judge{number:0{len(str(judges))}d}"
        numbers = scale[given].astype(np.float64)
        found[name] = Qrels(table.topics, table.offsets, table.docs, numbers)
    return found
