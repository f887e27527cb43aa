"""Decimal text to doubles, a column at a time, to the same bits as Python's float().

NumPy and Python parse one number per call, which would take longer than everything else in
reading a run. Here the digits of all numbers are summed eight at a time inside 64-bit words; the
few numbers in other shapes (exponents, more than 19 digits, halfway cases) go through float().
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Bytes, Floats, Ints, Words
from gradewise.collection.ids import load_words, word_count

_DECIMAL = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DOTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_ZEROS = np.uint64(0x3030303030303030)
_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_TOO_BIG = np.uint64(0x7676767676767676)  # added to a byte of 10 or more, sets its high bit
_EXACT_POWERS = 10.0 ** np.arange(23)  # the powers of ten that doubles hold exactly
_INTEGER_POWERS = np.array([10**n for n in range(20)], dtype=np.uint64)
_MOST_DIGITS = 19  # of a number that fits 64 bits
_MOST_FRACTION = 22
_MOST_WORDS = 3  # up to 24 characters; longer numbers are parsed one by one
_EXACT_INTEGERS = np.uint64(1 << 53)
_SPLITTER = 134217729.0  # 2^27 + 1, Dekker's constant


@dataclass(frozen=True)
class Decimals:
    """Parsed numbers: NaN and `failed` where the text is not a finite decimal number."""

    values: Floats
    whole: Bools
    failed: Bools


def parse_decimals(data: Bytes, starts: Ints, lengths: NDArray[np.integer]) -> Decimals:
    """Parse the fields `data[start : start + length]` of padded data as decimal numbers."""
    words = load_words(data, starts, min(word_count(lengths), _MOST_WORDS))
    first = words[0] & np.uint64(0xFF)
    if (first < ord(".")).any():  # the signs come before the dot and the digits
        negative = first == ord("-")
        signed = negative | (first == ord("+"))
        words = load_words(data, starts + signed, len(words))
        values, whole, hard = _parse_plain(words, lengths - signed)
        values = np.where(negative, -values, values)
    else:
        values, whole, hard = _parse_plain(words, lengths)
    failed = np.zeros(len(values), np.bool_)
    for row in np.flatnonzero(hard):
        field = data[starts[row] : starts[row] + lengths[row]].tobytes()
        value = float(field) if _DECIMAL.fullmatch(field) else np.nan
        failed[row] = not np.isfinite(value)
        values[row] = np.nan if failed[row] else value
        whole[row] = field.lstrip(b"+-").isdigit()
    return Decimals(values, whole, failed)


def _first_dot(word: Words) -> tuple[Words, NDArray[np.int8]]:
    """Return a mask of the bytes before the first dot of each word, and how many they are.

    These are all bytes, and 8, where there is no dot.
    """
    x = word ^ _DOTS
    marks = (x - _ONES) & ~x & _HIGHS  # the lowest mark is in the byte of the first dot
    before = ((marks & (~marks + np.uint64(1))) >> np.uint64(7)) - np.uint64(1)
    return before, (np.bitwise_count(before) >> 3).view(np.int8)


def _without_dot(words: list[Words], before: Words) -> list[Words]:
    """Move the bytes behind the dot, all but those in `before`, down by one byte."""
    moved = []
    for word, following in zip(words, [*words[1:], None], strict=True):
        shifted = word >> np.uint64(8)
        if following is not None:
            shifted |= following << np.uint64(56)
        moved.append(shifted)
    moved[0] = (words[0] & before) | (moved[0] & ~before)
    return moved


def _not_digits(digits: Words) -> Bools:
    return (((digits + _TOO_BIG) | digits) & _HIGHS) != 0


def _number_of(digits: Words) -> Words:
    """Return the number that eight digits make: pairs, then fours, then all eight at once."""
    pairs = digits * np.uint64(10) + (digits >> np.uint64(8))
    low, high = np.uint64(0x000000FF000000FF), np.uint64(16)
    return (
        (pairs & low) * np.uint64(0x000F424000000064)
        + ((pairs >> high) & low) * np.uint64(0x0000271000000001)
    ) >> np.uint64(32)


def _parse_plain(words: list[Words], lengths: NDArray[np.integer]) -> tuple[Floats, Bools, Bools]:
    """Parse digits with at most one dot; return values, which are whole, which are not plain."""
    length = np.minimum(lengths, 127).astype(np.int8)  # small numbers, for speed
    before_dot, dot = _first_dot(words[0])
    has_dot = (dot < 8) & (dot < length)
    digits = length - has_dot
    fraction = np.where(has_dot, digits - dot, np.int8(0))
    hard = (digits == 0) | (fraction > _MOST_FRACTION) | (length > 8 * _MOST_WORDS)
    if len(words) > 1:  # a dot is looked for in the first eight bytes only
        hard |= ~has_dot & (length > 8)
    mantissa = np.zeros(1, np.uint64)
    for index, word in enumerate(_without_dot(words, before_dot)):
        count = np.clip(digits - np.int8(8 * index), 0, 8)
        piece = (word ^ _ZEROS) << ((8 - count) << 3).astype(np.uint64)  # last digit highest
        hard |= _not_digits(piece)
        number = _number_of(piece)
        mantissa = number if index == 0 else mantissa * _INTEGER_POWERS[count] + number
        if index == 0 and len(words) > 2:  # beyond 19 digits, the first ones must be zeros
            room = _INTEGER_POWERS[np.clip(np.int8(27) - digits, 0, 8)]
            hard |= (digits > _MOST_DIGITS) & (mantissa >= room)
    power = _powers_of_ten(fraction)
    values = mantissa.astype(np.float64) / power  # rounded once if both are exact
    if len(words) > 1:
        large = np.flatnonzero((mantissa >= _EXACT_INTEGERS) & ~hard)
        powers = np.broadcast_to(power, values.shape)[large]
        values[large], unsure = _divide_rounded_once(mantissa[large], values[large], powers)
        hard[large[unsure]] = True
    return values, ~has_dot, hard


def _powers_of_ten(exponent: NDArray[np.int8]) -> Floats:
    if len(exponent) and exponent.min() == exponent.max():  # as many digits in all numbers
        exponent = exponent[:1]
    return _EXACT_POWERS.take(exponent, mode="clip")


def _divide_rounded_once(mantissa: Words, quotient: Floats, power: Floats) -> tuple[Floats, Bools]:
    """Correct mantissa/power, given to within a few units in the last place.

    The remainder is formed exactly (Dekker's product); the second result marks quotients so near
    the middle of two doubles that its rounding could still be wrong.
    """
    nearest = mantissa.astype(np.float64)
    left_over = (mantissa - nearest.astype(np.uint64)).astype(np.int64).astype(np.float64)
    product = quotient * power
    q_high = quotient * _SPLITTER - (quotient * _SPLITTER - quotient)
    p_high = power * _SPLITTER - (power * _SPLITTER - power)
    q_low, p_low = quotient - q_high, power - p_high
    error = ((q_high * p_high - product) + q_high * p_low + q_low * p_high) + q_low * p_low
    correction = (((nearest - product) - error) + left_over) / power
    rounded = quotient + correction
    off = np.abs(correction - (rounded - quotient))
    unit = np.abs(np.spacing(rounded))
    margin = unit * 2.0**-30
    unsure = (np.abs(off - unit / 2) < margin) | (np.abs(off - unit / 4) < margin)
    return rounded, unsure
