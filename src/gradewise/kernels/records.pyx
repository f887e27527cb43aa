"""Records of delimited text: where the last whole one ends, though quotes may hold line ends."""

from libc.stdint cimport int64_t, uint8_t


def last_record_end(const uint8_t[::1] text, uint8_t delimiter):
    """Return where the record behind the last whole one begins; 0 if none is whole.

    A quote counts where a field begins. A carriage return ends a line only if no newline follows,
    so the last byte does not tell.
    """
    cdef int64_t i = 0, last = 0, size = text.shape[0]
    cdef bint quoted = False, fresh = True
    with nogil:
        while i < size:
            if quoted:
                if text[i] == c'"':
                    if i + 1 < size and text[i + 1] == c'"':
                        i += 1
                    else:
                        quoted = False
            elif text[i] == c'"' and fresh:
                quoted, fresh = True, False
            elif text[i] == delimiter:
                fresh = True
            elif text[i] == c'\n' or (text[i] == c'\r' and i + 1 < size):
                if text[i] == c'\n' or text[i + 1] != c'\n':
                    last = i + 1
                fresh = True
            elif not is_blank(text[i], delimiter):
                fresh = False
            i += 1
    return last
