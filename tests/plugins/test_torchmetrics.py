"""Measures as metrics of torchmetrics: batches, padding, collections, and several processes."""

import ast
import copy
import re
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from oracles import pivot

torch = pytest.importorskip("torch", reason="torch is not installed")
torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")

from gradewise.plugins.torchmetrics import RankingMetric  # noqa: E402

RNG = np.random.default_rng(5)
SIZES = RNG.integers(3, 12, size=20)
TOPICS = np.arange(20).repeat(SIZES)
GRADES = RNG.choice([0, 0, 1, 2], size=len(TOPICS))
SCORES = RNG.permutation(len(TOPICS)) / 7.0
G = [0.25, 0.75]


def by_hand() -> float:
    values = []
    for topic in range(20):
        mine = np.flatnonzero(topic == TOPICS)
        grades = GRADES[mine[np.argsort(-SCORES[mine])]].tolist()
        counts = {grade: grades.count(grade) for grade in (0, 1, 2)}
        values.append(pivot.gap(grades, counts, g=G))
    return float(np.mean(values))


def tensors(rows: Any = slice(None)) -> dict[str, Any]:
    return {
        "preds": torch.from_numpy(SCORES[rows]),
        "target": torch.from_numpy(GRADES[rows]),
        "indexes": torch.from_numpy(TOPICS[rows]),
    }


def metric() -> RankingMetric:
    return RankingMetric(gw.GAP(g=G))


def test_topics_may_be_spread_over_batches() -> None:
    ours = metric()
    for rows in np.array_split(RNG.permutation(len(TOPICS)), 7):
        ours.update(**tensors(rows))
    assert float(ours.compute()) == pytest.approx(by_hand(), abs=1e-6)
    ours.reset()
    ours.update(**tensors())
    assert float(ours.compute()) == pytest.approx(by_hand(), abs=1e-6)
    assert ours.compute().dtype == torch.float32


def padded(first: int, last: int) -> tuple[Any, Any, Any]:
    width = int(SIZES.max())
    scores, grades = np.zeros((last - first, width)), np.full((last - first, width), -1)
    for row, topic in enumerate(range(first, last)):
        mine = topic == TOPICS
        scores[row, : SIZES[topic]], grades[row, : SIZES[topic]] = SCORES[mine], GRADES[mine]
    return torch.from_numpy(scores), torch.from_numpy(grades), torch.from_numpy(grades >= 0)


def test_padded_lists_are_complete() -> None:
    by_padding, by_mask = metric(), metric()
    for first, last in ((0, 8), (8, 9), (9, 20)):
        scores, grades, mask = padded(first, last)
        by_padding.update(scores, grades)
        by_mask.update(scores, grades.abs(), mask=mask)
    assert float(by_padding.compute()) == pytest.approx(by_hand(), abs=1e-6)
    assert float(by_mask.compute()) == pytest.approx(by_hand(), abs=1e-6)


def test_padded_and_indexed_batches_go_together() -> None:
    ours = metric()
    ours.update(*padded(0, 8)[:2])
    ours.update(**tensors(TOPICS >= 8))
    one = tensors(TOPICS == 3)
    assert float(ours.compute()) == pytest.approx(by_hand(), abs=1e-6)
    single = metric()
    single.update(one["preds"], one["target"])  # one dimension is one list
    assert float(single.compute()) == pytest.approx(float(metric()(**one)), abs=1e-6)


def test_binary_grades_give_what_torchmetrics_gives() -> None:
    from torchmetrics.retrieval import RetrievalMAP, RetrievalMRR, RetrievalNormalizedDCG

    positive = {**tensors(), "preds": tensors()["preds"] + 1}
    binary = {**positive, "target": positive["target"] > 0}
    whole = {**positive, "target": binary["target"].long()}
    assert float(RankingMetric("AP")(**whole)) == pytest.approx(float(RetrievalMAP()(**binary)))
    assert float(RankingMetric("RR")(**whole)) == pytest.approx(float(RetrievalMRR()(**binary)))
    theirs = RetrievalNormalizedDCG()(**positive)
    assert float(RankingMetric("nDCG")(**positive)) == pytest.approx(float(theirs))


PAGE = Path(__file__).parents[2] / "docs" / "start" / "from" / "torchmetrics.md"
ROWS = re.findall(
    r"^\| `(Retrieval[^`]+)` \| `RankingMetric\(\"([^`]+)\"\)` \|$",
    PAGE.read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("theirs", "ours"), ROWS)
