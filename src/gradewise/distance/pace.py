"""How quick the loops of distances are, for who wants to know how far they have come."""

from gradewise.effort import advance

SUMS_PER_SECOND = 8e8  # of a walk


def tell_sums(number: float) -> None:
    """Tell that so many sums have been made."""
    advance(number / SUMS_PER_SECOND)
