"""How runs moved from release to release under one measure: the numbers and what they say."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.measures.measure import Measure
from gradewise.stats.changes import Changes

_NAMED = 3  # releases named in a sentence


@dataclass(frozen=True, eq=False)
class MeasureReleases:
    """How runs moved from release to release by one measure.

    Runs are ordered by the last release, best first. Arrays are [run, release]; NaN, or 0 topics,
    where a release lacks a run. `previous` is the release that a change starts from, or -1; `whole`
    is the change of each run from its first to its last release.
    """

    measure: Measure
    releases: tuple[str, ...]
    runs: tuple[str, ...]
    mean: Floats
    topics: Ints
    previous: Ints
    steps: Changes
    corrected: Floats
    whole: Changes
    alpha: float

    @property
    def significant(self) -> Bools:
        """Which changes from release to release are significant, [run, release]."""
        return np.asarray(self.corrected <= self.alpha)

    @property
    def better(self) -> Bools:
        """Which changes are for the better, [run, release]."""
        sign = 1 if self.measure.higher_is_better else -1
        return np.asarray(sign * self.steps.change > 0)

    @property
    def changes_number(self) -> int:
        """How many changes are tested and corrected for."""
        return int((~np.isnan(self.steps.p)).sum())

    def findings(self) -> list[str]:
        """Return which changes are significant, and where topics changed, in sentences."""
        return [_significant_changes(self), *_topic_changes(self)]

    def frame(self) -> "pl.DataFrame":
        """Return a row for each run and each release that has it."""
        run, release = np.nonzero(self.topics)
        before, at = self.previous[run, release], (run, release)
        steps = self.steps
        numbers = {"change": steps.change, "low": steps.low, "high": steps.high, "p": steps.p}
        frame = pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(run),
                "run": [self.runs[place] for place in run],
                "release": [self.releases[place] for place in release],
                "topics": self.topics[at],
                "mean": self.mean[at],
                "since": [None if place < 0 else self.releases[place] for place in before],
                "shared": [
                    None if b < 0 else n for b, n in zip(before, steps.shared[at], strict=True)
                ],
                "paired": [
                    None if b < 0 else bool(n)
                    for b, n in zip(before, steps.paired[at], strict=True)
                ],
                **{name: values[at] for name, values in numbers.items()},
                "p_corrected": self.corrected[at],
                "significant": [
                    None if np.isnan(p) else bool(p <= self.alpha) for p in self.corrected[at]
                ],
            },
            schema_overrides={
                "since": pl.String,
                "shared": pl.Int64,
                "paired": pl.Boolean,
                "significant": pl.Boolean,
            },
        )
        return frame.with_columns(
            pl.col("change", "low", "high", "p", "p_corrected").fill_nan(None)
        )


def _significant_changes(part: MeasureReleases) -> str:
    """Return how many changes are significant, and the largest."""
    real = part.significant
    up, down = real & part.better, real & ~part.better
    number = counted(part.changes_number, "change")
    if part.changes_number == 1 and not real.any():
        return (
            f"{part.measure}: the one change from release to release is not significant: it may "
            "be due to the choice of topics."
        )
    if not real.any():
        return (
            f"{part.measure}: none of {number} from release to release is significant: they "
            "may be due to the choice of topics."
        )
    gains, losses = _counted(int(up.sum()), "gain"), _counted(int(down.sum()), "loss")
    verb = "is" if real.sum() == 1 else "are"
    told = f"{part.measure}: {int(real.sum())} of {number} from release to release {verb} "
    told += f"significant ({gains}, {losses})."
    size = np.where(real, np.abs(part.steps.change), -1.0)
    run, release = np.unravel_index(int(size.argmax()), size.shape)
    steps = part.steps
    told += (
        f" The largest is that of {part.runs[run]} in {part.releases[release]}: "
        f"{steps.change[run, release]:+.3f} "
        f"[{steps.low[run, release]:.3f}, {steps.high[run, release]:.3f}]."
    )
    return told


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number or 'no'} {noun}{'es' if noun.endswith('s') else 's'}"


def _topic_changes(part: MeasureReleases) -> list[str]:
    """Say which releases have other topics than the one before, and which are not paired."""
    steps, told = part.steps, []
    known = part.previous >= 0
    apart = known & ~steps.paired
    rows = np.arange(len(known))[:, None]
    before = part.topics[rows, part.previous]
    differ = known & steps.paired & ((steps.shared < part.topics) | (steps.shared < before))
    names = _listed(part.releases, np.asarray(differ.any(axis=0)))
    if names:
        told.append(f"Topics were added or removed in {names}: changes are over shared topics.")
    names = _listed(part.releases, np.asarray(apart.any(axis=0)))
    if names:
        told.append(
            f"Too few topics of {names} are shared with the previous release: means over different "
            "topics are compared there (Welch's test), which has less power."
        )
    return told


def _listed(releases: Sequence[str], chosen: Bools) -> str:
    names = [name for name, is_chosen in zip(releases, chosen, strict=True) if is_chosen]
    if len(names) > _NAMED:
        return f"{len(names)} releases, including {', '.join(names[:_NAMED])}"
    return ", ".join(names)
