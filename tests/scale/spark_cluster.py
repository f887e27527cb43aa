"""A Spark cluster for tests: a master and two executors, each a process of its own."""

import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

SOURCES = Path(__file__).parents[2] / "src"


def start_cluster(master: str = "local-cluster[2,1,1024]", **settings: str) -> Any:
    """Start a session; tests are skipped where there is no Spark or no Java."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    chosen = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(SOURCES), *sys.path]),
        "spark.python.worker.reuse": "true",
        **settings,
    }
    builder = SparkSession.builder.master(master).appName("gradewise tests")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
