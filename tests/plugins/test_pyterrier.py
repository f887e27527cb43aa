"""gradewise's measures in PyTerrier's experiments, without Java and without a network."""

import socket
import warnings
from typing import Any

import pandas as pd
import pytest

import gradewise as gw
from oracles import pivot

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pt = pytest.importorskip("pyterrier", reason="pyterrier is not installed")

from gradewise.plugins.ir_measures import GAP, Q, wrap

TOPICS = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["jaguar", "java", "python"]})
QRELS = pd.DataFrame(
    [("1", "a", 2), ("1", "b", 1), ("2", "a", 1), ("3", "c", 2)],
    columns=["qid", "docno", "label"],
)
COLUMNS = ["qid", "docno", "score", "rank"]
BM25 = pd.DataFrame(
    [
        ("1", "a", 3.0, 0),
        ("1", "z", 2.0, 1),
        ("1", "b", 1.0, 2),
        ("2", "z", 2.0, 0),
        ("2", "a", 1.0, 1),
    ],
    columns=COLUMNS,
)
HALVES = GAP(g=[0.5, 0.5])
NAME = "GAP(g='0.5,0.5')"


class Dense(pt.Transformer):  # type: ignore[misc,name-defined]
    """Finds the same three documents for every query."""

    def transform(self, queries: pd.DataFrame) -> pd.DataFrame:
        found = [("b", 3.0, 0), ("a", 2.0, 1), ("c", 1.0, 2)]
        return pd.DataFrame([(q, *each) for q in queries.qid for each in found], columns=COLUMNS)


def gap(grades: list[int | None], counts: dict[int, int]) -> float:
    return pivot.gap(grades, {1: 0, 2: 0} | counts, g=[0.5, 0.5])


BY_HAND = {
    "bm25": [gap([2, None, 1], {1: 1, 2: 1}), gap([None, 1], {1: 1}), gap([], {2: 1})],
    "dense": [
        gap([1, 2, None], {1: 1, 2: 1}),
        gap([None, 1, None], {1: 1}),
        gap([None, None, 2], {2: 1}),
    ],
}


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refused)


def experiment(**options: Any) -> Any:
    return pt.Experiment(
        [BM25, Dense()],
        TOPICS,
        QRELS,
        eval_metrics=[HALVES, "map"],
        **{"names": ["bm25", "dense"], "validate": "ignore", **options},
    )


def test_an_experiment_with_a_baseline() -> None:
    table = pt.Experiment(
        [BM25, Dense()], TOPICS, QRELS, eval_metrics=[HALVES, "map"], baseline=0, validate="ignore"
    )
    means = [sum(values) / 3 for values in BY_HAND.values()]
    assert table[NAME].tolist() == pytest.approx(means, abs=1e-12)
    # By hand: (1 + 2/3)/2, 1/2, 0 and 1, 1/2, 1/3.
    assert table["map"].tolist() == pytest.approx([4 / 9, 11 / 18], abs=1e-6)
    assert table[f"{NAME} +"].tolist()[1] == 1  # topic 3
    assert table[f"{NAME} -"].tolist()[1] == 1  # topic 1
    assert 0 < table[f"{NAME} p-value"].tolist()[1] < 1
    assert not pt.java.started()


@pytest.mark.parametrize(
    "options", [{}, {"plan": "tree", "verbose": False}], ids=["linear", "tree"]
)
def test_values_of_topics(options: dict[str, Any]) -> None:
    systems = {"names": ["dense"], "perquery": True, **options}
    table = pt.Experiment([Dense()], TOPICS, QRELS, [HALVES], validate="ignore", **systems)
    assert table["value"].tolist() == pytest.approx(BY_HAND["dense"], abs=1e-12)


def test_batches_lack_grades_and_change_nothing() -> None:
    given = {"names": ["dense"], "validate": "ignore"}
    whole = pt.Experiment([Dense()], TOPICS, QRELS, [HALVES], **given)
    parts = pt.Experiment([Dense()], TOPICS, QRELS, [HALVES], batch_size=1, **given)
    assert parts[NAME].tolist() == pytest.approx(whole[NAME].tolist(), abs=1e-12)


def test_topics_that_only_judgments_have_count() -> None:
    given = {"names": ["dense"], "validate": "ignore", "filter_by_topics": False}
    for size in (None, 1):
        table = pt.Experiment([Dense()], TOPICS[:2], QRELS, [HALVES], batch_size=size, **given)
        assert table[NAME][0] == pytest.approx(sum(BY_HAND["dense"][:2]) / 3, abs=1e-12)


def test_corrections_and_rounding() -> None:
    table = experiment(baseline=0, correction="holm", round=3)
    assert f"{NAME} p-value corrected" in table.columns
    assert table[NAME].tolist() == [round(sum(values) / 3, 3) for values in BY_HAND.values()]


def test_what_a_measure_needs_is_validated() -> None:
    with pytest.raises(ValueError, match="do not produce the required outputs"):
        pt.Experiment([BM25.drop(columns="score")], TOPICS, QRELS, [HALVES], validate="error")


def test_frames_are_read_by_gradewise() -> None:
    runs = {"bm25": BM25, "dense": Dense()(TOPICS)}
    scores = gw.evaluate(QRELS, runs, [gw.GAP(g=[0.5, 0.5]), "Q"])
    for place, values in enumerate(BY_HAND.values()):
        assert scores.values[place, :, 0].tolist() == pytest.approx(values, abs=1e-12)
    table = pt.Experiment([Dense()], TOPICS, QRELS, [Q, wrap("nDCG(dcg='jk')@10")], names=["d"])
    assert table["Q"][0] == pytest.approx(scores["dense", "Q"], abs=1e-12)
    assert "gw_nDCG(dcg='jk')@10" in table.columns
