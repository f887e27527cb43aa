"""Lines of LETOR text: `grade qid:topic 1:value 2:value ... # comment`.

Words stand between any white space; a line ends with LF, CRLF or CR; a comment runs from "#" to the
end of its line, and names the document behind `docid =` or by its first word.
"""

from libc.math cimport NAN, fabs, floor
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy

from gradewise.kernels.decimals cimport NO_NUMBER, WHOLE, parse

import numpy as np

MOST_FEATURES = 100_000
# What can be wrong with a line; the detail is the length of the word that shows it.
GRADE, TOPIC, CELL, FEATURE, VALUE, REPEATED = 1, 2, 3, 4, 5, 6

cdef enum:
    HIGHEST = 100_000
    WRONG_GRADE = 1
    WRONG_TOPIC = 2
    WRONG_CELL = 3
    WRONG_FEATURE = 4
    WRONG_VALUE = 5
    TWICE = 6

cdef double LARGEST_GRADE = 2.0**53 - 1
cdef double LARGEST_VALUE = 3.4028234663852886e38  # of a single


cdef inline bint is_end(uint8_t code) noexcept nogil:
    return code == c'\n' or code == c'\r'


cdef inline bint is_space(uint8_t code) noexcept nogil:
    return code == c' ' or (9 <= code <= 13)


cdef inline bint is_word(uint8_t code) noexcept nogil:
    """Tell whether a character may be part of a name."""
    return (
        c'a' <= (code | 32) <= c'z' or c'0' <= code <= c'9' or code == c'_' or code > 127
    )


cdef inline int64_t skip_spaces(const uint8_t[::1] text, int64_t at) noexcept nogil:
    while is_space(text[at]) and not is_end(text[at]):
        at += 1
    return at


cdef inline int64_t skip_word(const uint8_t[::1] text, int64_t at) noexcept nogil:
    while not is_space(text[at]):
        at += 1
    return at


cdef bint is_null(const uint8_t[::1] text, int64_t at, int64_t length) noexcept nogil:
    cdef int i
    cdef const char* name = "null"
    if length != 4:
        return False
    for i in range(4):
        if (text[at + i] | 32) != <uint8_t>name[i]:
            return False
    return True


cdef int64_t name_in(
    const uint8_t[::1] text, int64_t at, int64_t end, int64_t* length
) noexcept nogil:
    """Return where the comment text[at:end] names a document; its length is 0 if it does not."""
    cdef int64_t here, begin = skip_spaces(text, at)
    for here in range(at, end - 5):
        if memcmp(&text[here], b"docid", 5) == 0 and not is_word(text[here - 1]):
            begin = skip_spaces(text, here + 5)
            if text[begin] == c'=':
                begin = skip_spaces(text, begin + 1)
                if begin < end:
                    length[0] = skip_word(text, begin) - begin
                    return begin
    begin = skip_spaces(text, at)
    length[0] = skip_word(text, begin) - begin
    return begin


