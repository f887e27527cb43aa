"""Conformal risk control: how wide intervals must be for their expected loss to stay below a bound.

Intervals grow with a setting, and the loss of each topic does not. On n topics where the truth is
known, the smallest setting is chosen whose mean loss R fulfills (n R + 1) / (n + 1) <= α. If topics
are exchangeable, the expected loss on the next one is then at most α, however wrong the
predictions are (Angelopoulos et al. 2024).
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError


def control_risk(losses: Floats, alpha: float) -> Ints:
    """Return the place of the setting that keeps the expected loss at most alpha.

    Parameters
    ----------
    losses
        Losses from 0 to 1, [..., topic, setting], that do not grow with the setting.
    alpha
        Bound of the expected loss.

    Returns
    -------
    Ints
        For each row, the smallest setting; the number of settings if none is large enough, so only
        the whole range of values will do. With fewer than 1/α - 1 topics, none ever is.

    Examples
    --------
    Nine topics; of the two settings, the first misses one of them:

    >>> import numpy as np
    >>> losses = np.zeros((9, 2))
    >>> losses[0, 0] = 1.0
    >>> control_risk(losses, 0.2).item(), control_risk(losses, 0.1).item()
    (0, 1)
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    topics = losses.shape[-2]
    enough = (losses.sum(axis=-2) + 1) / (topics + 1) <= alpha + 1e-12
    return np.where(enough.any(axis=-1), enough.argmax(axis=-1), losses.shape[-1])
