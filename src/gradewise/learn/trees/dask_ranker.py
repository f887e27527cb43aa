"""DaskTreeRanker: LightGBM trees trained for a measure on a Dask cluster."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.errors import InputError, MissingDependencyError, OptionError, counted
from gradewise.learn.features import FeatureSet, topic_notes
from gradewise.learn.objectives import scale_of
from gradewise.learn.trees.lightgbm_booster import LightGBM
from gradewise.learn.trees.ranker import TreeRanker

try:
    import dask.array
    import dask.distributed
    from dask.distributed import Client
except ImportError:
    raise MissingDependencyError("dask[distributed]", "scale", "DaskTreeRanker") from None

da: Any = dask.array  # most of it is not annotated
distributed: Any = dask.distributed


class DaskTreeRanker(TreeRanker):
    """LightGBM trees, trained for a measure on a Dask cluster.

    The gradient of a list needs all its documents, so every list must be in one partition. This is
    checked: a list that continues in the next partition is brought together, and a list that is
    scattered is an error.

    Parameters are those of TreeRanker, and `client`, the Dask client (by default, the current one).
    Each worker uses its own threads, whatever `n_jobs` is. The same call works on a `LocalCluster`
    and on a real cluster. There are no evaluation sets. The trained ranker saves, loads and ranks
    as a TreeRanker does.

    The trees are those of a TreeRanker on the same rows, except for LightGBM's bins: each worker
    chooses the bins of some features from its own rows.
    """

    def __init__(
        self,
        objective: Any = "GAP",
        booster: Any = "lightgbm",
        *,
        client: Client | None = None,
        n_estimators: int = 100,
        early_stopping_rounds: int | None = None,
        eval_measure: Any = None,
        sigma: float = 1.0,
        truncation: int | None = None,
        normalize_gradients: bool = True,
        grades: Any = None,
        random_state: int | None = 0,
        n_jobs: int | None = None,
        **booster_params: Any,
    ) -> None:
        super().__init__(
            objective,
            booster,
            n_estimators=n_estimators,
            early_stopping_rounds=early_stopping_rounds,
            eval_measure=eval_measure,
            sigma=sigma,
            truncation=truncation,
            normalize_gradients=normalize_gradients,
            grades=grades,
            random_state=random_state,
            n_jobs=n_jobs,
            **booster_params,
        )
        self.client = client

    def fit(  # type: ignore[override]
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
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
            A weight for each row.
        """
        if self.booster != "lightgbm" or self.early_stopping_rounds is not None:
            raise OptionError(
                "DaskTreeRanker supports LightGBM only, without early stopping; for XGBoost, pass "
                "gw.learn.objective(...) to xgboost.dask.train as obj"
            )
        client = distributed.default_client() if self.client is None else self.client
        rows = _whole_lists(
            X, y, qid, group, sample_weight, len(client.scheduler_info()["workers"])
        )
        grades = np.asarray(da.unique(rows.grades).compute()).astype(np.int64)
        chosen = self.trained_for()
        named = None if isinstance(chosen, str) else chosen
        scale = (
            grades[grades > 0] if named is None else scale_of(named.measure, grades, named.grades)
        )
        settings = LightGBM.settings(self._parameters())
        ranker = LightGBM().library.DaskLGBMRanker(
            client=client,
            n_estimators=self.n_estimators,
            objective=self.trained_for(scale),
            **{name: value for name, value in settings.items() if name != "nthread"},
        )
        group_array = da.concatenate([da.from_array(sizes) for sizes in rows.sizes])
        ranker.fit(rows.x, rows.grades, group=group_array, sample_weight=rows.weight)
        self.model_, self.scale_ = ranker.booster_, scale
        self.n_features_in_ = int(rows.x.shape[1])
        self.best_iteration_, self.best_value_, self.evals_result_ = None, None, {}
        self.notes_ = topic_notes(
            np.asarray(rows.grades.compute()).astype(np.int64), np.concatenate(rows.sizes)
        )
        return self

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


class _Rows:
    """Dask arrays in partitions of whole lists, whose sizes are `sizes[partition]`."""

    def __init__(self, x: Any, grades: Any, weight: Any, sizes: list[Ints]):
        self.x, self.grades, self.weight, self.sizes = x, grades, weight, sizes


