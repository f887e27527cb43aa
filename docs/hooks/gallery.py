"""An MkDocs hook: a page with every figure, each drawn by the lines above it.

The page and its figures are made when the site is built, from the examples below.
"""

import io
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGE = "guides/researchers/gallery.md"

START = """\
import gradewise as gw
from gradewise.report import figures

sample = gw.simulate.collection(topics=20, runs=8, depth=100, relevant=20, pool_depth=10, seed=5)
judged = gw.judge(sample.qrels, sample.runs)
scores = gw.score_judged(judged, ["AP", "nDCG@10", "GAP"])
measures = ["AP", "nDCG", "P@10", "GAP", "xGAP"]
"""

EDITED = """\
spec = figures.figure_spec(figures.leaderboard(gw.compare(scores)))
spec["title"]["text"] = "Our runs"
spec["config"]["font"] = "serif"
figures.save_figure(spec, "ours.svg")
"""

EXAMPLES = {
    "leaderboard": """\
figures.leaderboard(gw.compare(scores))""",
    "leaderboard of many runs": """\
many = gw.simulate.collection(topics=20, runs=32, depth=100, relevant=20, pool_depth=10, seed=6)
figures.leaderboard(gw.compare(gw.evaluate(many.qrels, many.runs, "AP")))""",
    "group_differences": """\
attributes = {
    topic: {"intent": ("buy", "learn", "go")[place % 3], "length": place * 7 % 11}
    for place, topic in enumerate(scores.topics)
}
figures.group_differences(gw.compare_groups(scores, attributes, pair=("run7", "run5")))""",
    "release_lines": """\
releases = {
    f"v{number}": gw.evaluate(
        sample.qrels, {"ours": sample.runs[new], "theirs": sample.runs["run6"]}, "AP"
    )
    for number, new in enumerate(("run3", "run5", "run7"), 1)
}
figures.release_lines(gw.compare_releases(releases))""",
    "topic_dots": """\
figures.topic_dots(scores, "run7", "run5")""",
    "difference_histogram": """\
figures.difference_histogram(scores, "run7", "run5", "nDCG@10")""",
    "precision_recall_curves": """\
runs = {name: sample.runs[name] for name in ("run3", "run5", "run7")}
curves = gw.precision_recall(sample.qrels, runs, g=[0.3, 0.7])
figures.precision_recall_curves(curves)""",
    "judged_by_depth": """\
figures.judged_by_depth(judged)""",
    "agreement_map": """\
figures.agreement_map(gw.meta.correlation(judged, measures, replicates=0))""",
    "scatter": """\
figures.scatter(gw.meta.correlation(judged, ["AP", "GAP"], replicates=0))""",
    "threshold_curves": """\
figures.threshold_curves(gw.meta.threshold_grid(judged))""",
    "incompleteness_curves": """\
found = gw.meta.incompleteness(judged, ["AP", "nDCG", "Bpref"], replicates=5)
figures.incompleteness_curves(found)""",
    "pool_bias_bars": """\
figures.pool_bias_bars(gw.meta.pool_bias(judged.cut(10), ["AP", "nDCG@10"]))""",
    "significance_curves": """\
figures.significance_curves(gw.meta.discrimination(judged, measures, replicates=200))""",
    "sweep_curves": """\
sweep = [f"GAP(g=[{g},{1 - g}])" for g in (0.0, 0.25, 0.5, 0.75, 1.0)]
found = gw.meta.informativeness(judged.cut(30), [*sweep, "AP"], least=3, least_top=2)
figures.sweep_curves(found)""",
    "error_bars": """\
figures.error_bars(found)""",
    "distance_map": """\
figures.distance_map(gw.distance.med_matrix(sample.runs, sample.qrels, "SDCG@10"))""",
    "topic_ranges": """\
found = gw.distance.med(sample.runs["run7"], sample.runs["run3"], sample.qrels, "SDCG@10")
figures.topic_ranges(found)""",
    "sensitivity_figure": """\
one = gw.judge_list([1, 0, 2, 0, 1, 0], {1: 5, 2: 3})
found = gw.meta.sensitivity(one, ["AP", "nDCG", "GAP"])
figures.sensitivity_figure(found)""",
    "convergence_curves": """\
figures.convergence_curves(gw.meta.experiment(one))""",
    "judgment_noise_figure": """\
flips = {1: {0: 0.2}, 0: {1: 0.01}}
noise = gw.meta.judgment_noise(judged, "AP", flips=flips, replicates=20)
figures.judgment_noise_figure(noise)""",
    "confusion_map": """\
people = sample.qrels.to_dict()
strict, hasty = (
    {
        topic: {d: max(g - (place % every == 0), 0) for place, (d, g) in enumerate(docs.items())}
        for topic, docs in people.items()
    }
    for every in (2, 3)
)
panel = gw.meta.judges({"people": people, "strict": strict, "hasty": hasty})
agreement = gw.meta.judge_agreement(panel, replicates=50)
figures.confusion_map(agreement)""",
    "bias_by_topic": """\
figures.bias_by_topic(agreement)""",
    "rank_flips": """\
lists = panel.join(sample.runs)
effect = gw.meta.judge_effect(panel, lists, measures, replicates=50)
figures.rank_flips(effect, "P@10")""",
    "measure_steadiness": """\
figures.measure_steadiness(effect)""",
    "width_curves": """\
found = gw.meta.powered_coverage(
    panel, lists, ["AP", "nDCG"], model="strict", numbers=(5, 8, 12, 16), resamples=100
)
figures.width_curves(found)""",
    "learning_curves": """\
topics = [gw.simulate.features(20, 20, 12, seed=seed) for seed in (1, 2)]
ranker = gw.learn.NetRanker("lambdarank", "GAP", epochs=15)
figures.learning_curves(ranker.fit(topics[0], eval_set=[topics[1]]).curves_)""",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page and its figures."""
    for name, chart in draw_all().items():
        content = as_svg(chart)
        files.append(File.generated(config, f"figures/{file_of(name)}", content=content))
    files.append(File.generated(config, PAGE, content=gallery_page()))
    return files


def draw_all() -> dict[str, Any]:
    """Run the examples in order, as a reader would; return the chart of each."""
    names: dict[str, Any] = {}
    exec(START, names)
    charts = {}
    for name, code in EXAMPLES.items():
        *lines, last = code.splitlines()
        exec("\n".join(lines), names)
        charts[name] = eval(last, names)
    return charts


def file_of(name: str) -> str:
    """Return the name of a figure's file."""
    return f"gallery-{name.replace(' ', '-')}.svg"


def as_svg(chart: Any) -> str:
    """Return a chart as SVG, drawn without a browser."""
    out = io.StringIO()
    chart.save(out, format="svg")
    return out.getvalue()


def gallery_page() -> str:
    """Return the page as Markdown: for each figure what it shows, its lines and its image."""
    from gradewise.report import figures

    parts = [
        "# Gallery of figures",
        "Every figure is one function of `gw.report.figures` that returns an Altair chart. "
        "Its title states what was found, the line below in what. "
        "Notebooks display it; `figures.save_figure(chart, path)` writes SVG, PNG, PDF, HTML or "
        "JSON, without a browser. The colors remain distinguishable to color-blind readers and in "
        "print.",
        "`figures.figure_spec(chart)` returns the Vega-Lite specification as a dictionary, with "
        "all rows, to edit by hand, in Python or in any Vega-Lite editor; `save_figure` draws the "
        "edited one:",
        f"```py\n{EDITED}```",
        "The examples on this page start from:",
        f"```py\n{START}```",
    ]
    for name, code in EXAMPLES.items():
        about = (getattr(figures, name.split()[0]).__doc__ or "").splitlines()[0]
        parts += [
            f"## {name}",
            about,
            f"```py\n{code}\n```",
            f"![{about}](../../figures/{file_of(name)})",
        ]
    return "\n\n".join(parts) + "\n"
