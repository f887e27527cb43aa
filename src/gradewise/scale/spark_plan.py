"""How Spark moves rows to workers: one shuffle by topic, sorted by topic and run.

Workers read a stream: the judgments of a topic, then one list after the other, so that they hold
the longest list. Plans are written in SQL expressions, which are the same for classic and Connect
sessions.
"""

import contextlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from gradewise import errors
from gradewise.collection.reading import read_qrels
from gradewise.collection.ties import Ties
from gradewise.errors import GradewiseError, InputError
from gradewise.scale.columns import (
    DOC,
    NUMBER,
    RUN,
    TEXT,
    TOPIC,
    Chosen,
    judgment_columns,
    row_columns,
)
from gradewise.scale.judgments import judgment_table
from gradewise.scale.outcome import EXTRA, STATUS, value_columns, wide_schema
from gradewise.scale.remote import reachable
from gradewise.scale.sampling import sample_sql
from gradewise.scale.settings import Settings
from gradewise.scale.stream import score_stream

_BUCKET = "bucket"
_SQL_TYPES = {"string": "string", "int8": "tinyint", "int64": "bigint", "double": "double"}
_OURS = re.compile(r"gradewise\.errors\.(\w+): (.*)", re.DOTALL)


def score_frame(qrels: Any, runs: Any, settings: Settings, *, partitions: int | None) -> Any:
    """Return a DataFrame of wide tables."""
    rows = _row_frame(runs, settings.ties)
    spark = rows.sparkSession
    judgments = _judgment_frame(qrels, spark)
    header = _header_frame(judgments, rows)
    if settings.share < 1:
        judgments = judgments.where(sample_sql(TOPIC, settings.share, settings.seed))
        rows = rows.join(judgments.select(TOPIC).distinct(), TOPIC, "leftsemi")
    number = partitions or shuffle_partitions(spark)
    columns = list(dict.fromkeys([*rows.columns, *judgments.columns]))
    bucket = f"cast(pmod(xxhash64({TOPIC}), {number}) as int) as {_BUCKET}"
    buckets = spark.range(number).selectExpr(f"cast(id as int) as {_BUCKET}")
    parts = [
        buckets.crossJoin(header).selectExpr(_BUCKET, *_filled([DOC], columns)),
        judgments.selectExpr(bucket, *_filled(judgments.columns, columns)),
        rows.selectExpr(bucket, *_filled(rows.columns, columns)),
    ]
    both = reduce(lambda first, second: first.union(second), parts)
    if hasattr(both, "repartitionById"):  # from Spark 4.1 on
        shuffled = both.repartitionById(number, _BUCKET)
    else:
        shuffled = both.repartition(number, _BUCKET)
    ordered = shuffled.sortWithinPartitions(_BUCKET, TOPIC, RUN).drop(_BUCKET)
    schema = ", ".join(f"{f.name} {_SQL_TYPES[str(f.type)]}" for f in wide_schema(settings))
    with quiet_on_pandas():
        return ordered.mapInArrow(_scorer(settings), schema)


def shuffle_partitions(spark: Any) -> int:
    """Return the number of partitions of a shuffle, as the session is configured."""
    return int(spark.conf.get("spark.sql.shuffle.partitions"))


@contextlib.contextmanager
def quiet_on_pandas() -> Iterator[None]:
    """Keep Spark from warning of pandas 3, which it asks for and which no call here uses."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        yield


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what a worker raised on purpose into the same error, without Spark's words around it.

    A driver that is gone is an error of one sentence, too.
    """
    from pyspark.errors import PySparkException

    try:
        yield
    except driver_gone():
        raise GradewiseError(
            "Spark's driver has exited, most likely for lack of memory; give it more, as in "
            "SPARK_DRIVER_MEMORY=8g, and give large judgments as parquet"
        ) from None
    except PySparkException as error:
        found = _OURS.search(str(error))
        kind = getattr(errors, found[1], None) if found else None
        if found is None or not (isinstance(kind, type) and issubclass(kind, GradewiseError)):
            raise
        told = found[2].split("\n\n")[0].split("\n\tat ")[0].strip()
        remade = kind.__new__(kind)
        Exception.__init__(remade, told)
        raise remade from None


def driver_gone() -> tuple[type[Exception], ...]:
    """Return what calls raise when there is no driver any more."""
    try:
        from py4j.protocol import Py4JNetworkError
    except ImportError:  # pyspark-client, which is for Connect only, has none
        return (ConnectionError,)
    return Py4JNetworkError, ConnectionError


