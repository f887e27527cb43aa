"""Random experiments: their means against exact values, and against one draw at a time."""

import random

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.measures.grammar import parse_measure
from gradewise.meta import experiment
from gradewise.meta.experiments import EXPERIMENTS, _Topic

LISTS = [
    ([3, 0, 1, 2, 0, 1, 2], {1: 5, 2: 3, 3: 1}),
    ([0, 2, 2, 3], {1: 0, 2: 2, 3: 1}),  # no document of grade 1
    ([1, 1, 0, 1], {1: 4, 2: 0, 3: 0}),  # none above it, so some users have no document
]


@pytest.mark.parametrize(("grades", "relevant"), LISTS)
@pytest.mark.parametrize("g", [[0.6, 0.3, 0.1], [0.0, 0.0, 1.0], [1 / 3, 1 / 3, 1 / 3]])
def test_means_converge_to_exact_values(
    grades: list[int], relevant: dict[int, int], g: list[float]
) -> None:
    """Within 4.5 standard errors: all of 45 cases, with a chance of 3 in 10,000 to fail."""
    measures = ["AP", "AP(rel=2)", f"GAP(g={g})", f"xGAP(g={g})", f"eGAP(g={g})"]
    judged = gw.judge_list(grades, relevant)
    found = experiment(judged, measures, draws=40_000, seed=5)
    for m, measure in enumerate(measures):
        exact = gw.score(measure, grades=grades, relevant=relevant)
        assert found.exact[m] == pytest.approx(exact, abs=1e-15)
        error = (exact * (1 - exact) / 40_000) ** 0.5
        assert abs(found.means[m, -1] - exact) <= 4.5 * error + 1e-12


def _literal(name: str, grades: list[int], relevant: dict[int, int], g: list[float]) -> float:
    """One draw after another, as the papers tell it; the mean of 20,000."""
    rng = random.Random(name)
    documents = [(grade, rank) for rank, grade in enumerate(grades, 1) if grade]
    for grade, count in relevant.items():
        documents += [(grade, 0)] * (count - grades.count(grade))

    def user(least_grade: int = len(g)) -> int:
        """Draw a threshold, again while a document of that grade would not be relevant."""
        while True:
            threshold = rng.choices(range(1, len(g) + 1), g)[0]
            if threshold <= least_grade:
                return threshold

    hits = 0
    for _ in range(20_000):
        first = judge = user()
        if name == "GAP":
            picked = rng.choice(documents)
            while picked[0] < judge:
                picked, judge = rng.choice(documents), user()
        else:
            accepted = [document for document in documents if document[0] >= first]
            if not accepted:
                continue
            picked = rng.choice(accepted)
            judge = user(picked[0]) if name == "xGAP" else first
        if picked[1]:
            hits += grades[rng.randint(1, picked[1]) - 1] >= judge
    return hits / 20_000


@pytest.mark.parametrize("name", ["GAP", "xGAP", "eGAP"])
def test_the_same_experiment_one_draw_at_a_time(name: str) -> None:
    grades, relevant = [2, 0, 1, 1, 2, 0, 1], {1: 6, 2: 3}
    found = experiment(gw.judge_list(grades, relevant), f"{name}(g=[0.3,0.7])", draws=200_000)
    literal = _literal(name, grades, relevant, [0.3, 0.7])
    assert found.means[0, -1] == pytest.approx(literal, abs=4.5 * (0.25 / 20_000) ** 0.5)


@pytest.mark.parametrize(
    ("name", "g", "chance"),
    [
        ("GAP", [0.5, 0.5], 1 / 6),
        ("GAP", [0.1, 0.9], 1 / 2),
        ("xGAP", [0.5, 0.5], 12 / 22),
        ("xGAP", [0.1, 0.9], 100 / 110),
    ],
)
def test_the_chance_to_pick_the_highly_relevant_document(
    name: str, g: list[float], chance: float
) -> None:
    """Ferrante et al. 2014, §3-4: R(1) = 10 and R(2) = 1; only the grade 2 is retrieved, at rank 1.

    The outcome is then 1 exactly if it is picked.
    """
    judged = gw.judge_list([2], {1: 10, 2: 1})
    mean = experiment(judged, f"{name}(g={g})", draws=50_000, seed=2).means[0, -1]
    assert mean == pytest.approx(chance, abs=4.5 * (0.25 / 50_000) ** 0.5)


def test_intervals_cover_the_exact_value() -> None:
    """Of 400 Wilson intervals after 300 draws, 95% cover; 3 standard errors are 0.033."""
    judged = gw.judge_list([2, 0, 1, 0, 1], {1: 4, 2: 2})
    covered = []
    for seed in range(400):
        found = experiment(judged, "GAP", draws=300, seed=seed)
        covered.append(found.low[0, -1] <= found.exact[0] <= found.high[0, -1])
    assert np.mean(covered) == pytest.approx(0.95, abs=0.033)


def test_the_same_seed_gives_the_same_numbers() -> None:
    judged = gw.judge_list([2, 0, 1], {1: 2, 2: 1})
    one, same, other = (experiment(judged, draws=500, seed=s).means for s in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_frame() -> None:
    judged = gw.judge_list([2, 0, 1], {1: 2, 2: 1})
    frame = experiment(judged, ["AP", "eGAP"], draws=100).frame
    assert frame.columns == ["measure", "draws", "mean", "low", "high", "exact"]
    assert frame["draws"].max() == 100
    assert frame["measure"].unique(maintain_order=True).to_list() == ["AP", "eGAP(g='equal')"]
    assert (frame["low"] <= frame["mean"]).all()
    assert (frame["mean"] <= frame["high"]).all()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_topic_without_relevant_documents_gives_0(name: str) -> None:
    judged = gw.judge_list([0, 0], {1: 0})
    topic = _Topic.of(parse_measure(name), judged)
    assert not EXPERIMENTS[name].function(topic, 50, np.random.default_rng(0)).any()


@pytest.mark.parametrize("measure", ["nDCG", "GAP@10", "GAP(judged_only=True)"])
def test_measures_without_an_experiment_are_refused(measure: str) -> None:
    with pytest.raises(
        GradewiseError, match="has no random experiment; choose AP, GAP, xGAP, eGAP"
    ):
        experiment(gw.judge_list([1, 0], {1: 1}), measure)


def test_more_than_one_list_is_refused() -> None:
    qrels = {t: {"a": 1} for t in ("1", "2")}
    with pytest.raises(GradewiseError, match="a single list, but there are 2"):
        experiment(gw.judge(qrels, {t: {"a": 1.0} for t in qrels}), "GAP")
    with pytest.raises(GradewiseError, match="draws must be at least 1"):
        experiment(gw.judge_list([1], {1: 1}), "GAP", draws=0)
