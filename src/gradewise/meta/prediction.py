"""Predictive power: how runs ranked by a measure fare by another one on other topics."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_least
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.showing import Shown
from gradewise.stats.compare import refuse_geometric
from gradewise.stats.correlations import Correlation, correlate


@dataclass(frozen=True, eq=False)
class Prediction(Shown):
    """Correlations between halves of the topics: `tau[split, a, b]`.

    Runs are ranked by measure a on one half and by measure b on the other.
    """

    measures: tuple[str, ...]
    tau: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: predictor, target, tau (mean over splits), low, high (95% of splits)."""
        low, high = np.nanquantile(self.tau, [0.025, 0.975], axis=0)
        return long_frame(
            {"predictor": self.measures, "target": self.measures},
            {"tau": np.nanmean(self.tau, axis=0), "low": low, "high": high},
        )


def prediction(
    judged: Judged,
    measures: Sequence[MeasureLike],
    *,
    kind: Correlation = "tau",
    replicates: int = 100,
    seed: int = 0,
) -> Prediction:
    """Return how well the ranking of runs by a measure predicts the one by another on new topics.

    A measure can predict another better than that one predicts itself (Webber, Moffat, Zobel &
    Sakai, "Precision-at-ten considered redundant", SIGIR 2008; Yilmaz & Robertson 2010, §1).

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measures
        The measures; each is predictor and target.
    kind
        "tau", "tau_a", "tau_ap" (the target is the reference), "spearman" or "pearson".
    replicates
        Number of random splits of the topics into halves; each half predicts the other.
    seed
        Random seed.
    """
    parsed = as_measures(measures)
    refuse_geometric(parsed)
    topics = len(judged.topics)
    if topics < 4:
        raise OptionError(
            f"prediction needs at least 4 topics, 2 in each half, but there are {topics}"
        )
    check_least(1, replicates=replicates)
    values = np.nan_to_num(score_judged(judged, parsed).values)  # run, topic, measure
    order = np.random.default_rng(seed).permuted(
        np.tile(np.arange(topics), (replicates, 1)), axis=1
    )
    weights = np.zeros((replicates, topics))
    np.put_along_axis(weights, order[:, : topics // 2], 1.0, axis=1)
    one, other = (
        np.einsum("st,rtm->smr", part / part.sum(axis=1, keepdims=True), values)
        for part in (weights, 1 - weights)
    )
    halves = np.concatenate([one, other]), np.concatenate([other, one])
    shape = (2 * replicates, len(parsed), len(parsed), len(judged.runs))
    predictor = np.broadcast_to(halves[0][:, :, None], shape)
    target = np.broadcast_to(halves[1][:, None], shape)
    return Prediction(tuple(map(str, parsed)), correlate(predictor, target, kind))
