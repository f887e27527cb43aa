"""Objectives for graded targets, ours beside LightGBM's own at their best gains.

    python benchmarks/where_grades_matter.py --data FOLDER   real and simulated topics, an hour
    python benchmarks/where_grades_matter.py --confirm 3     GAP alone, on new simulated topics
    python benchmarks/where_grades_matter.py --quick         few small simulated topics

FOLDER holds ohsumed and mslr-sample (or set GRADEWISE_DATA). LightGBM's own objectives are
lambdarank with each choice of `label_gain`, truncated at 30 and over all pairs, lambdarank with the
choice that validation topics prefer ("tuned"), and rank_xendcg. Each target chooses the number of
trees on validation topics. A difference is tested by topic, on means over seeds: p is the largest
of the t-test, Wilcoxon's and the sign test. An objective of ours has to beat all of LightGBM's, so
its p is the largest against any of them; p-values of a collection are corrected (Holm) for the
number of objectives and targets. What `--confirm` tests, on other topics, is one statement, so that
nothing is corrected: training for GAP is better for GAP than all of LightGBM's.
"""

import argparse
import os
from pathlib import Path

import numpy as np

import gradewise as gw
from gradewise.learn import CrossValidation, Fold, crossval, split
from gradewise.learn.studies.tuning import tune
from gradewise.reproduce.collections import mslr_sample, ohsumed
from gradewise.stats.corrections import correct
from gradewise.stats.paired_tests import strict_test
from gradewise.tables import Table
from tree_objectives import TREES, two_questions

GAINS = ("exp", "square", "linear", "binary")
LAMBDARANK = tuple(f"lambdarank(gains={name})" for name in GAINS)
OURS = ("pairwise", "AP", "nDCG", "GAP", "eGAP", "xGAP")
DEEP = {"lambdarank_truncation_level": 1_000_000}


class Study:
    """Values of targets on test topics, by objective: `values[name][target, topic]`."""

    def __init__(
        self,
        data: object,
        targets: list[str],
        options: argparse.Namespace,
        objectives: tuple[str, ...] = OURS,
    ) -> None:
        self.targets = [str(gw.parse_measure(target)) for target in targets]
        shared = {**TREES["lightgbm"], "n_estimators": options.trees, "n_jobs": 1}
        shared["learning_rate"] = 0.1
        run = {"seeds": options.seeds, "jobs": options.jobs, "keep": options.keep}
        ours = list(dict.fromkeys([*objectives, *targets]))
        first = crossval(
            data, "lightgbm", [*LAMBDARANK, "rank_xendcg", *ours], targets, **run, trees=shared
        )
        deep = crossval(data, "lightgbm", LAMBDARANK, targets, **run, trees={**shared, **DEEP})
        self.values = _means(first) | {
            f"{name}, all pairs": each for name, each in _means(deep).items()
        }
        for name, result in (("tuned", first), ("tuned, all pairs", deep)):
            tuned = [tune(result, LAMBDARANK, test=n)[0].mean(axis=0) for n in range(len(targets))]
            self.values[f"lambdarank, {name}"] = np.array(tuned)
        self.own = [name for name in self.values if name.startswith(("lambdarank", "rank_"))]
        self.ours = [name for name in self.values if name not in self.own]

    def p(self, name: str, other: str, target: int) -> float:
        """Return p of a difference; 1 unless the first is better."""
        gap = self.values[name][target] - self.values[other][target]
        scale = max(float(np.abs(self.values[each][target]).max()) for each in (name, other))
        return float(strict_test(gap, scale=scale)) if gap.mean() > 0 else 1.0

    def worst(self, name: str, target: int) -> tuple[str, float]:
        """Return the one of LightGBM's that an objective is least surely better than, and p."""
        found = {other: self.p(name, other, target) for other in self.own}
        return max(found.items(), key=lambda item: item[1])

    def corrected(self) -> np.ndarray:
        """Return p of each objective of ours against all of LightGBM's, [ours, target]."""
        targets = range(len(self.targets))
        p = np.array([[self.worst(name, t)[1] for t in targets] for name in self.ours])
        return correct(p.ravel(), "holm").reshape(p.shape)

    def table(self) -> Table:
        """Return means; the best of LightGBM's and of ours are marked + and *."""
        means = {name: each.mean(axis=1) for name, each in self.values.items()}
        rows = []
        for name in (*self.own, *self.ours):
            kin = self.own if name in self.own else self.ours
            top = np.max([means[each] for each in kin], axis=0)
            mark = "+" if name in self.own else "*"
            cells = zip(means[name], means[name] >= top, strict=True)
            rows.append([name, *[f"{value:.4f}{mark if best else ''}" for value, best in cells]])
        return Table(["trained for", *self.targets], rows, labels=1)

    def verdicts(self) -> list[str]:
        """Say for each target which of ours is best, and whether it beats all of LightGBM's."""
        p, said = self.corrected(), []
        for t, target in enumerate(self.targets):
            ours = max(self.ours, key=lambda name: self.values[name][t].mean())
            own = max(self.own, key=lambda name: self.values[name][t].mean())
            found = p[self.ours.index(ours), t]
            said.append(
                f"{target}: {ours} against {own}: {self.lead(ours, own, t)}, "
                f"p = {found:.3f} against all of LightGBM's, corrected"
            )
        return said

    def lead(self, name: str, other: str, target: int) -> str:
        """Return a mean difference and its standard error."""
        gap = self.values[name][target] - self.values[other][target]
        return f"{gap.mean():+.4f} ({gap.std(ddof=1) / np.sqrt(len(gap)):.4f})"


