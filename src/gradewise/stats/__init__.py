"""Statistics over topics: significance tests, intervals, corrections and correlations."""

from gradewise.stats.corrections import correct
from gradewise.stats.correlations import (
    ap_tau,
    correlate,
    correlation_interval,
    kendall_tau,
    rms_difference,
    spearman,
    tau_matrix,
)
from gradewise.stats.intervals import bootstrap_interval, effect_size, t_interval
from gradewise.stats.letters import letter_groups
from gradewise.stats.paired_tests import sign_test, strict_test, t_test, wilcoxon_test
from gradewise.stats.resampling import bootstrap_test, randomization_test, tukey_test
from gradewise.stats.tests import paired_p

__all__ = [
    "ap_tau",
    "bootstrap_interval",
    "bootstrap_test",
    "correct",
    "correlate",
    "correlation_interval",
    "effect_size",
    "kendall_tau",
    "letter_groups",
    "paired_p",
    "randomization_test",
    "rms_difference",
    "sign_test",
    "spearman",
    "strict_test",
    "t_interval",
    "t_test",
    "tau_matrix",
    "tukey_test",
    "wilcoxon_test",
]
