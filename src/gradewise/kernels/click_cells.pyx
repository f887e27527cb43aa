"""One step of EM for click models in which a click is examination times appeal.

P(click) = e(place) · a(pair): pair is a document of a topic, and place is its rank (position-based
model) or its rank and that of the last click above (user browsing model). Rows of the same pair and
place are one cell, with `shown` rows of which `clicked` are clicks. Given no click, the document was
examined with chance e (1 - a) / (1 - e a) and has appeal with chance a (1 - e) / (1 - e a).
"""

from libc.stdint cimport int32_t, int64_t


def update_cells(
    const int64_t[::1] edges,
    const int32_t[::1] place,
    const int32_t[::1] shown,
    const int32_t[::1] clicked,
    double[::1] appeal,
    const double[::1] seen,
    double prior,
    Py_ssize_t first,
    Py_ssize_t last,
    double[::1] expected,
):
    """Update the appeal of pairs first..last; add expected examinations to each place.

    Cells edges[p]:edges[p + 1] are those of pair p. `prior` rows with a click and as many without
    are added to each pair.
    """
    cdef Py_ssize_t pair, cell, at
    cdef double a, e, none, sum_a, rows
    if len(appeal) + 1 != len(edges) or not 0 <= first <= last <= len(appeal):
        raise ValueError("edges and appeal do not fit")
    if len(place) < edges[last] or len(shown) < edges[last] or len(clicked) < edges[last]:
        raise ValueError("edges and cells do not fit")
    if len(seen) != len(expected):
        raise ValueError("seen and expected do not fit")
    with nogil:
        for pair in range(first, last):
            a = appeal[pair]
            sum_a = prior
            rows = 0.0
            for cell in range(edges[pair], edges[pair + 1]):
                at = place[cell]
                e = seen[at]
                none = (shown[cell] - clicked[cell]) / (1.0 - e * a)
                sum_a += clicked[cell] + none * a * (1.0 - e)
                expected[at] += clicked[cell] + none * e * (1.0 - a)
                rows += shown[cell]
            if rows + prior > 0.0:
                appeal[pair] = sum_a / (rows + 2.0 * prior)