def _means(result: CrossValidation) -> dict[str, np.ndarray]:
    """Return means over seeds, [target, topic], by objective."""
    return dict(zip(result.train_measures, result.by_test[0].mean(axis=2), strict=True))


def simulated(counts: tuple[int, int, int], draw: int = 0) -> Fold:
    """Return training, validation and test topics."""
    sets = [two_questions(n, seed=3 * draw + place) for place, n in enumerate(counts)]
    return Fold(*sets)


def confirm(counts: tuple[int, int, int], options: argparse.Namespace) -> None:
    """Test one statement on topics that were not looked at before."""
    for draw in range(1, options.confirm + 1):
        study = Study([simulated(counts, draw)], ["GAP"], options, ("GAP",))
        ours = study.ours[0]
        own = max(study.own, key=lambda name: study.values[name][0].mean())
        other, p = study.worst(ours, 0)
        print(
            f"draw {draw}: GAP trained for GAP against {own}: {study.lead(ours, own, 0)}; "
            f"p = {p:.2g} against all of LightGBM's (the largest is against {other})",
            flush=True,
        )


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few small topics")
    parser.add_argument("--data", default=os.environ.get("GRADEWISE_DATA"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--confirm", type=int, default=0, help="draws of simulated topics")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="folder for results, to take the work up again")
    options = parser.parse_args()
    if options.quick:
        options.seeds, options.trees = 1, 5
    counts = (20, 10, 20) if options.quick else (300, 150, 1000)
    if options.confirm:
        confirm(counts, options)
        return
    five = ["GAP", "eGAP(g=[0.1,0.2,0.3,0.4])", "Q", "nDCG@10", "ERR@10"]
    sets: list[tuple[str, object, list[str]]] = [
        (
            f"{'/'.join(map(str, counts))} simulated topics: relevant is not good",
            [simulated(counts)],
            five,
        )
    ]
    if options.data and not options.quick:
        folder = Path(options.data)
        three = ["GAP", "eGAP(g=[0.3,0.7])", "Q", "nDCG@10", "ERR@10"]
        sets.append(("OHSUMED", ohsumed(folder), three))
        sets.append(("MSLR, sample of 36 topics", split(mslr_sample(folder), 5), five))
    for name, data, targets in sets:
        study = Study(data, targets, options)
        print(f"{name}: {options.seeds} seeds, {options.trees} trees\n\n{study.table().to_text()}")
        print("\n".join(study.verdicts()), flush=True)


if __name__ == "__main__":
    main()
