"""Named user models: INST and INSQ, BPM, and the relatives of ERR that C/W/L admits."""

from typing import ClassVar

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.errors import MeasureError
from gradewise.measures.cwl import GAINS, UserModel, unit_gains
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.parameters import Gains
from gradewise.measures.references import (
    AZZOPARDI_2021,
    MOFFAT_2012,
    MOFFAT_2015,
    ZHANG_2017,
)
from gradewise.measures.registry import register


def _by_cwl_eval(name: str) -> tuple[str, ...]:
    """Say how the measure of cwl_eval is written, which looks no further than rank 1000."""
    return (
        f"cwl_eval and ir_measures end every walk at rank 1000: their {name}(max_rel=4) is "
        f"`{name}(max_grade=4)@1000`.",
    )


@register
class INST(UserModel):
    """Gain per document of a user who hopes for a gain T, and adapts to what is found.

    Definition
    ----------
    INST = Σ_n V(n) h(r_n) / Σ_n V(n), where V(n) = Π_{m < n} C(m) is the chance of reaching rank n
    and C(n) = ((n + 2T - G(n) - 1) / (n + 2T - G(n)))², with G(n) = Σ_{m <= n} h(r_m) the gain so
    far. Both sums have no last rank: ranks below the list are seen and not relevant. With a
    cutoff k, every user stops at rank k. Gains are divided by the highest, so that they are at
    most 1. T is at least 0.5.

    Examples
    --------
    Down to rank 2, C(1) = ((1 + 2 - 1 - 1) / (1 + 2 - 1))² = 1/4: 1 / (1 + 1/4).

    >>> import gradewise as gw
    >>> gw.score("INST(T=1)@2", grades=[1, 0], relevant={1: 2})
    0.8
    """

    T: float = 1.0
    named = "inst"
    highest = 1.0
    differs = _by_cwl_eval("INST")
    references = (MOFFAT_2015,)

    def check(self) -> None:
        """Raise a MeasureError if T is so small that chances would leave 0..1."""
        if self.T < 0.5:
            raise MeasureError(f"INST: T must be at least 0.5, not {self.T}")


@register
class INSQ(GainDiscount):
    """Gain per document of a user who hopes for a gain T, whatever is found.

    Definition
    ----------
    INSQ = Σ_n h(r_n) / (n + 2T - 1)² / Σ_n 1 / (n + 2T - 1)². Both sums have no last rank: ranks
    below the list are seen and not relevant. With a cutoff k, every user stops at rank k. It is the
    C/W/L measure with C(n) = ((n + 2T - 1) / (n + 2T))². Gains are divided by the highest.

    Examples
    --------
    Down to rank 2 with T = 1: (1/4) / (1/4 + 1/9).

    >>> import gradewise as gw
    >>> round(gw.score("INSQ(T=1)@2", grades=[1, 0], relevant={1: 2}), 4)
    0.6923
    """

    T: float = 1.0
    gains: Gains = None
    max_grade: int | None = None
    static = True
    meanings: ClassVar[dict[str, str]] = {"gains": GAINS}
    beyond_end = UserModel.beyond_end
    differs = _by_cwl_eval("INSQ")
    references = (MOFFAT_2012,)

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level, from 0 to 1."""
        return unit_gains(self.gains, self.max_grade, lists)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return W(n), so that all ranks together weigh 1."""
        return 1 / (rank + 2 * self.T - 1) ** 2 / self._all_ranks()

    def _all_ranks(self) -> float:
        """Return Σ_n 1 / (n + 2T - 1)² down to the cutoff: ζ(2, 2T) less the tail."""
        from scipy.special import zeta

        tail = 0.0 if self.cutoff is None else zeta(2, 2 * self.T + self.cutoff)
        return float(zeta(2, 2 * self.T) - tail)

    def tail_weight(self, size: int) -> float:
        """Return the weight of the ranks below a list, if there is no cutoff."""
        from scipy.special import zeta

        if self.cutoff is not None:
            return 0.0
        return float(zeta(2, 2 * self.T + size)) / self._all_ranks()


