"""Arguments and options that the commands for training share."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gradewise.expressions import read_literal
from gradewise.learn.nets.algorithms import ALGORITHMS
from gradewise.learn.nets.optimizers import OptimizerName
from gradewise.learn.normalization import Normalization
from gradewise.learn.trees.boosters import BOOSTERS

ALL_ALGORITHMS = (*ALGORITHMS, *BOOSTERS)

# Typer takes no list of choices, so that the names are shown, completed and checked by hand.
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "-a",
        "--algorithm",
        metavar="|".join(ALL_ALGORITHMS),
        autocompletion=lambda: list(ALL_ALGORITHMS),
        help="Algorithm or library of trees; repeat for more. Default: lambdarank.",
    ),
]

Hidden = Annotated[int, typer.Option(help="Number of hidden units; 0 for a linear net.", min=0)]
Optimizer = Annotated[
    OptimizerName, typer.Option(help="Optimizer: SGD, as in the papers, or Adam.")
]
LearningRates = Annotated[
    list[float] | None,
    typer.Option(
        metavar="X",
        help="Learning rate; repeat to choose the best of several. Default: by algorithm.",
    ),
]
Epochs = Annotated[int, typer.Option(help="Number of passes through the training topics.", min=1)]
Patience = Annotated[int, typer.Option(help="Epochs without improvement before a restart.", min=1)]
BatchSize = Annotated[int, typer.Option(help="Number of topics per step.", min=1)]
Sigma = Annotated[
    float, typer.Option(help="Noise of scores (SoftRank) or slope of the logistic function.")
]
Truncation = Annotated[
    int | None,
    typer.Option(help="Ignore pairs in which both documents rank below this.", min=1),
]
Trees = Annotated[int, typer.Option(help="Number of trees.", min=1)]
StopAfter = Annotated[
    int | None,
    typer.Option(help="Stop after this many trees without improvement in validation.", min=1),
]
BoosterOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Parameter of LightGBM or XGBoost; repeat for more."),
]
Normalize = Annotated[Normalization, typer.Option(help="Scale features within each topic.")]

_NET = ("hidden", "optimizer", "epochs", "patience", "batch_size")
_TREES = ("trees", "stop_after", "booster_option")


def refuse_net_options(context: typer.Context, *others: str) -> None:
    """Raise an OptionError if an option for nets was given on the command line."""
    _refuse(context, (*_NET, *others), "applies to nets, not to trees")


def refuse_tree_options(context: typer.Context, instead: str) -> None:
    """Raise an OptionError if an option for trees was given on the command line."""
    _refuse(context, _TREES, f"applies to trees; {instead}")


def _refuse(context: typer.Context, names: Sequence[str], reason: str) -> None:
    from gradewise.errors import OptionError

    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise OptionError(f"--{name.replace('_', '-')} {reason}")


def net_parameters(context: typer.Context) -> dict[str, Any]:
    """Return the parameters of NetRanker that the options give."""
    given = {name: context.params[name] for name in (*_NET, "sigma", "truncation")}
    return given | {"learning_rate": context.params["learning_rate"] or None}


def tree_parameters(context: typer.Context) -> dict[str, Any]:
    """Return the parameters of TreeRanker that the options give, the booster's among them."""
    from gradewise.errors import OptionError

    given = context.params
    found = {"n_estimators": given["trees"], "early_stopping_rounds": given["stop_after"]}
    found |= {"sigma": given["sigma"], "truncation": given["truncation"]}
    for item in given["booster_option"] or []:
        name, mark, value = item.partition("=")
        if not (name.isidentifier() and mark and value):
            raise OptionError(f"--booster-option takes NAME=VALUE, not {item!r}")
        found[name] = _value(value)
    rates = given["learning_rate"] or []
    if len(rates) > 1:
        raise OptionError("trees take a single --learning-rate")
    return found | ({"learning_rate": rates[0]} if rates else {})


def _value(text: str) -> Any:
    """Read a number, a list or a truth value; anything else is text."""
    try:
        return read_literal(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)
