"""Click models recover the users that a log was simulated with, and predict better than others."""

import itertools
import math
import warnings
from typing import get_args

import numpy as np
import pytest

import gradewise as gw
from clicks.cases import log_of, pairs_of, random_sessions
from gradewise.clicks import MODELS, ClickLog
from gradewise.clicks.models import Model
from gradewise.clicks.propensities import METHODS as PROPENSITIES
from gradewise.clicks.propensities import Method
from oracles import clicks as oracle

CLOSE = {"rel": 1e-9, "abs": 1e-12}


def simulated(model: Model, sessions: int = 20000, **options: object) -> ClickLog:
    """Simulate a log of a few topics whose lists are shuffled, so that all is identified."""
    qrels = {f"q{t}": {f"{t}-{d}": (d + t) % 4 for d in range(6)} for t in range(10)}
    run = {topic: {doc: -i for i, doc in enumerate(docs)} for topic, docs in qrels.items()}
    settings = {"shuffle": "random", "seed": 5, **options}
    return gw.simulate.clicks(qrels, run, sessions, model=model, **settings)  # type: ignore[arg-type]


def levels_of(log: ClickLog) -> np.ndarray:
    """Return the levels that `simulated` gives to pairs, over the highest."""
    return np.array([sum(map(int, doc.split("-"))) % 4 / 3 for doc in log.docs.to_list()])


def test_names_are_those_of_the_tables() -> None:
    assert get_args(Model) == tuple(MODELS)
    assert get_args(Method) == tuple(PROPENSITIES)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", ["position", "browsing"])
def test_em_ends_where_the_literal_one_ends(seed: int, model: Model) -> None:
    sessions = random_sessions(seed, sessions=12)
    log = log_of(sessions)
    fitted = gw.clicks.fit(log, model, iterations=20000, tolerance=1e-12)
    known = {place for session in sessions for place in oracle.places(session, model)}
    seen: dict = dict.fromkeys(known, 0.5)
    appeal = dict.fromkeys(pairs_of(log), 0.5)
    for _ in range(3000):
        seen, appeal = oracle.examination_step(sessions, seen, appeal, kind=model, prior=1.0)
    places = oracle.places
    expected = [
        seen[place] * appeal[topic, doc]
        for topic, rows in sessions
        for place, (doc, _, _) in zip(places((topic, rows), model), rows, strict=True)
    ]
    _, given = MODELS[model].chances(fitted.fitted, log, fitted.appeal[log.pair])
    assert given.tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_the_cascade_model_counts_down_to_the_first_click(seed: int) -> None:
    sessions = random_sessions(seed, sessions=12)
    log = log_of(sessions)
    seen, clicked = (dict.fromkeys(pairs_of(log), prior) for prior in (2.0, 1.0))
    for topic, rows in sessions:
        for doc, _, click in rows:
            seen[topic, doc] += 1
            clicked[topic, doc] += click
            if click:
                break
    fitted = gw.clicks.fit(log, "cascade")
    expected = [clicked[pair] / seen[pair] for pair in pairs_of(log)]
    assert fitted.appeal.tolist() == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("seed", range(4))
def test_the_bayesian_model_is_a_fixed_point_of_the_literal_step(seed: int) -> None:
    sessions = random_sessions(seed, sessions=10, longest=3)
    log = log_of(sessions)
    fitted = gw.clicks.fit(log, "bayesian", iterations=20000, tolerance=1e-11)
    pairs = pairs_of(log)
    appeal = dict(zip(pairs, fitted.appeal.tolist(), strict=True))
    satisfaction = dict(zip(pairs, fitted.satisfaction.tolist(), strict=True))
    seen, happy, moves = oracle.chain_counts(sessions, appeal, satisfaction, fitted.go_on)
    clicks = dict(zip(pairs, log.clicked.tolist(), strict=True))
    for pair in pairs:
        assert appeal[pair] == pytest.approx((clicks[pair] + 1) / (seen[pair] + 2), abs=1e-6)
        expected = (happy[pair] + 1) / (clicks[pair] + 2)
        assert satisfaction[pair] == pytest.approx(expected, abs=1e-6)
    assert fitted.go_on == pytest.approx(moves[1] / moves[0], abs=1e-6)


