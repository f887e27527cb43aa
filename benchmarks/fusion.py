"""Fusion beside ranx: the same runs, the same methods; agreement and seconds, ranx warmed up.

Times are wall-clock seconds; ours include the numbering of documents, and both begin with runs in
memory. ranx is optional: without it, only our times are printed. Condorcet-fuse is compared in time
alone: ranx starts from the order of a Python set, which decides wherever there is no majority.
-P keeps the benchmark named coverage from hiding the library that numba looks for.

python -P benchmarks/fusion.py                    20 simulated runs, then 100 runs without ranx
python -P benchmarks/fusion.py --quick            few short runs, to see that it works
python -P benchmarks/fusion.py --folder runs      the run files of a folder
"""

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

import gradewise as gw
from gradewise.collection.naming import name_runs
from gradewise.fusion import METHODS, NORMALIZATIONS

THEIR_METHODS = {
    "rrf": "rrf",
    "combsum": "sum",
    "combmnz": "mnz",
    "combgmnz": "gmnz",
    "combanz": "anz",
    "combmed": "med",
    "combmin": "min",
    "combmax": "max",
    "w_sum": "wsum",
    "w_mnz": "wmnz",
    "mixed": "mixed",
    "rbc": "rbc",
    "isr": "isr",
    "log_isr": "log_isr",
    "logn_isr": "logn_isr",
    "bordafuse": "bordafuse",
    "w_bordafuse": "w_bordafuse",
    "condorcet": "condorcet",
    "w_condorcet": "w_condorcet",
}
PARAMETERS = {"combgmnz": {"gamma": 0.5}, "rbc": {"phi": 0.8}}
MAJORITIES = ("condorcet", "w_condorcet")


def simulated(runs: int, topics: int, depth: int) -> list[gw.Run]:
    """Return runs without equal scores, so that both libraries rank alike.

    Scores have four decimals, so that a few are equal unless they are dropped.
    """
    sample = gw.simulate.collection(topics=topics, runs=runs, depth=depth, ties=0, seed=1)
    return [without_ties(run) for run in sample.runs.values()]


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def to_ranx(runs: Sequence[gw.Run]) -> list[Any]:
    import ranx

    theirs = []
    for run in runs:
        order = run.ranked()
        docs, scores = run.docs.take(order).to_list(), run.scores[order].tolist()
        lists = {t: dict(zip(docs[s], scores[s], strict=True)) for t, s in _slices(run)}
        theirs.append(ranx.Run(lists, name=run.name))
    return theirs


def _slices(run: gw.Run) -> list[tuple[str, slice]]:
    return [(topic, run.rows_of(topic)) for topic in run.topics]


def compare(ours: gw.Run, theirs: Any) -> tuple[float, float]:
    """Return the largest relative difference of scores, and the share of ranks that differ.

    Two documents whose scores are equal, to 1e-9, may trade ranks.
    """
    worst, moved = 0.0, 0
    for topic, part in _slices(ours):
        docs = ours.docs.part(part.start, part.stop).to_list()
        mine = dict(zip(docs, ours.scores[part].tolist(), strict=True))
        their = dict(theirs.run[topic])
        assert set(their) == set(mine), topic
        a = np.array([mine[d] for d in docs])
        b = np.array([their[d] for d in docs])
        worst = max(worst, float((np.abs(a - b) / np.maximum(1e-3, np.abs(b))).max()))
        moved += int((np.diff(b) > 1e-9 * np.maximum(1e-3, np.abs(b[1:]))).sum())
    return worst, moved / len(ours)


def compare_all(runs: Sequence[gw.Run]) -> None:
    if find_spec("ranx") is None:
        print("ranx is not installed")
        return
    theirs = to_ranx(runs)
    weights = np.random.default_rng(0).uniform(0.1, 1, len(runs)).tolist()
    cases = [(method, None) for method in METHODS]
    cases += [("combsum", name) for name in NORMALIZATIONS if name not in ("none", "min-max")]
    print(f"{'method':<32} {'ours':>8} {'ranx':>8} {'ratio':>7}  difference  misordered")
    for method, normalize in cases:
        compare_one(runs, theirs, method, normalize, weights)


def compare_one(
    runs: Sequence[gw.Run],
    theirs: Sequence[Any],
    method: Any,
    normalize: Any,
    weights: Sequence[float],
) -> None:
    """Print a line: seconds of both, and how far they differ."""
    import ranx

    mine: dict[str, Any] = dict(PARAMETERS.get(method, {}))
    if METHODS[method].weighted and method not in ("rrf", "rbc"):
        mine["weights"] = weights
    norm = normalize or ("min-max" if METHODS[method].uses == "scores" else None)
    named = f"{method} {norm or ''}"
    quick, fused = seconds(lambda: gw.fuse(runs, method, normalize=normalize, **mine))
    if method in MAJORITIES and sum(map(len, runs)) > 50_000:  # ranx would take minutes
        print(f"{named:<32} {quick:8.3f}")
        return
    call = {"norm": norm, "method": THEIR_METHODS[method], "params": mine}
    ranx.fuse(theirs, **call)  # compile
    slow, expected = seconds(lambda: ranx.fuse(theirs, **call))
    told = ""
    if method not in MAJORITIES:
        worst, moved = compare(fused, expected)
        told = f"{worst:10.1e} {moved:11.2%}"
    print(f"{named:<32} {quick:8.3f} {slow:8.3f} {slow / quick:7.1f}  {told}")


def time_many(runs: Sequence[gw.Run]) -> None:
    rows = sum(map(len, runs))
    print(f"\n{len(runs)} runs, {rows:,} rows")
    for method in METHODS:
        taken, _ = seconds(lambda method=method: gw.fuse(runs, method))
        print(f"{method:<32} {taken:8.3f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory {peak:.2f} GB, runs included")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--folder")
    parser.add_argument("--runs", type=int, help="use only so many files of the folder")
    given = parser.parse_args()
    if given.folder:
        named = name_runs(given.folder)[: given.runs]
        runs = [gw.read_run(source, name) for name, source in named]
        compare_all(comparable(runs))
        return
    compare_all(simulated(4, 5, 50) if given.quick else simulated(20, 50, 1000))
    time_many(simulated(10, 5, 50) if given.quick else simulated(100, 50, 1000))


def comparable(runs: Sequence[gw.Run]) -> list[gw.Run]:
    """Return the runs that have all topics, with one document of each score in a list.

    ranx takes no other runs, and orders documents with equal scores in its own way.
    """
    most = max(len(run.topics) for run in runs)
    kept = [run for run in runs if len(run.topics) == most]
    print(f"{len(kept)} of {len(runs)} runs have all {most} topics")
    return [without_ties(run) for run in kept]


def without_ties(run: gw.Run) -> gw.Run:
    order = run.ranked()
    scores = run.scores[order]
    first = np.diff(scores, prepend=np.inf) != 0
    first[run.offsets[:-1]] = True
    sizes = np.add.reduceat(first.astype(np.int64), run.offsets[:-1])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    rows = order[first]
    return replace(run, offsets=offsets, docs=run.docs.take(rows), numbers=scores[first])


if __name__ == "__main__":
    main()
