"""The significance tests by name."""

from dataclasses import dataclass
from typing import Literal

from gradewise.arrays import Floats
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError
from gradewise.stats.paired_tests import sign_test, strict_test, t_test, wilcoxon_test
from gradewise.stats.resampling import REPLICATES, bootstrap_test, randomization_test, tukey_test

Test = Literal["t", "wilcoxon", "sign", "strict", "bootstrap", "randomization", "tukey"]


@dataclass(frozen=True)
class SignificanceTest(Choice):
    """A test of differences between runs: its function, its title and what it needs.

    The function takes differences of two runs, topics along the last axis, and returns p-values.
    A `joint` test takes the values of all runs instead, returns p[run, run], and allows for the
    number of pairs itself, so that its p-values are not corrected.
    """

    joint: bool = False


TESTS: dict[Test, SignificanceTest] = {
    "t": SignificanceTest(t_test, "paired t-test"),
    "wilcoxon": SignificanceTest(wilcoxon_test, "Wilcoxon signed-rank test"),
    "sign": SignificanceTest(sign_test, "sign test"),
    "strict": SignificanceTest(strict_test, "t-test, Wilcoxon and sign test, all three"),
    "bootstrap": SignificanceTest(bootstrap_test, "paired bootstrap test", resamples=True),
    "randomization": SignificanceTest(
        randomization_test, "paired randomization test", resamples=True
    ),
    "tukey": SignificanceTest(tukey_test, "randomized Tukey HSD test", resamples=True, joint=True),
}


def paired_p(
    differences: Floats, test: Test, *, replicates: int = REPLICATES, seed: int = 0
) -> Floats:
    """Return p-values of differences, with topics along the last axis, by the name of a test.

    "tukey" is not a paired test: it needs the values of all runs, as `tukey_test` takes them.
    """
    chosen = choose("test", test, TESTS)
    if chosen.joint:
        raise OptionError(
            f"the {chosen.title} compares all runs at once and cannot be applied to differences; "
            "use compare(), or tukey_test() on the values of all runs"
        )
    found: Floats = chosen.apply(differences, replicates=replicates, seed=seed)
    return found
