"""Distances between rankings: maximized effectiveness distance and rank-biased overlap."""

from gradewise.distance.greedy import greedy_ap
from gradewise.distance.judge_next import Wanted, judge_next
from gradewise.distance.matrix import Distances, med_matrix
from gradewise.distance.med import med
from gradewise.distance.rbo import Overlap, Overlaps, Rbo, rbo, rbo_matrix
from gradewise.distance.result import Med, TopicDistance
from gradewise.distance.shortfall import greedy_shortfall, random_shortfall

__all__ = [
    "Distances",
    "Med",
    "Overlap",
    "Overlaps",
    "Rbo",
    "TopicDistance",
    "Wanted",
    "greedy_ap",
    "greedy_shortfall",
    "judge_next",
    "med",
    "med_matrix",
    "random_shortfall",
    "rbo",
    "rbo_matrix",
]
