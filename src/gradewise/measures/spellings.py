"""How results spell the names of measures: in full, or plainly, for tools that restrict names."""

import re
from collections.abc import Sequence
from typing import Literal

from gradewise.choices import Choice, choose
from gradewise.errors import MeasureError
from gradewise.measures.measure import Measure

Spelling = Literal["full", "plain"]


def plain_name(measure: Measure) -> str:
    """Return a name of letters, digits, dots, hyphens and underscores alone.

    Examples
    --------
    >>> import gradewise as gw
    >>> plain_name(gw.nDCG @ 10), plain_name(gw.GAP(g=[0.5, 0.5]) @ 100)
    ('nDCG_at_10', 'GAP_g_0.5_0.5_at_100')
    """
    name = str(measure).replace("@", "_at_")
    return re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII).strip("_").replace("__", "_")


SPELLINGS: dict[Spelling, Choice] = {
    "full": Choice(str, "as measures print"),
    "plain": Choice(plain_name, "with letters, digits, dots, hyphens and underscores alone"),
}


def spell(measures: Sequence[Measure], names: Spelling) -> list[str]:
    """Return the names of measures, all of them different."""
    spelled = [choose("names", names, SPELLINGS).function(measure) for measure in measures]
    for place, name in enumerate(spelled):
        if name in spelled[:place]:
            other = measures[spelled.index(name)]
            raise MeasureError(f"{other} and {measures[place]} would both be called {name}")
    return spelled
