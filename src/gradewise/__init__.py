"""gradewise: graded relevance, measured, compared and learned.

The two nouns are Qrels (what was judged) and Run (what was retrieved); `evaluate` turns them into
Scores. Measures are values: `AP`, `nDCG @ 10`, `GAP(g=[0.5, 0.5])`. Everything is imported when it
is first used, so that `import gradewise` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradewise import measures

if TYPE_CHECKING:
    from gradewise import distance, learn, meta, report, simulate, stats
    from gradewise.collection.join import judge
    from gradewise.collection.judged import Judged
    from gradewise.collection.one_list import judge_list
    from gradewise.collection.qrels import Qrels
    from gradewise.collection.reading import read_qrels, read_run
    from gradewise.collection.run import Run
    from gradewise.collection.writing import write_qrels, write_run
    from gradewise.errors import GradewiseError, InputError, MeasureError
    from gradewise.measures import *  # noqa: F403
    from gradewise.measures.curves import precision_recall
    from gradewise.measures.evaluate import (
        evaluate,
        expectation,
        score,
        score_judged,
        swap_deltas,
    )
    from gradewise.measures.grammar import parse_measure
    from gradewise.measures.scores import Scores
    from gradewise.stats.compare import compare
    from gradewise.stats.comparison import Comparison

__version__ = "0.1.0"

_PLACES = {
    "Judged": "gradewise.collection.judged",
    "Qrels": "gradewise.collection.qrels",
    "Run": "gradewise.collection.run",
    "read_qrels": "gradewise.collection.reading",
    "read_run": "gradewise.collection.reading",
    "write_qrels": "gradewise.collection.writing",
    "write_run": "gradewise.collection.writing",
    "GradewiseError": "gradewise.errors",
    "InputError": "gradewise.errors",
    "MeasureError": "gradewise.errors",
    "precision_recall": "gradewise.measures.curves",
    "evaluate": "gradewise.measures.evaluate",
    "expectation": "gradewise.measures.evaluate",
    "judge": "gradewise.collection.join",
    "judge_list": "gradewise.collection.one_list",
    "score": "gradewise.measures.evaluate",
    "score_judged": "gradewise.measures.evaluate",
    "swap_deltas": "gradewise.measures.evaluate",
    "parse_measure": "gradewise.measures.grammar",
    "Scores": "gradewise.measures.scores",
    "compare": "gradewise.stats.compare",
    "Comparison": "gradewise.stats.comparison",
}
_ROOMS = ("distance", "learn", "meta", "report", "simulate", "stats")

__all__ = [
    "Comparison",
    "GradewiseError",
    "InputError",
    "Judged",
    "MeasureError",
    "Qrels",
    "Run",
    "Scores",
    "__version__",
    "compare",
    "distance",
    "evaluate",
    "expectation",
    "judge",
    "judge_list",
    "learn",
    "measures",
    "meta",
    "parse_measure",
    "precision_recall",
    "read_qrels",
    "read_run",
    "report",
    "score",
    "score_judged",
    "simulate",
    "stats",
    "swap_deltas",
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
