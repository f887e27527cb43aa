"""Sessions of Spark: one that is there, one that a master is asked for, or a local one."""

import contextlib
import logging
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gradewise.errors import GradewiseError, MissingDependencyError
from gradewise.parallel import thread_count
from gradewise.scale.spark_plan import driver_gone, quiet_on_pandas

_PAUSE = 0.5  # seconds between two looks at how far Spark has come


@contextlib.contextmanager
def spark_session(master: str | None = None) -> Iterator[Any]:
    """Give the session that is active, or start one, which ends with the block.

    `master` is a URL of Spark, such as spark://host:7077, yarn or local[4], or sc://host for Spark
    Connect. By default Spark runs on this machine.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingDependencyError("pyspark", "scale", "Spark") from None
    active = None if master else SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    session = _start(SparkSession.builder.appName("gradewise"), master)
    root = logging.getLogger()
    root.addFilter(_is_no_lost_call)
    try:
        yield session
    finally:
        with contextlib.suppress(*driver_gone()):
            session.stop()
        root.removeFilter(_is_no_lost_call)


def _is_no_lost_call(record: logging.LogRecord) -> bool:
    """Tell all else from what py4j logs, with a traceback, when a driver has ended."""
    return not str(record.msg).startswith("Exception while sending command")


def _start(builder: Any, master: str | None) -> Any:
    with quiet_on_pandas():
        if master is not None and master.startswith("sc://"):
            return builder.remote(master).getOrCreate()
        if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            raise GradewiseError(
                "Spark needs Java, which was not found; install Java 17 or later, such as "
                "Debian's openjdk-17-jre-headless, or set JAVA_HOME"
            )
        for name, value in _settings(master).items():
            builder = builder.config(name, value)
        try:
            return builder.master(master or "local[*]").getOrCreate()
        except Exception as error:  # what Spark raises depends on where it fails
            reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            raise GradewiseError(f"Spark did not start: {reason}") from None


def _settings(master: str | None) -> dict[str, str]:
    chosen = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    if master is None or master.startswith("local"):
        # Workers are processes of this machine, and must find this package.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        sources = str(Path(__file__).parents[2])
        paths = [sources, *filter(None, [os.environ.get("PYTHONPATH")])]
        chosen["spark.executorEnv.PYTHONPATH"] = os.pathsep.join(paths)
        chosen["spark.sql.shuffle.partitions"] = str(max(8, 4 * thread_count()))
        chosen["spark.ui.enabled"] = "false"
        # Spark's own gigabyte is too little for judgments in memory; and without the second option
        # a driver that lacks memory waits forever.
        if "SPARK_DRIVER_MEMORY" not in os.environ:
            chosen["spark.driver.memory"] = f"{_driver_gigabytes()}g"
        chosen["spark.driver.extraJavaOptions"] = "-XX:+ExitOnOutOfMemoryError"
    return chosen


def _driver_gigabytes() -> int:
    """Return a quarter of this machine's memory, at least 1 and at most 8 GB."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on all systems
        return 1
    return int(min(max(total // 4 >> 30, 1), 8))


@contextlib.contextmanager
def tasks_watched(session: Any, progress: Callable[[int], None] | None) -> Iterator[None]:
    """Call `progress` with the number of tasks that Spark has done since the last call."""
    context = getattr(session, "_sc", None)
    if progress is None or context is None:  # a Connect session tells nothing of tasks
        yield
        return
    tracker, over, told = context.statusTracker(), threading.Event(), 0

    def look() -> None:
        nonlocal told
        done: dict[int, int] = {}
        while not over.wait(_PAUSE):
            try:
                stages = [
                    (stage, tracker.getStageInfo(stage)) for stage in tracker.getActiveStageIds()
                ]
            except driver_gone():
                return
            for stage, info in stages:
                if info is not None:
                    done[stage] = max(done.get(stage, 0), info.numCompletedTasks)
            if sum(done.values()) > told:
                progress(sum(done.values()) - told)
                told = sum(done.values())

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
