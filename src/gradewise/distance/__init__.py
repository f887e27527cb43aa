"""How far apart rankings are: the maximized effectiveness distance and rank-biased overlap."""

from gradewise.distance.greedy import greedy_ap
from gradewise.distance.med import med
from gradewise.distance.result import Med, TopicDistance

__all__ = ["Med", "TopicDistance", "greedy_ap", "med"]
