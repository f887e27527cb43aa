"""Lines of text into columns: topics, document ids and numbers.

Columns stand between any white space, or between delimiters, where quotes may hold anything; a line
ends with LF, CRLF or CR; blank lines and comments hold no row. What is wrong with a line is kept as
a kind, a position and a detail, the rest of the text is read all the same.
"""

from libc.math cimport fabs, floor
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from gradewise.kernels.decimals cimport Bytes, NO_NUMBER, WHOLE, parse
from gradewise.kernels.ids cimport same
from gradewise.kernels.records cimport Line, split_record

import numpy as np

# What can be wrong; the detail is the number of columns, the length of the number, or the character.
COLUMNS, NOT_A_NUMBER, NOT_WHOLE, TOO_LARGE, CONTROL, QUOTE, NO_TOPIC, NO_DOC = range(1, 9)

cdef enum:
    TEXT = 0
    SPACE = 1
    END = 2
    OTHER = 3  # control characters, which no text has

cdef enum:
    WRONG_COLUMNS = 1
    WRONG_NUMBER = 2
    WRONG_FRACTION = 3
    WRONG_SIZE = 4
    WRONG_CHARACTER = 5
    WRONG_QUOTE = 6
    EMPTY_TOPIC = 7
    EMPTY_DOC = 8

cdef double LARGEST_WHOLE = 2.0**53 - 1  # beyond, whole numbers are not exact

cdef uint8_t[256] KIND
for _code in range(256):
    KIND[_code] = OTHER if _code < 32 else TEXT
for _code in (ord(" "), ord("\t"), ord("\v"), ord("\f")):
    KIND[_code] = SPACE
for _code in (ord("\n"), ord("\r")):
    KIND[_code] = END

cdef inline void split(
    const uint8_t[::1] block, int64_t at, const int32_t* wanted, Line* line
) noexcept nogil:
    """Find the wanted columns of the line that begins at a position; their numbers ascend."""
    cdef int64_t begin
    line.columns = line.found = 0
    line.first = line.after = at
    line.control = -1
    while True:
        while block[at] == c' ' or KIND[block[at]] == SPACE:
            at += 1
        if KIND[block[at]] == END:
            break
        begin = at
        while True:
            while block[at] > c' ':
                at += 1
            if KIND[block[at]] != OTHER:
                break
            line.control = at
            at += 1
        if line.columns == 0:
            line.first = begin
        if line.found < 3 and line.columns == wanted[line.found]:
            line.begins[line.found] = begin
            line.ends[line.found] = at
            line.found += 1
        line.columns += 1
    if line.columns and block[line.first] == c'#':
        line.columns = 0
    if block[at] == c'\r' and at + 1 < block.shape[0] and block[at + 1] == c'\n':
        at += 1
    line.after = at + 1


cdef inline bint is_level(Bytes text, int64_t length) noexcept nogil:
    """Tell whether a text begins as NTCIR's levels do: L0, L1, ..."""
    return length > 1 and text[0] == c'L' and <uint8_t>(text[1] - c'0') < 10


cdef struct Order:  # of columns
    int32_t[3] wanted  # the numbers of the columns, ascending
    int topic  # which of them holds what; the number is -1 if no column does
    int doc
    int number
    int32_t width
    bint more
    bint whole
    uint8_t delimiter  # 0 is white space
    bint complete


cdef inline int64_t length_of(const Line* line, int column) noexcept nogil:
    """Return how long a wanted column is; 0 if the line does not have it."""
    return line.ends[column] - line.begins[column] if column < line.found else 0


cdef inline bint has_other_columns(const Line* line, const Order* order) noexcept nogil:
    """Tell whether a line has fewer columns than rows have, or more than they may have."""
    return line.columns < order.width or (line.columns > order.width and not order.more)


cdef inline bint holds_no_row(
    const uint8_t[::1] block, const Line* line, const Order* order
) noexcept nogil:
    """Tell whether a line is blank or a comment.

    Between delimiters, a line that begins with "#" is one unless it has the columns of a row.
    """
    if line.columns == 0:
        return True
    if block[line.first] == c'#':
        return not order.delimiter or has_other_columns(line, order)
    return False


