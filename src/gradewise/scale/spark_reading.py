"""Runs and judgments that Spark reads itself: parquet and text, from any place that it knows."""

from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from gradewise.collection.reading import ENDINGS, PACKED, run_name
from gradewise.errors import InputError
from gradewise.scale.columns import RUN, run_column
from gradewise.scale.remote import is_parquet_path
from gradewise.scale.spark_plan import functions_of, plain_errors

_FILE = "gradewise_file"
_UNREADABLE = (".xz", ".zst")  # text that Spark does not decompress


def read_judgments(session: Any, path: str) -> Any:
    """Return a DataFrame for parquet; text is left to this machine."""
    return session.read.parquet(path) if is_parquet_path(path) else path


def read_runs(session: Any, runs: Mapping[str, str]) -> Any:
    """Return a DataFrame of all runs, given as {name: path}.

    Parquet names its runs in a column `run`; else a run is named by its file. A pattern may stand
    for many files.
    """
    frames = []
    for parquet in (True, False):
        chosen = {name: path for name, path in runs.items() if is_parquet_path(path) is parquet}
        plain = [path for name, path in chosen.items() if _by_file(name, path)]
        if plain:
            frames.append(_read_together(session, plain, parquet=parquet))
        for name, path in chosen.items():
            if path not in plain:
                frame = _read(session, [path], parquet=parquet).drop(_FILE)
                frames.append(_with_run(frame, name))
    with plain_errors():
        return reduce(
            lambda first, second: first.unionByName(second, allowMissingColumns=True), frames
        )


def _by_file(name: str, path: str) -> bool:
    """Tell whether the name of a file tells the name of its run."""
    return not Path(path).is_dir() and (name == run_name(path) or "*" in path)


def _read_together(session: Any, paths: list[str], *, parquet: bool) -> Any:
    """Read many files as one DataFrame, with the run in a column."""
    frame = _read(session, paths, parquet=parquet)
    if run_column(frame.columns) is not None:
        return frame.drop(_FILE)
    packed, endings = (
        "|".join(each.removeprefix(".") for each in some) for some in (PACKED, ENDINGS)
    )
    named = f"regexp_replace({_FILE}, '(?i)([.]({endings}))?([.]({packed}))?$', '')"
    return frame.selectExpr("*", f"{named} as {RUN}").drop(_FILE)


def _read(session: Any, paths: list[str], *, parquet: bool) -> Any:
    if parquet:
        frame = session.read.parquet(*paths)
        return frame.selectExpr("*", f"_metadata.file_name as {_FILE}")
    wrong = [path for path in paths if path.lower().endswith(_UNREADABLE)]
    if wrong:
        raise InputError(f"{wrong[0]}: Spark reads plain, .gz or .bz2 text, or parquet")
    lines = session.read.text(paths).where("trim(value) != ''")
    cells = lines.selectExpr(
        r"split(trim(value), '[ \\t]+') as cells", "value", f"_metadata.file_name as {_FILE}"
    )
    whole = "size(cells) >= 6"  # topic Q0 document rank score tag
    return cells.selectExpr(
        f"case when {whole} then get(cells, 0) else '' end as topic",
        f"case when {whole} then get(cells, 2) else left(value, 100) end as doc",
        "try_cast(get(cells, 4) as double) as score",
        "try_cast(get(cells, 3) as double) as rank",
        _FILE,
    )


def _with_run(frame: Any, name: str) -> Any:
    if run_column(frame.columns) is not None:
        return frame
    return frame.withColumn(RUN, functions_of(frame).lit(name))
