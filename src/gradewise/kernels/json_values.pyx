"""Strings and numbers of JSON text: what stands between two positions, as ids and as doubles."""

from libc.math cimport NAN
from libc.stdint cimport int64_t, uint8_t, uint32_t

from gradewise.kernels.decimals cimport NO_NUMBER, parse

import numpy as np


cdef int64_t hexadecimal(const uint8_t[::1] block, int64_t at, int64_t end) noexcept nogil:
    """Return the number that four digits at a position are; -1 if they are none."""
    cdef int64_t value = 0, place
    cdef uint8_t c
    if at + 4 > end:
        return -1
    for place in range(at, at + 4):
        c = block[place]
        if c'0' <= c <= c'9':
            value = 16 * value + c - c'0'
        elif c'a' <= (c | 32) <= c'f':
            value = 16 * value + (c | 32) - c'a' + 10
        else:
            return -1
    return value


cdef inline int encode(uint32_t code, uint8_t* out) noexcept nogil:
    """Write a character in UTF-8; return how many bytes it takes."""
    if code < 0x80:
        out[0] = <uint8_t>code
        return 1
    if code < 0x800:
        out[0], out[1] = <uint8_t>(0xC0 | code >> 6), <uint8_t>(0x80 | code & 63)
        return 2
    if code < 0x10000:
        out[0], out[1] = <uint8_t>(0xE0 | code >> 12), <uint8_t>(0x80 | code >> 6 & 63)
        out[2] = <uint8_t>(0x80 | code & 63)
        return 3
    out[0], out[1] = <uint8_t>(0xF0 | code >> 18), <uint8_t>(0x80 | code >> 12 & 63)
    out[2], out[3] = <uint8_t>(0x80 | code >> 6 & 63), <uint8_t>(0x80 | code & 63)
    return 4


cdef uint8_t[256] MEANS  # what a character behind a backslash stands for; 0 if for nothing
for _code in range(256):
    MEANS[_code] = 0
for _code, _means in zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t'):
    MEANS[_code] = _means


cdef int64_t unescape(
    const uint8_t[::1] block, int64_t at, int64_t end, uint8_t* out
) noexcept nogil:
    """Write what a string stands for; return its length, or -1 if it stands for no text."""
    cdef int64_t length = 0, code, low
    while at < end:
        if block[at] != c'\\':
            out[length] = block[at]
            length += 1
            at += 1
        elif at + 1 < end and block[at + 1] != c'u':
            if MEANS[block[at + 1]] == 0:
                return -1
            out[length] = MEANS[block[at + 1]]
            length += 1
            at += 2
        else:
            code = hexadecimal(block, at + 2, end)
            at += 6
            if 0xD800 <= code < 0xDC00:  # the first half of a character beyond 16 bits
                low = -1
                if at + 1 < end and block[at] == c'\\' and block[at + 1] == c'u':
                    low = hexadecimal(block, at + 2, end)
                at += 6
                if not 0xDC00 <= low < 0xE000:
                    return -1
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            elif code < 0 or 0xDC00 <= code < 0xE000:
                return -1
            length += encode(<uint32_t>code, out + length)
    return length


def take_strings(
    const uint8_t[::1] block, const int64_t[::1] begins, const int64_t[::1] ends
):
    """Return the column (data, offsets) of strings, and the first that is no text, or -1.

    String i is what block[begins[i]:ends[i]] stands for; one that is no text is left empty.
    """
    cdef Py_ssize_t i, rows = len(begins)
    cdef int64_t total = 0, length, wrong = -1
    if len(ends) != rows:
        raise ValueError("begins and ends do not fit")
    with nogil:
        for i in range(rows):
            if not 0 <= begins[i] <= ends[i] <= block.shape[0]:
                with gil:
                    raise ValueError(f"string {i} lies outside the block")
            total += ends[i] - begins[i]
    data, offsets = np.empty(total + 1, np.uint8), np.zeros(rows + 1, np.int64)
    cdef uint8_t[::1] out = data
    cdef int64_t[::1] places = offsets
    with nogil:
        for i in range(rows):
            length = unescape(block, begins[i], ends[i], &out[places[i]])
            if length < 0:
                length = 0
                wrong = i if wrong < 0 else wrong
            places[i + 1] = places[i] + length
    return data[: offsets[rows]], offsets, wrong


def take_numbers(
    const uint8_t[::1] block, const int64_t[::1] begins, const int64_t[::1] ends
):
    """Return the numbers between positions, NaN where there is none; a byte follows each."""
    cdef Py_ssize_t i, rows = len(begins)
    if len(ends) != rows:
        raise ValueError("begins and ends do not fit")
    numbers = np.empty(rows)
    cdef double[::1] out = numbers
    with nogil:
        for i in range(rows):
            if not 0 <= begins[i] <= ends[i] < block.shape[0]:
                with gil:
                    raise ValueError(f"number {i} lies outside the block")
            if parse(&block[begins[i]], ends[i] - begins[i], &out[i]) == NO_NUMBER:
                out[i] = NAN
    return numbers


def are_whole(
    const uint8_t[::1] block, const int64_t[::1] begins, const int64_t[::1] ends
):
    """Tell which of the numbers between positions are written with digits, and perhaps a minus."""
    cdef Py_ssize_t i, rows = len(begins)
    cdef int64_t at
    if len(ends) != rows:
        raise ValueError("begins and ends do not fit")
    whole = np.ones(rows, np.uint8)
    cdef uint8_t[::1] out = whole
    with nogil:
        for i in range(rows):
            if not 0 <= begins[i] <= ends[i] <= block.shape[0]:
                with gil:
                    raise ValueError(f"number {i} lies outside the block")
            for at in range(begins[i], ends[i]):
                if not (c'0' <= block[at] <= c'9' or (at == begins[i] and block[at] == c'-')):
                    out[i] = 0
                    break
    return whole.view(np.bool_)