def functions_of(frame: Any) -> Any:
    """Return Spark's functions for the kind of session that a DataFrame belongs to."""
    if type(frame).__module__.startswith("pyspark.sql.connect"):
        from pyspark.sql.connect import functions
    else:
        from pyspark.sql import functions
    return functions


def _scorer(settings: Settings) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return what workers do with the batches of a partition."""

    def score_batches(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        where = "" if context is None else f"partition {context.partitionId()}: "
        for table in score_stream(batches, settings, None, where):
            yield from table.to_batches()

    return score_batches


def to_long(wide: Any, settings: Settings) -> Any:
    """Return run, topic, measure, value from a DataFrame of wide tables."""
    names = dict(zip(value_columns(settings), settings.names, strict=True))
    lists = wide.where(f"{STATUS} < {EXTRA}").select(RUN, TOPIC, *names)
    quoted = [f"`{name}`" for name in names.values()]
    return lists.withColumnsRenamed(names).unpivot([RUN, TOPIC], quoted, "measure", "value")


def _header_frame(judgments: Any, rows: Any) -> Any:
    """Return a row that says which runs and positive grades there are."""
    runs = rows.selectExpr(f"collect_set({RUN}) as runs")
    grades = judgments.where(f"{NUMBER} > 0").selectExpr(f"collect_set({NUMBER}) as grades")
    known = "to_json(named_struct('runs', array_sort(runs), 'grades', array_sort(grades)))"
    return runs.crossJoin(grades).selectExpr(f"{known} as {DOC}")


def _filled(available: Iterable[str], columns: Iterable[str]) -> list[str]:
    """Return expressions for all columns, missing values for those that are not there."""
    known = set(available)
    return [
        name if name in known else f"cast(null as {_type_of(name)}) as {name}" for name in columns
    ]


def _type_of(name: str) -> str:
    return "string" if name in TEXT else "double"


def _judgment_frame(qrels: Any, spark: Any) -> Any:
    if is_spark(qrels):
        return _normalized(qrels, judgment_columns(qrels.columns), None)
    table = judgment_table(read_qrels(reachable(qrels)))
    with quiet_on_pandas():
        frame = spark.createDataFrame(table)
    return _normalized(frame, Chosen({name: name for name in table.column_names}), None)


def _row_frame(runs: Any, ties: Ties) -> Any:
    if is_spark(runs):
        return _normalized(runs, row_columns(runs.columns, ties, "runs", run=True), None)
    if not isinstance(runs, Mapping) or not all(map(is_spark, runs.values())):
        raise InputError(
            "runs: expected a Spark DataFrame with a column run, or a dictionary {name: DataFrame}"
        )
    if not runs:
        raise InputError("no runs were given")
    frames = [
        _normalized(frame, row_columns(frame.columns, ties, str(name), run=False), str(name))
        for name, frame in runs.items()
    ]
    return reduce(lambda first, second: first.unionByName(second), frames)


def is_spark(given: Any) -> bool:
    """Tell whether something is a DataFrame of Spark, classic or Connect."""
    return hasattr(given, "sparkSession") and hasattr(given, "mapInArrow")


def _normalized(frame: Any, chosen: Chosen, run: str | None) -> Any:
    """Return the chosen columns under the names that workers know, as text and doubles.

    Ids that are missing become empty, and numbers that are none become missing; workers name them.
    """
    kinds = dict(frame.dtypes)
    expressions = []
    for name, column in chosen.columns.items():
        quoted = "`" + column.replace("`", "``") + "`"
        if name in TEXT:
            _check_ids(column, kinds[column])
            expressions.append(f"coalesce(cast({quoted} as string), '') as {name}")
        else:
            _check_number(column, kinds[column])
            sign = "-" if chosen.negated and name == NUMBER else ""
            expressions.append(f"{sign}cast({quoted} as double) as {name}")
    found = frame.selectExpr(*expressions)
    if run is not None:
        found = found.withColumn(RUN, functions_of(frame).lit(run))
    return found


def _check_ids(column: str, kind: str) -> None:
    if kind not in ("string", "tinyint", "smallint", "int", "bigint", "void"):
        raise InputError(f"the column {column} has type {kind}; ids must be text or whole numbers")


def _check_number(column: str, kind: str) -> None:
    numbers = ("tinyint", "smallint", "int", "bigint", "float", "double", "void")
    if kind not in numbers and not kind.startswith("decimal"):
        raise InputError(f"the column {column} has type {kind}; it must contain numbers")
