"""Any measure as the validation of a Lightning trainer.

Examples
--------
What `validation_step` returns is scored when the epoch ends; checkpoints and early stopping see it:

    class Ranker(lightning.LightningModule):
        def validation_step(self, batch, batch_idx):
            return {"scores": self(batch["text"]), "grades": batch["grades"]}

    validation = RankingValidation(["nDCG@10", "GAP(g=[0.5,0.5])"])
    best = ModelCheckpoint(monitor="val_nDCG@10", mode="max")
    Trainer(callbacks=[validation, best]).fit(Ranker(), training_data, validation_data)
"""

from collections.abc import Iterable, Mapping
from typing import Any

from gradewise.errors import InputError, MissingDependencyError
from gradewise.learn.objectives import Grades, evaluating
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure

try:
    from lightning.pytorch.callbacks import Callback
except ImportError as _error:
    raise MissingDependencyError(
        str(_error.name).partition(".")[0], "lightning", "validating in Lightning"
    ) from None

from gradewise.plugins.torchmetrics import RankingMetric

__all__ = ["RankingValidation"]


class RankingValidation(Callback):  # type: ignore[misc]
    """Score validation and test topics by any measures, and log the means over topics.

    `validation_step` and `test_step` return a mapping with "scores" and "grades": padded tensors
    of shape (lists, documents), with "mask" if the grade of empty places is not `padding`; or flat
    ones, with the topic of each document, a whole number, in "topics". A topic may then be spread
    over batches and processes. The values are those of `RankingMetric`.

    Parameters
    ----------
    measures
        Measures, or a mapping from names to measures. Names in the log start with `val_` or
        `test_`; without a mapping, a measure is named as it is printed: `val_nDCG@10`.
    grades
        The positive grades of the scale, or how many there are, if what is validated may lack one.
    padding
        The grade that marks places without a document in padded tensors.
    seed
        Seed of the order of documents with equal scores, which is random.
    progress_bar
        Show the values in the progress bar.
    """

    def __init__(
        self,
        measures: MeasureLike | Iterable[MeasureLike] | Mapping[str, MeasureLike],
        *,
        grades: Grades = None,
        padding: float = -1,
        seed: int = 0,
        progress_bar: bool = False,
    ):
        super().__init__()
        self.measures, self.progress_bar = _named(measures), progress_bar
        self._options: dict[str, Any] = {"grades": grades, "padding": padding, "seed": seed}
        self._metrics: dict[tuple[int, str], RankingMetric] = {}

    def on_validation_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        """Forget what was predicted before."""
        self._metrics = {}

    def on_test_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        """Forget what was predicted before."""
        self._metrics = {}

    def on_validation_batch_end(
        self,
        trainer: Any,
        pl_module: Any,
        outputs: Any,
        batch: Any,
        batch_idx: int,
        dataloader_idx: int = 0,
    ) -> None:
        """Keep what `validation_step` returned."""
        self._add("validation_step", outputs, pl_module, dataloader_idx)

    def on_test_batch_end(
        self,
        trainer: Any,
        pl_module: Any,
        outputs: Any,
        batch: Any,
        batch_idx: int,
        dataloader_idx: int = 0,
    ) -> None:
        """Keep what `test_step` returned."""
        self._add("test_step", outputs, pl_module, dataloader_idx)

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Log the mean of each measure."""
        self._log("val_", trainer, pl_module, trainer.num_val_batches)

    def on_test_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Log the mean of each measure."""
        self._log("test_", trainer, pl_module, trainer.num_test_batches)

    def _add(self, step: str, outputs: Any, module: Any, loader: int) -> None:
        if not isinstance(outputs, Mapping) or not {"scores", "grades"} <= set(outputs):
            found = sorted(outputs) if isinstance(outputs, Mapping) else type(outputs).__name__
            raise InputError(f"{step} must return a mapping with scores and grades, not {found}")
        for name in self.measures:
            self._metric(loader, name, module).update(
                outputs["scores"],
                outputs["grades"],
                indexes=outputs.get("topics"),
                mask=outputs.get("mask"),
            )

    def _metric(self, loader: int, name: str, module: Any) -> RankingMetric:
        if (loader, name) not in self._metrics:
            made = RankingMetric(self.measures[name], **self._options)
            self._metrics[loader, name] = made.to(module.device)
        return self._metrics[loader, name]

    def _log(self, prefix: str, trainer: Any, module: Any, batches: Any) -> None:
        """Log what was kept; all processes take part, also those that saw nothing of a loader."""
        loaders = len(batches) if isinstance(batches, list) else 1
        for loader in range(loaders):
            suffix = f"/dataloader_idx_{loader}" if loaders > 1 else ""  # as Lightning has it
            for name in self.measures:
                metric = self._metric(loader, name, module)
                if metric.update_called or trainer.world_size > 1:
                    self.log(
                        f"{prefix}{name}{suffix}",
                        metric.compute(),
                        prog_bar=self.progress_bar,
                        add_dataloader_idx=False,
                        sync_dist=True,  # of values that are the same in all processes
                    )
        self._metrics = {}


def _named(
    measures: MeasureLike | Iterable[MeasureLike] | Mapping[str, MeasureLike],
) -> dict[str, Measure]:
    if isinstance(measures, Mapping):
        return {name: evaluating(measure) for name, measure in measures.items()}
    return {str(measure): evaluating(measure) for measure in as_measures(measures)}
