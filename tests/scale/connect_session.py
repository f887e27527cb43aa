"""A Spark Connect session, in a process of its own: classic and Connect do not mix in one.

usage: connect_session.py    prints "passed" if all went well
"""

import os
import random
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
warnings.simplefilter("ignore")

from pyspark.sql import SparkSession  # noqa: E402

import gradewise as gw  # noqa: E402
from scale import contract  # noqa: E402
from scale.cases import expected_values, found_values, intent_case, plain_case  # noqa: E402


def main() -> None:
    """Start a server, and do there what tests do on a classic session."""
    builder = SparkSession.builder.remote("local[2]")
    for name, value in {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3"}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    assert type(spark).__module__.startswith("pyspark.sql.connect")
    for make in (plain_case, intent_case):
        rng = random.Random(1)
        case = make(rng)
        measures = ["AP", "nDCG@10", "GAP(g='equal')", "ERR", "INST", "AUC"]
        judged = spark.createDataFrame(case.judgment_table(rng))
        rows = spark.createDataFrame(case.row_table(rng))
        for missing in ("zero", "drop"):
            result = gw.scale.spark.evaluate(judged, rows, measures, missing=missing)
            found = found_values(result.toArrow())
            assert found == expected_values(case, measures, missing=missing)
    for check in (
        contract.check_summaries,
        contract.check_comparison,
        contract.check_fit,
        contract.check_problems,
    ):
        check(gw.scale.spark, spark.createDataFrame)
    spark.stop()
    print("passed")


if __name__ == "__main__":
    main()
