"""The content of a report: all its numbers, ready to be packed into one file."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.coverage import DEPTHS, Coverage
from gradewise.collection.judged import Judged
from gradewise.errors import counted
from gradewise.measures.evaluate import score_judged
from gradewise.measures.scores import Scores
from gradewise.meta.correlation import constant_notes, tied
from gradewise.report.packing import pack, pack_bits
from gradewise.report.sources import Source
from gradewise.report.standings import ALPHA, LEVEL, Standings
from gradewise.report.top_distances import MEASURE as DISTANCE_MEASURE
from gradewise.report.top_distances import Lead
from gradewise.stats.correlations import tau_matrix
from gradewise.stats.intervals import t_quantile

REFERENCES: Final = ("AP", "nDCG")  # what the explorer compares graded measures with
CURVE_DEPTHS: Final = (1, 2, 3, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000)


@dataclass(frozen=True, eq=False)
class Findings:
    """The results that a report shows."""

    title: str
    summary: list[str]
    judged: Judged
    scores: Scores
    fit: Coverage
    standings: list[Standings]
    triangles: Floats
    best: str
    leads: list[Lead]
    sources: list[Source]
    command: str
    settings: dict[str, str]
    versions: dict[str, str]
    warnings: list[str]


def page_content(found: Findings) -> dict[str, Any]:
    """Return everything that the page shows, as what JSON can hold."""
    scores, judged = found.scores, found.judged
    return {
        "title": found.title,
        "summary": found.summary,
        "runs": list(scores.runs),
        "topics": list(scores.topics),
        "measures": [str(measure) for measure in scores.measures],
        "grades": judged.scale.tolist(),
        "counts": pack(judged.counts, "i4"),
        "values": pack(np.moveaxis(scores.values, 2, 0), "f4"),
        "counted": None if scores.counted.all() else pack(scores.counted, "u1"),
        **_board(found.standings),
        "quantiles": pack(t_quantile(np.arange(2, len(scores.topics) + 1), LEVEL), "f8"),
        "explorer": _explorer(found),
        "tau": _agreement(scores),
        "coverage": _coverage(found.fit),
        "distance": _distance(found),
        "made": _made(found),
    }


def _board(parts: list[Standings]) -> dict[str, Any]:
    pairs = np.triu_indices(len(parts[0].mean), 1)
    return {
        "means": pack([part.mean for part in parts], "f8"),
        "low": pack([part.low for part in parts], "f8"),
        "high": pack([part.high for part in parts], "f8"),
        "letters": [None if part.letters is None else list(part.letters) for part in parts],
        "differs": [pack_bits(part.differs[pairs]) for part in parts],
        "compared": [part.topics for part in parts],
        "alpha": ALPHA,
        "level": LEVEL,
    }


def _explorer(found: Findings) -> dict[str, Any]:
    references = score_judged(found.judged, REFERENCES)
    means = Scores(
        references.runs,
        references.topics,
        references.measures,
        references.values,
        found.scores.counted,
    ).summary()
    return {
        "triangles": pack(found.triangles, "f4"),
        "references": dict(zip(REFERENCES, (pack(m, "f8") for m in means.T), strict=True)),
    }


def _agreement(scores: Scores) -> dict[str, Any]:
    """Return τ of every two measures over runs; None where it is undefined."""
    means = tied(np.nan_to_num(scores.summary().T))
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
        {
            "run": lead.run,
            "known": round(lead.known, 6),
            "low": round(lead.low, 6),
            "high": round(lead.high, 6),
            "distance": round(lead.distance, 6),
        }
        for lead in found.leads
    ]
    return {"measure": DISTANCE_MEASURE, "best": found.best, "rows": rows}


def _made(found: Findings) -> dict[str, Any]:
    return {
        "versions": found.versions,
        "command": found.command,
        "settings": found.settings,
        "inputs": [[s.name, s.place, s.size, s.digest] for s in found.sources],
        "warnings": found.warnings,
        "pairs": counted(len(found.scores.runs) * (len(found.scores.runs) - 1) // 2, "pair"),
    }