cdef class Cells:
    """The lines of a block: a grade, topic and document for each row, and cells of features.

    Ids are columns (data, offsets) with one id for each row. Cell i is features[row[i], column[i]]
    = value[i]; NULL is NaN. A line with a fault holds no row; of `faults` the first are kept.
    """

    cdef readonly double[::1] grades, value
    cdef readonly uint8_t[::1] topics, docs
    cdef readonly int64_t[::1] topic_offsets, doc_offsets, fault_at
    cdef readonly int32_t[::1] row, column, fault_kind, fault_detail
    cdef readonly Py_ssize_t count, cells, lines, faults
    cdef int32_t[::1] given_in  # the last row that gives a feature

    def __init__(self, const uint8_t[::1] text, Py_ssize_t kept_faults):
        cdef Py_ssize_t size = len(text), rows = size // 7 + 1, most = size // 4 + 1
        if size and not is_end(text[size - 1]):
            raise ValueError("a block ends where a line ends")
        self.grades, self.value = np.empty(rows), np.empty(most)
        self.topics, self.docs = np.empty(size, np.uint8), np.empty(size, np.uint8)
        self.topic_offsets = np.zeros(rows + 1, np.int64)
        self.doc_offsets = np.zeros(rows + 1, np.int64)
        self.row, self.column = np.empty(most, np.int32), np.empty(most, np.int32)
        self.fault_at = np.zeros(kept_faults, np.int64)
        self.fault_kind = np.zeros(kept_faults, np.int32)
        self.fault_detail = np.zeros(kept_faults, np.int32)
        self.given_in = np.full(HIGHEST, -1, np.int32)
        cdef int64_t at = 0
        with nogil:
            while at < size:
                at = self.read_line(text, at)
                self.lines += 1

    cdef int64_t read_line(self, const uint8_t[::1] text, int64_t at) noexcept nogil:
        """Read the line at a position; return where the next one begins."""
        cdef int64_t end = at, mark, begin = skip_spaces(text, at), word_end, words = 0
        cdef Py_ssize_t cells = self.cells, faults = self.faults
        while not is_end(text[end]):
            end += 1
        mark = begin
        while mark < end and text[mark] != c'#':
            mark += 1
        while begin < mark:
            word_end = begin
            while word_end < mark and not is_space(text[word_end]):
                word_end += 1
            if words == 0:
                self.read_grade(text, begin, word_end)
            elif words == 1:
                self.read_topic(text, begin, word_end)
            else:
                self.read_cell(text, begin, word_end)
            words += 1
            begin = skip_spaces(text, word_end)
        if words == 1:
            self.note_fault(WRONG_TOPIC, skip_spaces(text, at), 0)
        if self.faults > faults:
            self.cells = cells
        elif words:
            self.read_comment(text, mark, end)
            self.count += 1
        if text[end] == c'\r' and end + 1 < text.shape[0] and text[end + 1] == c'\n':
            end += 1
        return end + 1

    cdef void note_fault(self, int32_t kind, int64_t at, int64_t length) noexcept nogil:
        if self.faults < self.fault_at.shape[0]:
            self.fault_at[self.faults] = at
            self.fault_kind[self.faults] = kind
            self.fault_detail[self.faults] = <int32_t>min(length, 1000)
        self.faults += 1

    cdef void read_grade(self, const uint8_t[::1] text, int64_t begin, int64_t end) noexcept nogil:
        cdef double grade = 0
        cdef int kind = parse(&text[begin], end - begin, &grade)
        if kind == NO_NUMBER or grade != floor(grade) or fabs(grade) > LARGEST_GRADE:
            self.note_fault(WRONG_GRADE, begin, end - begin)
        self.grades[self.count] = grade

    cdef void read_topic(self, const uint8_t[::1] text, int64_t begin, int64_t end) noexcept nogil:
        cdef int64_t at = self.topic_offsets[self.count], length = end - begin - 4
        if length < 1 or memcmp(&text[begin], b"qid:", 4) != 0:
            self.note_fault(WRONG_TOPIC, begin, 0)
            return
        memcpy(&self.topics[at], &text[begin + 4], <size_t>length)
        self.topic_offsets[self.count + 1] = at + length

    cdef void read_cell(self, const uint8_t[::1] text, int64_t begin, int64_t end) noexcept nogil:
        cdef int64_t colon = begin, at
        cdef double number = 0, value = NAN
        while colon < end and text[colon] != c':':
            colon += 1
        at = colon + 1
        while at < end and text[at] != c':':
            at += 1
        if colon == begin or colon + 1 >= end or at < end:
            self.note_fault(WRONG_CELL, begin, end - begin)
            return
        if parse(&text[begin], colon - begin, &number) != WHOLE or not 1 <= number <= HIGHEST:
            self.note_fault(WRONG_FEATURE, begin, colon - begin)
            return
        if not is_null(text, colon + 1, end - colon - 1) and (
            parse(&text[colon + 1], end - colon - 1, &value) == NO_NUMBER
            or fabs(value) > LARGEST_VALUE
        ):
            self.note_fault(WRONG_VALUE, colon + 1, end - colon - 1)
            return
        if self.given_in[<int64_t>number - 1] == self.lines:
            self.note_fault(TWICE, begin, colon - begin)
            return
        self.given_in[<int64_t>number - 1] = <int32_t>self.lines
        self.row[self.cells] = <int32_t>self.count
        self.column[self.cells] = <int32_t>number - 1
        self.value[self.cells] = value
        self.cells += 1

    cdef void read_comment(self, const uint8_t[::1] text, int64_t mark, int64_t end) noexcept nogil:
        cdef int64_t begin, length = 0, at = self.doc_offsets[self.count]
        if mark < end:
            begin = name_in(text, mark + 1, end, &length)
            if length:
                memcpy(&self.docs[at], &text[begin], <size_t>length)
        self.doc_offsets[self.count + 1] = at + length
