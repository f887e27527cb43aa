"""Decimal text to the nearest double.

Up to 19 digits w and an exponent q, the double nearest to w * 10**q follows from the upper bits of
w * 5**q, for which one or two products of 64-bit words are enough (Eisel and Lemire; Lemire,
"Number parsing at a gigabyte per second", 2021). Of more digits the first 19 are taken, and the
next higher 19: if both give the same double, so does the number between them. What is left (some
numbers of many digits, subnormal and huge ones) goes to Python, whose parser no locale changes.
"""

from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from gradewise.kernels.words cimport leading_zeros, multiply

import numpy as np

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* s, char** end, void* overflow) except? -1.0

cdef enum:
    LOWEST = -342
    HIGHEST = 308
    MOST_DIGITS = 19

cdef int64_t FARTHEST = 1_000_000_000_000_000  # no text has so many digits


def _powers_of_five():
    """Return the upper 128 bits of 5**q for q from LOWEST to HIGHEST, two words each."""
    words = []
    for q in range(LOWEST, HIGHEST + 1):
        five = 5 ** abs(q)
        if q < 0:
            bits = (five - 1).bit_length()
            power = (1 << (bits + 127 if q >= -27 else 2 * bits + 128)) // five + 1
        else:
            power = five << 128
        power >>= power.bit_length() - 128
        words += [power >> 64, power & ((1 << 64) - 1)]
    return np.array(words, np.uint64)


cdef const uint64_t[::1] POWERS = _powers_of_five()
cdef const uint64_t* FIVES = &POWERS[0]


cdef bint scaled(uint64_t w, int64_t q, double* value) noexcept nogil:
    """Store the double nearest to w * 10**q; return False where this way does not tell."""
    cdef uint64_t high, low, more, rest, mantissa, bits
    cdef int zeros, upper
    cdef int64_t power
    if w == 0:
        value[0] = 0.0
        return True
    if q < LOWEST or q > HIGHEST:
        return False
    zeros = leading_zeros(w)
    w <<= zeros
    high = multiply(w, FIVES[2 * (q - LOWEST)], &low)
    if (high & 0x1FF) == 0x1FF:  # what is left out could carry
        more = multiply(w, FIVES[2 * (q - LOWEST) + 1], &rest)
        low += more
        if more > low:
            high += 1
    upper = <int>(high >> 63)
    mantissa = high >> (upper + 9)
    power = ((217706 * q) >> 16) + 63 + upper - zeros + 1023  # floor(q * log2(10)) + ...
    if power <= 0 or power >= 0x7FE:
        return False
    if low <= 1 and -4 <= q <= 23 and (mantissa & 3) == 1 and mantissa << (upper + 9) == high:
        mantissa -= 1  # exactly half way: to even
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if mantissa >= <uint64_t>1 << 53:
        mantissa = <uint64_t>1 << 52
        power += 1
    bits = (mantissa & ~(<uint64_t>1 << 52)) | (<uint64_t>power << 52)
    memcpy(value, &bits, 8)
    return True


cdef bint nearest(uint64_t w, int64_t q, bint more, double* value) noexcept nogil:
    """As `scaled`; `more` says that digits which are not all 0 follow those of w."""
    cdef double above
    if not scaled(w, q, value):
        return False
    return not more or (scaled(w + 1, q, &above) and above == value[0])


cdef double slowly(Bytes text) noexcept nogil:
    """Return what Python makes of the number at the start of a text."""
    cdef char* end
    with gil:
        return PyOS_string_to_double(<const char*>text, &end, NULL)


cdef int parse(Bytes text, Py_ssize_t length, double* value) noexcept nogil:
    """Store the double nearest to the decimal number text[:length]; tell what was found.

    A number is [+-]digits[.digits][e[+-]digits], with a digit before or behind the dot. One beyond
    the doubles is none. text[length] can be read and is no part of a number.
    """
    cdef Bytes here = text
    cdef Bytes end = text + length
    cdef uint64_t w = 0
    cdef int digits = 0
    cdef int64_t q = 0, exponent = 0
    cdef bint negative = False, found = False, more = False, whole = True, below = False
    if here < end and (here[0] == c'-' or here[0] == c'+'):
        negative = here[0] == c'-'
        here += 1
    while here < end:
        if <uint8_t>(here[0] - c'0') < 10:
            found = True
            if digits < MOST_DIGITS:
                w = 10 * w + (here[0] - c'0')
                digits += w > 0
                q -= not whole
            else:
                more |= here[0] != c'0'
                q += whole
        elif here[0] == c'.' and whole:
            whole = False
        else:
            break
        here += 1
    if not found:
        return NO_NUMBER
    if here < end and (here[0] == c'e' or here[0] == c'E'):
        whole = False
        here += 1
        if here < end and (here[0] == c'-' or here[0] == c'+'):
            below = here[0] == c'-'
            here += 1
        if here == end:
            return NO_NUMBER
        while here < end and <uint8_t>(here[0] - c'0') < 10:
            if exponent < FARTHEST:
                exponent = 10 * exponent + (here[0] - c'0')
            here += 1
        q += -exponent if below else exponent
    if here != end:
        return NO_NUMBER
    if nearest(w, q, more, value):
        if negative:
            value[0] = -value[0]
    else:
        value[0] = slowly(text)
        if not isfinite(value[0]):
            return NO_NUMBER
    return WHOLE if whole else NUMBER


def parse_decimal(bytes text):
    """Return the number that a text is and whether it is written whole; None if it is none."""
    cdef double value = 0
    cdef int kind = parse(text, len(text), &value)
    return None if kind == NO_NUMBER else (value, kind == WHOLE)
