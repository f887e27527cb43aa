"""Fusion: several runs combined into one."""

from gradewise.fusion.fuse import fuse
from gradewise.fusion.methods import METHODS
from gradewise.fusion.normalizations import NORMALIZATIONS
from gradewise.fusion.tuned import Setting, Tuned
from gradewise.fusion.tuning import tune

__all__ = ["METHODS", "NORMALIZATIONS", "Setting", "Tuned", "fuse", "tune"]
