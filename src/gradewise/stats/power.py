"""Statistical power: how many topics a paired t-test needs."""

import math

import numpy as np

from gradewise.errors import OptionError, check_between
from gradewise.libraries import special

MOST_TOPICS = 1_000_000


def t_power(effect: float, topics: int, *, alpha: float = 0.05) -> float:
    """Return the power of a two-sided paired t-test.

    Parameters
    ----------
    effect
        Cohen's d for paired samples: the mean difference over its standard deviation.
    topics
        The number of topics, at least 2.
    alpha
        The significance level.

    Examples
    --------
    >>> round(t_power(0.5, 34), 3)
    0.808
    """
    if topics < 2:
        raise OptionError(f"a t-test needs at least 2 topics, not {topics}")
    freedom, shift = topics - 1, abs(effect) * math.sqrt(topics)
    critical = float(special.stdtrit(freedom, 1 - alpha / 2))
    missed = special.nctdtr(freedom, shift, [critical, -critical])
    return float(1 - missed[0] + (0.0 if np.isnan(missed[1]) else missed[1]))


def topics_needed(effect: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Return how many topics a two-sided paired t-test needs to detect an effect.

    Parameters
    ----------
    effect
        Cohen's d for paired samples: the mean difference over its standard deviation.
    alpha
        The significance level.
    power
        The probability of detecting the effect.

    Returns
    -------
    int or None
        None if even a million topics are too few.

    Examples
    --------
    >>> topics_needed(0.5), topics_needed(0.2), topics_needed(0.0)
    (34, 199, None)
    """
    check_between(0, 1, alpha=alpha, power=power)
    if math.isinf(effect):
        return 2
    low, high = 1, 2
    while t_power(effect, high, alpha=alpha) < power:
        low, high = high, 2 * high
        if high > MOST_TOPICS:
            return None
    while high - low > 1:  # high suffices, low does not
        middle = (low + high) // 2
        if t_power(effect, middle, alpha=alpha) < power:
            low = middle
        else:
            high = middle
    return high
