"""Measures as the validation of a Lightning trainer: padded and flat, checkpoints, test topics."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw

torch = pytest.importorskip("torch", reason="torch is not installed")
lightning = pytest.importorskip("lightning", reason="lightning is not installed")

from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint  # noqa: E402

from gradewise.learn.plain_torch import soft_loss, targets  # noqa: E402
from gradewise.plugins.lightning import RankingValidation  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
G = "GAP(g=[0.4,0.6])"


def lists(seed: int, number: int = 12) -> list[tuple[Any, Any]]:
    """Lists of 5 to 8 documents with 3 features, the first of which tells the grade."""
    torch.manual_seed(seed)
    made = []
    for _ in range(number):
        features = torch.randn(int(torch.randint(5, 9, ())), 3)
        made.append((features, (features[:, 0] > -0.3).long() + (features[:, 0] > 0.8).long()))
    return made


def padded(rows: list[tuple[Any, Any]]) -> dict[str, Any]:
    pad = torch.nn.utils.rnn.pad_sequence
    features, grades = zip(*rows, strict=True)
    whole = pad(grades, batch_first=True, padding_value=-1)
    batch = {"features": pad(features, batch_first=True), "grades": whole}
    return {**batch, "targets": targets(whole, objective="GAP", grades=2)}


def loader(rows: list[tuple[Any, Any]]) -> Any:
    return torch.utils.data.DataLoader(rows, batch_size=5, collate_fn=padded)


class Ranker(lightning.LightningModule):  # type: ignore[misc,name-defined]
    """A linear ranker that learns by soft GAP."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = torch.nn.Linear(3, 1)
        torch.nn.init.constant_(self.weights.weight, -0.5)

    def forward(self, batch: dict[str, Any]) -> Any:
        return self.weights(batch["features"])[..., 0]

    def training_step(self, batch: dict[str, Any], batch_idx: int) -> Any:
        return soft_loss(self(batch), batch["targets"])

    def validation_step(self, batch: Any, batch_idx: int, dataloader_idx: int = 0) -> Any:
        return {"scores": self(batch), "grades": batch["grades"]}

    test_step = validation_step

    def configure_optimizers(self) -> Any:
        return torch.optim.Adam(self.parameters(), lr=0.1)


def trainer(folder: Path, *callbacks: Any, **options: Any) -> Any:
    return lightning.Trainer(
        default_root_dir=folder,
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=list(callbacks),
        **{"enable_checkpointing": False, **options},
    )


def by_gradewise(model: Ranker, rows: list[tuple[Any, Any]], measure: str) -> float:
    """The mean over lists as runs are scored."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, (features, grades) in enumerate(rows):
        names = [f"d{place}" for place in range(len(grades))]
        scores = model({"features": features}).tolist()
        qrels[f"t{number}"] = dict(zip(names, grades.tolist(), strict=True))
        run[f"t{number}"] = dict(zip(names, scores, strict=True))
    return gw.evaluate(qrels, {"ours": run}, measure)["ours", measure]


def test_training_is_validated_by_measures(tmp_path: Path) -> None:
    train, held_out = lists(0), lists(1)
    best = ModelCheckpoint(tmp_path, monitor="val_nDCG@5", mode="max")
    stop = EarlyStopping("val_GAP", mode="max", patience=3)
    measures = {"nDCG@5": "nDCG@5", "GAP": G}
    fitting = trainer(
        tmp_path, RankingValidation(measures), best, stop, max_epochs=6, enable_checkpointing=True
    )
    model = Ranker()
    before = by_gradewise(model, held_out, G)
    fitting.fit(model, loader(train), loader(held_out))
    found = fitting.callback_metrics
    assert float(found["val_GAP"]) == pytest.approx(by_gradewise(model, held_out, G), abs=1e-6)
    assert float(found["val_GAP"]) > before + 0.1
    assert best.best_model_score is not None
    loaded = Ranker.load_from_checkpoint(best.best_model_path)
    expected = by_gradewise(loaded, held_out, "nDCG@5")
    assert float(best.best_model_score) == pytest.approx(expected, abs=1e-6)


class Flat(Ranker):
    """A ranker whose batches hold documents of all topics, in any order."""

    def validation_step(self, batch: Any, batch_idx: int, dataloader_idx: int = 0) -> Any:
        features, grades, topics = batch
        return {
            "scores": self({"features": features}),
            "grades": grades,
            "topics": topics,
        }

    test_step = validation_step


def test_topics_may_be_spread_over_batches(tmp_path: Path) -> None:
    rows, model = lists(2), Flat()
    topic = torch.cat([torch.full((len(g),), n) for n, (_, g) in enumerate(rows)])
    columns = torch.cat([f for f, _ in rows]), torch.cat([g for _, g in rows]), topic
    order = torch.randperm(len(topic))
    data = torch.utils.data.TensorDataset(*[column[order] for column in columns])
    testing = trainer(tmp_path, RankingValidation("nDCG@5,AP"))
    (found,) = testing.test(model, torch.utils.data.DataLoader(data, batch_size=7), verbose=False)
    assert set(found) == {"test_nDCG@5", "test_AP"}
    for name in ("nDCG@5", "AP"):
        assert found[f"test_{name}"] == pytest.approx(by_gradewise(model, rows, name), abs=1e-6)


def test_several_loaders_have_their_own_values(tmp_path: Path) -> None:
    parts, model = [lists(3), lists(4)], Ranker()
    checking = trainer(tmp_path, RankingValidation(["AP"]))
    checking.validate(model, [loader(rows) for rows in parts], verbose=False)
    for place, rows in enumerate(parts):
        value = float(checking.callback_metrics[f"val_AP/dataloader_idx_{place}"])
        assert value == pytest.approx(by_gradewise(model, rows, "AP"), abs=1e-6)


class Odd(Ranker):
    """A ranker whose step does not return what is scored."""

    returned: Any = None

    def validation_step(self, batch: Any, batch_idx: int, dataloader_idx: int = 0) -> Any:
        return self.returned


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "validation_step must return a mapping with scores and grades, not NoneType"),
        ({"loss": 1.0}, r"not \['loss'\]"),
    ],
)
def test_a_step_that_returns_something_else(returned: Any, message: str, tmp_path: Path) -> None:
    model = Odd()
    model.returned = returned
    with pytest.raises(gw.InputError, match=message):
        trainer(tmp_path, RankingValidation("AP")).validate(model, loader(lists(5)), verbose=False)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Lightning logs what hardware there is."""
    import logging

    logger = logging.getLogger("lightning.pytorch")
    level = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(level)


def test_measures_are_checked_at_once() -> None:
    assert list(RankingValidation(["AP,P@5", gw.nDCG @ 10]).measures) == ["AP", "P@5", "nDCG@10"]
    with pytest.raises(gw.MeasureError):
        RankingValidation("nDCGG@10")