def test_the_likelihood_is_that_of_all_clicks() -> None:
    sessions = random_sessions(3, sessions=8, longest=3)
    log = log_of(sessions)
    fitted = gw.clicks.fit(log, "bayesian", iterations=500)
    chance = dict(
        zip(pairs_of(log), zip(fitted.appeal, fitted.satisfaction, strict=True), strict=True)
    )
    logs = []
    for topic, rows in sessions:
        appeal, satisfies = zip(*(chance[topic, doc] for doc, _, _ in rows), strict=True)
        clicks = [click for _, _, click in rows]
        logs.append(math.log(oracle.chain_likelihood(clicks, appeal, satisfies, fitted.go_on)))
    assert fitted.test(log).log_likelihood == pytest.approx(sum(logs) / len(logs), abs=1e-5)


def test_the_position_based_model_recovers_examination_and_appeal() -> None:
    log = simulated("position")
    fitted = gw.clicks.fit(log, iterations=1000)
    assert fitted.converged
    expected = np.arange(1, 7) ** -0.6
    assert np.abs(fitted.examination - expected).max() < 0.02
    assert np.abs(fitted.appeal - (0.03 + 0.87 * levels_of(log))).max() < 0.06


def test_the_browsing_model_recovers_its_table() -> None:
    log = simulated("browsing", 60000)
    fitted = gw.clicks.fit(log, "browsing", iterations=2000)
    for rank, last in itertools.product(range(1, 5), range(4)):
        if last < rank:
            expected = (rank - last) ** -0.6
            expected = expected + 0.5 * (1 - expected) if last else expected
            assert fitted.browsing[rank, last] == pytest.approx(expected, abs=0.04)


def test_the_bayesian_model_recovers_satisfaction() -> None:
    log = simulated("bayesian", 40000)
    fitted = gw.clicks.fit(log, "bayesian", iterations=1000)
    level = levels_of(log)
    assert fitted.go_on == pytest.approx(0.9, abs=0.02)
    assert np.abs(fitted.appeal - (0.03 + 0.87 * level)).max() < 0.06
    clicked = level > 0.5
    assert np.abs(fitted.satisfaction - 0.7 * level)[clicked].max() < 0.1
    assert np.abs(fitted.relevance - fitted.appeal * fitted.satisfaction).max() == 0


def test_the_cascade_model_recovers_appeal() -> None:
    log = simulated("cascade")
    fitted = gw.clicks.fit(log, "cascade")
    assert np.abs(fitted.appeal - (0.03 + 0.87 * levels_of(log))).max() < 0.06


