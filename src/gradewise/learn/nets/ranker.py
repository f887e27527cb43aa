"""NetRanker: a net trained for a measure, with the conventions of scikit-learn."""

import inspect
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import GradewiseError, InputError, OptionError, check_choice, did_you_mean
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.nets.learning_rates import curves_frame, fit
from gradewise.learn.nets.network import Weights, score_rows
from gradewise.learn.nets.storage import read_arrays, write_arrays
from gradewise.learn.nets.training import (
    ALGORITHMS,
    Algorithm,
    Optimizer,
    Recipe,
    check_width,
    mean_values,
)
from gradewise.learn.normalization import Normalise, normalised
from gradewise.measures.evaluate import MeasureLike
from gradewise.measures.grammar import parse_measure

if TYPE_CHECKING:
    import polars as pl
    import torch

# The scale of gradients: sums over pairs of swaps, a measure, sums over pairs, probabilities.
USUAL_RATES = {"lambdarank": 0.003, "softrank": 0.3, "ranknet": 0.00003, "listnet": 0.03}
USUAL_ADAM_RATE = 0.01
SEED_OF_TIES = 0  # documents with equal scores, when a trained net is valued


class NetRanker:
    """A linear or two-layer net, trained by SoftRank, LambdaRank, RankNet or ListNet.

    Parameters
    ----------
    algorithm
        "lambdarank", "softrank", "ranknet" or "listnet".
    objective
        The measure to train for; for RankNet and ListNet, which know none, the one by which
        training is told to stall.
    hidden
        Hidden units; 0 for a linear function.
    optimizer
        "sgd", as in the papers, or "adam".
    learning_rate
        A number, or several to choose from by the validation measure; one that suits the algorithm
        if not given.
    epochs
        How often to go through the training lists, for each learning rate.
    patience
        Begin anew from other random weights when the objective has not risen on the training set
        for so many epochs.
    batch
        Lists for each step.
    sigma
        For SoftRank, the deviation of the noise that smooths scores; for LambdaRank and RankNet,
        the slope of the logistic function.
    depth
        For LambdaRank, leave out pairs of which neither document stands so high.
    validation_measure
        The measure that chooses the epoch (and the learning rate), on the validation set or, where
        there is none, on the training set; the objective if not given.
    normalise
        Bring features of each topic to a common scale first: "none", "minmax" or "zscore".
    seed
        The same seed gives the same net.
    checkpoint
        A file for the state of training; if it is there, training goes on from it.

    Attributes
    ----------
    weights_, scale_, n_features_in_
        The net, the positive grades that it was trained for, and how many features it takes.
    best_epoch_, best_learning_rate_, best_value_
        What the validation measure chose.
    curves_
        A frame with columns learning_rate, restart, epoch, data, measure, value.
    notes_
        Sentences on what was left out of training.

    Examples
    --------
    >>> import numpy as np
    >>> import gradewise as gw
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> y = np.digitize(X[:, 0] + 0.1 * rng.normal(size=200), [0.5, 1.5])
    >>> ranker = gw.learn.NetRanker("softrank", "GAP", hidden=0, epochs=20)
    >>> ranker = ranker.fit(X, y, group=[20] * 10)
    >>> ranker.predict([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).argmax()
    np.int64(1)
    """

    def __init__(
        self,
        algorithm: Algorithm = "lambdarank",
        objective: MeasureLike = "GAP",
        *,
        hidden: int = 10,
        optimizer: Optimizer = "sgd",
        learning_rate: float | Sequence[float] | None = None,
        epochs: int = 300,
        patience: int = 16,
        batch: int = 1,
        sigma: float = 1.0,
        depth: int | None = None,
        validation_measure: MeasureLike | None = None,
        normalise: Normalise = "none",
        seed: int = 0,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.objective = objective
        self.hidden = hidden
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.patience = patience
        self.batch = batch
        self.sigma = sigma
        self.depth = depth
        self.validation_measure = validation_measure
        self.normalise = normalise
        self.seed = seed
        self.checkpoint = checkpoint

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        names = inspect.signature(type(self).__init__).parameters
        return {name: getattr(self, name) for name in names if name != "self"}

    def set_params(self, **values: Any) -> "NetRanker":
        """Set parameters by name."""
        known = self.get_params()
        for name, value in values.items():
            if name not in known:
                hint = did_you_mean(name, known)
                raise OptionError(f"NetRanker has no parameter {name!r}{hint}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value != usual[name].default
        ]
        return f"NetRanker({', '.join(shown)})"

    def recipe(self) -> Recipe:
        """Return the parameters, checked, as training takes them."""
        return Recipe(
            self.algorithm,
            parse_measure(self.objective),
            self.hidden,
            self.optimizer,
            self.epochs,
            self.patience,
            self.batch,
            self.sigma,
            self.depth,
            self.seed,
        )

    def rates(self) -> list[float]:
        """Return the learning rates to choose from."""
        given = self.learning_rate
        if given is None:
            check_choice("algorithm", self.algorithm, ALGORITHMS)
            given = USUAL_RATES[self.algorithm] if self.optimizer == "sgd" else USUAL_ADAM_RATE
        rates = [given] if isinstance(given, (int, float)) else list(given)
        if not rates:
            raise OptionError("there is no learning rate")
        return [float(rate) for rate in rates]

    def fit(
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        group: Any = None,
        qid: Any = None,
        validation: Any = None,
        progress: Callable[[int], None] | None = None,
    ) -> "NetRanker":
        """Train the net.

        Parameters
        ----------
        X, y, group, qid
            Features, grades, and the number of rows of each topic or the topic of each row; or a
            FeatureSet alone.
        validation
            A FeatureSet, or (X, y, group), by which the epoch is chosen.
        progress
            Called with the number of epochs done.
        """
        train = self._data(X, y, group, qid)
        held = None
        if validation is not None:
            whole = validation if isinstance(validation, FeatureSet) else None
            held = self._data(*((whole, None, None, None) if whole else (*validation, None)))
        chooser = parse_measure(self.validation_measure or self.objective)
        found = fit(
            self.recipe(),
            self.rates(),
            train,
            held,
            [chooser],
            checkpoint=self.checkpoint,
            progress=progress,
        )
        self.weights_: Weights = found.best[0].weights
        self.scale_ = found.data.scale
        self.n_features_in_ = train.width
        self.best_epoch_, self.best_value_ = found.best[0].epoch, found.best[0].value
        self.best_learning_rate_ = found.best_rates[0]
        self.notes_ = found.data.notes
        self._curves = (found.rates, found.rows, held is not None)
        return self

    @property
    def curves_(self) -> "pl.DataFrame":
        """The learning curves, a frame."""
        self._check_fitted()
        rates, rows, validated = self._curves
        chooser = parse_measure(self.validation_measure or self.objective)
        return curves_frame(rates, rows, parse_measure(self.objective), [chooser], validated)

    def predict(self, X: Any, *, group: Any = None, qid: Any = None) -> Floats:  # noqa: N803
        """Return a score for each row; topics are needed only if features are normalised."""
        self._check_fitted()
        if isinstance(X, FeatureSet):
            data = X
        else:
            rows = len(np.asarray(X))
            if group is None and qid is None:
                if self.normalise != "none":
                    raise OptionError(
                        "features are normalised by topic: give group or qid, as for fit"
                    )
                group = [rows]
            data = from_arrays(X, np.zeros(rows), group=group, qid=qid)
            if qid is not None:  # rows come back in the order in which they were given
                names = np.array([str(topic) for topic in np.asarray(qid).tolist()])
                place = {topic: n for n, topic in enumerate(data.topics)}
                order = np.argsort([place[name] for name in names], kind="stable")
                scores = np.empty(rows)
                scores[order] = self.predict(data)
                return scores
        check_width(self.n_features_in_, data)
        return score_rows(self.weights_, normalised(data, self.normalise).features)

    def score(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        *,
        group: Any = None,
        qid: Any = None,
        measure: MeasureLike | None = None,
    ) -> float:
        """Return the mean of a measure over topics; of the validation measure if not given."""
        self._check_fitted()
        data = self._data(X, y, group, qid)
        check_width(self.n_features_in_, data)
        chosen = parse_measure(measure or self.validation_measure or self.objective)
        scale = np.union1d(self.scale_, data.scale)
        return mean_values(data, self.weights_, [chosen], scale, SEED_OF_TIES)[0]

    def module(self) -> "torch.nn.Module":
        """Return the net as a torch module, to go on with in torch."""
        from gradewise.learn.torch_lists import torch

        self._check_fitted()
        shapes = [self.weights_[f"weight{n}"].shape for n in range(2 if self._hidden else 1)]
        layers = [torch.nn.Linear(shape[1], shape[0], bias=False) for shape in shapes]
        if self._hidden:
            layers[0] = torch.nn.Linear(shapes[0][1], shapes[0][0])
        with torch.no_grad():
            for n, layer in enumerate(layers):
                layer.weight.copy_(torch.from_numpy(self.weights_[f"weight{n}"]))
            if self._hidden:
                layers[0].bias.copy_(torch.from_numpy(self.weights_["bias0"]))
        between = [torch.nn.Tanh()] if self._hidden else []
        return torch.nn.Sequential(layers[0], *between, *layers[1:], torch.nn.Flatten(0))

    @property
    def _hidden(self) -> bool:
        return "weight1" in self.weights_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the net and its parameters to a safetensors file."""
        self._check_fitted()
        rates, rows, validated = self._curves
        parameters = self.get_params() | {"checkpoint": None}
        for name in ("objective", "validation_measure"):
            parameters[name] = None if parameters[name] is None else str(parameters[name])
        about = {
            "parameters": parameters | {"learning_rate": self.rates()},
            "scale": [int(grade) for grade in self.scale_],
            "best": [self.best_epoch_, self.best_learning_rate_, self.best_value_],
            "notes": list(self.notes_),
            "curves": [list(rates), list(rows), validated],
        }
        write_arrays(path, "NetRanker", self.weights_, about)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "NetRanker":
        """Read a net that `save` wrote; anything else is refused."""
        arrays, about = read_arrays(path, "NetRanker")
        try:
            ranker = cls(**about["parameters"])
            ranker.recipe()
            ranker.weights_ = {name: np.array(array, np.float32) for name, array in arrays.items()}
            ranker.n_features_in_ = int(ranker.weights_["weight0"].shape[1])
            ranker.scale_ = np.array(about["scale"], np.int64)
            epoch, rate, value = about["best"]
            ranker.best_epoch_, ranker.best_learning_rate_ = int(epoch), float(rate)
            ranker.best_value_ = float(value)
            ranker.notes_ = tuple(about["notes"])
            rates, rows, validated = about["curves"]
            ranker._curves = (tuple(rates), tuple(rows), bool(validated))
            score_rows(ranker.weights_, np.zeros((1, ranker.n_features_in_), np.float32))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            if isinstance(error, GradewiseError):
                raise
            raise InputError(f"{path}: is not a whole NetRanker ({error})") from None
        return ranker

    def _data(self, x: Any, y: Any, group: Any, qid: Any) -> FeatureSet:
        if isinstance(x, FeatureSet):
            return normalised(x, self.normalise)
        if y is None:
            raise OptionError("give grades y with the features, or a FeatureSet")
        return normalised(from_arrays(x, y, group=group, qid=qid), self.normalise)

    def _check_fitted(self) -> None:
        if not hasattr(self, "weights_"):
            raise GradewiseError("this NetRanker is not trained yet; call fit first")
