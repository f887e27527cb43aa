"""What a report says about other judges of the same documents."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from gradewise.collection.accepted import QrelsLike
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError
from gradewise.measures.measure import Measure
from gradewise.meta.judging.agreement import JudgeAgreement, judge_agreement
from gradewise.meta.judging.coverage import powered_coverage
from gradewise.meta.judging.effect import JudgeEffect, judge_effect
from gradewise.meta.judging.judges import judges
from gradewise.meta.judging.panel import Panel

REFERENCE: Final = "qrels"  # what the report's own judgments are called beside the others
_STATISTICS: Final = ("agreement", "kappa", "kappa_quadratic", "alpha", "overlap")
_REPLICATES: Final = 300
_RESAMPLES: Final = 200
_NUMBERS: Final = (5, 10, 15, 20, 25, 30, 40, 50, 75, 100)


def make_panel(qrels: QrelsLike, others: Mapping[str, QrelsLike]) -> Panel:
    """Bring the judgments of a report and those of other judges together."""
    if REFERENCE in others:
        raise OptionError(f"a judge cannot be named {REFERENCE!r}, as the report's judgments are")
    return judges({REFERENCE: qrels, **others})


def judges_content(panel: Panel, judged: Judged, measures: Sequence[Measure]) -> dict[str, Any]:
    """Return what the page shows about judges, as what JSON can hold."""
    agreement = judge_agreement(panel, replicates=_REPLICATES)
    effect = None
    if len(judged.runs) > 1:
        effect = judge_effect(panel, judged, measures, replicates=_REPLICATES)
    return {
        "reference": panel.reference,
        "names": panel.others,
        "documents": len(panel),
        "notes": [*panel.notes, *(() if effect is None else effect.notes)],
        "agreement": _agreement(agreement),
        "confusion": _confusion(agreement),
        "bias": _bias(agreement),
        "effect": None if effect is None else _effect(effect),
        "widths": _widths(panel, judged, measures[0]),
    }


def _agreement(found: JudgeAgreement) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for row in found.frame.filter(judge_a=found.panel.reference).iter_rows(named=True):
        held = rows.setdefault(row["judge_b"], {"judge": row["judge_b"]})
        held["documents"] = row["documents"]
        if row["statistic"] in _STATISTICS:
            held[row["statistic"]] = _rounded([row["value"], row["low"], row["high"]])
    return list(rows.values())


def _confusion(found: JudgeAgreement) -> dict[str, Any]:
    content = {}
    for name in found.panel.others:
        pair = found.pair(found.panel.reference, name)
        table = found.confusion(found.panel.reference, name)
        content[name] = {
            "grades": pair.scale.tolist(),
            "table": table.tolist(),
            "note": pair.note,
        }
    return content


def _bias(found: JudgeAgreement) -> dict[str, list[dict[str, Any]]]:
    content: dict[str, list[dict[str, Any]]] = {name: [] for name in found.panel.others}
    for row in found.by_topic.filter(judge_a=found.panel.reference).iter_rows(named=True):
        value, kappa = _rounded([row["bias"], row["kappa_quadratic"]])
        told = {"topic": row["topic"], "documents": row["documents"], "bias": value, "kappa": kappa}
        content[row["judge_b"]].append(told)
    return content


def _effect(found: JudgeEffect) -> dict[str, Any]:
    rows = [
        {key: _plain(value) for key, value in row.items()}
        for row in found.frame.iter_rows(named=True)
    ]
    ranks = {
        judge: [found.ranks(measure, judge).tolist() for measure in found.measures]
        for judge in (found.reference, *found.judges)
    }
    steadiest = [
        {key: _plain(value) for key, value in row.items()}
        for row in found.by_measure.iter_rows(named=True)
    ]
    return {"rows": rows, "ranks": ranks, "measures": steadiest}


def _widths(panel: Panel, judged: Judged, measure: Measure) -> dict[str, Any] | None:
    """Return how wide intervals are if the report's judges had judged fewer topics."""
    common = int(np.all(panel.labels_of_topics > 0, axis=0).sum())
    numbers = [number for number in _NUMBERS if number < common]
    if not numbers:
        return None
    content: dict[str, Any] = {"measure": str(measure), "topics": common, "judges": {}}
    for name in panel.others:
        found = powered_coverage(
            panel, judged, [measure], model=name, numbers=numbers, resamples=_RESAMPLES
        )
        content["judges"][name] = [
            {key: _plain(value) for key, value in row.items() if key != "measure"}
            for row in found.frame.iter_rows(named=True)
        ]
    return content


def _plain(value: Any) -> Any:
    return _rounded([value])[0] if isinstance(value, float) else value


def _rounded(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None or value != value else round(value, 6) for value in values]