cdef inline bint is_unjudged(const Line* line, const Order* order) noexcept nogil:
    """Tell whether a row between delimiters has no grade, or names a topic and nothing for it.

    One that ends before the document has more than one field all the same.
    """
    if order.complete or not order.delimiter or order.number < 0:
        return False
    if length_of(line, order.number):
        return False
    if line.columns < order.width:
        return line.columns > 1 and line.found <= min(order.doc, order.number)
    if line.columns > order.width and not order.more:
        return False
    return order.whole or not length_of(line, order.doc)


cdef inline int32_t fault_of(
    const uint8_t[::1] block,
    const Line* line,
    const Order* order,
    double* value,
    int64_t* place,
    int32_t* detail,
) noexcept nogil:
    """Read the number of a line; return what is wrong with the line, and where; 0 if nothing is."""
    cdef int64_t length
    cdef int kind
    place[0] = line.first
    if line.control >= 0:
        place[0], detail[0] = line.control, block[line.control]
        return WRONG_CHARACTER
    if line.quote >= 0:
        place[0], detail[0] = line.quote, 1
        return WRONG_QUOTE
    if has_other_columns(line, order):
        detail[0] = line.columns
        return WRONG_COLUMNS
    if order.delimiter and not length_of(line, order.topic):
        return EMPTY_TOPIC
    if order.delimiter and not length_of(line, order.doc):
        return EMPTY_DOC
    if order.number < 0:
        value[0] = -<double>line.first
        return 0
    place[0], length = line.begins[order.number], length_of(line, order.number)
    kind = parse(&block[place[0]], length, value)
    if kind == NO_NUMBER and order.whole and is_level(&block[place[0]], length):
        kind = parse(&block[place[0] + 1], length - 1, value)
    detail[0] = <int32_t>min(length, 1000)
    if kind == NO_NUMBER:
        return WRONG_NUMBER
    if not order.whole:
        return 0
    if kind != WHOLE and not (order.delimiter and value[0] == floor(value[0])):
        return WRONG_FRACTION
    return WRONG_SIZE if fabs(value[0]) > LARGEST_WHOLE else 0


cdef inline int64_t copy_column(
    const uint8_t[::1] block, const Line* line, int column, uint8_t* out
) noexcept nogil:
    """Copy a column, with one quote for each two if it is in quotes; return how long it is then."""
    cdef int64_t place = line.begins[column], end = line.ends[column], length = 0
    if not line.doubled >> column & 1:
        memcpy(out, &block[place], <size_t>(end - place))
        return end - place
    while place < end:
        out[length] = block[place]
        place += 2 if block[place] == c'"' else 1
        length += 1
    return length


cdef inline bint is_same(
    const uint8_t[::1] block,
    const Line* line,
    int column,
    uint8_t[::1] text,
    int64_t begin,
    int64_t end,
) noexcept nogil:
    """Tell whether a column is the same as text[begin:end], behind which there is room for it."""
    cdef int64_t length
    if not line.doubled >> column & 1:
        return same(
            &block[line.begins[column]], length_of(line, column), &text[begin], end - begin
        )
    length = copy_column(block, line, column, &text[end])
    return same(&text[end], length, &text[begin], end - begin)


