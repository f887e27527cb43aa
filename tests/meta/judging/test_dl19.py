"""TREC 2019 Deep Learning, judged by people and by five model pipelines."""

from pathlib import Path

import numpy as np
import pytest

import gradewise as gw

MODELS = ("umbrela-gpt4", "exam-graded-gpt4", "binary-gpt4", "binary-gpt4o", "binary-llama3.2")


@pytest.fixture(scope="module")
def qrels(real_data: Path) -> dict[str, Path]:
    judges = {name: real_data / "judges" / f"dl19-passage.{name}.txt.gz" for name in MODELS}
    return {"people": real_data / "qrels" / "qrels.dl19-passage.txt.gz", **judges}


@pytest.fixture(scope="module")
def panel(qrels: dict[str, Path]) -> gw.meta.Panel:
    return gw.meta.judges(qrels)


def _labels(panel: gw.meta.Panel, judge: str) -> tuple[np.ndarray, np.ndarray]:
    """The grades that people and a model gave the documents that both labeled."""
    people, model = panel.own[0], panel.own[panel.place_of(judge)]
    both = (people >= 0) & (model >= 0)
    return people[both], panel.own_scales[panel.place_of(judge)][model[both]]


def test_the_panel_holds_every_pair(panel: gw.meta.Panel) -> None:
    assert len(panel) == 9260
    assert np.bincount(panel.levels[0]).tolist() == [5158, 1601, 1804, 697]
    assert panel.labeled.sum(axis=1).tolist() == [9260, 9260, 9260, 9258, 9256, 9260]


def test_agreement_with_people(panel: gw.meta.Panel) -> None:
    """The numbers are those of scikit-learn and the package krippendorff."""
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    found = gw.meta.judge_agreement(panel, replicates=200)
    values = {
        (b, name): (value, low, high)
        for a, b, _, name, value, low, high in found.frame.rows()
        if a == "people"
    }
    people, model = _labels(panel, "umbrela-gpt4")
    expected = {
        "kappa": metrics.cohen_kappa_score(people, model),
        "kappa_quadratic": metrics.cohen_kappa_score(people, model, weights="quadratic"),
        "alpha": krippendorff.alpha(np.array([people, model]), level_of_measurement="ordinal"),
    }
    for name, seen in (("kappa", 0.338), ("kappa_quadratic", 0.581), ("alpha", 0.580)):
        value, low, high = values["umbrela-gpt4", name]
        assert value == pytest.approx(expected[name], abs=1e-10)
        assert round(value, 3) == seen
        assert low < value < high
    for model_name in MODELS[2:]:  # two grades: people's are relevant from grade 1 on
        people, model = _labels(panel, model_name)
        kappa = metrics.cohen_kappa_score(people >= 1, model)
        assert values[model_name, "kappa"][0] == pytest.approx(kappa, abs=1e-12)
        assert kappa > metrics.cohen_kappa_score(people >= 2, model)  # so the fitted map is right


def test_the_documentation_tells_these_numbers(panel: gw.meta.Panel) -> None:
    place = Path(__file__).parents[3] / "docs" / "guides" / "researchers" / "model-judges.md"
    page = place.read_text(encoding="utf-8")
    found = gw.meta.judge_agreement(panel, replicates=1000)
    values = {
        (b, name): (value, low, high)
        for a, b, _, name, value, low, high in found.frame.rows()
        if a == "people"
    }
    for model in MODELS:
        names = ["kappa", "kappa_quadratic", "alpha"]
        cells = ["{:.3f} [{:.3f}, {:.3f}]".format(*values[model, name]) for name in names]
        if model.startswith("binary"):
            cells[1] = "\N{EN DASH}"
        cells.append(f"{values[model, 'overlap'][0]:.3f}")
        row = " | ".join(cells).replace("0.", ".")
        assert f"| {model} | {row} |" in page


def test_a_given_threshold(qrels: dict[str, Path]) -> None:
    at_two = {0: 0, 1: 0, 2: 1, 3: 1}
    panel = gw.meta.judges(
        {name: qrels[name] for name in ("people", "binary-gpt4o")}, maps={"people": at_two}
    )
    found = gw.meta.judge_agreement(panel, replicates=10)
    assert round(found.frame.filter(statistic="kappa")["value"].item(), 3) == 0.479
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    expected = metrics.cohen_kappa_score(*_labels(panel, "binary-gpt4o"))
    assert found.frame.filter(statistic="kappa")["value"].item() == pytest.approx(expected)


@pytest.fixture(scope="module")
def lists(panel: gw.meta.Panel) -> gw.Judged:
    return panel.join(gw.simulate.runs(panel.qrels("people"), 40, 100, seed=0))


@pytest.mark.slow
@pytest.mark.parametrize("model", ["umbrela-gpt4", "binary-gpt4o"])
def test_coverage_of_prediction_powered_intervals(
    panel: gw.meta.Panel, lists: gw.Judged, model: str
) -> None:
    """1,000 resamplings of topics; runs are simulated, since the track's are not public."""
    found = gw.meta.powered_coverage(panel, lists, ["AP", "nDCG@10", "GAP", "eGAP"], model=model)
    assert found.resamples == 1000
    for row in found.frame.iter_rows(named=True):
        if row["target"] == "these":
            assert row["coverage"] >= 0.91, row
        elif row["topics"] == 10:
            assert row["coverage"] >= 0.92, row
        else:
            assert 0.93 <= row["coverage"] <= 0.97, row
        assert row["worst_run"] in lists.runs
        assert row["narrower"] > 0  # a little narrower than people alone


@pytest.mark.slow
def test_graded_measures_are_moved_least(panel: gw.meta.Panel) -> None:
    """As the documentation tells: GAP's rankings depend least on who judges, those of RBP most."""
    means = []
    for seed in range(3):
        runs = gw.simulate.runs(panel.qrels("people"), 40, 100, seed=seed)
        found = gw.meta.judge_effect(panel, panel.join(runs), replicates=2)
        means.append(found.tau.mean(axis=1))
    by_measure = dict(zip(found.measures, np.mean(means, axis=0), strict=True))
    assert max(by_measure, key=by_measure.__getitem__) == "GAP(g='equal')"
    assert by_measure["GAP(g='equal')"] > by_measure["nDCG"] > by_measure["P@10"]


def test_models_favor_runs_made_with_them(panel: gw.meta.Panel) -> None:
    runs, families = {}, {}
    for family, judge, seed in (("people", "people", 50), ("own", "umbrela-gpt4", 52)):
        for name, run in gw.simulate.runs(panel.qrels(judge), 8, 100, seed=seed).items():
            runs[f"{family}-{name}"], families[f"{family}-{name}"] = run, family
    found = gw.meta.circularity(panel, panel.join(runs), "nDCG@10", families=families)
    rows = {(r["judge"], r["family"]): r for r in found.frame.iter_rows(named=True)}
    own = rows["umbrela-gpt4", "own"]
    assert own["low"] > 0
    assert own["p"] < 0.01
