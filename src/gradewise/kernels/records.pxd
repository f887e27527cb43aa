"""Where the columns of a line begin and end, however they are kept apart."""

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef struct Line:
    int64_t[3] begins  # of the wanted columns, in the order of the text
    int64_t[3] ends
    int64_t first  # where the first column begins
    int64_t control  # where a control character stands, or -1
    int64_t quote  # where a quote opens that is not closed as it should be, or -1
    int64_t after  # where the next line begins
    int32_t columns  # 0 if the line holds no row
    int32_t found  # how many of the wanted columns it has
    int32_t breaks  # how many line ends it has; more than 1 if some are in quotes
    int32_t doubled  # bit c is set if column c of the wanted ones has doubled quotes


cdef inline bint is_end(uint8_t character) noexcept nogil:
    return character == c'\n' or character == c'\r'


cdef inline bint is_blank(uint8_t character, uint8_t delimiter) noexcept nogil:
    """Tell whether a character around a field is no part of it."""
    if character == c'\t':
        return delimiter != c'\t'
    return character == c' ' or character == c'\v' or character == c'\f'


cdef inline bint is_control(uint8_t character) noexcept nogil:
    """Tell whether a character is none that text has: below a space, but no white space."""
    return character < 9 or 13 < character < 32


cdef inline int64_t behind_end(const uint8_t[::1] block, int64_t at) noexcept nogil:
    """Return where the next line begins, given where a line ends."""
    if block[at] == c'\r' and at + 1 < block.shape[0] and block[at + 1] == c'\n':
        at += 1
    return at + 1


cdef inline int64_t closing_quote(
    const uint8_t[::1] block, int64_t at, uint8_t delimiter, bint* doubled, Line* line
) noexcept nogil:
    """Return where the quote at a position is closed; -1 if it is not, or if text follows.

    Two quotes stand for one. Between tabs, quotes hold no line ends: there they are often plain
    characters.
    """
    cdef int64_t here = at + 1, size = block.shape[0], behind, control = -1
    cdef int32_t crossed = 0
    doubled[0] = False
    while here < size:
        if block[here] == c'"':
            if here + 1 < size and block[here + 1] == c'"':
                doubled[0] = True
                here += 2
                continue
            behind = here + 1
            while behind < size and is_blank(block[behind], delimiter):
                behind += 1
            if behind == size or not (block[behind] == delimiter or is_end(block[behind])):
                return -1
            line.breaks += crossed
            line.control = max(line.control, control)
            return here
        if is_end(block[here]):
            if delimiter == c'\t':
                return -1
            here = behind_end(block, here)
            crossed += 1
        else:
            if is_control(block[here]):
                control = here
            here += 1
    return -1


cdef inline void split_record(
    const uint8_t[::1] block, int64_t at, uint8_t delimiter, const int32_t* wanted, Line* line
) noexcept nogil:
    """Find the wanted fields of the record that begins at a position; their numbers ascend.

    White space around a field and the quotes of one in quotes are no part of it. A record whose
    fields are all empty holds no row. The block ends where a line ends.
    """
    cdef int64_t begin, end = 0, close
    cdef bint doubled, is_empty = True
    line.columns = line.found = line.doubled = 0
    line.breaks = 1
    line.control = line.quote = -1
    while is_blank(block[at], delimiter):
        at += 1
    line.first = at
    while not (line.columns == 0 and is_end(block[at])):
        while is_blank(block[at], delimiter):
            at += 1
        begin, close, doubled = at, -1, False
        if block[at] == c'"':
            close = closing_quote(block, at, delimiter, &doubled, line)
            if close < 0 and delimiter != c'\t' and line.quote < 0:
                line.quote = at
        if close >= 0:
            begin, end, at = begin + 1, close, close + 1
        while block[at] != delimiter and not is_end(block[at]):
            if is_control(block[at]):
                line.control = at
            at += 1
        if close < 0:
            end, doubled = at, False
            while end > begin and is_blank(block[end - 1], delimiter):
                end -= 1
        if line.found < 3 and line.columns == wanted[line.found]:
            line.begins[line.found] = begin
            line.ends[line.found] = end
            line.doubled |= doubled << line.found
            line.found += 1
        line.columns += 1
        is_empty &= begin == end
        if is_end(block[at]):
            break
        at += 1
    if is_empty:
        line.columns = 0
    line.after = behind_end(block, at)
