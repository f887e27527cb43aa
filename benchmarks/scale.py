"""Scoring beyond memory: how time and memory grow with rows, and what engines add to both.

Makes runs of 10^6, 10^7 and 10^8 rows (1,000 documents a topic, 10 judged) as text and as a folder
of parquet files, and scores each with `gradewise eval --engine`, as a process of its own: local
from both, Dask and Spark (where they are installed) from parquet, on processes of this machine.
Prints seconds, CPU seconds of all processes, peak memory of the process, of a worker and of Spark's
JVMs, the exponent of growth over repeats with its spread (1 is linear; the time for 10^4 rows,
which is that of starting, is subtracted, and sizes that take hardly longer are left out), and
seconds beside the local engine's. CPU seconds depend less on what else the machine does. The values
of all engines are compared bit by bit, up to 10^7 rows.

    python benchmarks/scale.py                      everything; Dask and Spark up to 10^7 rows
    python benchmarks/scale.py --engines local      only some engines
    python benchmarks/scale.py --engines spark --on-cluster 1e8 --master 'local-cluster[2,1,2048]'
    python benchmarks/scale.py --quick              small sizes, to see that it runs
"""

import argparse
import hashlib
import importlib.util
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from gradewise.tables import Table

START = 10**4  # rows that take no time beside that of starting
SEEN = 1.25  # times as long as starting: what takes less says nothing about growth
LIMIT = 200  # megabytes that the local engine may take, whatever the rows
DOCS, DEPTH, JUDGED = 8_841_823, 1000, 10
STEP, TOPIC_STEP = 104_729, 7_919  # primes, so that the documents of a topic differ
PART = 10**6  # rows of a parquet file
MEASURES = "AP,nDCG@10,GAP,ERR"
COMMAND = [sys.executable, "-m", "gradewise", "eval"]
KINDS = {"local text": "txt", "local parquet": "parquet", "dask": "parquet", "spark": "parquet"}


@dataclass
class Peaks:
    """Peak memory of a process and of its children, in megabytes."""

    own: float = 0.0
    worker: float = 0.0
    java: float = 0.0
    ticks: dict[int, int] = field(default_factory=dict)  # of each process, in the current run


@dataclass
class Measured:
    """What was measured of an engine on some rows, over repeats."""

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peaks: Peaks = field(default_factory=Peaks)
    values: str = ""


def document(topic: pl.Expr, number: pl.Expr) -> pl.Expr:
    place = (topic * TOPIC_STEP + number * STEP) % DOCS
    return "D" + place.cast(pl.String).str.zfill(7)


