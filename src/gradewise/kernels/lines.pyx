"""Lines of text into columns: topics, document ids and numbers.

Columns stand between any white space; a line ends with LF, CRLF or CR; blank lines and lines whose
first column begins with "#" hold no row. What is wrong with a line is kept as a kind, a position
and a detail, the rest of the text is read all the same.
"""

from libc.math cimport fabs, floor
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from gradewise.kernels.decimals cimport NO_NUMBER, WHOLE, parse
from gradewise.kernels.ids cimport same

import numpy as np

# What can be wrong; the detail is the number of columns, the length of the number, or the character.
COLUMNS, NOT_A_NUMBER, NOT_WHOLE, TOO_LARGE, CONTROL = 1, 2, 3, 4, 5

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

cdef double LARGEST_WHOLE = 2.0**53 - 1  # beyond, whole numbers are not exact

cdef uint8_t[256] KIND
for _code in range(256):
    KIND[_code] = OTHER if _code < 32 else TEXT
for _code in (ord(" "), ord("\t"), ord("\v"), ord("\f")):
    KIND[_code] = SPACE
for _code in (ord("\n"), ord("\r")):
    KIND[_code] = END

cdef struct Line:
    int64_t[3] begins  # of the wanted columns, in the order of the text
    int64_t[3] ends
    int64_t first  # where the first column begins
    int64_t control  # where a control character stands, or -1
    int64_t after  # where the next line begins
    int32_t columns  # 0 if the line holds no row


cdef inline void split(
    const uint8_t[::1] block, int64_t at, const int32_t* wanted, Line* line
) noexcept nogil:
    """Find the wanted columns of the line that begins at a position; their numbers ascend."""
    cdef int64_t begin
    cdef int32_t next = 0
    line.columns = 0
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
        if next < 3 and line.columns == wanted[next]:
            line.begins[next] = begin
            line.ends[next] = at
            next += 1
        line.columns += 1
    if line.columns and block[line.first] == c'#':
        line.columns = 0
    if block[at] == c'\r' and at + 1 < block.shape[0] and block[at + 1] == c'\n':
        at += 1
    line.after = at + 1


cdef class Rows:
    """The rows of a block of text, in memory that the next block uses again.

    Row r has the document docs[doc_offsets[r]:doc_offsets[r + 1]], the number numbers[r], and
    begins at starts[r] of the block. Rows from heads[i] on have topic i of a column like that of
    the documents. Of `faults` faults the first are kept: fault_at, fault_kind, fault_detail.
    """

    cdef readonly object docs, doc_offsets, numbers, starts, heads, topics, topic_offsets
    cdef readonly object fault_at, fault_kind, fault_detail
    cdef readonly Py_ssize_t count, topic_count, lines, faults
    cdef readonly bint fractional
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

    def read(self, const uint8_t[::1] block, columns, int32_t width, bint more, bint whole):
        """Read the lines of a block, whose last byte ends a line.

        Parameters
        ----------
        block
            The text.
        columns
            The columns, from 0, of the topic, the document and the number.
        width, more
            How many columns a line has, and whether more may follow.
        whole
            Whether the number must be written whole, as grades are.
        """
        cdef Py_ssize_t size = len(block)
        if not size or KIND[block[size - 1]] != END:
            raise ValueError("a block ends where a line ends")
        if sorted(set(columns)) != sorted(columns) or not 0 <= min(columns) <= max(columns) < width:
            raise ValueError(f"there are no such columns: {columns} of {width}")
        self._make_room(size, size // (2 * width) + 1)
        in_text = sorted(columns)
        cdef int32_t[3] wanted = in_text
        cdef int topic = in_text.index(columns[0]), doc = in_text.index(columns[1])
        cdef int number = in_text.index(columns[2])
        cdef uint8_t[::1] docs = self.docs, topics = self.topics
        cdef int64_t[::1] doc_offsets = self.doc_offsets, topic_offsets = self.topic_offsets
        cdef int64_t[::1] heads = self.heads, starts = self.starts, fault_at = self.fault_at
        cdef int32_t[::1] fault_kind = self.fault_kind, fault_detail = self.fault_detail
        cdef double[::1] numbers = self.numbers
        cdef int64_t at = 0, length, name = 0, name_length = -1, place
        cdef Py_ssize_t count = 0, changes = 0, lines = 0, faults = 0
        cdef int32_t fault, detail
        cdef int kind
        cdef double value = 0
        cdef bint fractional = False
        cdef Line line
        doc_offsets[0] = topic_offsets[0] = 0
        with nogil:
            while at < size:
                split(block, at, wanted, &line)
                at = line.after
                lines += 1
                fault, place = 0, line.first
                if line.control >= 0:
                    fault, detail, place = WRONG_CHARACTER, block[line.control], line.control
                elif line.columns == 0:
                    continue
                elif line.columns < width or (line.columns > width and not more):
                    fault, detail = WRONG_COLUMNS, line.columns
                else:
                    place = line.begins[number]
                    length = line.ends[number] - place
                    kind = parse(&block[place], length, &value)
                    detail = <int32_t>min(length, 1000)
                    if kind == NO_NUMBER:
                        fault = WRONG_NUMBER
                    elif whole and kind != WHOLE:
                        fault = WRONG_FRACTION
                    elif whole and fabs(value) > LARGEST_WHOLE:
                        fault = WRONG_SIZE
                if fault:
                    if faults < fault_at.shape[0]:
                        fault_at[faults] = place
                        fault_kind[faults] = fault
                        fault_detail[faults] = detail
                    faults += 1
                    continue
                fractional |= value != floor(value)
                numbers[count] = value
                starts[count] = line.first
                place = line.begins[doc]
                length = line.ends[doc] - place
                memcpy(&docs[doc_offsets[count]], &block[place], <size_t>length)
                doc_offsets[count + 1] = doc_offsets[count] + length
                place = line.begins[topic]
                length = line.ends[topic] - place
                if count == 0 or not same(&block[place], length, &block[name], name_length):
                    name, name_length = place, length
                    heads[changes] = count
                    memcpy(&topics[topic_offsets[changes]], &block[place], <size_t>length)
                    topic_offsets[changes + 1] = topic_offsets[changes] + length
                    changes += 1
                count += 1
        self.count, self.topic_count, self.lines, self.faults = count, changes, lines, faults
        self.fractional = fractional


def is_ascii(const uint8_t[::1] block):
    """Tell whether no byte is above 127."""
    cdef uint8_t seen = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(block.shape[0]):
            seen |= block[i]
    return seen < 128
