"""The library torch, or a sentence that says how to get it."""

from gradewise.errors import MissingDependencyError

try:
    import torch
except ImportError:
    raise MissingDependencyError("torch", "learn", "working with torch models") from None

__all__ = ["torch"]
