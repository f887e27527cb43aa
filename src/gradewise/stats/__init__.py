"""Statistics over topics: significance tests, intervals, corrections and correlations."""

from gradewise.stats.agreement import cohen_kappa, gwet_ac, krippendorff_alpha
from gradewise.stats.bootstrap_intervals import (
    bca_interval,
    bootstrap_interval,
    studentized_interval,
)
from gradewise.stats.conformal import control_risk
from gradewise.stats.corrections import correct
from gradewise.stats.correlations import (
    ap_tau,
    correlate,
    correlation_interval,
    kendall_tau,
    pearson,
    rms_difference,
    spearman,
    tau_matrix,
)
from gradewise.stats.found_groups import found_groups
from gradewise.stats.interaction import interaction_test
from gradewise.stats.intervals import effect_size, t_interval
from gradewise.stats.letters import letter_groups
from gradewise.stats.paired_tests import sign_test, strict_test, t_test, wilcoxon_test
from gradewise.stats.power import t_power, topics_needed
from gradewise.stats.prediction_powered import prediction_powered
from gradewise.stats.resampling import bootstrap_test, randomization_test, tukey_test
from gradewise.stats.tests import paired_p
from gradewise.stats.tiers import find_tiers

__all__ = [
    "ap_tau",
    "bca_interval",
    "bootstrap_interval",
    "bootstrap_test",
    "cohen_kappa",
    "control_risk",
    "correct",
    "correlate",
    "correlation_interval",
    "effect_size",
    "find_tiers",
    "found_groups",
    "gwet_ac",
    "interaction_test",
    "kendall_tau",
    "krippendorff_alpha",
    "letter_groups",
    "paired_p",
    "pearson",
    "prediction_powered",
    "randomization_test",
    "rms_difference",
    "sign_test",
    "spearman",
    "strict_test",
    "studentized_interval",
    "t_interval",
    "t_power",
    "t_test",
    "tau_matrix",
    "topics_needed",
    "tukey_test",
    "wilcoxon_test",
]
