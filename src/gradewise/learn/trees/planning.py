"""What a training begins with: the model that it continues, positions, and gains of grades."""

from typing import TYPE_CHECKING, Any, NamedTuple

from gradewise.errors import OptionError
from gradewise.learn.positions import Debiasing
from gradewise.learn.trees.booster import Rows
from gradewise.learn.trees.own_objectives import OwnObjective

if TYPE_CHECKING:
    from gradewise.learn.trees.ranker import TreeRanker

_TAKES_POSITION = "lambdarank"  # the only one of the libraries' own objectives that does


class Before(NamedTuple):
    """A model to continue: up to its best tree, and the biases of positions that it knows."""

    model: Any = None
    trees: int = 0
    width: int | None = None
    position_bias: dict[int, float] | None = None


def model_before(ranker: "TreeRanker", given: Any) -> Before:
    """Return the model of another ranker, or of its file."""
    if given is None:
        return Before()
    other = given if isinstance(given, type(ranker)) else ranker.load(given)
    other._check_fitted()
    if other.booster != ranker.booster:
        raise OptionError(f"init_model has trees of {other.booster}, not of {ranker.booster}")
    library, model = other._library(), other.model_
    if other.best_iteration_ is not None:
        model, _ = library.parse(library.dump(model, other.best_iteration_, {}))
    return Before(model, library.grown(model), other.n_features_in_, other.position_bias_)


def debiasing_of(
    ranker: "TreeRanker", own: OwnObjective | None, rows: Rows, before: Before
) -> Debiasing | None:
    """Return what we do about the positions of rows; None if there is nothing for us to do."""
    propensity = ranker.propensity
    if rows.position is None:
        if propensity is not None:
            raise OptionError("propensity needs position: the rank at which each row was shown")
        return None
    if before.model is not None and propensity is None and before.position_bias is None:
        raise OptionError(
            "init_model does not know its position biases (it was trained without position, or not "
            "by gradewise), so training with position cannot continue it; train from scratch"
        )
    if own is not None:
        if own.name != _TAKES_POSITION or propensity is not None:
            what = "position" if propensity is None else "propensity"
            raise OptionError(f"{own.name} takes no {what}; train for a measure instead")
        return None
    return Debiasing(
        rows.position,
        propensity=propensity,
        rate=ranker._library().learning_rate(ranker._booster_params),
        regularization=ranker.bias_regularization,
        start=before.position_bias,
    )


def with_gains(
    ranker: "TreeRanker", own: OwnObjective | None, rows: Rows
) -> tuple[Rows, dict[str, Any]]:
    """Return rows and parameters by which the library's own objective is told of gains."""
    more: dict[str, Any] = {}
    if own is None:
        return rows, more
    if rows.position is not None and ranker.bias_regularization:
        more["lambdarank_position_bias_regularization"] = ranker.bias_regularization
    table = own.table(rows.grades)
    if table is None:
        return rows, more
    rows, gains = ranker._library().with_gains(rows, table)
    return rows, {**more, **gains}