@pytest.mark.parametrize("truth", list(MODELS))
def test_the_true_model_predicts_best(truth: Model) -> None:
    training, held_out = simulated(truth, 40000).split(0.3, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of models that do not fit
        found = {name: gw.clicks.fit(training, name).test(held_out) for name in MODELS}
    best = max(found, key=lambda name: found[name].log_likelihood)
    # The cascade model is a special case of the dynamic Bayesian one, as the position-based model
    # is of the browsing one.
    near = {"cascade": "bayesian", "position": "browsing"}.get(truth)
    assert best in (truth, near)
    assert 1 < found[truth].perplexity < 2
    assert found[truth].by_rank["rank"].to_list() == list(range(1, 7))


def test_a_fit_that_does_not_converge_is_told() -> None:
    log = simulated("position", 500)
    with pytest.warns(UserWarning, match="position-based model did not converge in 2 iterations"):
        fitted = gw.clicks.fit(log, iterations=2)
    assert not fitted.converged
    assert fitted.iterations == 2


def test_documents_at_one_rank_only_do_not_tell_examination() -> None:
    log = simulated("position", 500, shuffle="none")
    with pytest.warns(UserWarning, match="cannot separate examination from appeal"):
        gw.clicks.fit(log)


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    log = simulated("position", 30000, depth=6)
    monkeypatch.setattr("gradewise.clicks.examination._SMALL", 1)
    monkeypatch.setattr("gradewise.clicks.chain._SMALL", 1)
    found = [gw.clicks.fit(log, name, tolerance=1e-3) for name in ("position", "bayesian")]
    monkeypatch.setattr("gradewise.parallel.thread_count", lambda: 1)
    again = [gw.clicks.fit(log, name, tolerance=1e-3) for name in ("position", "bayesian")]
    for one, other in zip(found, again, strict=True):
        assert one.appeal.tobytes() == other.appeal.tobytes()


def test_grades_for_evaluation_and_training() -> None:
    log = simulated("position")
    fitted = gw.clicks.fit(log, iterations=500)
    level = np.rint(3 * levels_of(log)).astype(int)
    qrels = fitted.qrels([0.2, 0.45, 0.75])
    grades = [qrels.to_dict()[topic][doc] for topic, doc in pairs_of(log)]
    assert grades == level.tolist()
    best = {topic: dict(docs) for topic, docs in qrels.to_dict().items()}
    assert float(gw.evaluate(qrels, best, "nDCG")) == pytest.approx(1)
    assert fitted.qrels(3).scale.tolist() == [1, 2, 3]
    topics, docs = zip(*pairs_of(log), strict=True)
    assert fitted.relevance_of(topics, docs).tolist() == fitted.relevance.tolist()
    assert np.isnan(fitted.relevance_of(["q0"], ["nothing"])).all()
    with pytest.raises(gw.GradewiseError, match="edges of grades must be ascending numbers"):
        fitted.qrels([0.5, 0.2])
    with pytest.raises(gw.GradewiseError, match="no document was shown"):
        fitted.qrels(min_shown=10**6)


def test_soft_grades_for_evaluation() -> None:
    log = simulated("position", 4000)
    fitted = gw.clicks.fit(log, iterations=500)
    labels = fitted.soft_labels()
    run = {log.topics[0]: dict.fromkeys(log.docs.to_list()[:2], 1.0)}
    judged = labels.panel.join({"run": run})
    scores = gw.meta.soft_scores(judged, labels, "P@2", draws=10)
    expected = fitted.relevance[:2].mean() / len(log.topics)
    assert scores.frame["expected"].item() == pytest.approx(expected)


def test_what_a_model_does_not_have_is_refused() -> None:
    log = simulated("cascade", 200)
    fitted = gw.clicks.fit(log, "cascade")
    with pytest.raises(gw.GradewiseError, match="has no examination by rank"):
        _ = fitted.examination
    with pytest.raises(gw.GradewiseError, match="has no browsing table"):
        _ = fitted.browsing
    with pytest.raises(gw.GradewiseError, match="go_on is for the model 'bayesian'"):
        gw.clicks.fit(log, "cascade", go_on=0.5)
    with pytest.raises(gw.GradewiseError, match="model must be one of 'position'"):
        gw.clicks.fit(log, "positions")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["random", "swap"])
def test_propensities_by_intervention(method: Method) -> None:
    shuffle = "random" if method == "random" else "swap"
    log = simulated("position", 60000, shuffle=shuffle, click=0.6, others=0.1)
    found = gw.clicks.propensities(log, method, replicates=200, seed=1)
    expected = np.arange(1, 7) ** -0.6
    assert np.abs(found.values - expected).max() < 0.05
    inside = (found.low <= expected) & (expected <= found.high)
    assert inside.sum() >= 5
    assert found.frame["rank"].to_list() == list(range(1, 7))


def test_the_ratio_of_two_ranks_is_that_of_mantel_and_haenszel() -> None:
    # Document a: 2 of 4 clicks at rank 1, 1 of 4 at rank 2; b: 1 of 1 at rank 1, 1 of 3 at rank 2.
    counts = {("a", 1): (4, 2), ("a", 2): (4, 1), ("b", 1): (1, 1), ("b", 2): (3, 1)}
    rows = [
        (f"{doc}{rank}{n}", "q", doc, rank, int(n < clicks))
        for (doc, rank), (shown, clicks) in counts.items()
        for n in range(shown)
    ]
    above = 1 * 4 / 8 + 1 * 1 / 4
    below = 2 * 4 / 8 + 1 * 3 / 4
    found = gw.clicks.propensities(rows)
    assert found.values.tolist() == pytest.approx([1, above / below])
    assert np.isnan(found.low).all()


def test_without_interventions_there_is_nothing_to_compare() -> None:
    with pytest.raises(gw.InputError, match="no document was shown at two ranks"):
        gw.clicks.propensities([("s", "q", "a", 1, 1), ("s", "q", "b", 2, 0)])
