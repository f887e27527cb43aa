"""Simulated data of any size: collections, runs, judges, clicks, and documents with features."""

from gradewise.simulate.clicks import clicks
from gradewise.simulate.collections import Simulated, collection
from gradewise.simulate.documents import features
from gradewise.simulate.judges import judges
from gradewise.simulate.systems import runs

__all__ = ["Simulated", "clicks", "collection", "features", "judges", "runs"]