cdef class Rows:
    """The rows of a block of text, in memory that the next block uses again.

    Row r has the document docs[doc_offsets[r]:doc_offsets[r + 1]], the number numbers[r], and
    begins at starts[r] of the block. Rows from heads[i] on have topic i of a column like that of
    the documents. Of `faults` faults the first are kept: fault_at, fault_kind, fault_detail. Of
    rows between delimiters, `skipped` have no grade, or name nothing but a topic. `unranked` tells
    that some number can be no rank: it has a fraction, or is below 0.
    """

    cdef readonly object docs, doc_offsets, numbers, starts, heads, topics, topic_offsets
    cdef readonly object fault_at, fault_kind, fault_detail
    cdef readonly Py_ssize_t count, topic_count, lines, faults, skipped
    cdef readonly bint unranked
    cdef Py_ssize_t size, rows

    def __init__(self, Py_ssize_t kept_faults):
        self.fault_at = np.zeros(kept_faults, np.int64)
        self.fault_kind = np.zeros(kept_faults, np.int32)
        self.fault_detail = np.zeros(kept_faults, np.int32)
        self.size = self.rows = -1

    def _make_room(self, Py_ssize_t size, Py_ssize_t rows):
        if size > self.size:
            self.docs, self.topics = np.empty(size, np.uint8), np.empty(size, np.uint8)
            self.size = size
        if rows > self.rows:
            self.doc_offsets, self.topic_offsets, self.heads, self.starts = (
                np.empty(rows + 1, np.int64) for _ in range(4)
            )
            self.numbers = np.empty(rows)
            self.rows = rows

    def read(
        self,
        const uint8_t[::1] block,
        columns,
        int32_t width,
        bint more,
        bint whole,
        uint8_t delimiter=0,
        bint complete=False,
    ):
        """Read the lines of a block, whose last byte ends a line.

        Parameters
        ----------
        block
            The text.
        columns
            The columns, from 0, of the topic, the document and the number. If the last is -1, rows
            are numbered by where they stand, so that the first one has the greatest number.
        width, more
            How many columns a line has, and whether more may follow.
        whole
            Whether the number must be whole, as grades are; then it can be a level, too: L2.
            Between delimiters, it may be written with a fraction of 0: 2.0.
        delimiter
            What keeps columns apart; 0 is any white space.
        complete
            Between delimiters, whether rows that lack a number are faulty in any case. Otherwise
            those that lack a grade, or a document as well, are counted and passed over.
        """
        cdef Py_ssize_t size = len(block)
        if not size or KIND[block[size - 1]] != END:
            raise ValueError("a block ends where a line ends")
        in_text = sorted(columns if columns[2] >= 0 else columns[:2])
        if len(set(in_text)) < len(in_text) or not 0 <= min(in_text) <= max(in_text) < width:
            raise ValueError(f"there are no such columns: {columns} of {width}")
        cdef Order order
        for place, column in enumerate([*in_text, width][:3]):
            order.wanted[place] = column
        order.topic, order.doc = in_text.index(columns[0]), in_text.index(columns[1])
        order.number = -1 if columns[2] < 0 else in_text.index(columns[2])
        order.width, order.more, order.whole, order.delimiter = width, more, whole, delimiter
        order.complete = complete
        self._make_room(size, size // (width if delimiter else 2 * width) + 1)
        self._read(block, order)

    cdef _read(self, const uint8_t[::1] block, Order order):
        cdef uint8_t[::1] docs = self.docs, topics = self.topics
        cdef int64_t[::1] doc_offsets = self.doc_offsets, topic_offsets = self.topic_offsets
        cdef int64_t[::1] heads = self.heads, starts = self.starts, fault_at = self.fault_at
        cdef int32_t[::1] fault_kind = self.fault_kind, fault_detail = self.fault_detail
        cdef double[::1] numbers = self.numbers
        cdef int64_t at = 0, place, begin = 0, end = 0
        cdef Py_ssize_t count = 0, changes = 0, lines = 0, faults = 0, skipped = 0
        cdef int32_t fault, detail = 0
        cdef double value = 0
        cdef bint unranked = False
        cdef Line line
        doc_offsets[0] = topic_offsets[0] = 0
        line.quote, line.doubled, line.breaks = -1, 0, 1  # as they are between white space
        with nogil:
            while at < block.shape[0]:
                if order.delimiter:
                    split_record(block, at, order.delimiter, order.wanted, &line)
                else:
                    split(block, at, order.wanted, &line)
                at = line.after
                lines += line.breaks
                if line.control < 0 and holds_no_row(block, &line, &order):
                    continue
                if line.control < 0 and line.quote < 0 and is_unjudged(&line, &order):
                    skipped += length_of(&line, order.topic) > 0
                    continue
                fault = fault_of(block, &line, &order, &value, &place, &detail)
                if fault:
                    if faults < fault_at.shape[0]:
                        fault_at[faults] = place
                        fault_kind[faults] = fault
                        fault_detail[faults] = detail
                    faults += 1
                    continue
                unranked |= value != floor(value) or value < 0
                numbers[count] = value
                starts[count] = line.first
                place = doc_offsets[count]
                doc_offsets[count + 1] = place + copy_column(block, &line, order.doc, &docs[place])
                if not changes or not is_same(block, &line, order.topic, topics, begin, end):
                    begin = topic_offsets[changes]
                    end = begin + copy_column(block, &line, order.topic, &topics[begin])
                    heads[changes] = count
                    topic_offsets[changes + 1] = end
                    changes += 1
                count += 1
        self.count, self.topic_count, self.lines, self.faults = count, changes, lines, faults
        self.skipped, self.unranked = skipped, unranked


def is_ascii(const uint8_t[::1] block):
    """Tell whether no byte is above 127."""
    cdef uint8_t seen = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(block.shape[0]):
            seen |= block[i]
    return seen < 128
