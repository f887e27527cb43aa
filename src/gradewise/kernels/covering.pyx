"""Documents chosen one by one, each time the one that adds most for intents not yet covered.

A document adds Σ_i g_i over the intents i that it covers; then each of these g_i is multiplied by
`kept`, as the intent has been given something already.
"""

from libc.stdint cimport int64_t

import numpy as np


def cover_intents(
    const int64_t[::1] edges,
    const int64_t[::1] rows,
    const int64_t[::1] offsets,
    const int64_t[::1] intent,
    const double[::1] weights,
    double kept,
    int64_t depth,
):
    """Return the rank of each row in the greedy order of its topic, 0 beyond `depth`.

    Parameters
    ----------
    edges, rows
        Topic t has the documents rows[edges[t]:edges[t + 1]]; of those that add the same, the
        first is chosen.
    offsets, intent
        Document r covers intent[offsets[r]:offsets[r + 1]]; topics share no intent.
    weights
        What each intent adds at first.
    kept
        What remains of an intent's gain, as a share, when a document has covered it.
    depth
        How many documents to choose for each topic.
    """
    ranks = np.zeros(len(offsets) - 1, np.int64)
    gains = np.array(weights, np.float64)
    cdef int64_t[::1] rank = ranks
    cdef double[::1] gain = gains
    cdef int64_t t, n, i, j, row, best
    cdef double adds, most
    with nogil:
        for t in range(edges.shape[0] - 1):
            for n in range(1, min(edges[t + 1] - edges[t], depth) + 1):
                best, most = -1, 0
                for i in range(edges[t], edges[t + 1]):
                    row = rows[i]
                    if rank[row]:
                        continue
                    adds = 0
                    for j in range(offsets[row], offsets[row + 1]):
                        adds += gain[intent[j]]
                    if best < 0 or adds > most:
                        best, most = row, adds
                rank[best] = n
                for j in range(offsets[best], offsets[best + 1]):
                    gain[intent[j]] *= kept
    return ranks
