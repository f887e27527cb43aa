"""LightGBM behind the face that rankers know."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import InputError
from gradewise.learn.trees.booster import ABOUT, Booster, Rows, Watch
from gradewise.learn.trees.objective import Objective
from gradewise.learn.trees.plain_trees import plain_tree


class LightGBM(Booster):
    """The library lightgbm."""

    module = "lightgbm"
    title = "LightGBM"
    file_format = "text"
    model_file = "model.txt"
    objectives = ("lambdarank", "rank_xendcg")
    rates = ("learning_rate", "shrinkage_rate", "eta")
    usual_rate = 0.1
    not_in_names = ' \t\r\n,:[]{}"'

    @staticmethod
    def wrote(content: bytes) -> bool:
        """Return whether this is LightGBM's text."""
        return content.startswith(b"tree\n")

    def parameters(self) -> frozenset[str]:
        """Return the names that this version of LightGBM knows, as it lists them itself."""
        aliases = self.library.basic._ConfigAliases._get_all_param_aliases()
        return frozenset(name for each in aliases.values() for name in each)

    @staticmethod
    def settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return parameters with what makes training quiet, and the same every time."""
        usual: dict[str, Any] = {"verbosity": -1, "metric": "None", "deterministic": True}
        if not parameters.keys() & {"force_col_wise", "force_row_wise"}:
            usual["force_col_wise"] = True  # else it tries what is quicker, and sums differ
        # With few rows it would drop all features, and then fail with an objective not its own.
        usual["feature_pre_filter"] = False
        return {**usual, **parameters}

    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
        before: Any = None,
    ) -> Any:
        """Return a model, a Booster of lightgbm."""
        lgb = self.library
        settings = {**self.settings(parameters), "objective": objective}
        data = lgb.Dataset(
            rows.x,
            rows.grades,
            weight=rows.weight,
            group=rows.sizes,
            init_score=rows.start,
            feature_name=self.feature_names(rows.names) or "auto",
            position=rows.position if isinstance(objective, str) else None,
        )
        held = [
            lgb.Dataset(
                each.x, each.grades, group=each.sizes, init_score=each.start, reference=data
            )
            for each in watch.held
        ]
        scores: list[Floats] = []

        def note(predicted: Floats, _: Any) -> list[Any]:
            scores.append(predicted.copy())
            return []

        def look(environment: Any) -> None:
            watch.look(scores)
            scores.clear()
            if watch.full:
                raise lgb.callback.EarlyStopException(environment.iteration, [])

        return lgb.train(
            settings,
            data,
            iterations,
            valid_sets=held or None,
            feval=note if held else None,
            callbacks=[look],
            init_model=before,
        )

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row."""
        return np.asarray(model.predict(x, num_iteration=iterations or -1), np.float64)

    def with_gains(self, rows: Rows, table: Floats) -> tuple[Rows, dict[str, Any]]:
        """Return what lets labels be worth the gains of a table."""
        return rows, {"label_gain": table.tolist()}

    def grown(self, model: Any) -> int:
        """Return how many iterations a model has."""
        return int(model.current_iteration())

    def importances(self, model: Any, width: int) -> Floats:
        """Return the gain of each feature."""
        return np.asarray(model.feature_importance("gain"), np.float64)

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""
        return int(model.num_feature())

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return LightGBM's text; what is known goes where LightGBM does not look."""
        text = _named_lambdarank(model.model_to_string(num_iteration=iterations or -1))
        head, mark, tail = text.rpartition("\npandas_categorical:")
        line = f"\n{ABOUT}:{json.dumps(about)}\n"
        return (head + line + mark + tail if mark else text + line).encode()

    def plain_trees(self, model: Any, iterations: int | None) -> list[dict[str, Any]]:
        """Return trees in XGBoost's form."""
        names = model.feature_name()
        told = model.dump_model(num_iteration=iterations or -1)["tree_info"]
        return [plain_tree(tree["tree_structure"], names) for tree in told]

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read a model from text."""
        text = content.decode()
        found = [line for line in text.splitlines() if line.startswith(f"{ABOUT}:")]
        about = json.loads(found[-1].partition(":")[2]) if found else {}
        try:
            return self.library.Booster(model_str=text), about
        except self.library.basic.LightGBMError as error:
            raise InputError(f"is not a LightGBM model ({error})") from None


def _named_lambdarank(text: str) -> str:
    """Return a model trained with a function as one that names an objective.

    LightGBM leaves out the line `objective=` then, and writes `custom` among the parameters, so
    that converters to other formats do not know what scores mean. Those of lambdarank mean the
    same as ours: the sums of leaves, as they are.
    """
    head, mark, rest = text.partition("\nfeature_names=")
    if not mark or "\nobjective=" in head:
        return text
    rest = rest.replace("\n[objective: custom]\n", "\n[objective: lambdarank]\n", 1)
    return f"{head}\nobjective=lambdarank{mark}{rest}"
