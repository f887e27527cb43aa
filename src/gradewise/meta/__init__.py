"""The evaluation of measures themselves, one criterion a file; all take `Judged`."""

from gradewise.meta.artificial_noise import artificial_noise
from gradewise.meta.correlation import Agreement, ThresholdGrid, correlation, threshold_grid
from gradewise.meta.discrimination import Discrimination, discrimination
from gradewise.meta.incompleteness import Incompleteness, incompleteness
from gradewise.meta.informativeness import Advice, Informativeness, advise, informativeness
from gradewise.meta.judgment_noise import JudgmentNoise, judgment_noise
from gradewise.meta.pool_bias import PoolBias, pool_bias
from gradewise.meta.sensitivity import Sensitivity, new_document, sensitivity
from gradewise.meta.topics import choose_topics

__all__ = [
    "Advice",
    "Agreement",
    "Discrimination",
    "Incompleteness",
    "Informativeness",
    "JudgmentNoise",
    "PoolBias",
    "Sensitivity",
    "ThresholdGrid",
    "advise",
    "artificial_noise",
    "choose_topics",
    "correlation",
    "discrimination",
    "incompleteness",
    "informativeness",
    "judgment_noise",
    "new_document",
    "pool_bias",
    "sensitivity",
    "threshold_grid",
]
