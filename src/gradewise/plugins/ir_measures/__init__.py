"""gradewise's measures in ir_measures, and therefore in PyTerrier.

Importing this module registers the measures with ir_measures' parser, and a provider that is
called "gradewise". Nothing of ir_measures is replaced.

Examples
--------
>>> import ir_measures
>>> from ir_measures import nDCG
>>> from gradewise.plugins.ir_measures import GAP
>>> qrels = {"1": {"a": 2, "b": 1}, "2": {"a": 1}}
>>> run = {"1": {"a": 3.0, "z": 2.0, "b": 1.0}, "2": {"z": 2.0, "a": 1.0}}
>>> measures = [GAP(g=[0.5, 0.5]), nDCG @ 10]
>>> found = ir_measures.calc_aggregate(measures, qrels, run)
>>> [(measure, round(found[measure], 4)) for measure in measures]
[(GAP(g='0.5,0.5'), 0.6944), (nDCG@10, 0.7906)]
>>> ir_measures.parse_measure("GAP(g='0.5,0.5')") == GAP(g=[0.5, 0.5])
True
"""

from typing import Any

from gradewise.errors import MissingDependencyError

try:
    import ir_measures as _theirs
    import pandas as _pandas  # noqa: F401 - ir_measures needs it for measures that it does not know
except ImportError as _error:
    raise MissingDependencyError(
        str(_error.name), "plugins", "using measures in ir_measures"
    ) from None

from gradewise.plugins.ir_measures.measures import PREFIX, GradewiseMeasure, register_all, wrap
from gradewise.plugins.ir_measures.provider import GradewiseProvider

_MEASURES = register_all()
provider = GradewiseProvider()  # type: ignore[no-untyped-call]
_theirs.providers.register(provider)

__all__ = ["GradewiseMeasure", "GradewiseProvider", "provider", "wrap"]
__all__ += list(_MEASURES)


def __getattr__(name: str) -> Any:
    if name in _MEASURES:
        return _MEASURES[name]
    if PREFIX + name in _MEASURES:
        raise AttributeError(
            f"ir_measures has {name} itself; gradewise's is {PREFIX}{name} in this module"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
