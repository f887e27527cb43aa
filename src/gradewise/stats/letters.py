"""Groups of runs that do not differ significantly, as letters: runs in a group share a letter.

The compact letter display of Piepho (2004): begin with one group of all; for every pair that
differs, split the groups that hold both; drop groups that lie inside others. Many runs can have
more such groups than anybody can find; then as many are made as it takes for every two runs that
do not differ to share one. Groups are the bits of integers, which keeps hundreds of runs quick.
"""

from string import ascii_lowercase

import numpy as np

from gradewise.arrays import Bools

_MOST = 200  # groups, before only as many as needed are made


def letter_groups(differs: Bools) -> list[str]:
    """Return the letters of each run, given which pairs differ; runs come best first.

    Examples
    --------
    >>> import numpy as np
    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 2] = apart[2, 0] = True
    >>> letter_groups(apart)
    ['a', 'ab', 'b']
    """
    runs = len(differs)
    groups = [(1 << runs) - 1]
    for first, second in np.argwhere(np.triu(differs, 1)).tolist():
        groups = _split(groups, 1 << first, 1 << second)
        if len(groups) > _MOST:
            groups = _covering(differs)
            break
    groups.sort(key=lambda group: [run for run in range(runs) if group >> run & 1])
    return [
        "".join(letter(index) for index, group in enumerate(groups) if group >> run & 1)
        for run in range(runs)
    ]


def _split(groups: list[int], first: int, second: int) -> list[int]:
    both = first | second
    kept = [group for group in groups if group & both != both]
    for group in groups:
        if group & both == both:
            for part in (group ^ first, group ^ second):
                if not any(part & other == part for other in kept):
                    kept.append(part)
    return kept


def _covering(differs: Bools) -> list[int]:
    """Return groups without a pair that differs, such that all other pairs are in one of them."""
    runs = len(differs)
    alike = [sum(1 << int(run) for run in np.flatnonzero(~row)) for row in differs]
    missing = [group & ~(1 << run) for run, group in enumerate(alike)]  # pairs not in a group yet
    groups = [1 << run for run in range(runs) if not missing[run]]
    for run in range(runs):
        while missing[run]:
            partner = (missing[run] & -missing[run]).bit_length() - 1
            group = 1 << run | 1 << partner
            others = alike[run] & alike[partner] & ~group
            while others:
                new = others & missing[run] or others  # those that need the group most
                member = (new & -new).bit_length() - 1
                group |= 1 << member
                others &= alike[member] & ~(1 << member)
            for member in range(runs):
                if group >> member & 1:
                    missing[member] &= ~group
            groups.append(group)
    return groups


def letter(index: int) -> str:
    """Return a, b, ..., z, then a1, b1, ..."""
    turn, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
