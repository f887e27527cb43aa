"""Simulated data of any size: collections with runs, and documents with features to train on."""

from gradewise.simulate.collections import Simulated, collection
from gradewise.simulate.documents import features

__all__ = ["Simulated", "collection", "features"]
