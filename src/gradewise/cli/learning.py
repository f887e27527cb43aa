"""Arguments and options that the commands for training share."""

import ast
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer


class Algorithm(StrEnum):
    """How to train."""

    lambdarank = "lambdarank"
    softrank = "softrank"
    ranknet = "ranknet"
    listnet = "listnet"


class Ranker(StrEnum):
    """How to train a net, or whose trees to grow."""

    lambdarank = "lambdarank"
    softrank = "softrank"
    ranknet = "ranknet"
    listnet = "listnet"
    lightgbm = "lightgbm"
    xgboost = "xgboost"

    @property
    def is_booster(self) -> bool:
        """Whether it grows trees."""
        return self in (Ranker.lightgbm, Ranker.xgboost)


class Booster(StrEnum):
    """Whose trees to grow."""

    lightgbm = "lightgbm"
    xgboost = "xgboost"


class Optimizer(StrEnum):
    """How to take steps."""

    sgd = "sgd"
    adam = "adam"


class Normalise(StrEnum):
    """How features are brought to a common scale within each topic."""

    none = "none"
    minmax = "minmax"
    zscore = "zscore"


Hidden = Annotated[int, typer.Option(help="Hidden units; 0 for a linear function.", min=0)]
Optimizers = Annotated[Optimizer, typer.Option(help="Plain SGD, as in the papers, or Adam.")]
Rates = Annotated[
    list[float] | None,
    typer.Option(help="Learning rate; repeat to choose from several. Default: by algorithm."),
]
Epochs = Annotated[int, typer.Option(help="Times to go through the lists.", min=1)]
Patience = Annotated[int, typer.Option(help="Epochs without a rise before it begins anew.", min=1)]
Batch = Annotated[int, typer.Option(help="Lists for each step.", min=1)]
Sigma = Annotated[
    float, typer.Option(help="Noise of scores (SoftRank), or slope of the logistic (all others).")
]
PairDepth = Annotated[
    int | None,
    typer.Option(
        help="LambdaRank and trees: leave out pairs of which neither stands so high.", min=1
    ),
]
Trees = Annotated[int, typer.Option(help="Trees to grow.", min=1)]
StopAfter = Annotated[
    int | None, typer.Option(help="Trees without a rise on validation topics to stop after.", min=1)
]
BoosterOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE", help="A parameter of LightGBM or XGBoost by its own name; repeat."
    ),
]
Normalising = Annotated[Normalise, typer.Option(help="Scale features within each topic.")]


NET_OPTIONS = ("algorithm", "hidden", "optimizer", "epochs", "patience", "batch", "checkpoint")
TREE_OPTIONS = ("trees", "stop_after", "booster_option")


def refuse(context: typer.Context, names: Sequence[str], reason: str) -> None:
    """Raise an OptionError if one of the options was given on the command line."""
    from gradewise.errors import OptionError

    for name in names:
        source = context.get_parameter_source(name) if name in context.params else None
        if source is not None and source.name == "COMMANDLINE":
            raise OptionError(f"--{name.replace('_', '-')} {reason}")


def booster_parameters(given: list[str] | None, rates: list[float] | None) -> dict[str, Any]:
    """Return parameters of a booster, given as name=value, and its learning rate."""
    from gradewise.errors import OptionError

    found: dict[str, Any] = {}
    for item in given or []:
        name, mark, value = item.partition("=")
        if not (name.isidentifier() and mark and value):
            raise OptionError(f"--booster-option takes NAME=VALUE, not {item!r}")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            found[name] = {"true": True, "false": False}.get(value.lower(), value)
    if rates:
        if len(rates) > 1:
            raise OptionError("trees take one --learning-rate")
        found["learning_rate"] = rates[0]
    return found
