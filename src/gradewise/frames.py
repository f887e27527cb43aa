"""Arrays with named axes as frames."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradewise.arrays import AnyArray, Ints
from gradewise.libraries import pl


def long_frame(axes: Mapping[str, Any], columns: Mapping[str, Any]) -> "pl.DataFrame":
    """Return arrays of the same shape as a frame with a row for each cell.

    Parameters
    ----------
    axes
        What stands along each axis of the arrays, which becomes a column: names, or an array of
        numbers.
    columns
        The arrays.

    Examples
    --------
    >>> import numpy as np
    >>> long_frame({"run": ["a", "b"], "rank": np.array([1, 2])}, {"gain": [[0, 3], [1, 0]]}).rows()
    [('a', 1, 0), ('a', 2, 3), ('b', 1, 1), ('b', 2, 0)]
    """
    sizes = [len(labels) for labels in axes.values()]
    places = np.indices(sizes).reshape(len(sizes), -1)
    along = {
        name: _spread(labels, place)
        for (name, labels), place in zip(axes.items(), places, strict=True)
    }
    return pl.DataFrame({**along, **{name: np.ravel(array) for name, array in columns.items()}})


def _spread(labels: Sequence[object] | AnyArray, place: Ints) -> "pl.Series":
    if isinstance(labels, np.ndarray):
        return pl.Series(values=labels[place])
    return pl.Series(values=list(map(str, labels)), dtype=pl.String).gather(place)
