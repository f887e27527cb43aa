"""What tuning found: weights, and how well they did on topics that they were not chosen on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gradewise.arrays import Floats
from gradewise.collection.accepted import RunsLike
from gradewise.collection.run import Run
from gradewise.errors import counted
from gradewise.fusion.fuse import fuse
from gradewise.fusion.methods import METHODS, Method
from gradewise.fusion.normalizations import Normalize
from gradewise.measures.measure import Measure
from gradewise.stats.intervals import t_interval
from gradewise.tables import Table

TUNED, EQUAL = "tuned", "equal weights"


@dataclass(frozen=True)
class Setting:
    """Weights by run, and parameters of the method."""

    weights: Mapping[str, float]
    parameters: Mapping[str, float]

    def __str__(self) -> str:
        parts = [f"{run} {weight:.3g}" for run, weight in self.weights.items()]
        return ", ".join(parts + [f"{name}={value:g}" for name, value in self.parameters.items()])


@dataclass(frozen=True, eq=False)
class Tuned:
    """The result of `tune`.

    `setting` was chosen on all topics and is for use on new ones. How good it is there is estimated
    by `values["tuned"]`: the value of each topic under the setting that was chosen without the
    topic's fold. `values` also holds the fusion with equal weights ("equal weights") and the single
    runs. `folds` holds the topics of each fold, and `fold_settings` what was chosen without them.
    """

    measure: Measure
    method: Method
    normalize: Normalize | None
    lists: Mapping[str, Any]  # depth, ties and seed
    setting: Setting
    topics: tuple[str, ...]
    values: Mapping[str, Floats]
    folds: tuple[tuple[str, ...], ...]
    fold_settings: tuple[Setting, ...]
    tried: int

    def fuse(self, runs: RunsLike, *, name: str | None = None) -> Run:
        """Fuse runs of the same names with the setting."""
        options = {**self.lists, **self.setting.parameters}
        if METHODS[self.method].weighted:
            options["weights"] = self.setting.weights
        return fuse(runs, self.method, normalize=self.normalize, name=name, **options)

    def gain(self, system: str, *, level: float = 0.95) -> tuple[float, float, float]:
        """Return by how much the tuned fusion exceeds another system, with its t interval."""
        differences = self.values[TUNED] - self.values[system]
        low, high = t_interval(differences, level=level)
        return float(differences.mean()), float(low), float(high)

    def table(self, digits: int = 4, *, level: float = 0.95) -> Table:
        """Return the mean of each system, and how much the tuned fusion differs from it."""
        rows = []
        for system, values in self.values.items():
            cells = ["", ""]
            if system != TUNED:
                gain, low, high = self.gain(system, level=level)
                interval = f"[{low:+.{digits}f}, {high:+.{digits}f}]"
                cells = [f"{gain:+.{digits}f}", interval]
            rows.append([system, f"{values.mean():.{digits}f}", *cells])
        return Table(["system", str(self.measure), "tuned is", f"{level:.0%} interval"], rows)

    def to_text(self, *, digits: int = 4) -> str:
        """Return the table, the setting, and how values were found."""
        return (
            f"{self.table(digits).to_text()}"
            f"chosen on all {len(self.topics)} topics: {self.setting}\n"
            f"values of tuned are held out: {len(self.folds)} folds over topics, "
            f"{counted(self.tried, 'setting')} tried\n"
        )

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")