def _whole_lists(x: Any, y: Any, qid: Any, group: Any, weight: Any, workers: int) -> _Rows:
    """Return rows in partitions that hold whole lists; bring them about where they do not."""
    if isinstance(x, FeatureSet):
        x, y, group = x.features, x.grades, x.sizes
    if y is None:
        raise OptionError("give the grades y along with the features, or a FeatureSet")
    if (group is None) == (qid is None):
        raise OptionError(
            "give either group (the number of rows of each topic) or qid (the topic of each row)"
        )
    x, y, weight = (_as_array(each) for each in (x, y, weight))
    if len({len(each) for each in (x, y, weight) if each is not None}) > 1:
        raise InputError(f"there are {len(x)} rows of features but {len(y)} grades")
    if qid is None:
        sizes = _sizes_of_groups(group, x.chunks[0])
        ends = np.cumsum(x.chunks[0])
    else:
        qid = _as_array(qid).rechunk({0: x.chunks[0]})
        sizes = _runs(qid)
        ends = np.cumsum(x.chunks[0])
    borders = np.concatenate([[0], np.cumsum(sizes)])
    if len(x.chunks[0]) < workers:  # whatever is in memory is spread over all workers
        ends = (np.arange(1, workers + 1) * len(x)) // workers
    chosen = np.unique(borders[np.searchsorted(borders, ends)])
    chunks = tuple(int(size) for size in np.diff(np.concatenate([[0], chosen])) if size)
    parts = np.split(sizes, np.searchsorted(borders, np.cumsum(chunks)[:-1]))
    return _Rows(
        x.rechunk({0: chunks, 1: -1}),
        y.rechunk({0: chunks}),
        None if weight is None else weight.rechunk({0: chunks}),
        parts,
    )


def _as_array(given: Any) -> Any:
    """Return a Dask array with known sizes of its partitions."""
    if given is None:
        return None
    if hasattr(given, "to_dask_array"):
        return given.to_dask_array(lengths=True)
    if not isinstance(given, da.Array):
        return da.from_array(np.asarray(given), chunks=-1)
    return given.compute_chunk_sizes() if np.isnan(sum(given.chunks[0])) else given


def _sizes_of_groups(group: Any, chunks: Sequence[int]) -> Ints:
    """Return the sizes of lists; those of a Dask array must fill its partitions."""
    if not isinstance(group, da.Array):
        sizes = np.asarray(group, np.int64)
        if int(sizes.sum()) != sum(chunks) or (sizes < 1).any():
            raise InputError(
                f"the sizes in group sum to {int(sizes.sum())}, but there are {sum(chunks)} rows"
            )
        return sizes
    group = _as_array(group)
    sizes, ends = np.asarray(group.compute(), np.int64), np.cumsum(group.chunks[0])
    parts = np.split(sizes, ends[:-1])
    for place, rows in enumerate(chunks):
        held = int(parts[place].sum()) if place < len(parts) else 0
        if held != rows:
            raise InputError(
                f"partition {place} has {counted(int(rows), 'row')}, but its sizes in group sum to "
                f"{held}: a topic is split, and group does not say which; give qid (the topic of "
                "each row), or all of group as a NumPy array"
            )
    return sizes


def _runs(qid: Any) -> Ints:
    """Return the sizes of lists from the topic of each row; a topic must be in one place."""
    topics = np.asarray(qid.compute())
    starts = np.flatnonzero(np.concatenate([[True], topics[1:] != topics[:-1]]))
    named = topics[starts]
    values, counts = np.unique(named, return_counts=True)
    if len(values) < len(named):
        split = values[np.argmax(counts > 1)]
        ends = np.cumsum(qid.chunks[0])
        where = sorted({int(np.searchsorted(ends, row, "right")) for row in starts[named == split]})
        places = (
            f"partitions {where[0]} and {where[-1]}"
            if len(where) > 1
            else f"two places of partition {where[0]}"
        )
        raise InputError(
            f"topic {split} is in {places}, with other topics in between; sort the rows by topic "
            "(a topic that merely continues in the next partition is brought together)"
        )
    return np.diff(np.concatenate([starts, [len(topics)]])).astype(np.int64)
