"""Compiling loops over documents with numba, which the extra `learn` brings."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from gradewise.errors import MissingDependencyError

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    from numba import njit
except ImportError:
    raise MissingDependencyError("numba", "learn", "training rankers") from None


def compiled(function: Function) -> Function:
    """Compile a function when it is first called; the result is kept on disk for later runs.

    Sums may be taken in another order, so that loops use the vector units.
    """
    return cast(Function, njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})(function))
