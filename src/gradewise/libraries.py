"""Libraries that take long to import: they are loaded when something of theirs is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from scipy import optimize, special
else:

    class _Library:
        """A library that is imported when an attribute of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    alt, pl = _Library("altair"), _Library("polars")
    optimize, special = _Library("scipy.optimize"), _Library("scipy.special")

__all__ = ["alt", "optimize", "pl", "special"]
