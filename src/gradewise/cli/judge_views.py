"""What `gradewise judges` can show: a table of views, each a result as a frame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from gradewise.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

    from gradewise.collection.judged import Judged
    from gradewise.meta import Panel, SoftLabels

ViewName = Literal[
    "agreement",
    "confusion",
    "grades",
    "topics",
    "ranks",
    "bias",
    "documents",
    "effect",
    "measures",
    "flips",
    "variance",
    "labels",
    "scores",
    "powered",
    "sampled",
    "coverage",
    "intervals",
    "circularity",
]


@dataclass(frozen=True, eq=False)
class Asked:
    """What a user has asked for."""

    panel: "Panel"
    runs: dict[str, Any]
    measures: tuple[str, ...]
    method: Any
    truth: str | None
    model: str | None
    target: Any
    families: Sequence[str]
    level: float
    replicates: int
    seed: int
    ties: Any
    progress: Callable[[int], None] | None = None

    @cached_property
    def judged(self) -> "Judged":
        """The runs, joined with the documents of all judges."""
        return self.panel.join(self.runs, ties=self.ties, seed=self.seed)

    @property
    def resampling(self) -> dict[str, Any]:
        """Confidence level, bootstrap samples and seed."""
        return {"level": self.level, "replicates": self.replicates, "seed": self.seed}

    @property
    def the_model(self) -> str:
        """The judge who stands in for people."""
        if self.model is not None:
            return self.model
        if len(self.panel.others) > 1:
            raise OptionError(
                f"which judge is the model? Name it with --model: {', '.join(self.panel.others)}"
            )
        return self.panel.others[0]

    def labels(self, *, truth: str | None = None, without: str | None = None) -> "SoftLabels":
        """Combine the judges, without one of them."""
        from gradewise.meta import combine_judges

        known = self.truth or truth
        names = [name for name in self.panel.judges if name not in (known, without)]
        method: Any = self.method or ("dawid-skene" if known is None else "calibrated")
        return combine_judges(self.panel, method, judges=names, truth=known)


@dataclass(frozen=True, eq=False)
class Found:
    """A result: its frame, what a table of text shows instead, notes, and its figure."""

    frame: "pl.DataFrame"
    table: "pl.DataFrame | None" = None
    notes: Sequence[str] = ()
    figure: Callable[[Any], Any] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class View:
    """A view: how it is made, what it is, and whether it needs runs."""

    function: Callable[[Asked], Found]
    title: str
    runs: bool = False


def _agreement(asked: Asked) -> Found:
    import polars as pl

    from gradewise.meta import judge_agreement

    found = judge_agreement(asked.panel, **asked.resampling)
    whole = found.together.select(
        pl.lit("all").alias("judge_a"),
        pl.lit("all").alias("judge_b"),
        pl.lit(len(asked.panel), pl.Int64).alias("documents"),
        "statistic",
        "value",
        "low",
        "high",
    )
    frame = pl.concat([found.frame, whole], how="vertical_relaxed")
    shown = ("kappa", "kappa_quadratic", "alpha", "ac2", "overlap")
    kept = frame.filter(pl.col("statistic").is_in(shown))
    table = (
        kept.with_columns(cell=pl.Series(_cells(kept)))
        .pivot(on="statistic", index=["judge_a", "judge_b", "documents"], values="cell")
        .select("judge_a", "judge_b", "documents", *shown)
    )
    return Found(frame, table, found.notes, lambda figures: figures.confusion_map(found))


def _cells(frame: "pl.DataFrame") -> list[str | None]:
    rows = frame.select("value", "low", "high").rows()
    return [None if None in row else "{:.3f} [{:.3f}, {:.3f}]".format(*row) for row in rows]


def _parts_of_agreement(part: str) -> Callable[[Asked], Found]:
    def make(asked: Asked) -> Found:
        from gradewise.meta import judge_agreement

        found = judge_agreement(asked.panel, **asked.resampling)
        frame = getattr(found, part)
        if part in ("confusions", "by_topic"):
            frame = frame.filter(judge_a=asked.panel.reference)
        if part == "bias":
            return Found(frame, figure=lambda figures: figures.bias_by_topic(found))
        return Found(frame, notes=found.notes, figure=lambda figures: figures.confusion_map(found))

    return make


def _ranks(asked: Asked) -> Found:
    from gradewise.meta import judge_agreement

    found = judge_agreement(asked.panel, **asked.resampling)
    frame = found.by_region(asked.judged).filter(judge_a=asked.panel.reference)
    return Found(frame, notes=found.notes)


def _documents(asked: Asked) -> Found:
    from gradewise.meta import judge_agreement

    return Found(judge_agreement(asked.panel, replicates=2).documents(30))


def _effect(part: str) -> Callable[[Asked], Found]:
    def make(asked: Asked) -> Found:
        from gradewise.meta import judge_effect

        found = judge_effect(asked.panel, asked.judged, asked.measures, **asked.resampling)
        first = str(found.values.measures[0])
        draw: Callable[[Any], Any] = (
            (lambda figures: figures.measure_steadiness(found))
            if part == "by_measure"
            else (lambda figures: figures.rank_flips(found, first))
        )
        return Found(getattr(found, part), notes=found.notes, figure=draw)

    return make


def _variance(asked: Asked) -> Found:
    from gradewise.meta import variance_components

    found = variance_components(asked.panel, asked.judged, asked.measures)
    return Found(found.frame, notes=found.values.notes)


def _labels(asked: Asked) -> Found:
    labels = asked.labels()
    known = labels.judges
    rest = [name for name in asked.panel.judges if name not in known and name != asked.truth]
    notes = []
    for name in rest:
        quality = ", ".join(f"{key} {value:.3f}" for key, value in labels.quality(name).items())
        notes.append(f"labels against {name}: {quality}")
    return Found(labels.frame, notes=notes)


def _scores(asked: Asked) -> Found:
    from gradewise.meta import soft_scores

    labels = asked.labels()
    found = soft_scores(
        asked.judged, labels, asked.measures, level=asked.level, seed=asked.seed,
        progress=asked.progress,
    )  # fmt: skip
    return Found(found.frame)


def _powered(asked: Asked) -> Found:
    from gradewise.meta import powered_scores

    found = powered_scores(
        asked.panel, asked.judged, asked.measures, model=asked.the_model,
        target=asked.target or "future", level=asked.level,
    )  # fmt: skip
    return Found(found.frame, notes=found.notes)


def _sampled(asked: Asked) -> Found:
    from gradewise.meta import powered_documents

    found = powered_documents(
        asked.panel, asked.judged, asked.measures, model=asked.the_model,
        target=asked.target or "these", level=asked.level,
    )  # fmt: skip
    return Found(found.frame)


def _coverage(asked: Asked) -> Found:
    from gradewise.meta import powered_coverage

    topics = int((asked.panel.labels_of_topics > 0).all(axis=0).sum())
    numbers = [number for number in (5, 10, 15, 20, 30, 40, 60, 80) if number < topics]
    found = powered_coverage(
        asked.panel, asked.judged, asked.measures, model=asked.the_model, numbers=numbers,
        targets=(asked.target,) if asked.target else ("future", "these"),
        resamples=asked.replicates, level=asked.level, seed=asked.seed, progress=asked.progress,
    )  # fmt: skip
    return Found(found.frame, figure=lambda figures: figures.width_curves(found))


def _intervals(asked: Asked) -> Found:
    from gradewise.meta import topic_intervals

    people = asked.panel.reference
    found = topic_intervals(
        asked.judged, asked.labels(without=people), asked.measures, people=people,
        level=asked.level,
    )  # fmt: skip
    return Found(found.frame, notes=found.notes)


def _circularity(asked: Asked) -> Found:
    import polars as pl

    from gradewise.meta import circularity

    if not asked.families:
        raise OptionError("circularity needs families of runs; name them with --family")
    families: dict[str, str] = {}
    for prefix in asked.families:
        mine = [run for run in asked.runs if run.startswith(prefix)]
        if not mine:
            raise OptionError(f"--family {prefix}: no run's name starts with {prefix}")
        families |= dict.fromkeys(mine, prefix)
    found = circularity(
        asked.panel, asked.judged, asked.measures, families=families, **asked.resampling
    )
    return Found(found.frame.filter(pl.col("family").is_in(asked.families)))


VIEWS: dict[ViewName, View] = {
    "agreement": View(_agreement, "kappa, alpha, AC2 and overlap of each pair of judges"),
    "confusion": View(_parts_of_agreement("confusions"), "confusion matrices of grades"),
    "grades": View(_parts_of_agreement("by_grade"), "agreement grade by grade"),
    "topics": View(_parts_of_agreement("by_topic"), "agreement topic by topic"),
    "ranks": View(_ranks, "agreement by rank", runs=True),
    "bias": View(_parts_of_agreement("bias"), "who grades generously"),
    "documents": View(_documents, "the most disputed documents"),
    "effect": View(_effect("frame"), "rankings of runs under each judge", runs=True),
    "measures": View(_effect("by_measure"), "which measure depends least on the judge", runs=True),
    "flips": View(_effect("flips"), "differences that change with the judge", runs=True),
    "variance": View(_variance, "components of variance", runs=True),
    "labels": View(_labels, "all judges combined"),
    "scores": View(_scores, "scores under the combined labels", runs=True),
    "powered": View(_powered, "people on some topics, a model on all", runs=True),
    "sampled": View(_sampled, "people on some documents, a model on all", runs=True),
    "coverage": View(_coverage, "width and coverage if people judged fewer topics", runs=True),
    "intervals": View(_intervals, "intervals of single topics", runs=True),
    "circularity": View(_circularity, "whether judges favor families of runs", runs=True),
}
