"""Scoring files, whole process, beside the tools that people use.

Makes two collections, LARGE (6,980 topics x 1,000 documents, one run) and SMALL (50 topics x 1,000
documents, 100 runs), and runs every tool on the same files in turn: read judgments and runs,
compute AP, nDCG, nDCG@10, P@10 and RR, print their means. The best of several rounds counts, since
machines are noisy. The means of the tools are compared, too. `limit.cpp`, compiled if there is a
compiler, shows what plain native code takes for the same files.

    python benchmarks/scoring.py             everything, some minutes
    python benchmarks/scoring.py --quick     small sizes, to see that it runs
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gradewise.simulate.collections import Plan
from gradewise.simulate.files import simulate_files
from gradewise.tables import Table

GRADEWISE = """
import sys
import gradewise as gw
qrels, *runs = sys.argv[1:]
scores = gw.evaluate(qrels, runs, ["AP", "nDCG", "nDCG@10", "P@10", "RR"])
for row in scores.summary():
    print(*row)
"""

PYTREC_EVAL = """
import sys
import pytrec_eval
qrels, *runs = sys.argv[1:]
names = ["map", "ndcg", "ndcg_cut_10", "P_10", "recip_rank"]
with open(qrels) as file:
    judged = pytrec_eval.parse_qrel(file)
measures = {"map", "ndcg", "ndcg_cut.10", "P.10", "recip_rank"}
evaluator = pytrec_eval.RelevanceEvaluator(judged, measures)
for path in runs:
    with open(path) as file:
        run = pytrec_eval.parse_run(file)
    results = evaluator.evaluate(run)
    print(*[sum(topic[name] for topic in results.values()) / len(judged) for name in names])
"""

IR_MEASURES = """
import sys
import ir_measures
from ir_measures import AP, P, RR, nDCG
qrels, *runs = sys.argv[1:]
measures = [AP, nDCG, nDCG @ 10, P @ 10, RR]
judged = list(ir_measures.read_trec_qrels(qrels))
evaluator = ir_measures.evaluator(measures, judged)
for path in runs:
    means = evaluator.calc_aggregate(ir_measures.read_trec_run(path))
    print(*[means[measure] for measure in measures])
"""

SWEEP = """
import sys, time
import gradewise as gw
from gradewise.measures.evaluate import score_judged
qrels, *runs = sys.argv[1:]
sweep = [f"GAP(g=[{i / 20},{1 - i / 20}])" for i in range(21)]
kinds = {"one": sweep[:1], "sweep": sweep}
best = {}
for name in ["one", "sweep"] * 7:
    judged = gw.judge(qrels, runs)
    begin = time.perf_counter()
    score_judged(judged, kinds[name]).summary()
    best[name] = min(best.get(name, 9e9), time.perf_counter() - begin)
whole = {}
for name in ["one", "sweep"] * 3:
    begin = time.perf_counter()
    gw.evaluate(qrels, runs, kinds[name]).summary()
    whole[name] = min(whole.get(name, 9e9), time.perf_counter() - begin)
print(best["one"], best["sweep"], whole["one"], whole["sweep"])
"""

# The peak of the process itself; what the system tells of a child includes its parent.
PEAK = """
import pathlib
status = pathlib.Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
print("PEAK", next((line.split()[1] for line in lines if line.startswith("VmHWM")), "nan"))
"""


@dataclass
class Measured:
    """The best times and the smallest peak of memory of a tool, and what it printed."""

    seconds: float = float("inf")
    processor: float = float("inf")
    megabytes: float = float("inf")
    output: str = ""


def measure(program: str | Path, arguments: list[str], best: Measured) -> None:
    """Run a program in a process of its own and keep its time and peak memory if they are best.

    Text is Python code, a path a program.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    code = [sys.executable, "-c", f"{program}{PEAK}"]
    command = [str(program)] if isinstance(program, Path) else code
    before, begin = os.times(), time.perf_counter()
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, env=environment, check=False
    )
    seconds, after = time.perf_counter() - begin, os.times()
    if done.returncode:
        raise SystemExit(f"a program failed:\n{program}\n{done.stderr}")
    output, _, peak = done.stdout.rpartition("PEAK")
    best.output = output or done.stdout
    best.seconds = min(best.seconds, seconds)
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    best.processor = min(best.processor, max(used, 0.01))  # the clock ticks 100 times a second
    if output:
        best.megabytes = min(best.megabytes, float(peak) / 1024)


