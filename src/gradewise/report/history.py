"""The section on releases: how runs moved from one to the next."""

from typing import Any

import numpy as np

from gradewise.arrays import AnyArray
from gradewise.report.packing import pack
from gradewise.stats.measure_releases import MeasureReleases
from gradewise.stats.release_comparison import ReleaseComparison


def history_content(found: ReleaseComparison) -> dict[str, Any]:
    """Return the comparison as the page takes it."""
    return {
        "releases": list(found.releases),
        "measures": [_measure_content(part) for part in found.parts],
        "notes": list(found.notes),
        "explanation": found.explanation(),
        "level": found.level,
    }


def _measure_content(part: MeasureReleases) -> dict[str, Any]:
    steps, whole = part.steps, part.whole
    return {
        "name": str(part.measure),
        "lower": not part.measure.higher_is_better,
        "runs": list(part.runs),
        "findings": part.findings(),
        "mean": _numbers(part.mean),
        "topics": pack(part.topics, "i4"),
        "previous": pack(part.previous, "i4"),
        "change": _numbers(steps.change),
        "low": _numbers(steps.low),
        "high": _numbers(steps.high),
        "shared": pack(steps.shared, "i4"),
        "paired": pack(steps.paired, "u1"),
        "p": _numbers(part.corrected),
        "significant": pack(part.significant, "u1"),
        "whole": {
            "change": _numbers(whole.change),
            "low": _numbers(whole.low),
            "high": _numbers(whole.high),
            "shared": pack(whole.shared, "i4"),
            "paired": pack(whole.paired, "u1"),
        },
    }


def _numbers(values: AnyArray) -> dict[str, Any]:
    return pack(np.asarray(values, np.float64), "f4")
