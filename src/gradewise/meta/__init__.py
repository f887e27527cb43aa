"""The evaluation of measures and of judgments themselves, one criterion a file."""

from gradewise.meta.artificial_noise import artificial_noise
from gradewise.meta.correlation import Agreement, ThresholdGrid, correlation, threshold_grid
from gradewise.meta.derivatives import derivatives
from gradewise.meta.discrimination import Discrimination, discrimination
from gradewise.meta.experiments import Experiment, experiment
from gradewise.meta.flips import Flips, flips
from gradewise.meta.incompleteness import Incompleteness, incompleteness
from gradewise.meta.informativeness import Advice, Informativeness, advise, informativeness
from gradewise.meta.judging.agreement import JudgeAgreement, judge_agreement
from gradewise.meta.judging.circularity import Circularity, circularity
from gradewise.meta.judging.combine import combine_judges
from gradewise.meta.judging.components import VarianceComponents, variance_components
from gradewise.meta.judging.coverage import PoweredCoverage, powered_coverage
from gradewise.meta.judging.effect import JudgeEffect, judge_effect
from gradewise.meta.judging.few_people import PoweredScores, powered_scores
from gradewise.meta.judging.judges import judges
from gradewise.meta.judging.next import NextDocuments, judge_next
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.sampled_documents import PoweredDocuments, powered_documents
from gradewise.meta.judging.soft_labels import SoftLabels
from gradewise.meta.judging.soft_scores import SoftScores, soft_scores
from gradewise.meta.judging.topic_intervals import TopicIntervals, topic_intervals
from gradewise.meta.judgment_noise import JudgmentNoise, judgment_noise
from gradewise.meta.pool_bias import PoolBias, pool_bias
from gradewise.meta.prediction import Prediction, prediction
from gradewise.meta.sensitivity import Sensitivity, new_document, sensitivity
from gradewise.meta.topics import choose_topics

__all__ = [
    "Advice",
    "Agreement",
    "Circularity",
    "Discrimination",
    "Experiment",
    "Flips",
    "Incompleteness",
    "Informativeness",
    "JudgeAgreement",
    "JudgeEffect",
    "JudgmentNoise",
    "NextDocuments",
    "Panel",
    "PoolBias",
    "PoweredCoverage",
    "PoweredDocuments",
    "PoweredScores",
    "Prediction",
    "Sensitivity",
    "SoftLabels",
    "SoftScores",
    "ThresholdGrid",
    "TopicIntervals",
    "VarianceComponents",
    "advise",
    "artificial_noise",
    "choose_topics",
    "circularity",
    "combine_judges",
    "correlation",
    "derivatives",
    "discrimination",
    "experiment",
    "flips",
    "incompleteness",
    "informativeness",
    "judge_agreement",
    "judge_effect",
    "judge_next",
    "judges",
    "judgment_noise",
    "new_document",
    "pool_bias",
    "powered_coverage",
    "powered_documents",
    "powered_scores",
    "prediction",
    "sensitivity",
    "soft_scores",
    "threshold_grid",
    "topic_intervals",
    "variance_components",
]
