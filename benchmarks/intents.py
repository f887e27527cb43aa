"""Intent-aware measures: CPU beside the plain measures, per intent, and beside pyndeval.

    python benchmarks/intents.py             100 topics with 1 to 8 intents, 20 runs of depth 1,000
    python benchmarks/intents.py --quick     a few, to see that it runs

Every document of a pool is judged for every intent. "per intent" is the CPU of the intent-aware
measure over that of the plain one on the same lists, divided by the mean number of intents: 1 means
that intents cost as much as topics. Files are read in both; without reading, the lists are joined
already. CPU is the best of three. pyndeval computes all its measures at once, and runs are given
to it as rows in memory.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradewise as gw
from gradewise.measures.registry import all_measures
from gradewise.tables import Table

PAIRS = [
    ("AP", "AP_IA"),
    ("nDCG@20", "nDCG_IA@20"),
    ("GAP", "GAP_IA"),
    ("xGAP", "xGAP_IA"),
    ("nDCG@20", "alpha_nDCG@20"),
    ("nDCG", "alpha_nDCG"),
]
TOGETHER = ["ERR_IA@20", "nERR_IA@20", "alpha_DCG@20", "alpha_nDCG@20", "P_IA@20", "StRecall@20"]

Judgments = list[tuple[str, str, str, int]]


def timed(call: Callable[[], Any]) -> float:
    """Return CPU milliseconds, the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        call()
        best = min(best, 1e3 * (time.process_time() - begin))
    return best


def draw(topics: int, runs: int, folder: Path) -> tuple[Judgments, list[Path]]:
    """Draw judgments, and write qrels with and without intents, and runs."""
    rng = random.Random(1)
    judgments, plain = [], []
    lines: list[list[str]] = [[] for _ in range(runs)]
    for topic in range(topics):
        pool = [f"doc{number:09d}" for number in rng.sample(range(10**9), 300 + 700 * runs)]
        judged, others = pool[:300], pool[300:]
        intents = rng.randint(1, 8)
        for document in judged:
            grades = [rng.choice([0, 0, 0, 0, 1, 2]) for _ in range(intents)]
            plain.append(f"{topic} 0 {document} {max(grades)}\n")
            judgments += [(str(topic), str(i), document, g) for i, g in enumerate(grades)]
        for number, own in enumerate(lines):
            documents = [*judged, *others[700 * number : 700 * (number + 1)]]
            rng.shuffle(documents)
            own += [f"{topic} Q0 {d} {n} {1000 - n} x\n" for n, d in enumerate(documents)]
    (folder / "plain.txt").write_text("".join(plain))
    (folder / "intents.txt").write_text("".join(f"{t} {i} {d} {g}\n" for t, i, d, g in judgments))
    paths = [folder / f"run{number}.txt" for number in range(runs)]
    for path, own in zip(paths, lines, strict=True):
        path.write_text("".join(own))
    return judgments, paths


def beside_plain(folder: Path, paths: list[Path], mean: float) -> str:
    """Compare each intent-aware measure with its plain one."""
    rows = []
    for plain, aware in PAIRS:
        row = [aware, plain]
        for reads in (True, False):
            spent = []
            for name, measure in (("plain", plain), ("intents", aware)):
                path = folder / f"{name}.txt"
                if reads:
                    spent.append(timed(lambda p=path, m=measure: gw.evaluate(p, paths, m)))
                    continue
                judged = gw.judge(path, paths)
                fresh = judged.cut  # lists on which nothing has been computed yet
                spent.append(timed(lambda f=fresh, m=measure: gw.score_judged(f(10**6), m)))
            row += [f"{spent[1]:.0f}", f"{spent[0]:.0f}", f"{spent[1] / spent[0] / mean:.2f}"]
        rows.append(row)
    header = ["measure", "plain", "ms", "plain ms", "per intent"]
    return Table([*header, "joined ms", "plain ms", "per intent"], rows, labels=2).to_text()


def worst_of_families(folder: Path, paths: list[Path], mean: float) -> str:
    """Return which measure of the two families costs most for each intent, files included."""
    ratios = []
    for measure in all_measures():
        if measure.family not in ("pivot", "gain-discount") or measure.uses_sessions:
            continue
        cutoff = "@20" if measure.cutoff_rule == "required" else ""
        plain = timed(lambda m=measure.name + cutoff: gw.evaluate(folder / "plain.txt", paths, m))
        name = f"{measure.name}_IA{cutoff}"
        aware = timed(lambda m=name: gw.evaluate(folder / "intents.txt", paths, m))
        ratios.append((aware / plain / mean, name))
    highest, name = max(ratios)
    return f"of {len(ratios)} measures of the two families, {name} costs most: {highest:.2f}\n"


def beside_pyndeval(folder: Path, judgments: Judgments, path: Path) -> str:
    """Compare with pyndeval on one run."""
    try:
        import pyndeval
    except ImportError:
        return "pyndeval is not installed\n"
    names = [name.replace("_", "-").replace("StRecall", "strec") for name in TOGETHER]
    rows = [(t, d, s) for t, docs in gw.read_run(path).to_dict().items() for d, s in docs.items()]
    theirs = timed(lambda: pyndeval.RelevanceEvaluator(judgments, names).evaluate(rows))
    ours = timed(lambda: gw.evaluate(folder / "intents.txt", path, TOGETHER))
    row = ["all of ndeval's at 20, one run", f"{theirs:.0f}", f"{ours:.0f}", f"{theirs / ours:.1f}"]
    return Table(["", "pyndeval ms", "gradewise ms", "ratio"], [row], labels=1).to_text()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few topics and runs")
    topics, runs = (10, 2) if parser.parse_args().quick else (100, 20)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judgments, paths = draw(topics, runs, folder)
        mean = len({row[:2] for row in judgments}) / topics
        print(f"{mean:.2f} intents for each topic\n")
        print(beside_plain(folder, paths, mean))
        print(worst_of_families(folder, paths[:5], mean))
        print(beside_pyndeval(folder, judgments, paths[0]))


if __name__ == "__main__":
    main()
