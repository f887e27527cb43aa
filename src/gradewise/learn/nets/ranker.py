"""NetRanker: a net trained for a measure, with the conventions of scikit-learn."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import GradewiseError, InputError, OptionError, check_choice
from gradewise.learn.estimator import (
    USUAL_MEASURE,
    HeldOut,
    Ranker,
    held_out,
    topics_in,
    warn_of_one_list,
)
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.nets.learning_rates import curves_frame, fit
from gradewise.learn.nets.network import Weights, score_rows
from gradewise.learn.nets.optimizers import OPTIMIZERS, OptimizerName
from gradewise.learn.nets.planning import inputs_of
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.nets.row_inputs import BIAS
from gradewise.learn.nets.storage import read_arrays, write_arrays
from gradewise.learn.nets.training import SEED_OF_TIES, mean_values
from gradewise.learn.normalization import Normalization, normalize
from gradewise.learn.objectives import evaluating
from gradewise.learn.own_gains import is_whole
from gradewise.learn.positions import Propensity, plain_curve
from gradewise.libraries import pl
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.progress import watched

if TYPE_CHECKING:
    import torch


@dataclass(eq=False, repr=False)
class NetRanker(Ranker):
    """A linear or two-layer net, trained by SoftRank, LambdaRank, RankNet or ListNet.

    Parameters
    ----------
    algorithm
        "lambdarank", "softrank", "ranknet" or "listnet".
    objective
        The measure to train for. RankNet and ListNet do not use one; there it only decides when
        training has stalled.
    hidden
        Number of hidden units; 0 for a linear function.
    optimizer
        "sgd", as in the papers, or "adam".
    learning_rate
        A number, or several to choose from by `eval_measure`. By default, one that suits the
        algorithm.
    epochs
        Number of passes through the training lists, for each learning rate.
    patience
        Restart from new random weights when the objective has not improved on the training lists
        for this many epochs.
    batch_size
        Number of lists per step.
    sigma
        For SoftRank, the standard deviation of the noise that smooths scores; for LambdaRank and
        RankNet, the slope of the logistic function.
    truncation
        For LambdaRank and RankNet, ignore pairs in which both documents rank below this.
    propensity, bias_regularization
        For labels from clicks, with `position` in `fit`: as for `gw.learn.objective`. Biases are
        learned by the optimizer, like the weights; propensities need LambdaRank or RankNet.
    eval_measure
        The measure that chooses the epoch (and the learning rate), on the evaluation set if there
        is one and on the training lists otherwise. By default, the objective.
    normalize
        Scale the features within each topic first: "none", "minmax" or "zscore".
    random_state
        The same number gives the same net.
    checkpoint
        A file for the state of training. If it exists, training resumes from it.

    Attributes
    ----------
    weights_, scale_
        The net, and the positive grades that it was trained for.
    n_features_in_, feature_names_in_
        The number of features, and their names if a frame was given.
    best_epoch_, best_learning_rate_, best_value_
        What `eval_measure` chose.
    curves_
        A frame with columns learning_rate, restart, epoch, data, measure, value.
    position_bias_
        The bias of each position, if `fit` was given positions; None otherwise.
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

    algorithm: AlgorithmName = "lambdarank"
    objective: MeasureLike = "GAP"
    _: KW_ONLY
    hidden: int = 10
    optimizer: OptimizerName = "sgd"
    learning_rate: float | Sequence[float] | None = None
    epochs: int = 300
    patience: int = 16
    batch_size: int = 1
    sigma: float = 1.0
    truncation: int | None = None
    propensity: Propensity = None
    bias_regularization: float = 0.0
    eval_measure: MeasureLike | None = None
    normalize: Normalization = "none"
    random_state: int | None = 0
    checkpoint: str | os.PathLike[str] | None = None

    _routed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **Ranker._routed,
        "fit": ("qid", "group", "sample_weight", "init_score", "position"),
    }

    def recipe(self) -> Recipe:
        """Return the parameters, checked, as training takes them."""
        return Recipe(
            self.algorithm,
            parse_measure(self.objective),
            self.hidden,
            self.optimizer,
            self.epochs,
            self.patience,
            self.batch_size,
            self.sigma,
            self.truncation,
            self._seed(),
            self.bias_regularization,
        )

    def rates(self) -> list[float]:
        """Return the learning rates to choose from."""
        given = self.learning_rate
        if given is None:
            check_choice("algorithm", self.algorithm, tuple(ALGORITHMS))
            check_choice("optimizer", self.optimizer, tuple(OPTIMIZERS))
            usual = OPTIMIZERS[self.optimizer].usual_rate
            given = ALGORITHMS[self.algorithm].learning_rate if usual is None else usual
        rates = [given] if isinstance(given, (int, float)) else list(given)
        if not rates:
            raise OptionError("learning_rate must name at least one learning rate")
        return [float(rate) for rate in rates]

    def _chooser(self) -> Measure:
        return evaluating(self.eval_measure or self.objective)

    @watched("epochs")
    def fit(
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        position: Any = None,
        sample_weight: Any = None,
        init_score: Any = None,
        init_model: Any = None,
        eval_set: Any = None,
        eval_group: Sequence[Any] | None = None,
        eval_qid: Sequence[Any] | None = None,
        eval_sample_weight: Sequence[Any] | None = None,
        eval_init_score: Sequence[Any] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> "NetRanker":
        """Train the net.

        Parameters
        ----------
        X, y
            Features and grades, a row for each document; or a FeatureSet alone.
        qid, group
            The topic of each row, in any order; or the number of rows of each topic. A frame may
            have a column `qid` instead. Without any of these, all rows are one list.
        position
            For labels from clicks: the rank at which each document was shown. A bias is learned
            for each position, or `propensity` gives how likely users look at it; neither is used
            in prediction.
        sample_weight
            A weight for each row, or for each list.
        init_score
            Scores to start from, which predictions do not include.
        init_model
            A NetRanker, or the path of its file, whose net is trained further; restarts begin
            from new random weights. With `position`, it has to know its biases.
        eval_set, eval_group, eval_qid
            Held-out topics that choose the epoch: a list of one FeatureSet or one (X, y), and
            a list of what describes its topics.
        eval_sample_weight, eval_init_score
            A list of the weights, and one of the first scores, of the held-out set.
        progress
            Called with the number of epochs done.
        """
        X, qid, group = topics_in(X, qid, group)  # noqa: N806
        train = self._data(X, y, qid, group, reset=True)
        sets = held_out(eval_set, eval_group, eval_qid, eval_sample_weight, eval_init_score)
        if len(sets) > 1:
            raise OptionError(f"NetRanker takes one evaluation set, but eval_set has {len(sets)}")
        held = [self._data(each.x, each.y, each.qid, each.group, reset=False) for each in sets]
        given = inputs_of(
            self,
            (train, HeldOut(X, y, group, qid, sample_weight, init_score)),
            (held[0], sets[0]) if held else None,
            position,
            init_model,
        )
        found = fit(
            self.recipe(),
            self.rates(),
            train,
            held[0] if held else None,
            [self._chooser()],
            checkpoint=self.checkpoint,
            progress=progress,
            given=given,
        )
        self.weights_: Weights = dict(found.best[0].weights)
        biases = self.weights_.pop(BIAS, None)
        self.position_bias_: dict[int, float] | None = None
        if given.biased is not None and biases is not None:
            pairs = zip(given.biased.positions.tolist(), biases.tolist(), strict=True)
            self.position_bias_ = {int(place): float(bias) for place, bias in pairs}
        self.scale_ = found.data.scale
        self.best_epoch_, self.best_value_ = found.best[0].epoch, found.best[0].value
        self.best_learning_rate_ = found.best_rates[0]
        self.notes_ = found.data.notes
        self._curves = (found.rates, found.rows, bool(held))
        return self

    @property
    def curves_(self) -> "pl.DataFrame":
        """The learning curves, a frame."""
        self._check_fitted()
        rates, rows, validated = self._curves
        objective = parse_measure(self.objective)
        return curves_frame(rates, rows, objective, [self._chooser()], validated)

    def predict(self, X: Any, *, qid: Any = None, group: Any = None) -> Floats:  # noqa: N803
        """Return a score for each row; topics are needed only if features are normalized."""
        self._check_fitted()
        X, qid, group = topics_in(X, qid, group)  # noqa: N806
        rows = self._features(X, reset=False)
        if isinstance(X, FeatureSet):
            return score_rows(self.weights_, normalize(X, self.normalize).features)
        if group is None and qid is None:
            if self.normalize != "none":
                raise OptionError("features are normalized by topic; give group or qid, as for fit")
            group = [len(rows)]
        data = from_arrays(rows, np.zeros(len(rows)), group=group, qid=qid)
        found = score_rows(self.weights_, normalize(data, self.normalize).features)
        if qid is None:
            return found
        place = {topic: n for n, topic in enumerate(data.topics)}
        owner = [place[str(topic)] for topic in np.asarray(qid).tolist()]
        scores = np.empty(len(rows))  # in the order in which the rows were given
        scores[np.argsort(owner, kind="stable")] = found
        return scores

    def score(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        measure: MeasureLike | None = None,
    ) -> float:
        """Return the mean of a measure over topics.

        By default, it is `eval_measure`, or nDCG if there is none: never the objective, so that
        searches compare candidates with different objectives by one measure.
        """
        self._check_fitted()
        data = self._data(X, y, qid, group, reset=False)
        chosen = evaluating(measure or self.eval_measure or USUAL_MEASURE)
        scale = np.union1d(self.scale_, data.scale)
        return mean_values(data, self.weights_, [chosen], scale, SEED_OF_TIES)[0]

    def module(self) -> "torch.nn.Module":
        """Return the net as a torch module, for further use in torch."""
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
        biases = self.position_bias_
        parameters = self.get_params() | {"checkpoint": None}
        for name in ("objective", "eval_measure"):
            parameters[name] = None if parameters[name] is None else str(parameters[name])
        parameters["propensity"] = plain_curve(self.propensity)
        about = {
            "parameters": parameters | {"learning_rate": self.rates()},
            "scale": [int(grade) for grade in self.scale_],
            "best": [self.best_epoch_, self.best_learning_rate_, self.best_value_],
            "notes": list(self.notes_),
            "curves": [list(rates), list(rows), validated],
            "features": self._names(),
            "position_bias": None if biases is None else [list(pair) for pair in biases.items()],
        }
        write_arrays(path, "NetRanker", self.weights_, about)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "NetRanker":
        """Read a net that `save` wrote; any other file is an error."""
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
            biases = about.get("position_bias")
            ranker.position_bias_ = biases if biases is None else dict(biases)
            if about["features"] is not None:
                ranker.feature_names_in_ = np.array(about["features"], object)
            rates, rows, validated = about["curves"]
            ranker._curves = (tuple(rates), tuple(rows), bool(validated))
            score_rows(ranker.weights_, np.zeros((1, ranker.n_features_in_), np.float32))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            if isinstance(error, GradewiseError):
                raise
            raise InputError(f"{path}: is not a complete NetRanker ({error})") from None
        return ranker

    def _data(self, x: Any, y: Any, qid: Any, group: Any, *, reset: bool) -> FeatureSet:
        """Return checked lists, their features normalized."""
        x, qid, group = topics_in(x, qid, group)
        rows, grades = self._features_and_grades(x, y, reset=reset)
        if not isinstance(x, FeatureSet):
            if not is_whole(np.asarray(grades, np.float64)):
                raise InputError(
                    "NetRanker needs grades, which are whole numbers; TreeRanker takes other "
                    "labels, such as a teacher's scores"
                )
            whole = group
            if group is None and qid is None:
                warn_of_one_list(len(rows))
                whole = [len(rows)]
            x = from_arrays(rows, grades, group=whole, qid=qid)
        return normalize(x, self.normalize)