@register
class BPM(UserModel):
    """Gain per document of a user who stops at a gain of T, or at rank k.

    Definition
    ----------
    BPM@k = Σ_{n <= s} h(r_n) / s, where s is the first rank down to which Σ_{m <= n} h(r_m) >= T,
    and k if there is none before it. Gains are divided by the highest. This is the static
    bejeweled player model.

    Examples
    --------
    The user stops at rank 3, where two documents are gained:

    >>> import gradewise as gw
    >>> round(gw.score("BPM(T=2)@10", grades=[1, 0, 1, 1], relevant={1: 3}), 4)
    0.6667
    """

    T: float = 1.0
    named = "bpm"
    cutoff_rule = "required"
    highest = 1.0
    references = (ZHANG_2017,)


@register
class NERR8(UserModel):
    """Gain per document of ERR's user, who stops when satisfied, or at rank k.

    Definition
    ----------
    NERR8@k = Σ_{n <= k} V(n) h(r_n) / Σ_{n <= k} V(n), where V(n) = Π_{m < n} C(m) and
    C(n) = 1 - h(r_n). Gains are divided by the highest, so that everybody stops at the highest
    grade. It is equation 8 of the paper.

    Examples
    --------
    Grade 1 of 2 satisfies half of the users: (1/2 + 1/2 · 1) / (1 + 1/2).

    >>> import gradewise as gw
    >>> round(gw.score("NERR8@2", grades=[1, 2], relevant={1: 1, 2: 1}), 4)
    0.6667
    """

    named = "nerr8"
    cutoff_rule = "required"
    highest = 1.0
    references = (AZZOPARDI_2021,)


@register
class NERR9(UserModel):
    """Gain per document of ERR's user, who is also less likely to go on from the first ranks.

    Definition
    ----------
    NERR9@k = Σ_{n <= k} V(n) h(r_n) / Σ_{n <= k} V(n), where V(n) = Π_{m < n} C(m) and
    C(n) = (n / (n + 1)) (1 - h(r_n)). Gains are divided by the highest. It is equation 9 of the
    paper.

    Examples
    --------
    C(1) = 1/2 · 1/2: (1/2 + 1/4 · 1) / (1 + 1/4).

    >>> import gradewise as gw
    >>> gw.score("NERR9@2", grades=[1, 2], relevant={1: 1, 2: 1})
    0.6
    """

    named = "nerr9"
    cutoff_rule = "required"
    highest = 1.0
    references = (AZZOPARDI_2021,)


@register
class NERR10(UserModel):
    """Gain per document of a user who stops when satisfied, and has the patience of RBP.

    Definition
    ----------
    NERR10 = Σ_n V(n) h(r_n) / Σ_n V(n), where V(n) = Π_{m < n} C(m) and C(n) = p (1 - h(r_n)).
    Both sums have no last rank; with a cutoff k, every user stops at rank k. Gains are divided by
    the highest. It is equation 10 of the paper.

    Examples
    --------
    C(1) = 0.9 · 1/2: (1/2 + 0.45 · 1) / (1 + 0.45).

    >>> import gradewise as gw
    >>> round(gw.score("NERR10", grades=[1, 2], relevant={1: 1, 2: 1}), 4)
    0.6552
    """

    p: float = 0.9
    named = "nerr10"
    highest = 1.0
    references = (AZZOPARDI_2021,)


@register
class NERR11(UserModel):
    """Gain per document of a user who stops when satisfied, and hopes for a gain T as INSQ's.

    Definition
    ----------
    NERR11 = Σ_n V(n) h(r_n) / Σ_n V(n), where V(n) = Π_{m < n} C(m) and
    C(n) = ((n + 2T - 1) / (n + 2T))² (1 - h(r_n)). Both sums have no last rank; with a
    cutoff k, every user stops at rank k. Gains are divided by the highest. It is equation 11 of the
    paper.

    Examples
    --------
    C(1) = (2/3)² · 1/2: (1/2 + 2/9 · 1) / (1 + 2/9).

    >>> import gradewise as gw
    >>> round(gw.score("NERR11", grades=[1, 2], relevant={1: 1, 2: 1}), 4)
    0.5909
    """

    T: float = 1.0
    named = "nerr11"
    highest = 1.0
    differs = _by_cwl_eval("NERR11")
    references = (AZZOPARDI_2021,)
