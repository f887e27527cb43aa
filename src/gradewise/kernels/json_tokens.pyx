"""JSON text into tokens: what each is, how deep it stands, where it begins and ends.

A text is read in blocks that begin at the top level, or behind a comma inside containers that are
known. Grammar is checked; what is wrong is told by its position.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp

import numpy as np

# What a token is; a key or string with backslashes also has the bit ESCAPED.
OBJECT, LIST, END, KEY, STRING, NUMBER, WORD, ESCAPED = 1, 2, 3, 4, 5, 6, 7, 8

cdef enum:
    IS_OBJECT = 1
    IS_LIST = 2
    IS_END = 3
    IS_KEY = 4
    IS_STRING = 5
    IS_NUMBER = 6
    IS_WORD = 7
    IS_ESCAPED = 8

cdef enum:  # what may come next
    VALUE = 0
    FIRST_VALUE = 1  # or the end of the list
    A_KEY = 2
    FIRST_KEY = 3  # or the end of the object
    COLON = 4
    COMMA = 5  # or the end of the container
    ANY_VALUE = 6  # or nothing: the top level

cdef enum:
    DEEPEST = 200


cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'\n' or c == c'\r' or c == c'\t'


cdef inline bint is_plain(uint8_t c) noexcept nogil:
    """Tell whether numbers and words are made of a character."""
    return c'0' <= c <= c'9' or c'a' <= (c | 32) <= c'z' or c == c'-' or c == c'+' or c == c'.'


cdef inline bint is_word(const uint8_t* text, int64_t length) noexcept nogil:
    """Tell whether a text is one of JSON's words, or of those that Python adds."""
    return (
        (length == 4 and (memcmp(text, b"true", 4) == 0 or memcmp(text, b"null", 4) == 0))
        or (length == 5 and memcmp(text, b"false", 5) == 0)
        or (length == 3 and memcmp(text, b"NaN", 3) == 0)
        or (length == 8 and memcmp(text, b"Infinity", 8) == 0)
        or (length == 9 and memcmp(text, b"-Infinity", 9) == 0)
    )


cdef inline int64_t string_end(
    const uint8_t[::1] block, int64_t at, bint* escaped
) noexcept nogil:
    """Return where the string that opens at a position closes; -1 if a line end comes before."""
    escaped[0] = False
    at += 1
    while at < block.shape[0] and block[at] != c'"':
        if block[at] < 32:
            return -1
        if block[at] == c'\\':
            escaped[0] = True
            at += 1
        at += 1
    return at if at < block.shape[0] else -1


