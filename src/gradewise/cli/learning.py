"""Arguments and options that the commands for training share."""

from enum import StrEnum
from typing import Annotated

import typer


class Algorithm(StrEnum):
    """How to train."""

    lambdarank = "lambdarank"
    softrank = "softrank"
    ranknet = "ranknet"
    listnet = "listnet"


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
    float, typer.Option(help="Noise of scores (SoftRank), or slope of the logistic (LambdaRank).")
]
PairDepth = Annotated[
    int | None,
    typer.Option(help="LambdaRank: leave out pairs of which neither stands so high.", min=1),
]
Normalising = Annotated[Normalise, typer.Option(help="Scale features within each topic.")]
