"""LightGBM behind the face that rankers know."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import InputError
from gradewise.learn.trees.booster import ABOUT, Booster, Rows, Watch
from gradewise.learn.trees.objective import Objective


class LightGBM(Booster):
    """The library lightgbm."""

    module = "lightgbm"
    title = "LightGBM"
    file_format = "text"
    model_file = "model.txt"
    objectives = ("lambdarank", "rank_xendcg")

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
    ) -> Any:
        """Return a model, a Booster of lightgbm."""
        lgb = self.library
        settings = {**self.settings(parameters), "objective": objective}
        data = lgb.Dataset(rows.x, rows.grades, weight=rows.weight, group=rows.sizes)
        held = [
            lgb.Dataset(each.x, each.grades, group=each.sizes, reference=data)
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
        )

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row."""
        return np.asarray(model.predict(x, num_iteration=iterations or -1), np.float64)

    def importances(self, model: Any, width: int) -> Floats:
        """Return the gain of each feature."""
        return np.asarray(model.feature_importance("gain"), np.float64)

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""
        return int(model.num_feature())

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return LightGBM's text; what is known goes where LightGBM does not look."""
        text = model.model_to_string(num_iteration=iterations or -1)
        head, mark, tail = text.rpartition("\npandas_categorical:")
        line = f"\n{ABOUT}:{json.dumps(about)}\n"
        return (head + line + mark + tail if mark else text + line).encode()

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read a model from text."""
        text = content.decode()
        found = [line for line in text.splitlines() if line.startswith(f"{ABOUT}:")]
        about = json.loads(found[-1].partition(":")[2]) if found else {}
        try:
            return self.library.Booster(model_str=text), about
        except self.library.basic.LightGBMError as error:
            raise InputError(f"is not a LightGBM model ({error})") from None
