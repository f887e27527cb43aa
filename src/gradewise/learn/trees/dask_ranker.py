"""DaskTreeRanker: trees of LightGBM or XGBoost, trained for a measure on a Dask cluster."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from gradewise.errors import MissingDependencyError, OptionError, check_least
from gradewise.learn.estimator import held_out
from gradewise.learn.features import notes_on_left_out
from gradewise.learn.trees.booster import Watch
from gradewise.learn.trees.dask_lightgbm import Grown, Plan
from gradewise.learn.trees.dask_lists import (
    PartFacts,
    WholeLists,
    da,
    facts_of,
    library,
    whole_lists,
)
from gradewise.learn.trees.dask_workers import Attempt, run_guarded, workers_of
from gradewise.learn.trees.lightgbm_booster import LightGBM
from gradewise.learn.trees.ranker import TreeRanker

try:
    import dask.distributed
    from dask.distributed import Client
except ImportError:
    raise MissingDependencyError("dask[distributed]", "scale", "DaskTreeRanker") from None

distributed: Any = dask.distributed  # most of it is not annotated


class DaskTreeRanker(TreeRanker):
    """Trees of LightGBM or XGBoost, trained for a measure on a Dask cluster.

    The gradient of a list needs all its documents, so every list must be in one partition. This is
    checked: a list that continues in the next partition is joined, and a list that is scattered is
    an error. Workers look at the topics of their rows; the client gathers none.

    Parameters are those of TreeRanker, and `client`, the Dask client (by default, the current one).
    Each worker uses its own threads, whatever `n_jobs` is. The same call works on a `LocalCluster`
    and on a real cluster. The trained ranker saves, loads and ranks as a TreeRanker does.

    If a worker is lost, the others are restarted and training begins again, once; if that fails
    too, there is an error. Data that only a lost worker had cannot be recovered: give Dask
    collections that can be recomputed.

    The trees are those of a TreeRanker on the same rows, except for the bins of features: each
    worker of LightGBM chooses those of some features from its own rows, and XGBoost merges the
    sketches of all workers.
    """

    def __init__(self, *given: Any, client: Client | None = None, **parameters: Any) -> None:
        super().__init__(*given, **parameters)
        self.client = client

    def fit(  # type: ignore[override]
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        eval_set: Any = None,
        eval_group: Sequence[Any] | None = None,
        eval_qid: Sequence[Any] | None = None,
    ) -> "DaskTreeRanker":
        """Grow trees.

        Parameters
        ----------
        X, y
            Features and grades: Dask arrays or frames with the same partitions; or NumPy arrays,
            or a FeatureSet alone, which are distributed over the workers.
        qid, group
            The topic of each row, with the same partitions; or the number of rows of each topic.
        sample_weight
            A weight for each row; for LightGBM only.
        eval_set, eval_group, eval_qid
            Held-out sets, each a FeatureSet or (X, y), and what describes their topics. With
            LightGBM every worker holds all of their rows.
        """
        check_least(1, n_estimators=self.n_estimators)
        own = self._own()
        if self.propensity is not None or (own is not None and own.gains is not None):
            raise OptionError("propensity and gains= are not available on Dask; use TreeRanker")
        client = distributed.default_client() if self.client is None else self.client
        with client.as_current():
            workers = len(workers_of(client))
            rows = whole_lists(X, y, qid, group, sample_weight, workers)
            held = [
                whole_lists(*given[:2], given[3], given[2], None, 1)
                for given in held_out(eval_set, eval_group, eval_qid)
            ]
            facts = _facts([rows, *held])
        scale = self._scale(np.unique(np.concatenate([f.grades for f in facts])))
        metrics = [self._metric(measure, scale) for measure in self.eval_measures()]
        plan = Plan(
            self.trained_for(scale),
            self._parameters(),
            self.n_estimators,
            metrics,
            self.early_stopping_rounds if held else None,
        )
        grown = run_guarded(client, partial(self._grow, client, rows, held, plan))
        self.model_, _ = self._library().parse(grown.content)
        self.scale_, self.n_features_in_ = scale, int(rows.x.shape[1])
        left_out = [f.left_out for f in facts[: len(rows.sizes)]]
        self.notes_ = notes_on_left_out(np.sum(left_out, axis=0))
        watch = Watch(metrics, [])
        watch.history, watch.held = grown.history, held  # type: ignore[assignment]
        self._keep(watch)
        self.position_bias_ = None
        return self

    def _grow(
        self,
        client: Any,
        rows: WholeLists,
        held: Sequence[WholeLists],
        plan: Plan,
        attempt: Attempt,
    ) -> Grown:
        if self.booster == LightGBM.module:
            from gradewise.learn.trees import dask_lightgbm as module
        else:
            from gradewise.learn.trees import dask_xgboost as module  # type: ignore[no-redef]
        return module.grow(client, rows, held, plan, attempt)

    def predict(self, X: Any, *, iterations: int | None = None) -> Any:  # noqa: N803
        """Return a score for each row; a Dask array if the features are one."""
        if hasattr(X, "to_dask_array"):
            X = X.to_dask_array(lengths=True)  # noqa: N806
        if not isinstance(X, da.Array):
            return super().predict(X, iterations=iterations)
        own = self.local()
        return X.rechunk({1: -1}).map_blocks(
            lambda part: own.predict(part, iterations=iterations), drop_axis=1, dtype=np.float64
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trees as a TreeRanker does; `load` then returns a TreeRanker."""
        self.local().save(path)

    def local(self) -> TreeRanker:
        """Return the trained ranker without the cluster."""
        parameters = self.get_params(deep=False)
        parameters.pop("client")
        found = TreeRanker(**parameters)
        for name, value in vars(self).items():
            if name.endswith("_") and not name.startswith("_"):
                setattr(found, name, value)
        return found


def _facts(sets: Sequence[WholeLists]) -> list[PartFacts]:
    """Return what is known of each partition of some sets."""
    parts = [library.delayed(facts_of)(part) for each in sets for part in each.parts]
    return list(library.compute(*parts))
