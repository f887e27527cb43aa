"""Measures: two families, the others, the grammar that names them and the registry."""

# Importing a module of measures registers them.
from gradewise.measures import (  # noqa: F401
    average_precision,
    counts,
    cumulated_gain,
    first_relevant,
    gain_ratios,
    generalized_average_precision,
    graded_average_precision,
    half_life,
    incomplete,
    interpolated,
    precision,
    rank_biased,
    score_distance,
    sets,
    trec_gains,
    whole_ranking,
)