cdef class Tokens:
    """The tokens of a block, in memory that the next block uses again.

    Token i is of kind[i], stands in depth[i] containers, and is block[begin[i]:end[i]], without the
    quotes of a string. `fault` is where the text is no JSON, or -1; `depth_behind` is how many
    containers are open at the end.
    """

    cdef readonly object kind, depth, begin, end
    cdef readonly Py_ssize_t count
    cdef readonly int64_t fault
    cdef readonly int32_t depth_behind
    cdef Py_ssize_t size

    def __init__(self):
        self.size = -1

    def _make_room(self, Py_ssize_t size):
        if size > self.size:
            self.kind, self.depth = np.empty(size, np.uint8), np.empty(size, np.int32)
            self.begin, self.end = np.empty(size, np.int64), np.empty(size, np.int64)
            self.size = size

    def read(self, const uint8_t[::1] block, bytes containers, bint follows):
        """Read the tokens of a block.

        Parameters
        ----------
        block
            The text.
        containers
            What is open before it, from the outermost on: "{" or "[" for each.
        follows
            Whether the block begins behind a comma.
        """
        cdef uint8_t[DEEPEST] stack
        cdef int32_t level = <int32_t>len(containers)
        cdef int i, state = ANY_VALUE
        if level >= DEEPEST:
            raise ValueError("containers are nested too deeply")
        for i in range(level):
            stack[i] = IS_OBJECT if containers[i] == c'{' else IS_LIST
        if level:
            state = A_KEY if stack[level - 1] == IS_OBJECT else VALUE
            if not follows:
                state = FIRST_KEY if state == A_KEY else FIRST_VALUE
        self._make_room(len(block))
        self._read(block, stack, level, state)

    cdef _read(self, const uint8_t[::1] block, uint8_t* stack, int32_t level, int state):
        cdef uint8_t[::1] kinds = self.kind
        cdef int32_t[::1] depths = self.depth
        cdef int64_t[::1] begins = self.begin, ends = self.end
        cdef int64_t at = 0, size = block.shape[0], close, fault = -1
        cdef Py_ssize_t count = 0
        cdef uint8_t c, kind
        cdef bint escaped = False, is_value
        with nogil:
            while at < size and fault < 0:
                c = block[at]
                if is_space(c):
                    at += 1
                    continue
                is_value = state == VALUE or state == FIRST_VALUE or state == ANY_VALUE
                if c == c',' and state == COMMA and level:
                    state = A_KEY if stack[level - 1] == IS_OBJECT else VALUE
                    at += 1
                elif c == c':' and state == COLON:
                    state = VALUE
                    at += 1
                elif c == c'"' and (is_value or state == A_KEY or state == FIRST_KEY):
                    close = string_end(block, at, &escaped)
                    if close < 0:
                        fault = at
                        break
                    kinds[count] = (IS_STRING if is_value else IS_KEY) | (
                        IS_ESCAPED if escaped else 0
                    )
                    depths[count], begins[count], ends[count] = level, at + 1, close
                    count += 1
                    state = (COMMA if level else ANY_VALUE) if is_value else COLON
                    at = close + 1
                elif (c == c'{' or c == c'[') and is_value and level < DEEPEST:
                    kind = IS_OBJECT if c == c'{' else IS_LIST
                    kinds[count], depths[count] = kind, level
                    begins[count], ends[count] = at, at + 1
                    count += 1
                    stack[level] = kind
                    level += 1
                    state = FIRST_KEY if c == c'{' else FIRST_VALUE
                    at += 1
                elif (
                    level
                    and (
                        (c == c'}' and stack[level - 1] == IS_OBJECT)
                        or (c == c']' and stack[level - 1] == IS_LIST)
                    )
                    and (state == COMMA or state == FIRST_KEY or state == FIRST_VALUE)
                ):
                    level -= 1
                    kinds[count], depths[count] = IS_END, level
                    begins[count], ends[count] = at, at + 1
                    count += 1
                    state = COMMA if level else ANY_VALUE
                    at += 1
                elif is_value and is_plain(c):
                    close = at + 1
                    while close < size and is_plain(block[close]):
                        close += 1
                    kind = IS_NUMBER
                    if not (c'0' <= c <= c'9') and not (
                        c == c'-' and close > at + 1 and c'0' <= block[at + 1] <= c'9'
                    ):
                        kind = IS_WORD
                        if not is_word(&block[at], close - at):
                            fault = at
                            break
                    kinds[count], depths[count] = kind, level
                    begins[count], ends[count] = at, close
                    count += 1
                    state = COMMA if level else ANY_VALUE
                    at = close
                else:
                    fault = at
        self.count, self.fault, self.depth_behind = count, fault, level


def last_cut(const uint8_t[::1] text, int32_t level, int32_t depth):
    """Return the position behind the last comma at a depth; 0 if there is none.

    At depth 0, where no commas stand, it is behind the last line end. `level` is how many
    containers are open before the text.
    """
    cdef int64_t at = 0, last = 0, size = text.shape[0]
    cdef uint8_t c, wanted = c',' if depth else c'\n'
    cdef bint inside = False
    with nogil:
        while at < size:
            c = text[at]
            if inside:
                if c == c'\\':
                    at += 1
                elif c == c'"':
                    inside = False
            elif c == c'"':
                inside = True
            elif c == c'{' or c == c'[':
                level += 1
            elif c == c'}' or c == c']':
                level -= 1
            elif c == wanted and level == depth:
                last = at + 1
            at += 1
    return last