def make_rows(begin: int, rows: int) -> pl.DataFrame:
    """Return rows of a run, in random order within topics."""
    row = pl.int_range(begin, begin + rows, dtype=pl.Int64, eager=True)
    mixed = (row.hash(seed=1) % 1_000_000).cast(pl.Float64) / 1000
    frame = pl.DataFrame({"number": row % DEPTH, "topic": row // DEPTH, "score": mixed})
    topic, number = pl.col("topic"), pl.col("number")
    return frame.select(
        topic=topic.cast(pl.String),
        doc=document(topic, number),
        score=(pl.col("score") - number / 4).round(4),
    )


def write_run(folder: Path, rows: int) -> None:
    """Write the same run as text and as a folder of parquet files; and its judgments."""
    parts = folder / f"{rows}.parquet"
    parts.mkdir()
    with (folder / f"{rows}.txt").open("wb") as file:
        for place, begin in enumerate(range(0, rows, PART)):
            frame = make_rows(begin, min(PART, rows - begin))
            text = frame.select("topic", zero=0, doc="doc", rank=1, score="score", tag=2)
            text.write_csv(file, include_header=False, separator=" ")
            frame.write_parquet(parts / f"part-{place:05}.parquet", row_group_size=PART // 8)
    topics = pl.DataFrame({"topic": np.arange(rows // DEPTH).repeat(JUDGED)})
    number = pl.int_range(pl.len()) * 137 % (DEPTH + DEPTH // 2)  # a third was not retrieved
    judgments = topics.select(
        topic=pl.col("topic").cast(pl.String),
        zero=0,
        doc=document(pl.col("topic"), number),
        grade=pl.int_range(pl.len()) * 31 % 4,
    )
    judgments.write_csv(folder / f"{rows}.qrels", include_header=False, separator=" ")


def children(root: int) -> list[int]:
    """Return a process and all below it."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += parents.get(found[-1], [])
    return found


def look(root: int, peaks: Peaks) -> None:
    """Note the peak memory of a process and of its children so far, and the time that they took."""
    for process in children(root):
        try:
            times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
            peaks.ticks[process] = sum(map(int, times))
            status = Path(f"/proc/{process}/status").read_text()
            command = Path(f"/proc/{process}/cmdline").read_bytes().partition(b"\0")[0]
        except OSError:
            continue
        if "VmHWM:" not in status:
            continue
        peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
        kind = "own" if process == root else "worker"
        if command.endswith(b"java"):  # or a copy of it that is about to become a worker
            kind = "java"
        setattr(peaks, kind, max(getattr(peaks, kind), peak))


def run(engine: str, folder: Path, rows: int, found: Measured, options: argparse.Namespace) -> None:
    """Score the rows on an engine, in a process of its own."""
    name, kind = engine.partition(" ")[0], KINDS[engine]
    output = folder / "values.parquet"
    command = [*COMMAND, folder / f"{rows}.qrels", folder / f"{rows}.{kind}"]
    command += ["-m", options.measures]
    command += ["--engine", name, "-o", output, "--quiet"]
    command += ["--master", options.master] if name == "spark" and options.master else []
    begin = time.perf_counter()
    with (
        (folder / "log.txt").open("w") as log,
        subprocess.Popen(list(map(str, command)), stdout=log, stderr=log) as process,
    ):
        while process.poll() is None:
            if Path("/proc").is_dir():
                look(process.pid, found.peaks)
            time.sleep(0.2)
        if process.returncode:
            sys.exit(f"{engine} failed: {(folder / 'log.txt').read_text()}")
    found.seconds.append(time.perf_counter() - begin)
    found.cpu.append(sum(found.peaks.ticks.values()) / os.sysconf("SC_CLK_TCK"))
    found.peaks.ticks.clear()
    if rows <= 10**7 and not found.values:
        found.values = digest(output)
    shutil.rmtree(output) if output.is_dir() else output.unlink()


def digest(output: Path) -> str:
    """Return a digest of values, whatever their order."""
    files = str(output / "*.parquet") if output.is_dir() else str(output)
    frame = pl.read_parquet(files).sort("topic", "measure")
    text = frame.select("topic", "measure", pl.col("value").reinterpret(signed=False))
    return hashlib.sha256(text.write_csv().encode()).hexdigest()


def exponents(sizes: list[int], times: dict[int, list[float]], start: float) -> list[float]:
    """Return the slope of log seconds on log rows, for each repeat."""
    repeats = min(len(times[size]) for size in sizes)
    rows = np.log10(sizes)
    slopes = []
    for repeat in range(repeats):
        seconds = [max(times[size][repeat] - start, 1e-3) for size in sizes]
        slopes.append(float(np.polyfit(rows, np.log10(seconds), 1)[0]))
    return slopes


def best(measured: Measured) -> float:
    return min(measured.seconds)


def growth(sizes: list[int], times: dict[int, list[float]]) -> tuple[str, str, str]:
    """Return seconds to start, seconds for 10^9 rows and the exponent."""
    start, last = min(times[START]), max(sizes)
    seen = [size for size in sizes if min(times[size]) > SEEN * start]
    slopes = exponents(seen, times, start) if len(seen) > 1 else []
    per = (min(times[last]) - start) / last * 10**9
    return (
        f"{start:.1f}",
        f"{per:.0f}",
        f"{np.mean(slopes):.2f}{spread(slopes)}" if slopes else "",
    )


def spread(values: list[float]) -> str:
    return f" ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""


def print_engines(found: dict[str, dict[int, Measured]], sizes: list[int]) -> None:
    header = ("engine", "rows", "seconds", "CPU s", "process MB", "worker MB", "JVM MB", "of local")
    lines = []
    for engine, by_size in found.items():
        for size in [size for size in sizes if size in by_size]:
            each, local = by_size[size], found.get("local parquet", {}).get(size)
            lines.append(
                (
                    engine,
                    f"10^{math.log10(size):g}",
                    f"{np.median(each.seconds):.1f}{spread(each.seconds)}",
                    f"{np.median(each.cpu):.1f}{spread(each.cpu)}",
                    f"{each.peaks.own:.0f}",
                    f"{each.peaks.worker:.0f}" if each.peaks.worker else "",
                    f"{each.peaks.java:.0f}" if each.peaks.java else "",
                    "" if local is None else f"{best(each) / best(local):.1f}",
                )
            )
    print(Table(header, tuple(lines)).to_text())


def print_growth(found: dict[str, dict[int, Measured]], sizes: list[int]) -> None:
    header = ("engine", "time", "start s", "s per 10^9 rows", "exponent")
    lines = []
    for engine, by_size in found.items():
        if START in by_size and len(by_size) > 1:
            known = [size for size in sizes if size in by_size]
            for name in ("seconds", "cpu"):
                times = {size: getattr(by_size[size], name) for size in known}
                lines.append((engine, name, *growth(known, times)))
    print(Table(header, tuple(lines)).to_text())


def available(engines: list[str]) -> list[str]:
    """Return the engines that can be run here; say why others cannot."""
    found = []
    for engine in [name for name in KINDS if name.partition(" ")[0] in engines]:
        library = {"dask": "distributed", "spark": "pyspark"}.get(engine)
        if library is not None and importlib.util.find_spec(library) is None:
            print(f"{engine} is left out: {library} is not installed")
        elif engine == "spark" and shutil.which("java") is None:
            print("spark is left out: there is no Java")
        else:
            found.append(engine)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--engines", default="local,dask,spark")
    parser.add_argument("--largest", type=float, default=1e8, help="rows of the local engine")
    parser.add_argument("--smallest", type=float, default=START)
    parser.add_argument("--on-cluster", type=float, default=1e7, help="rows of Dask and Spark")
    parser.add_argument("--master", default="", help="of Spark; local[*] by default")
    parser.add_argument("--measures", default=MEASURES)
    parser.add_argument("--repeats", type=int, default=3, help="at most 2 above 10^7 rows")
    options = parser.parse_args()
    largest = 10**6 if options.quick else int(options.largest)
    sizes = [START, *[10**k for k in range(5 if options.quick else 6, 9) if 10**k <= largest]]
    sizes = [size for size in sizes if size >= options.smallest]
    on_cluster = [10**6] if options.quick else [n for n in sizes if n <= options.on_cluster]
    engines = available(options.engines.split(","))
    found: dict[str, dict[int, Measured]] = {engine: {} for engine in engines}
    print(f"{os.cpu_count()} cores; measures {options.measures}", flush=True)
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            write_run(Path(name), size)
            small = [each for each in engines if each[:5] == "local" or size in on_cluster]
            repeats = 1 if options.quick else options.repeats
            for _ in range(repeats if size <= 10**7 else min(repeats, 2)):
                for engine in small:
                    measured = found[engine].setdefault(size, Measured())
                    run(engine, Path(name), size, measured, options)
                    seconds, cpu = measured.seconds[-1], measured.cpu[-1]
                    print(f"{engine}, {size} rows: {seconds:.1f} s, CPU {cpu:.1f} s", flush=True)
        values = {each[size].values for each in found.values() if size in each}
        if len(values) > 1:
            sys.exit(f"the values of engines differ on {size} rows")
        print(f"10^{math.log10(size):g} rows: done", flush=True)
    print_engines(found, sizes)
    print_growth(found, sizes)
    highest = max(
        (each.peaks.own for name in found for each in found[name].values() if name[:5] == "local"),
        default=0.0,
    )
    verdict = "within" if highest < LIMIT else "above"
    print(f"The local engine took at most {highest:.0f} MB, {verdict} {LIMIT} MB.")
    print("Values of all engines are the same bits.")


if __name__ == "__main__":
    main()
