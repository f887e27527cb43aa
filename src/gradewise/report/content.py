"""The content of a report: all its numbers, ready to be packed into one file."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np

from gradewise.arrays import AnyArray, Floats, Ints
from gradewise.collection.coverage import DEPTHS, Coverage
from gradewise.collection.judged import Judged
from gradewise.measures.evaluate import score_judged
from gradewise.measures.scores import Scores
from gradewise.meta.correlation import constant_notes
from gradewise.report.packing import pack, pack_bits
from gradewise.report.sources import Source
from gradewise.report.standings import ALPHA, LEVEL, Standings
from gradewise.report.top_distances import MEASURE as DISTANCE_MEASURE
from gradewise.report.top_distances import Lead
from gradewise.report.verdict import Verdict
from gradewise.stats.correlations import tau_matrix
from gradewise.stats.intervals import t_quantile

REFERENCES: Final = ("AP", "nDCG")  # what the explorer compares graded measures with
CURVE_DEPTHS: Final = (1, 2, 3, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000)


@dataclass(frozen=True, eq=False)
class Findings:
    """The results that a report shows of a set of topics; without judgments there are fewer."""

    name: str
    title: str
    summary: list[str]
    shown: Judged | None  # the lists of the topics that the page shows, all or a sample
    places: Ints | None  # of the sample
    scores: Scores
    fit: Coverage | None
    standings: list[Standings]
    triangles: Floats | None
    best: str
    leads: list[Lead]
    sources: list[Source]
    command: str
    settings: dict[str, str]
    versions: dict[str, str]
    warnings: list[str]
    verdicts: list[Verdict] = field(default_factory=list)
    judges: dict[str, Any] | None = None
    groups: dict[str, Any] | None = None
    history: dict[str, Any] | None = None

    def of_shown(self, table: AnyArray) -> AnyArray:
        """Return what the page shows of a table [run, topic, ...]."""
        return table if self.places is None else table[:, self.places]

    def shown_places(self) -> Iterable[int]:
        """Return the places of the topics that the page shows."""
        return range(len(self.scores.topics)) if self.places is None else self.places.tolist()


def page_content(found: Findings) -> dict[str, Any]:
    """Return everything that the page shows, as what JSON can hold."""
    scores, shown, fit = found.scores, found.shown, found.fit
    values, counts = found.of_shown(scores.values), found.of_shown(scores.counted)
    topics = [scores.topics[place] for place in found.shown_places()]
    return {
        "name": found.name,
        "title": found.title,
        "summary": found.summary,
        "runs": list(scores.runs),
        "topics": topics,
        "topic_count": len(scores.topics),
        "judged": None if fit is None else fit.judged.counts.sum(axis=0).tolist(),
        "measures": [str(measure) for measure in scores.measures],
        "lower": [not measure.higher_is_better for measure in scores.measures],
        "grades": [] if shown is None else shown.scale.tolist(),
        "counts": None if shown is None else pack(shown.counts, "i4"),
        "values": pack(np.moveaxis(values, 2, 0), "f4"),
        "counted": None if counts.all() else pack(counts, "u1"),
        **_board(found.standings),
        "quantiles": pack(t_quantile(np.arange(2, len(topics) + 1), LEVEL), "f8"),
        "explorer": _explorer(found),
        "tau": _agreement(scores),
        "coverage": None if fit is None else _coverage(fit),
        "distance": _distance(found),
        "verdicts": [verdict.content() for verdict in found.verdicts],
        "judges": found.judges,
        "groups": found.groups,
        "history": found.history,
        "made": _made(found),
    }


def _board(parts: list[Standings]) -> dict[str, Any]:
    pairs = np.triu_indices(len(parts[0].mean), 1)
    return {
        "means": pack([part.mean for part in parts], "f8"),
        "low": pack([part.low for part in parts], "f8"),
        "high": pack([part.high for part in parts], "f8"),
        "letters": [None if part.letters is None else list(part.letters) for part in parts],
        "tiers": [None if part.tiers is None else list(part.tiers) for part in parts],
        "meaning": [part.meaning for part in parts],
        "differs": [pack_bits(part.differs[pairs]) for part in parts],
        "compared": [part.topics for part in parts],
        "alpha": ALPHA,
        "level": LEVEL,
    }


def _explorer(found: Findings) -> dict[str, Any] | None:
    if found.shown is None or found.triangles is None:
        return None
    references = score_judged(found.shown, REFERENCES)
    references = replace(references, counted=found.of_shown(found.scores.counted))
    means = references.summary()
    return {
        "triangles": pack(found.triangles, "f4"),
        "references": dict(zip(REFERENCES, (pack(m, "f8") for m in means.T), strict=True)),
    }


def _agreement(scores: Scores) -> dict[str, Any]:
    """Return τ of every two measures over runs; None where it is undefined."""
    means = np.nan_to_num(scores.summary().T)
    tau = tau_matrix(means) if len(scores.runs) > 1 else np.full((len(means), len(means)), np.nan)
    names = [str(measure) for measure in scores.measures]
    notes = constant_notes(names, means) if len(scores.runs) > 1 else ()
    rows = [[None if value != value else round(value, 6) for value in row] for row in tau.tolist()]
    return {"values": rows, "notes": list(notes)}


def _coverage(fit: Coverage) -> dict[str, Any]:
    longest = int(fit.judged.retrieved.max(initial=0))
    reached = sum(depth < longest for depth in CURVE_DEPTHS) + 1
    depths = [depth for depth in CURVE_DEPTHS[:reached] if depth <= max(longest, 1)]
    return {
        "matched": fit.matched.tolist(),
        "missing": fit.missing.tolist(),
        "extra": fit.extra.tolist(),
        "depths": list(DEPTHS),
        "unjudged": pack(fit.unjudged, "f4"),
        "curve_depths": depths,
        "curve": pack(1 - fit.unjudged_at(depths), "f4"),
    }


def _distance(found: Findings) -> dict[str, Any] | None:
    if not found.leads:
        return None
    rows = [
        {name: value if name == "run" else round(value, 6) for name, value in asdict(lead).items()}
        for lead in found.leads
    ]
    return {"measure": DISTANCE_MEASURE, "best": found.best, "rows": rows}


def _counted_pairs(runs: int) -> str:
    number = runs * (runs - 1) // 2
    return f"{number:,} pair{'' if number == 1 else 's'}"


def _made(found: Findings) -> dict[str, Any]:
    return {
        "versions": found.versions,
        "command": found.command,
        "settings": found.settings,
        "inputs": [[s.name, s.place, s.size, s.digest] for s in found.sources],
        "warnings": found.warnings,
        "pairs": _counted_pairs(len(found.scores.runs)),
    }
