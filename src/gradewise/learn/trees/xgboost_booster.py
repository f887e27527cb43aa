"""XGBoost behind the face that rankers know."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import InputError
from gradewise.learn.trees.booster import ABOUT, Booster, Rows, Watch
from gradewise.learn.trees.objective import Objective

# XGBoost cannot list its parameters; these are documented for versions 2.1 to 3.2.
_DOCUMENTED = """
    alpha base_score colsample_bylevel colsample_bynode colsample_bytree device
    disable_default_eval_metric eta eval_metric extmem_single_page feature_selector gamma
    grow_policy interaction_constraints lambda lambdarank_bias_norm lambdarank_normalization
    lambdarank_num_pair_per_sample lambdarank_pair_method lambdarank_score_normalization
    lambdarank_unbiased learning_rate max_bin max_cached_hist_node max_cat_threshold
    max_cat_to_onehot max_delta_step max_depth max_leaves min_child_weight min_split_loss
    monotone_constraints multi_strategy n_jobs ndcg_exp_gain normalize_type nthread
    num_parallel_tree one_drop process_type random_state rate_drop refresh_leaf reg_alpha
    reg_lambda sample_type sampling_method scale_pos_weight seed seed_per_iteration skip_drop
    subsample top_k tree_method updater use_rmm validate_parameters verbosity
"""


class XGBoost(Booster):
    """The library xgboost."""

    module = "xgboost"
    title = "XGBoost"
    file_format = "JSON"
    model_file = "model.json"
    objectives = ("rank:ndcg", "rank:map", "rank:pairwise")
    rates = ("learning_rate", "eta")
    usual_rate = 0.3
    not_in_names = "[]<"

    @staticmethod
    def wrote(content: bytes) -> bool:
        """Return whether this is JSON."""
        return content.lstrip()[:1] == b"{"

    def parameters(self) -> frozenset[str]:
        """Return the names that XGBoost documents."""
        return frozenset(_DOCUMENTED.split())

    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
        before: Any = None,
    ) -> Any:
        """Return a model, a Booster of xgboost.

        Its file names rank:ndcg also where the objective is a function, as XGBRanker expects.
        """
        settings = {"disable_default_eval_metric": True, "verbosity": 0, **parameters}
        given, grades, weight = None, rows.grades, None
        settings["objective"] = objective if isinstance(objective, str) else self.objectives[0]
        if isinstance(objective, str):
            if objective == "rank:map":  # takes yes and no only
                grades = (grades > 0).astype(np.int64)
            if rows.weight is not None:  # one weight for each list
                starts = np.cumsum(rows.sizes) - rows.sizes
                weight = np.add.reduceat(rows.weight, starts) / rows.sizes
        else:

            def given(predicted: Floats, _: Any) -> tuple[Floats, Floats]:
                return objective(rows.grades, predicted, rows.weight, rows.sizes)

        names = self.feature_names(rows.names)
        data = self.library.DMatrix(
            rows.x,
            grades,
            group=rows.sizes,
            weight=weight,
            base_margin=rows.start,
            feature_names=names,
        )
        held = [
            self.library.DMatrix(each.x, base_margin=each.start, feature_names=names)
            for each in watch.held
        ]
        return self.library.train(
            settings,
            data,
            iterations,
            obj=given,
            callbacks=[self._callback(watch, held)],
            xgb_model=before,
        )

    def _callback(self, watch: Watch, held: Sequence[Any]) -> Any:
        base: Any = self.library.callback.TrainingCallback

        class Look(base):  # type: ignore[misc]
            def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
                watch.look([model.predict(each, output_margin=True) for each in held])
                return watch.full

        return Look()

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row."""
        data = self.library.DMatrix(x, feature_names=model.feature_names)
        scores = model.predict(data, output_margin=True, iteration_range=(0, iterations or 0))
        return np.asarray(scores, np.float64)

    def importances(self, model: Any, width: int) -> Floats:
        """Return the gain of each feature."""
        gains = model.get_score(importance_type="total_gain")
        names = model.feature_names or [f"f{n}" for n in range(width)]
        return np.array([gains.get(name, 0.0) for name in names])

    def with_gains(self, rows: Rows, table: Floats) -> tuple[Rows, dict[str, Any]]:
        """Return what lets labels be worth the gains of a table: the gains are the labels."""
        labels = table[np.maximum(rows.grades, 0).astype(np.int64)]
        return replace(rows, grades=labels), {"ndcg_exp_gain": False}

    def grown(self, model: Any) -> int:
        """Return how many iterations a model has."""
        return int(model.num_boosted_rounds())

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""
        return int(model.num_features())

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return XGBoost's JSON; what is known is an attribute of the model."""
        chosen = model.copy() if iterations is None else model[:iterations]
        chosen.set_attr(**{ABOUT: json.dumps(about)})
        return bytes(chosen.save_raw(raw_format="json"))

    def plain_trees(self, model: Any, iterations: int | None) -> list[dict[str, Any]]:
        """Return XGBoost's own dump."""
        chosen = model if iterations is None else model[:iterations]
        return [json.loads(tree) for tree in chosen.get_dump(dump_format="json")]

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read a model from JSON."""
        model = self.library.Booster()
        try:
            model.load_model(bytearray(content))
        except self.library.core.XGBoostError as error:
            first = str(error).strip().splitlines()[0]
            raise InputError(f"is not an XGBoost model ({first})") from None
        return model, json.loads(model.attr(ABOUT) or "{}")