def compile_limit(folder: Path) -> dict[str, str | Path]:
    """Compile limit.cpp and return it as a tool; nothing where that cannot be done."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None or os.name == "nt":
        print("no C++ compiler here, so no limit to compare with")
        return {}
    program = folder / "limit"
    source = Path(__file__).with_name("limit.cpp")
    options = ["-O3", "-std=c++20", "-pthread"]
    subprocess.run([compiler, *options, str(source), "-o", str(program)], check=True)
    return {"limit.cpp": program}


def compare(
    title: str, qrels: Path, runs: list[Path], rounds: int, tools: dict[str, str | Path]
) -> None:
    """Run tools in turn and print their times."""
    arguments = [str(qrels), *map(str, runs)]
    size = sum(path.stat().st_size for path in runs) / 1e6
    judged = qrels.stat().st_size / 1e6
    print(f"\n{title}: {len(runs)} runs, {size:.0f} MB, and {judged:.1f} MB of qrels")
    best = {name: Measured() for name in tools}
    for _ in range(rounds):
        for name, program in tools.items():
            # The fast ones run twice a round, so that noise hits all tools for about as long.
            for _ in range(2 if name in ("gradewise", "limit.cpp") else 1):
                measure(program, arguments, best[name])
    ours = best["gradewise"]
    rows = [
        [
            name,
            f"{tool.seconds:.2f}",
            f"{tool.seconds / ours.seconds:.2f}",
            f"{tool.processor:.2f}",
            f"{tool.processor / ours.processor:.2f}",
            f"{tool.megabytes:.0f}" if np.isfinite(tool.megabytes) else "",
        ]
        for name, tool in best.items()
    ]
    headers = ["tool", "seconds", "times ours", "CPU seconds", "times ours", "peak MB"]
    print(Table(headers, rows).to_text(), end="")
    if "limit.cpp" in best:
        limit = best["limit.cpp"]
        wall, processor = ours.seconds / limit.seconds, ours.processor / limit.processor
        print(f"gradewise takes {wall:.1f} times the limit, {processor:.1f} times its CPU time")
    for name, other in best.items():
        difference = largest_difference(ours.output, other.output)
        if difference > 1e-6:
            print(f"the means of {name} differ from ours by up to {difference:.2g}")


def largest_difference(ours: str, theirs: str) -> float:
    """Return the largest difference between two printed tables of numbers."""
    pairs = zip(ours.split(), theirs.split(), strict=True)
    return max(abs(float(a) - float(b)) for a, b in pairs)


def time_growth(folder: Path, topics: int, rounds: int) -> None:
    """Print how time grows when the rows double."""
    best = {}
    paths = {}
    for count in (topics, 2 * topics):
        plan = Plan(topics=count, runs=1, depth=1000, pool_depth=50, collection_size=8_800_000)
        paths[count] = simulate_files(folder / f"rows{count}", plan)
        best[count] = Measured()
    for _ in range(2 * rounds):
        for count, (qrels, runs) in paths.items():
            measure(GRADEWISE, [str(qrels), *map(str, runs)], best[count])
    factor = best[2 * topics].seconds / best[topics].seconds
    rows = f"{topics * 1000:,} to {2 * topics * 1000:,}"
    print(f"\nTwice the rows ({rows}): {factor:.2f} times the time")


def time_imports(rounds: int) -> None:
    """Print what `import gradewise` adds to NumPy."""
    programs = {"import numpy": Measured(), "import numpy, gradewise": Measured()}
    for _ in range(2 * rounds):
        for program, best in programs.items():
            measure(program, [], best)
    bare, ours = (best.seconds for best in programs.values())
    print(f"import gradewise adds {ours - bare:.3f} s to NumPy ({bare:.3f} s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, two rounds")
    parser.add_argument("--rounds", type=int, default=5, help="how often each tool runs")
    parser.add_argument("--without-ir-measures", action="store_true", help="leave the slowest out")
    parser.add_argument("--folder", type=Path, help="where collections are kept between calls")
    options = parser.parse_args()
    rounds = 2 if options.quick else options.rounds
    large_topics, small_runs = (100, 5) if options.quick else (6980, 100)
    slow = {} if options.without_ir_measures else {"ir_measures": IR_MEASURES}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        tools: dict[str, str | Path] = {
            "gradewise": GRADEWISE,
            **compile_limit(Path(temporary)),
            "pytrec_eval": PYTREC_EVAL,
            **slow,
        }
        large = Plan(
            topics=large_topics,
            runs=1,
            depth=1000,
            grades=3,
            pool_depth=50,
            collection_size=8_800_000,
        )
        small = Plan(  # as many documents judged, and in a list, as TREC Robust 2003 has
            topics=50,
            runs=small_runs,
            depth=1000,
            relevant=60,
            pool_depth=35,
            spread=6,
            collection_size=500_000,
        )
        print("making collections ...", flush=True)
        large_files = _made(folder / f"large{large_topics}", large)
        small_files = _made(folder / f"small{small_runs}", small)
        compare("LARGE", *large_files, rounds, tools)
        compare("SMALL", *small_files, rounds, tools)
        sweep = Measured()
        measure(SWEEP, [str(small_files[0]), *map(str, small_files[1])], sweep)
        one, many, whole_one, whole_many = map(float, sweep.output.split())
        print(
            f"\nA sweep of 21 g-vectors costs {whole_many / whole_one:.2f} times one GAP from "
            f"files, {many / one:.2f} times from hits ({many * 1000:.1f} ms)"
        )
        time_growth(folder, 60 if options.quick else 2000, rounds)
        time_imports(rounds)


def _made(folder: Path, plan: Plan) -> tuple[Path, list[Path]]:
    qrels, runs = folder / "qrels.txt", [folder / f"{name}.txt" for name in plan.run_names]
    if not qrels.exists():
        simulate_files(folder, plan)
        for path in (qrels, *runs):
            _number_documents(path)
    return qrels, runs


def _number_documents(path: Path) -> None:
    """Make ids as long as their numbers, as those of passages are: lines that are less alike."""
    path.write_bytes(re.sub(rb"DOC-0*(?=\d)", b"", path.read_bytes()))


if __name__ == "__main__":
    main()
