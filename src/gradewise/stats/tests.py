"""The significance tests by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gradewise.arrays import Floats
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError
from gradewise.stats.paired_tests import sign_test, strict_test, t_test, wilcoxon_test
from gradewise.stats.resampling import (
    REPLICATES,
    bootstrap_seconds,
    bootstrap_test,
    enumerates_signs,
    randomization_seconds,
    randomization_test,
    tukey_seconds,
    tukey_test,
)

Test = Literal["t", "wilcoxon", "sign", "strict", "bootstrap", "randomization", "tukey"]


@dataclass(frozen=True)
class SignificanceTest(Choice):
    """A test of differences between runs: its function, its title and what it needs.

    The function takes differences of two runs, topics along the last axis, and the `scale` of the
    values that were subtracted, and returns p-values.
    A `joint` test takes the values of all runs instead, returns p[run, run], and allows for the
    number of pairs itself, so that its p-values are not corrected. `least` gives the smallest p
    that it can reach with so many topics and replicates, `seconds` how long it takes for so many
    runs, pairs, topics and replicates, about, or 0 if that is never long.
    """

    joint: bool = False
    least: Callable[[int, int], float] = lambda topics, replicates: 0.0
    seconds: Callable[[int, float, int, int], float] = lambda runs, pairs, topics, replicates: 0.0

    def draws(self, topics: int, replicates: int) -> bool:
        """Return whether samples are drawn at random, so that more of them would change p."""
        return self.resamples and self.least(topics, replicates) == _one_sample(topics, replicates)


def _one_sample(topics: int, replicates: int) -> float:
    return 1 / (replicates + 1)


def _all_signs_equal(topics: int, replicates: int = 0) -> float:
    return 2.0 ** (1 - topics)


def _one_assignment(topics: int, replicates: int) -> float:
    exact = enumerates_signs(topics, replicates)
    return (_all_signs_equal if exact else _one_sample)(topics, replicates)


TESTS: dict[Test, SignificanceTest] = {
    "t": SignificanceTest(t_test, "paired t-test"),
    "wilcoxon": SignificanceTest(
        wilcoxon_test, "Wilcoxon signed-rank test", least=_all_signs_equal
    ),
    "sign": SignificanceTest(sign_test, "sign test", least=_all_signs_equal),
    "strict": SignificanceTest(
        strict_test, "t-test, Wilcoxon and sign test, all three", least=_all_signs_equal
    ),
    "bootstrap": SignificanceTest(
        bootstrap_test,
        "paired bootstrap test",
        resamples=True,
        least=_one_sample,
        seconds=bootstrap_seconds,
    ),
    "randomization": SignificanceTest(
        randomization_test,
        "paired randomization test",
        resamples=True,
        least=_one_assignment,
        seconds=randomization_seconds,
    ),
    "tukey": SignificanceTest(
        tukey_test,
        "randomized Tukey HSD test",
        resamples=True,
        joint=True,
        least=_one_sample,
        seconds=tukey_seconds,
    ),
}


def paired_p(
    differences: Floats,
    test: Test,
    *,
    scale: float | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Floats:
    """Return p-values of differences, with topics along the last axis, by the name of a test.

    Differences that are no larger than the rounding errors of values as large as `scale` (by
    default, the largest difference) count as zero, and those that differ by no more are tied.

    "tukey" is not a paired test: it needs the values of all runs, as `tukey_test` takes them.
    """
    chosen = choose("test", test, TESTS)
    if chosen.joint:
        raise OptionError(
            f"the {chosen.title} compares all runs at once and cannot be applied to differences; "
            "use compare(), or tukey_test() on the values of all runs"
        )
    found: Floats = chosen.apply(differences, scale=scale, replicates=replicates, seed=seed)
    return found
