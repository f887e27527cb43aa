"""How lists are ordered, cut and scored: checked where a call is made, and sent to workers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gradewise.collection.join import check_depth
from gradewise.collection.run_join import JoinRule
from gradewise.collection.ties import TIES, Ties
from gradewise.errors import check_choice
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure, refuse_sessions
from gradewise.measures.missing import MISSING, Missing
from gradewise.scale.sampling import check_share


@dataclass(frozen=True)
class Settings:
    """The measures, and the rules of `gradewise.evaluate`."""

    measures: tuple[Measure, ...]
    ties: Ties = "trec"
    seed: int = 0
    depth: int | None = None
    judged_only: bool = False
    missing: Missing = "zero"
    share: float = 1.0  # of the judged topics
    strict: bool = True  # whether problems are raised, or become rows

    @staticmethod
    def of(measures: MeasureLike | Iterable[MeasureLike], **rules: Any) -> "Settings":
        """Return settings whose measures and rules have been checked."""
        found = Settings(as_measures(measures), **rules)
        for measure in found.measures:
            measure.check_cutoff()
            refuse_sessions(measure, "they are scored on one machine only; use gw.evaluate")
        check_choice("ties", found.ties, TIES)
        check_choice("missing", found.missing, MISSING)
        check_depth(found.depth)
        check_share(found.share)
        return found

    @property
    def names(self) -> list[str]:
        """The names of the measures."""
        return [str(measure) for measure in self.measures]

    @property
    def rule(self) -> JoinRule:
        """How lists are joined with judgments."""
        scores = any(measure.uses_scores for measure in self.measures)
        return JoinRule(self.ties, self.seed, self.depth, scores)