def test_the_table_of_names(theirs: str, ours: str) -> None:
    call = ast.parse(theirs, mode="eval").body
    assert isinstance(call, ast.Call)
    options = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    kind = getattr(torchmetrics.retrieval, ast.unparse(call.func))
    # What is undefined without both kinds of documents is counted in other ways.
    both = [t for t in range(20) if len(set((GRADES > 0)[t == TOPICS].tolist())) == 2]
    rows = np.isin(TOPICS, both)
    # AUROC maps scores outside 0..1 by a sigmoid, which makes ties of large ones.
    given = {**tensors(rows), "preds": (tensors(rows)["preds"] + 1) / 100}
    binary = {**given, "target": (given["target"] > 0).long()}
    expected = float(kind(**options)(**binary))
    assert float(RankingMetric(ours)(**binary)) == pytest.approx(expected, abs=1e-6)


def test_scores_below_zero_count_here_and_not_there() -> None:
    from torchmetrics.retrieval import RetrievalMAP

    scores, grades = torch.tensor([2.0, 1.0, -1.0]), torch.tensor([1, 0, 1])
    theirs = RetrievalMAP()(scores, grades.bool(), torch.zeros(3, dtype=torch.long))
    assert float(theirs) == 1.0  # the last document is taken for not relevant
    assert float(RankingMetric("AP")(scores, grades)) == pytest.approx((1 + 2 / 3) / 2)


def test_collections_and_forward() -> None:
    both = torchmetrics.MetricCollection({"GAP": metric(), "AP": RankingMetric("AP")})
    for rows in np.array_split(np.arange(len(TOPICS)), 3):
        batch = both(**tensors(rows))
    found = both.compute()
    assert set(found) == {"GAP", "AP"}
    assert float(found["GAP"]) == pytest.approx(by_hand(), abs=1e-6)
    assert float(batch["GAP"]) != pytest.approx(float(found["GAP"]))
    assert both["GAP"].higher_is_better
    assert not RankingMetric(gw.ESL(size=100)).higher_is_better


def test_states_merge_and_copy() -> None:
    one, two = metric(), metric()
    one.update(*padded(0, 5)[:2])
    two.update(*padded(5, 20)[:2])
    one.merge_state(two)
    assert float(one.compute()) == pytest.approx(by_hand(), abs=1e-6)
    assert float(copy.deepcopy(one).compute()) == float(one.compute())
    assert repr(one) == "RankingMetric('GAP(g=[0.25,0.75])')"


def test_what_is_wrong_is_told() -> None:
    ours = metric()
    with pytest.raises(gw.InputError, match="grades have shape"):
        ours.update(torch.zeros(3), torch.zeros(2))
    with pytest.raises(gw.InputError, match="a whole number from 0 on"):
        ours.update(torch.zeros(2), torch.zeros(2), indexes=torch.tensor([0, -1]))
    with pytest.raises(gw.GradewiseError, match="mask applies to padded"):
        ours.update(torch.zeros(2), torch.zeros(2), torch.tensor([0, 1]), torch.ones(2))
    with pytest.raises(gw.InputError, match="one or two dimensions"):
        ours.update(torch.zeros(1, 1, 1), torch.zeros(1, 1, 1))
    ours.update(torch.tensor([float("nan")]), torch.tensor([1]), torch.tensor([0]))
    with pytest.raises(gw.InputError, match="finite"):
        ours.compute()
    with (
        pytest.warns(UserWarning, match="before the ``update``"),
        pytest.raises(gw.InputError, match="call update first"),
    ):
        metric().compute()


SPREADS = ("rows", "padded", "one is empty")


def _process(rank: int, port: int, folder: str) -> None:
    """Validate parts of the data in one of two processes, and write what each computes."""
    torch.distributed.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2
    )
    for spread in SPREADS:
        ours = metric()
        if spread == "rows":  # each process has some documents of every topic
            ours.update(**tensors(np.arange(rank, len(TOPICS), 2)))
        elif spread == "padded":
            ours.update(*padded(*[(0, 4), (4, 20)][rank])[:2])
        elif rank == 0:
            ours.update(**tensors())
        Path(folder, f"{spread} {rank}.txt").write_text(repr(float(ours.compute())))
    torch.distributed.destroy_process_group()


@pytest.mark.slow
def test_processes_agree_on_the_whole(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(_process, (port, str(tmp_path)), nprocs=2)
    for spread in SPREADS:
        for rank in range(2):
            value = float((tmp_path / f"{spread} {rank}.txt").read_text())
            assert value == pytest.approx(by_hand(), abs=1e-6), spread
