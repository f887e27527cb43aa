"""Trees trained on clicks: without positions, with LightGBM's own debiasing, and with ours.

    python benchmarks/clicks.py             600 topics, five seeds, some minutes
    python benchmarks/clicks.py --quick     few topics, to see that it runs

Documents of each topic are shown in an order that differs from session to session. It follows
features that are related to the grades (a good log), or the one that is least so (a log that went
by something else, such as novelty). A user looks at rank n with propensity 1/n and then clicks with
a chance that grows with the grade. Rankers learn from the clicks, and are tested by the true grades
on other topics. Differences are paired by seed. All take turns in one process; seconds are the
least of the turns.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import gradewise as gw
from gradewise.learn import FeatureSet, TreeRanker, from_arrays
from gradewise.tables import Table

SHOWN = 10
MEASURES = ("nDCG@10", "AP", "GAP")
TREES = {"n_estimators": 60, "num_leaves": 15, "learning_rate": 0.1, "n_jobs": 1}
NDCG = "nDCG(dcg='exp-log2')"  # lambdarank's
PROPENSITY = 1 / np.arange(1.0, SHOWN + 1)


def clicked(
    data: FeatureSet, sessions: int, seed: int, *, good: bool
) -> tuple[FeatureSet, np.ndarray]:
    """Return what was shown in sessions, with clicks as grades, and where it was shown."""
    rng = np.random.default_rng([seed, 1])
    related = np.abs([np.corrcoef(column, data.grades)[0, 1] for column in data.features.T])
    weak = data.features[:, :5].sum(axis=1) if good else data.features[:, related.argmin()]
    weak = (weak - weak.mean()) / weak.std()
    highest = data.grades.max()
    chance = 0.1 + 0.9 * (2.0**data.grades - 1) / (2.0**highest - 1)
    rows, sizes = [], []
    for _ in range(sessions):
        noisy = weak + rng.normal(size=len(weak))
        order = np.lexsort((-noisy, data.owner))
        rank = np.arange(len(order)) - data.offsets[:-1].repeat(data.sizes)
        rows.append(order[rank < SHOWN])
        sizes.append(np.minimum(data.sizes, SHOWN))
    shown, lists = np.concatenate(rows), np.concatenate(sizes)
    position = np.arange(len(shown)) - (np.cumsum(lists) - lists).repeat(lists) + 1
    clicks = rng.random(len(shown)) < PROPENSITY[position - 1] * chance[shown]
    return from_arrays(data.features[shown], clicks.astype(int), group=lists), position


def trainings(
    clicks: FeatureSet, position: np.ndarray, truth: FeatureSet
) -> dict[str, Callable[[], TreeRanker]]:
    """Return functions that train, by name."""

    def train(objective: str, data: FeatureSet = clicks, **how: object) -> Callable[[], TreeRanker]:
        curve = how.pop("propensity", None)
        return lambda: TreeRanker(objective, propensity=curve, **TREES).fit(data, **how)

    own = {"position": position}
    known = {**own, "propensity": PROPENSITY.tolist()}
    return {
        "lambdarank": train("lambdarank"),
        "lambdarank, position": train("lambdarank", **own),
        "nDCG": train(NDCG),
        "nDCG, position": train(NDCG, **own),
        "nDCG, known propensity": train(NDCG, **known),
        "AP": train("AP"),
        "AP, position": train("AP", **own),
        "AP, known propensity": train("AP", **known),
        "nDCG, true grades": train(NDCG, truth),
    }


def run(
    topics: int, sessions: int, seed: int, *, good: bool
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return values on test topics and seconds of training, by name."""
    truth = gw.simulate.features(topics, 20, 20, seed=2 * seed)
    held = gw.simulate.features(2 * topics, 20, 20, seed=2 * seed + 1)
    values, seconds = {}, {}
    for name, train in trainings(*clicked(truth, sessions, seed, good=good), truth).items():
        begin = time.process_time()
        ranker = train()
        seconds[name] = time.process_time() - begin
        values[name] = [ranker.score(held, measure=measure) for measure in MEASURES]
    return values, seconds


def show(found: list[tuple[dict[str, list[float]], dict[str, float]]]) -> None:
    """Print means over seeds, and differences from the same objective without positions."""
    seeds = len(found)
    table = {name: np.array([values[name] for values, _ in found]) for name in found[0][0]}
    spent = {name: min(seconds[name] for _, seconds in found) for name in table}
    rows = []
    for name, values in table.items():
        base = name.partition(",")[0]
        gap = values - table[base]
        error = gap.std(axis=0, ddof=1) / np.sqrt(seeds)
        cells = [f"{mean:.4f}" for mean in values.mean(axis=0)]
        told = "" if name == base else f"{gap[:, 0].mean():+.4f} ({error[0]:.4f})"
        cost = "" if "position" not in name else f"{spent[name] / spent[base]:.2f}"
        rows.append([name, *cells, told, f"{spent[name]:.2f}", cost])
    header = ["trained for", *MEASURES, f"{MEASURES[0]}, difference (error)", "CPU s", "times"]
    print(Table(header, rows, labels=1).to_text())
    gap = table["nDCG, position"] - table["lambdarank, position"]
    error = gap.std(axis=0, ddof=1) / np.sqrt(seeds)
    for measure, mean, each in zip(MEASURES, gap.mean(axis=0), error, strict=True):
        print(f"{measure}: ours minus LightGBM's, both with position: {mean:+.4f} ({each:.4f})")
    print(flush=True)


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few topics")
    parser.add_argument("--topics", type=int, default=600)
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    topics, sessions, seeds = options.topics, options.sessions, options.seeds
    if options.quick:
        topics, sessions, seeds = 30, 2, 2
        TREES["n_estimators"] = 10
    for good in (False, True):
        found = [run(topics, sessions, seed, good=good) for seed in range(seeds)]
        kind = "good" if good else "unrelated to grades"
        print(f"{topics} topics, {sessions} sessions each, {seeds} seeds, logged ranking: {kind}\n")
        show(found)


if __name__ == "__main__":
    main()
