"""Judges on trial: agreement, rankings, and how often intervals from few people hold the truth.

    python benchmarks/judges.py                 TREC 2019 Deep Learning, 1,000 resamplings, minutes
    python benchmarks/judges.py --quick         few resamplings, to see that it runs
    python benchmarks/judges.py --part coverage only one part; see --help for their names
    python benchmarks/judges.py --figures docs/assets   the figures of the documentation

The judgments are those of people and of five model pipelines, from the folder GRADEWISE_DATA or
../shared/data. Where they are absent, a simulated collection with noisy judges stands in. The runs
submitted to the track are not public: runs are simulated for people's judgments.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import gradewise as gw
from gradewise.meta.judging.effect import MEASURES
from gradewise.tables import Table

MODELS = ("umbrela-gpt4", "exam-graded-gpt4", "binary-gpt4", "binary-gpt4o", "binary-llama3.2")
COVERED = (
    "AP",
    "nDCG",
    "nDCG@10",
    "GAP",
    "xGAP",
    "eGAP",
    "AP(rel=2)",
    "P(rel=2)@10",
    "P@10",
    "RBP",
)
ADDED = ("DCG@10", "RBP", "P@10", "CG@100")  # measures that add up documents
DEPTH = 100


@dataclass(frozen=True)
class Plan:
    """How much is done."""

    quick: bool
    resamples: int
    runs: int
    sets: int  # of simulated runs


def read_panel() -> tuple[gw.meta.Panel, str]:
    """Return the judges, and what they are called."""
    beside = Path(__file__).parents[1] / ".." / "shared" / "data"
    folder = Path(os.environ.get("GRADEWISE_DATA", beside))
    people = folder / "qrels" / "qrels.dl19-passage.txt.gz"
    if people.exists():
        files = {name: folder / "judges" / f"dl19-passage.{name}.txt.gz" for name in MODELS}
        return gw.meta.judges({"people": people, **files}), "TREC 2019 Deep Learning, passages"
    made = gw.simulate.collection(topics=43, runs=2, depth=60, grades=3, relevant=25, seed=1)
    truth, rng = made.qrels.to_dict(), np.random.default_rng(0)
    noisy = {}
    for name, skill in zip(MODELS, (0.75, 0.6, 0.7, 0.7, 0.5), strict=True):
        noisy[name] = {
            topic: {
                d: g if rng.random() < skill else int(rng.integers(0, 4)) for d, g in held.items()
            }
            for topic, held in truth.items()
        }
    return gw.meta.judges({"people": truth, **noisy}), "a simulated collection"


def show(title: str, frame: pl.DataFrame, digits: int = 3) -> None:
    print(f"\n{title}\n{Table.of_frame(frame, digits).to_text()}", end="")


def agreement(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    begin = time.perf_counter()
    found = gw.meta.judge_agreement(panel, replicates=plan.resamples)
    ours = time.perf_counter() - begin
    frame = found.frame.filter(judge_a="people").drop("judge_a")
    show("Agreement with people, intervals over topics", frame)
    show("All judges together", found.together)
    show("Bias by people's grade", found.bias)
    _compare_speed(panel, ours, plan.resamples)


def _compare_speed(panel: gw.meta.Panel, ours: float, resamples: int) -> None:
    """Time the same intervals as a loop over samples with scikit-learn and krippendorff."""
    try:
        import krippendorff
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        print("\nscikit-learn and krippendorff are not installed, so speed is not compared")
        return
    people, model = panel.levels[0], panel.levels[panel.place_of("umbrela-gpt4")]
    rng, times = np.random.default_rng(0), 5
    begin = time.perf_counter()
    for _ in range(times):
        drawn = rng.integers(0, len(panel.topics), len(panel.topics))
        rows = np.concatenate([np.arange(*panel.offsets[t : t + 2]) for t in drawn])
        for weights in (None, "linear", "quadratic"):
            cohen_kappa_score(people[rows], model[rows], weights=weights)
        krippendorff.alpha(np.array([people[rows], model[rows]]), level_of_measurement="ordinal")
    theirs = (time.perf_counter() - begin) / times * resamples * 15  # pairs of six judges
    print(
        f"\nAll pairs with intervals: {ours:.2f} s; a loop over {resamples} samples with "
        f"scikit-learn and krippendorff, kappas and alpha alone: {theirs:.0f} s, "
        f"{theirs / ours:.0f} times as long"
    )


def effect(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show rankings under each judge, for several sets of simulated runs."""
    frames = []
    for number in range(plan.sets):
        runs = gw.simulate.runs(panel.qrels("people"), plan.runs, DEPTH, seed=number)
        found = gw.meta.judge_effect(panel, panel.join(runs), MEASURES, replicates=2)
        frames.append(found.frame.with_columns(set=pl.lit(number)))
    every = pl.concat(frames)
    columns = ["tau", "tau_ap", "kept", "lost", "gained", "reversed"]
    show(
        f"Rankings of {plan.runs} runs, means over {plan.sets} sets of simulated runs, by judge",
        every.group_by("judge", maintain_order=True).agg(pl.col(columns).mean()),
    )
    by_measure = every.group_by("measure", maintain_order=True).agg(
        pl.col("tau").mean(),
        pl.col("tau").std().alias("over_sets_and_judges"),
        pl.col("tau_ap").mean(),
        ((pl.col("lost") + pl.col("gained") + pl.col("reversed")) / pl.col("pairs"))
        .mean()
        .alias("moved"),
        pl.col("reversed").sum(),
    )
    show("The same by measure, least moved first", by_measure.sort("tau", descending=True))
    best = every.group_by("set", "measure").agg(pl.col("tau").mean())
    first = best.sort("tau", descending=True).group_by("set", maintain_order=True).first()
    show("How often a measure is the least moved", first["measure"].value_counts(sort=True))
    wide = every.group_by("measure", "judge", maintain_order=True).agg(pl.col("tau").mean())
    show("Kendall's tau by measure and judge", wide.pivot("judge", index="measure", values="tau"))
    found = gw.meta.judge_effect(panel, lists, MEASURES, replicates=plan.resamples)
    show("One set, with intervals over topics", found.by_measure)
    show("Components of variance", gw.meta.variance_components(panel, lists, MEASURES).frame, 5)


