"""Clients of Dask, and the runs and judgments that its workers read."""

import contextlib
import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any

from gradewise.collection.reading import read_run
from gradewise.errors import GradewiseError, MissingDependencyError
from gradewise.parallel import thread_count
from gradewise.scale.arrays import from_numbers, pa, to_arrow
from gradewise.scale.columns import DOC, ORDER, RUN, TOPIC, run_column
from gradewise.scale.dask_plan import dd, to_pandas
from gradewise.scale.remote import expand_remote, is_parquet_path, reachable

try:
    import dask.distributed
    import pandas as pd
except ImportError:
    raise MissingDependencyError("dask[dataframe,distributed]", "scale", "Dask") from None

distributed: Any = dask.distributed  # it is not annotated
_SCORE = "score"
_PATIENCE = "30s"  # for a scheduler to answer


@contextlib.contextmanager
def dask_client(scheduler: str | None = None) -> Iterator[Any]:
    """Give the client that is current, or start one, which ends with the block.

    `scheduler` is the address of a scheduler, such as tcp://host:8786. By default, processes of
    this machine work.
    """
    if scheduler is not None:
        try:
            client = distributed.Client(scheduler, timeout=_PATIENCE)
        except (OSError, TimeoutError, ValueError) as error:
            raise GradewiseError(
                f"{scheduler}: cannot connect to a Dask scheduler ({error})"
            ) from None
        with client:
            yield client
        return
    current = _current_client()
    if current is not None:
        yield current
        return
    with (
        distributed.LocalCluster(
            n_workers=thread_count(),
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _current_client() -> Any:
    try:
        return distributed.get_client()
    except ValueError:
        return None


def read_judgments(path: str) -> Any:
    """Return a frame of dask.dataframe for parquet; text is left to this machine."""
    return dd.read_parquet(path) if is_parquet_path(path) else path


def read_runs(runs: Mapping[str, str]) -> Any:
    """Return a frame of all runs, given as {name: path}.

    Parquet names its runs in a column `run`; else a run is named by its path. Other files are read
    as `gradewise.read_run` does, each by one worker.
    """
    runs, frames = expand_remote(runs.items()), []
    texts = {name: path for name, path in runs.items() if not is_parquet_path(path)}
    if texts:
        frames.append(dd.from_map(_read_text, list(texts), list(texts.values()), meta=_empty()))
    for name, path in runs.items():
        if is_parquet_path(path):
            frame = dd.read_parquet(path)
            named = run_column([str(column) for column in frame.columns])
            frames.append(frame if named is not None else frame.assign(**{RUN: name}))
    return frames[0] if len(frames) == 1 else dd.concat(frames)


def _read_text(name: str, path: str) -> Any:
    run = read_run(reachable(os.fspath(path)), name)
    places = [place for size in run.sizes.tolist() for place in range(size)]
    columns = {
        RUN: pa.array([name] * len(run), pa.string()),
        TOPIC: pa.array(run.topic_column(), pa.string()),
        DOC: to_arrow(run.docs),
        _SCORE: from_numbers(run.numbers),
        ORDER: pa.array(places, pa.float64()),
    }
    return to_pandas(pa.table(columns))


def _empty() -> Any:
    text = {name: pd.Series([], dtype="string[pyarrow]") for name in (RUN, TOPIC, DOC)}
    numbers = {name: pd.Series([], dtype="float64") for name in (_SCORE, ORDER)}
    return pd.DataFrame({**text, **numbers})
