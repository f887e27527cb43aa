"""Evaluation beyond one machine: the same values on Spark, on Dask and on files beyond memory.

`evaluate_bucket` scores a bucket of whole topics; the engines move data to it. They are imported
when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.scale import dask, local, spark
    from gradewise.scale.bucket import evaluate_bucket

_PLACES = {"evaluate_bucket": "gradewise.scale.bucket"}
_ENGINES = ("dask", "local", "spark")

__all__ = ["dask", "evaluate_bucket", "local", "spark"]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name in _ENGINES:
        return import_module(f"gradewise.scale.{name}")
    raise AttributeError(f"module 'gradewise.scale' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
