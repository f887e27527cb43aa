"""Click models by name, and fit, which estimates one from a log."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from gradewise.arrays import Floats
from gradewise.choices import choose
from gradewise.clicks.chain import chain_chances, fit_bayesian, fit_cascade
from gradewise.clicks.examination import (
    browsing_chances,
    fit_browsing,
    fit_position,
    position_chances,
)
from gradewise.clicks.fitting import Fitted, Options
from gradewise.clicks.log import ClickLog
from gradewise.clicks.model import ClickModel
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.errors import OptionError

Model = Literal["position", "cascade", "bayesian", "browsing"]
Chances = Callable[..., tuple[Floats, Floats]]


@dataclass(frozen=True)
class Kind:
    """How a model is fitted and how likely it makes clicks; `satisfies` if clicks may end it."""

    fit: Callable[[ClickLog, Options], Fitted]
    chances: Chances
    title: str
    satisfies: bool = False


MODELS: Final[dict[Model, Kind]] = {
    "position": Kind(fit_position, position_chances, "position-based model"),
    "cascade": Kind(fit_cascade, chain_chances, "cascade model", satisfies=True),
    "bayesian": Kind(fit_bayesian, chain_chances, "dynamic Bayesian model", satisfies=True),
    "browsing": Kind(fit_browsing, browsing_chances, "user browsing model"),
}


def fit(
    log: ClicksLike,
    model: Model = "position",
    *,
    iterations: int = 200,
    tolerance: float = 1e-4,
    prior: float = 1.0,
    go_on: float | None = None,
) -> ClickModel:
    """Fit a click model to a log by EM.

    Parameters
    ----------
    log
        A ClickLog, or anything that `read_clicks` takes.
    model
        "position": P(click) = examination of the rank · appeal of the document for the topic
        (Richardson et al. 2007; Craswell et al. 2008). "cascade": users go down the list to the
        first click (Craswell et al. 2008); later clicks are ignored. "bayesian": users go down the
        list, click what appeals, leave once a click satisfies them, and otherwise go on with
        probability `go_on` (Chapelle and Zhang 2009). For these two, only the order of ranks
        matters.
        "browsing": examination depends on the rank and on that of the last click above (Dupret and
        Piwowarski 2008).
    iterations, tolerance
        EM ends when neither an examination or `go_on` nor, on average over rows, the appeal or
        satisfaction has changed by as much as the tolerance; otherwise after this many iterations,
        with a warning. The cascade model has a closed form.
    prior
        Each parameter starts with this many successes and as many failures, which keeps documents
        that were seen a few times away from 0 and 1. 0 gives the maximum-likelihood estimate.
    go_on
        The probability of going on in the dynamic Bayesian model; estimated by default.

    Notes
    -----
    Only products of examination and appeal are observed. Examination is therefore relative: 1 for
    the first rank, and the appeal is the probability of a click there. The position-based model
    needs documents that were shown at several ranks for the same topic; there is a warning if the
    log has none.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"q": {"a": 1, "b": 0}}
    >>> log = gw.simulate.clicks(qrels, {"q": {"a": 2, "b": 1}}, 4000, shuffle="random", seed=1)
    >>> model = gw.clicks.fit(log)
    >>> model
    ClickModel(position-based model, 1 topic, 2 documents)
    >>> model.examination.round(1).tolist()
    [1.0, 0.7]
    """
    kind = choose("model", model, MODELS)
    if go_on is not None and model != "bayesian":
        raise OptionError(f"go_on is for the model 'bayesian', not {model!r}")
    read = read_clicks(log)
    options = Options(iterations, tolerance, prior, go_on)
    fitted = kind.fit(read, options)
    if not fitted.identified:
        warnings.warn(
            f"no document was shown at two ranks for the same topic, so the {kind.title} cannot "
            "separate examination from appeal",
            stacklevel=2,
        )
    elif not fitted.converged:
        warnings.warn(
            f"the {kind.title} did not converge in {iterations} iterations; allow more iterations "
            "or a larger tolerance",
            stacklevel=2,
        )
    return ClickModel(model, kind.title, read, fitted, kind.chances, kind.satisfies)
