"""gradewise: graded relevance, measured, compared and learned.

The two nouns are Qrels (what was judged) and Run (what was retrieved); `evaluate` turns them into
Scores. Measures are values: `AP`, `nDCG @ 10`, `GAP(g=[0.5, 0.5])`. Everything is imported when it
is first used, so that `import gradewise` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradewise import measures

if TYPE_CHECKING:
    from gradewise import (
        clicks,
        distance,
        fusion,
        learn,
        meta,
        plugins,
        report,
        scale,
        simulate,
        stats,
    )
    from gradewise.clicks.reading import read_clicks
    from gradewise.collection.intent_weights import read_intent_weights
    from gradewise.collection.join import judge
    from gradewise.collection.judged import Judged
    from gradewise.collection.naming import read_runs
    from gradewise.collection.one_list import judge_list
    from gradewise.collection.preference_files import read_preferences
    from gradewise.collection.qrels import Qrels
    from gradewise.collection.reading import read_qrels, read_run
    from gradewise.collection.run import Run
    from gradewise.collection.session_runs import read_sessions
    from gradewise.collection.writing import write_qrels, write_run
    from gradewise.errors import GradewiseError, InputError, MeasureError
    from gradewise.fusion.fuse import fuse
    from gradewise.measures import *  # noqa: F403
    from gradewise.measures.catalog_coverage import catalog_coverage
    from gradewise.measures.curves import precision_recall
    from gradewise.measures.cwl import trace_user
    from gradewise.measures.evaluate import (
        evaluate,
        expectation,
        score,
        score_judged,
        swap_deltas,
        variance,
    )
    from gradewise.measures.grammar import parse_measure
    from gradewise.measures.propensity import grade_by_frequency
    from gradewise.measures.releases import read_releases
    from gradewise.measures.saved_scores import read_scores
    from gradewise.measures.scores import Scores
    from gradewise.measures.sliding_ratio import sliding_ratio
    from gradewise.plugins.scikit_learn import scorer
    from gradewise.stats.by_group import compare_groups
    from gradewise.stats.by_release import compare_releases
    from gradewise.stats.check import Check, check
    from gradewise.stats.compare import compare
    from gradewise.stats.comparison import Comparison
    from gradewise.stats.group_comparison import GroupComparison
    from gradewise.stats.release_comparison import ReleaseComparison

__version__ = "0.1.0"

_PLACES = {
    "Judged": "gradewise.collection.judged",
    "Qrels": "gradewise.collection.qrels",
    "Run": "gradewise.collection.run",
    "read_clicks": "gradewise.clicks.reading",
    "read_intent_weights": "gradewise.collection.intent_weights",
    "read_preferences": "gradewise.collection.preference_files",
    "read_qrels": "gradewise.collection.reading",
    "read_run": "gradewise.collection.reading",
    "read_runs": "gradewise.collection.naming",
    "read_sessions": "gradewise.collection.session_runs",
    "write_qrels": "gradewise.collection.writing",
    "write_run": "gradewise.collection.writing",
    "GradewiseError": "gradewise.errors",
    "InputError": "gradewise.errors",
    "MeasureError": "gradewise.errors",
    "fuse": "gradewise.fusion.fuse",
    "catalog_coverage": "gradewise.measures.catalog_coverage",
    "grade_by_frequency": "gradewise.measures.propensity",
    "precision_recall": "gradewise.measures.curves",
    "evaluate": "gradewise.measures.evaluate",
    "expectation": "gradewise.measures.evaluate",
    "judge": "gradewise.collection.join",
    "judge_list": "gradewise.collection.one_list",
    "score": "gradewise.measures.evaluate",
    "score_judged": "gradewise.measures.evaluate",
    "swap_deltas": "gradewise.measures.evaluate",
    "trace_user": "gradewise.measures.cwl",
    "variance": "gradewise.measures.evaluate",
    "parse_measure": "gradewise.measures.grammar",
    "read_scores": "gradewise.measures.saved_scores",
    "Scores": "gradewise.measures.scores",
    "sliding_ratio": "gradewise.measures.sliding_ratio",
    "scorer": "gradewise.plugins.scikit_learn",
    "Check": "gradewise.stats.check",
    "check": "gradewise.stats.check",
    "compare": "gradewise.stats.compare",
    "Comparison": "gradewise.stats.comparison",
    "GroupComparison": "gradewise.stats.group_comparison",
    "ReleaseComparison": "gradewise.stats.release_comparison",
    "compare_groups": "gradewise.stats.by_group",
    "compare_releases": "gradewise.stats.by_release",
    "read_releases": "gradewise.measures.releases",
}
_ROOMS = (
    "clicks",
    "distance",
    "fusion",
    "learn",
    "meta",
    "plugins",
    "report",
    "scale",
    "simulate",
    "stats",
)

__all__ = [
    "Check",
    "Comparison",
    "GradewiseError",
    "GroupComparison",
    "InputError",
    "Judged",
    "MeasureError",
    "Qrels",
    "ReleaseComparison",
    "Run",
    "Scores",
    "__version__",
    "catalog_coverage",
    "check",
    "clicks",
    "compare",
    "compare_groups",
    "compare_releases",
    "distance",
    "evaluate",
    "expectation",
    "fuse",
    "fusion",
    "grade_by_frequency",
    "judge",
    "judge_list",
    "learn",
    "measures",
    "meta",
    "parse_measure",
    "plugins",
    "precision_recall",
    "read_clicks",
    "read_intent_weights",
    "read_preferences",
    "read_qrels",
    "read_releases",
    "read_run",
    "read_runs",
    "read_scores",
    "read_sessions",
    "report",
    "scale",
    "score",
    "score_judged",
    "scorer",
    "simulate",
    "sliding_ratio",
    "stats",
    "swap_deltas",
    "trace_user",
    "variance",
    "write_qrels",
    "write_run",
]
__all__ += measures.__all__


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name in _ROOMS:
        return import_module(f"gradewise.{name}")
    if name in measures.__all__:
        return getattr(measures, name)
    raise AttributeError(f"module 'gradewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
