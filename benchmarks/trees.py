"""One iteration of boosting with GAP over all pairs, beside the boosters' own objectives.

    python benchmarks/trees.py             3,000 topics × 120 documents × 136 features, a minute
    python benchmarks/trees.py --quick     few topics, to see that it runs

All take turns on the same data in one process, so that a busy machine is busy for all of them.
Seconds are medians over the turns, of CPU (all threads) and of the clock. "All pairs" of XGBoost's
rank:map, which takes yes and no only, are those of relevant and other documents; GAP's are those of
all grades.
"""

import argparse
import os
import time
from collections.abc import Callable

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # a thread that waits in a loop takes CPU, too

import lightgbm as lgb
import numpy as np
import xgboost as xgb

import gradewise as gw
from gradewise.learn import objective
from gradewise.learn.features import FeatureSet
from gradewise.tables import Table

EVERYTHING = 1_000_000  # a truncation that no list reaches
GAP = "GAP(g=[0.25,0.25,0.25,0.25])"


def lightgbm_updates(data: FeatureSet, threads: int) -> dict[str, Callable[[], object]]:
    """Return functions that grow one more tree."""
    rows = lgb.Dataset(data.features, data.grades, group=data.sizes, params={"verbosity": -1})
    shared = {"verbosity": -1, "num_leaves": 31, "num_threads": threads, "force_row_wise": True}
    own = {**shared, "objective": "lambdarank"}
    default = lgb.Booster(own, rows)
    everything = lgb.Booster({**own, "lambdarank_truncation_level": EVERYTHING}, rows)
    ours = lgb.Booster({**shared, "objective": "none"}, rows)
    gap = objective(GAP)
    return {
        "lambdarank, 30": default.update,
        "lambdarank, all pairs": everything.update,
        "GAP, all pairs": lambda: ours.update(fobj=gap),
    }


def xgboost_updates(data: FeatureSet, threads: int) -> dict[str, Callable[[], object]]:
    """Return functions that grow one more tree."""
    rows = xgb.QuantileDMatrix(data.features, data.grades, group=data.sizes, nthread=threads)
    shared = {"tree_method": "hist", "max_depth": 6, "nthread": threads}
    pairs = {"lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": EVERYTHING}
    own = xgb.Booster({**shared, "objective": "rank:map", **pairs}, [rows])
    ours = xgb.Booster(shared, [rows])
    gap = objective(GAP)
    binary = (data.grades > 0).astype(np.float32)
    done = {"own": 0, "ours": 0}

    def update(name: str, model: xgb.Booster, labels: np.ndarray, **form: object) -> None:
        rows.set_label(labels)
        model.update(rows, done[name], **form)
        done[name] += 1

    return {
        "rank:map, all pairs": lambda: update("own", own, binary),
        "GAP, all pairs": lambda: update("ours", ours, data.grades, fobj=gap),
    }


def take_turns(updates: dict[str, Callable[[], object]], turns: int) -> dict[str, np.ndarray]:
    """Return medians of CPU and clock seconds; the first turn, which prepares, is left out."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in updates}
    for turn in range(turns + 1):
        for name, update in updates.items():
            cpu, clock = time.process_time(), time.perf_counter()
            update()
            spent = time.process_time() - cpu, time.perf_counter() - clock
            if turn:
                seconds[name].append(spent)
    return {name: np.median(each, axis=0) for name, each in seconds.items()}


def show(library: str, found: dict[str, np.ndarray], limits: dict[str, float]) -> None:
    """Print seconds, and ratios with what they may be."""
    ours = found["GAP, all pairs"]
    rows = []
    for name, (cpu, clock) in found.items():
        ratio, limit = "", ""
        if name in limits:
            ratio = f"{ours[0] / cpu:.2f} CPU, {ours[1] / clock:.2f} clock"
            limit = f"{limits[name]:.1f}"
        rows.append([library, name, f"{cpu:.3f}", f"{clock:.3f}", ratio, limit])
    header = ["library", "objective", "CPU s", "clock s", "GAP takes, times this", "at most"]
    print(Table(header, rows, labels=2).to_text(), flush=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few topics")
    parser.add_argument("--topics", type=int, default=3_000)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    topics, documents, features = (50, 30, 10) if options.quick else (options.topics, 120, 136)
    data = gw.simulate.features(topics, documents, features)
    print(f"{data}\n")
    begin = time.process_time()
    objective(GAP)(
        data.grades[: data.sizes[0]], np.arange(float(data.sizes[0])), None, [data.sizes[0]]
    )
    print(f"first call: {time.process_time() - begin:.3f} s CPU\n")
    turns = 2 if options.quick else options.turns
    found = take_turns(lightgbm_updates(data, options.threads), turns)
    show("LightGBM", found, {"lambdarank, 30": 2.0, "lambdarank, all pairs": 1.0})
    found = take_turns(xgboost_updates(data, options.threads), turns)
    show("XGBoost", found, {"rank:map, all pairs": 1.0})


if __name__ == "__main__":
    main()
