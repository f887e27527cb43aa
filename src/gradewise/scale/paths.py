"""From paths to a path, on any engine: what the command line does."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gradewise.choices import choose
from gradewise.errors import GradewiseError, OptionError
from gradewise.scale.local import Evaluated
from gradewise.scale.local import evaluate as evaluate_locally
from gradewise.scale.remote import is_remote
from gradewise.scale.settings import Settings
from gradewise.scale.totals import Totals

EngineName = Literal["local", "dask", "spark"]
Progress = Callable[[int], None] | None


@dataclass(frozen=True)
class Task:
    """What is to be scored, by which rules, and where values and the cluster are."""

    qrels: Any
    runs: Mapping[str, str]
    settings: Settings
    output: str | None = None
    cluster: str | None = None
    partitions: int | None = None


class EngineEntry(NamedTuple):
    """An engine: its title, and what scores a task."""

    title: str
    run: Callable[[Task, Progress], Evaluated]


def evaluate_paths(engine: EngineName, task: Task, *, progress: Progress = None) -> Evaluated:
    """Score runs from files on an engine, and write the values of topics.

    `progress` is called with rows that were read, or with tasks that are done.
    """
    return choose("engine", engine, ENGINES).run(task, progress)


def _run_locally(task: Task, progress: Progress) -> Evaluated:
    if task.cluster is not None or task.partitions is not None:
        raise OptionError("the local engine has no cluster and no partitions")
    rules = {name: getattr(task.settings, name) for name in Settings.__dataclass_fields__}
    rules.pop("strict")
    measures = rules.pop("measures")
    return evaluate_locally(
        task.qrels, task.runs, measures, task.output, **rules, progress=progress
    )


def _run_on_dask(task: Task, progress: Progress) -> Evaluated:
    from gradewise.scale import dask_cluster
    from gradewise.scale.dask import ENGINE

    with dask_cluster.dask_client(task.cluster) as client, _folder(task.output) as folder:
        qrels = dask_cluster.read_judgments(task.qrels) if _is_path(task.qrels) else task.qrels
        runs = dask_cluster.read_runs(task.runs)
        wide = ENGINE.score(qrels, runs, task.settings, partitions=task.partitions)
        wide = client.persist(wide)
        for future in dask_cluster.distributed.as_completed(
            dask_cluster.distributed.futures_of(wide)
        ):
            if future.status == "error":
                future.result()  # raises
            if progress is not None:
                progress(1)
        fit = ENGINE.fit(wide)
        values = ENGINE.to_long(wide, task.settings)
        if folder is not None:
            values.to_parquet(folder, write_index=False)
        return Evaluated(Totals.of_rows(ENGINE.totals(values), task.settings.measures), fit)


def _run_on_spark(task: Task, progress: Progress) -> Evaluated:
    from gradewise.scale import spark_reading
    from gradewise.scale.spark import ENGINE
    from gradewise.scale.spark_plan import plain_errors
    from gradewise.scale.spark_session import spark_session, tasks_watched

    with (
        spark_session(task.cluster) as session,
        _folder(task.output) as folder,
        tasks_watched(session, progress),
        plain_errors(),
    ):
        qrels = task.qrels
        if _is_path(qrels):
            qrels = spark_reading.read_judgments(session, qrels)
        runs = spark_reading.read_runs(session, task.runs)
        wide = ENGINE.score(qrels, runs, task.settings, partitions=task.partitions).persist()
        try:
            fit = ENGINE.fit(wide)
            values = ENGINE.to_long(wide, task.settings)
            if folder is not None:
                values.write.parquet(folder)
            return Evaluated(Totals.of_rows(ENGINE.totals(values), task.settings.measures), fit)
        finally:
            wide.unpersist()


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


@contextlib.contextmanager
def _folder(output: str | None) -> Iterator[str | None]:
    """Give a folder to write to, which gets its name only if all went well.

    A place that is not on this machine is written to as it is.
    """
    if output is None:
        yield None
        return
    if not output.rstrip("/").lower().endswith(".parquet"):
        raise OptionError(f"{output}: Dask and Spark write per-topic values as .parquet only")
    if is_remote(output):
        yield output
        return
    target = Path(output).resolve()
    if target.exists():
        raise GradewiseError(f"{output}: already exists; remove it first")
    if not target.parent.is_dir():
        raise GradewiseError(f"{output}: cannot be written (no such file or directory)")
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield str(work / target.name)
        (work / target.name).replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


ENGINES: dict[EngineName, EngineEntry] = {
    "local": EngineEntry("this process, out of core", _run_locally),
    "dask": EngineEntry("Dask", _run_on_dask),
    "spark": EngineEntry("Spark", _run_on_spark),
}
