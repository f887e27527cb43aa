"""The libraries that grow trees: one entry for each."""

from collections.abc import Iterable
from typing import Any, Literal

from gradewise.errors import MissingDependencyError, OptionError, check_choice, did_you_mean
from gradewise.learn.trees.booster import Booster
from gradewise.learn.trees.lightgbm_booster import LightGBM
from gradewise.learn.trees.own_objectives import BUILT_IN, parse_own
from gradewise.learn.trees.xgboost_booster import XGBoost

BoosterName = Literal["lightgbm", "xgboost"]
BOOSTERS: dict[BoosterName, type[Booster]] = {"lightgbm": LightGBM, "xgboost": XGBoost}
OWN_OBJECTIVES = (BUILT_IN, *(name for each in BOOSTERS.values() for name in each.objectives))


def is_own(objective: Any) -> bool:
    """Return whether this names an objective of a library's own, with gains or without."""
    return parse_own(objective, OWN_OBJECTIVES) is not None


def booster_of(name: Any) -> Booster:
    """Return a library by name."""
    check_choice("booster", name, tuple(BOOSTERS))
    return BOOSTERS[name]()


def booster_of_file(content: bytes) -> BoosterName | None:
    """Return the name of the library that wrote a model."""
    return next((name for name, each in BOOSTERS.items() if each.wrote(content)), None)


def check_parameters(booster: Any, given: Iterable[str], own: Iterable[str]) -> None:
    """Raise an OptionError if a booster has no such parameter; `own` are those of the ranker.

    Where the booster is unknown or not installed there is nothing to compare with; training says
    so.
    """
    given = list(given)
    if not given or not isinstance(booster, str) or booster not in BOOSTERS:
        return
    try:
        library = booster_of(booster)
    except MissingDependencyError:
        return
    known = library.parameters()
    for name in given:
        if name not in known:
            hint = did_you_mean(name, [*own, *sorted(known)])
            raise OptionError(
                f"neither TreeRanker nor {library.title} has a parameter {name!r}{hint}"
            )
