"""gradewise inside other tools; each module is imported, with its tool, when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.plugins import ir_measures, lightning, scikit_learn, torchmetrics

_ROOMS = ("ir_measures", "lightning", "scikit_learn", "torchmetrics")

__all__ = ["ir_measures", "lightning", "scikit_learn", "torchmetrics"]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"gradewise.plugins.{name}")
    raise AttributeError(f"module 'gradewise.plugins' has no attribute {name!r}")