def coverage(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    frames = []
    for model in panel.others:
        found = gw.meta.powered_coverage(
            panel, lists, COVERED, model=model, resamples=plan.resamples
        )
        frames.append(found.frame.with_columns(model=pl.lit(model)))
    every = pl.concat(frames).drop("labels", "worst_run")
    first = every.filter(model="umbrela-gpt4").drop("model")
    show(f"Coverage of 95% intervals, {plan.resamples} resamplings, umbrela-gpt4", first)
    columns = ["coverage", "worst", "alone", "narrower", "topics_saved"]
    means = every.group_by("model", "target", "topics", maintain_order=True)
    show("Means over measures, by model", means.agg(pl.col(columns).mean()))


def trust(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show how well few of people's topics rank the runs, alone and with a model's labels."""
    from gradewise.meta.judging.values import judged_values
    from gradewise.stats.correlations import kendall_tau
    from gradewise.stats.prediction_powered import prediction_powered

    names, rng, rows = ("AP", "nDCG", "nDCG@10", "GAP", "eGAP"), np.random.default_rng(0), []
    values = judged_values(panel, lists, names).values  # judge, run, topic, measure
    total = values.shape[2]
    for model in ("umbrela-gpt4", "binary-gpt4o"):
        for m, name in enumerate(names):
            people, guess = values[0, :, :, m], values[panel.place_of(model), :, :, m]
            full = people.mean(axis=1)
            alone, both = [], []
            for number in (5, 10, 15, 20, 30):
                found = np.zeros(2)
                times = max(plan.resamples // 5, 2)
                for _ in range(times):
                    order = rng.permutation(total)
                    known, rest = order[:number], order[number:]
                    powered = prediction_powered(people[:, known], guess[:, known], guess[:, rest])
                    found[0] += kendall_tau(people[:, known].mean(axis=1), full) / times
                    found[1] += kendall_tau(powered.mean, full) / times
                alone.append(found[0])
                both.append(found[1])
            model_tau = float(kendall_tau(guess.mean(axis=1), full))
            rows.append((model, name, model_tau, "alone", *alone))
            rows.append((model, name, model_tau, "with the model", *both))
    schema = ["model", "measure", "model_alone", "people", "5", "10", "15", "20", "30"]
    frame = pl.DataFrame(rows, schema, orient="row")
    show("Kendall's tau with people's ranking on all topics, by people's topics", frame, 4)


def documents(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show coverage when people label a share of each topic's documents."""
    truth = gw.score_judged(panel.under(lists, "people"), ADDED).summary()
    rng = np.random.default_rng(0)
    every = np.arange(len(lists.runs))
    rows = []
    for share in (0.1, 0.25, 0.5):
        held, width = np.zeros((2, 2, len(ADDED)))
        times = max(plan.resamples // 10, 2)
        for _ in range(times):
            found = gw.meta.powered_documents(
                _sampled(panel, share, rng), lists, ADDED, model="umbrela-gpt4"
            )
            for m, totals in enumerate(found.totals):
                _, means, errors = totals.estimate(every, None, "these")
                for k in (0, 1):
                    held[k, m] += (np.abs(means[k] - truth[:, m]) <= 1.96 * errors[k]).mean()
                    width[k, m] += errors[k].mean()
        for m, name in enumerate(ADDED):
            ratio = width[1, m] / width[0, m]
            needed = share / (share + ratio**2 * (1 - share))
            saved = (needed - share) * len(panel)
            rows.append((name, share, held[0, m] / times, held[1, m] / times, 1 - ratio, saved))
    schema = ["measure", "share", "alone", "coverage", "narrower", "labels_saved"]
    frame = pl.DataFrame(rows, schema=schema, orient="row").sort("measure", maintain_order=True)
    show("People on a share of the documents, umbrela-gpt4 on all, these topics", frame, 4)


def _sampled(panel: gw.meta.Panel, share: float, rng: np.random.Generator) -> gw.meta.Panel:
    """Keep people's labels of a random share of each topic's documents."""
    order = np.lexsort((rng.random(len(panel)), panel.topic))
    rank = np.empty(len(panel), np.int64)
    rank[order] = np.arange(len(panel)) - panel.offsets[panel.topic[order]]
    levels = panel.levels.copy()
    levels[0, rank >= np.maximum(np.rint(share * np.diff(panel.offsets)), 2)[panel.topic]] = -1
    return replace(panel, levels=levels)


def _some_topics(panel: gw.meta.Panel, topics: Any) -> gw.meta.Panel:
    """Keep people's labels of some topics; "held" has them all."""
    levels = np.vstack([panel.levels[:1], panel.levels])
    levels[0, ~np.isin(panel.topic, topics)] = -1
    return replace(panel, judges=("people", "held", *panel.judges[1:]), levels=levels)


def combined(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show how well combined models predict people's labels."""
    rows = []
    for method in ("majority", "agreement", "dawid-skene", "ordinal"):
        labels = gw.meta.combine_judges(panel, method, judges=panel.others)
        rows.append((method, 0, 1.0, *labels.quality("people").values()))
    rng = np.random.default_rng(0)
    for method in ("dawid-skene", "ordinal", "calibrated"):
        for number in (5, 10, 20):
            found = []
            for _ in range(2 if plan.quick else 10):
                known = rng.permutation(len(panel.topics))[:number]
                labels = gw.meta.combine_judges(
                    _some_topics(panel, known), method, judges=panel.others, truth="people"
                )
                found.append([labels.temperature, *labels.quality("held").values()])
            rows.append((method, number, *np.mean(found, axis=0).tolist()))
    names = ["method", "topics", "temperature", "accuracy", "kappa_quadratic", "brier", "log_loss"]
    show("Five models combined, against people's labels", pl.DataFrame(rows, names, orient="row"))


def topics(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show intervals of single topics by conformal risk control."""
    labels = gw.meta.combine_judges(panel, "majority", judges=panel.others)
    rows = []
    for shape in ("tails", "shift"):
        found = gw.meta.topic_intervals(
            lists, labels, ("AP", "nDCG@10", "GAP"), people="people", shape=shape
        )
        for number in (10, 20, 30):
            frame = found.coverage(number, resamples=max(plan.resamples // 2, 2))
            rows.append(frame.select(pl.lit(shape).alias("shape"), pl.all()))
    show("90% intervals of single topics", pl.concat(rows))


def circles(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show whether judges favor runs that were simulated from their own labels."""
    runs, families = {}, {}
    names = ["people", "people", "umbrela-gpt4", "binary-gpt4o"]
    for number, judge in enumerate(names):
        family = f"{judge}-{number}" if judge == "people" else judge
        for name, run in gw.simulate.runs(panel.qrels(judge), 8, DEPTH, seed=50 + number).items():
            runs[f"{family}-{name}"], families[f"{family}-{name}"] = run, family
    found = gw.meta.circularity(
        panel, panel.join(runs), "nDCG@10", families=families, replicates=plan.resamples
    )
    show("Favor for families of runs, nDCG@10", found.frame)


def asked(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show how fast labels that are asked for settle differences of runs, beside random ones."""
    rows = []
    index = {
        (panel.topics[t], d): row
        for row, (t, d) in enumerate(zip(panel.topic, panel.docs.to_list(), strict=True))
    }
    for measure in ("nDCG@10", "RBP", "AP"):
        for kind in ("asked", "random"):
            errors, misses = np.zeros((2, 4))
            pairs = 2 if plan.quick else 12
            for number in range(pairs):
                runs = gw.simulate.runs(panel.qrels("people"), 2, DEPTH, seed=900 + number)
                rng = np.random.default_rng(number)  # the same topics for both kinds
                known = np.isin(panel.topic, rng.permutation(len(panel.topics))[:10])
                truth = gw.score_judged(panel.under(panel.join(runs), "people"), measure).summary()
                for step in range(4):
                    now = replace(panel, levels=panel.levels.copy())
                    now.levels[0, ~known] = -1
                    labels = gw.meta.combine_judges(now, "calibrated", truth="people")
                    scores = gw.meta.soft_scores(now.join(runs), labels, measure, draws=60)
                    drawn = scores.samples[:, 0, 0] - scores.samples[:, 1, 0]
                    errors[step] += drawn.std() / pairs
                    misses[step] += abs(drawn.mean() - (truth[0, 0] - truth[1, 0])) / pairs
                    if kind == "asked":
                        wanted = gw.meta.judge_next(
                            runs, labels, measure, number=50, unlabeled=False
                        )
                        new = zip(wanted.topics, wanted.documents, strict=True)
                        known[[index[pair] for pair in new]] = True
                    else:
                        seen = np.unique(now.join(runs).hit_rows)
                        known[rng.permutation(seen[~known[seen]])[:50]] = True
            rows.append((measure, kind, *errors.tolist(), *misses.tolist()))
    names = [f"error_{n}" for n in (0, 50, 100, 150)] + [f"off_{n}" for n in (0, 50, 100, 150)]
    frame = pl.DataFrame(rows, ["measure", "labels", *names], orient="row")
    show("Label error of a difference, and how far off it is, after so many more labels", frame, 4)


def details(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan) -> None:
    """Show what else the documentation tells of single grades, topics and chances."""
    found = gw.meta.judge_agreement(panel, replicates=2)
    table = found.confusion("people", "umbrela-gpt4")
    rows = [(grade, *share) for grade, share in enumerate(table / table.sum(axis=1, keepdims=True))]
    schema = ["people", *(f"umbrela {grade}" for grade in range(table.shape[1]))]
    show("Shares of umbrela-gpt4's grades, by people's", pl.DataFrame(rows, schema, orient="row"))
    topics = found.by_topic.filter(judge_a="people").select("judge_b", "topic", "documents", "bias")
    ends = [topics.sort("bias").head(3), topics.sort("bias").tail(3)]
    show("Topics with the largest bias", pl.concat(ends))
    labels = gw.meta.combine_judges(panel, "dawid-skene", judges=panel.others)
    show("Dawid and Skene's chances against people's labels", labels.calibration("people"))
    effects = gw.meta.judge_effect(panel, lists, MEASURES, replicates=2).frame
    columns = [
        pl.col("difference").min().alias("lowest"),
        pl.col("difference").max().alias("highest"),
    ]
    show(
        "Means of runs less those under people",
        effects.group_by("judge", maintain_order=True).agg(columns),
    )


def draw(panel: gw.meta.Panel, lists: gw.Judged, plan: Plan, folder: str) -> None:
    """Draw the figures of the documentation."""
    from gradewise.report import figures

    agreed = gw.meta.judge_agreement(panel, replicates=2)
    found = gw.meta.judge_effect(panel, lists, MEASURES, replicates=plan.resamples)
    numbers = (5, 10, 15, 20, 25, 30, 35, 40)
    widths = gw.meta.powered_coverage(
        panel, lists, ("nDCG@10", "GAP"), model="umbrela-gpt4", numbers=numbers,
        resamples=plan.resamples,
    )  # fmt: skip
    for name, chart in {
        "confusion": figures.confusion_map(agreed),
        "bias": figures.bias_by_topic(agreed),
        "steadiness": figures.measure_steadiness(found),
        "widths": figures.width_curves(widths),
    }.items():
        figures.save_figure(chart, Path(folder) / f"judges-{name}.svg")


PARTS: dict[str, Callable[[gw.meta.Panel, gw.Judged, Plan], None]] = {
    "agreement": agreement,
    "effect": effect,
    "combined": combined,
    "coverage": coverage,
    "trust": trust,
    "documents": documents,
    "topics": topics,
    "asked": asked,
    "circles": circles,
    "details": details,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few resamplings")
    parser.add_argument("--part", choices=PARTS, help="only one part")
    parser.add_argument("--figures", metavar="FOLDER", help="only draw figures to this folder")
    options = parser.parse_args()
    plan = Plan(True, 20, 6, 2) if options.quick else Plan(False, 1000, 40, 10)
    panel, name = read_panel()
    runs = gw.simulate.runs(panel.qrels("people"), plan.runs, DEPTH, seed=0)
    lists = panel.join(runs)
    print(f"{name}: {panel!r}", *panel.notes, sep="\n")
    if options.figures:
        draw(panel, lists, plan, options.figures)
        return
    for part, function in PARTS.items():
        if options.part in (None, part):
            begin = time.perf_counter()
            function(panel, lists, plan)
            print(f"({part}: {time.perf_counter() - begin:.0f} s)")


if __name__ == "__main__":
    main()
