"""Running sums within lists: S(i) = Σ values of the list of i down to i, added up one by one.

A difference of two sums over all lists would do for whole numbers. With others, what rounding
leaves of it depends on the lists before.
"""

from libc.stdint cimport int64_t

import numpy as np


def running_sums(const int64_t[::1] lists, const double[::1] values):
    """Return, for each value, the sum of its list down to it; lists[i] is the list of value i.

    The values of a list are neighbors.
    """
    cdef Py_ssize_t i, size = len(values)
    if len(lists) != size:
        raise ValueError("lists and values do not fit")
    result = np.empty(size)
    cdef double[::1] out = result
    cdef double total = 0.0
    with nogil:
        for i in range(size):
            if i == 0 or lists[i] != lists[i - 1]:
                total = 0.0
            total = total + values[i]
            out[i] = total
    return result
