"""Decimal text to doubles: what Python's float() says, to the bit, or a failure."""

import io
import locale
import math
import re
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.kernels.decimals import parse_decimal
from gradewise.kernels.lines import Rows
from oracles.reading import Refused, decimal

often = settings(max_examples=120, deadline=None, derandomize=True)


def parse(texts: list[str]) -> tuple[list[float], list[bool]]:
    """Parse a column of numbers: the values, NaN where there is none, and which are whole."""
    block = "".join(f"1 d{row} {text}\n" for row, text in enumerate(texts)).encode()
    values, whole = [math.nan] * len(texts), [False] * len(texts)
    for wanted_whole in (False, True):
        rows = Rows(len(texts))
        if texts:
            rows.read(np.frombuffer(block, np.uint8), (0, 1, 2), 3, False, wanted_whole)
        names = rows.docs[: rows.doc_offsets[rows.count]].tobytes().decode() if texts else ""
        for row, value in zip(
            map(int, names.split("d")[1:]), rows.numbers if texts else [], strict=False
        ):
            if wanted_whole:
                whole[row] = True
            else:
                values[row] = float(value)
    return values, whole


def bits(number: float) -> str:
    return struct.pack(">d", number).hex()


def check(texts: list[str]) -> None:
    """Compare numbers with float(), alone and in a column."""
    values, _ = parse(texts)
    for value, text in zip(values, texts, strict=True):
        alone = parse_decimal(text.encode())
        try:
            expected = decimal(text)
        except Refused:
            assert alone is None, text
            assert math.isnan(value), text
            continue
        assert alone is not None, text
        assert bits(alone[0]) == bits(value) == bits(expected), text
        assert alone[1] == (re.fullmatch("[+-]?[0-9]+", text) is not None), text


DIGITS = st.text("0123456789", min_size=1, max_size=12)
SIGNS = st.sampled_from(["", "", "", "-", "+"])


@st.composite
def fixed_point(draw: st.DrawFn, most: int = 12) -> str:
    digits = st.text("0123456789", max_size=most)
    text = draw(SIGNS) + draw(digits) + draw(st.sampled_from([".", ".", "."])) + draw(digits)
    return text if any(character.isdigit() for character in text) else text + "0"


@st.composite
def near_the_middle(draw: st.DrawFn) -> str:
    """Write the middle of two neighboring doubles, cut to so many digits, and perhaps nudged."""
    low = draw(st.floats(1e-6, 9e6))
    middle = (Fraction(low) + Fraction(math.nextafter(low, math.inf))) / 2
    places = draw(st.integers(9, 22))
    scaled = round(middle * 10**places) + draw(st.integers(-2, 2))
    digits = str(scaled).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"


@often
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), max_size=20))
def test_what_python_writes(texts):
    check(texts)


@often
@given(st.lists(st.floats(-1e6, 1e6).map(repr), min_size=1, max_size=20))
def test_what_python_writes_of_usual_scores(texts):
    check(texts)


FORMATS = ["{!r}", "{:.4f}", "{:.6f}", "{:.10f}", "{:.15f}", "{:.20f}", "{:.17g}", "{:.3e}"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 30.0, 1e5, 1e12])
def test_many_scores_in_a_column(form, scale):
    numbers = np.random.default_rng(7).normal(scale=scale, size=5000).tolist()
    texts = [form.format(number) for number in numbers]
    values, _ = parse(texts)
    assert list(map(bits, values)) == [bits(float(text)) for text in texts]


@pytest.mark.parametrize("digits", [15, 16, 17, 18, 19, 20, 21, 22, 23])
@pytest.mark.parametrize("before_dot", [0, 1, 4, 7])
def test_random_digits_in_a_column(digits, before_dot):
    drawn = np.random.default_rng(digits).integers(48, 58, (3000, digits), np.uint8)
    rows = [row.tobytes().decode() for row in drawn]
    texts = [f"{row[:before_dot]}.{row[before_dot:]}" for row in rows]
    values, _ = parse(texts)
    assert list(map(bits, values)) == [bits(float(text)) for text in texts]


@often
@given(st.lists(fixed_point(), min_size=1, max_size=20))
def test_fixed_point(texts):
    check(texts)


@often
@given(st.lists(fixed_point(most=40), min_size=1, max_size=20))
def test_many_digits(texts):
    check(texts)


@often
@given(st.lists(near_the_middle(), min_size=1, max_size=20))
def test_halfway_cases(texts):
    check(texts)


@pytest.mark.parametrize("places", range(8, 23))
def test_decimals_that_come_nearest_to_the_middle_of_two_doubles(places):
    """Write the decimals with so many places that are hardest to round.

    A middle of two doubles is m/2^k, m odd with 54 bits. With f places, m 10^f/2^k = m 5^f/2^(k-f)
    is never whole, and nearest to a whole number where m 5^f is 1 or -1 modulo 2^(k-f).
    """
    rng = np.random.default_rng(places)
    texts = []
    for power in range(max(1, 31 - places), 53):  # up to eight digits before the dot
        modulus = 1 << power
        for remainder in (1, -1, 3, -3):
            middle = remainder * pow(5**places, -1, modulus) % modulus
            middle += modulus * int(rng.integers(2**53 // modulus, 2**54 // modulus))
            whole = (middle * 5**places - remainder) // modulus
            digits = str(whole).zfill(places + 1)
            texts.append(f"{digits[:-places]}.{digits[-places:]}")
    values, _ = parse(texts)
    assert list(map(bits, values)) == [bits(float(text)) for text in texts]


@often
@given(
    st.lists(
        st.tuples(SIGNS, DIGITS, st.sampled_from(["e", "E"]), SIGNS, st.integers(0, 400)).map(
            lambda parts: "".join(map(str, parts))
        ),
        min_size=1,
        max_size=20,
    )
)
def test_exponents(texts):
    check(texts)


@often
@given(st.lists(st.tuples(SIGNS, DIGITS).map("".join), min_size=1, max_size=20))
def test_whole_numbers(texts):
    check(texts)


@often
@given(
    st.lists(
        st.tuples(SIGNS, st.integers(0, 30).map("0".__mul__), fixed_point()).map(
            lambda parts: parts[0] + parts[1] + parts[2].lstrip("+-")
        ),
        min_size=1,
        max_size=20,
    )
)
def test_leading_zeros(texts):
    check(texts)


@often
@given(st.lists(st.text("0123456789.+-eE", min_size=1, max_size=30), min_size=1, max_size=20))
def test_nearly_numbers(texts):
    check(texts)


@often
@given(
    st.lists(
        st.text(
            st.one_of(
                st.sampled_from("0123456789.+-eE_xXnaifNIF,/:\x7f"),
                st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]),
            ),
            min_size=1,
            max_size=26,
        ),
        min_size=1,
        max_size=20,
    )
)
@example(["/", ":", "1/", "1:", "12345678:", "1.2345678/"])  # the neighbors of the digits
@example(["1..", "..1", "1.2.3", "0.1234567.", "12345678.1.1", "1234567.1234567.1"])
def test_anything_else_fails(texts):
    check(texts)


@often
@given(st.integers(1, 24), st.data())
def test_one_wrong_byte_anywhere(length, data):
    digits = data.draw(st.text("0123456789", min_size=length, max_size=length))
    place = data.draw(st.integers(0, length - 1))
    wrong = data.draw(st.sampled_from("/:;!$%&*,_~xyzABCGé\u00b2"))
    check([digits[:place] + wrong + digits[place + 1 :], digits])


SINGLE = [
    ".5", "5.", "-.5", "+5.", "0", "-0", "0.0", "-0.0", "00", "1e5", "1E+5", "1e-5", "1.e5",
    ".1e5", "9007199254740992", "9007199254740993", "9007199254740995", "0.9007199254740993",
    "9.007199254740993", "900719.9254740993", "9007199.254740993", "99999999", "100000000",
    "9999999999999999999", "18446744073709551615", "18446744073709551616",
    "1.8446744073709551615", "1.8446744073709551616", "0.18446744073709551616",
    "9.9999999999999999999", "0.00000000000000000000001", "0.0000000000000000000001",
    "0.000000000000000000001", "1.7976931348623157e308", "1.7976931348623159e308",
    "2.2250738585072014e-308", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "1e-400", "0e999", "0e99999999999", "0.1", "0.2", "0.3", "0.7", "123456.7", "1234567.8",
    "12345678.9", "123456789.1", "0.5000000000000000000000001",
    "1.00000000000000011102230246251565", "1.00000000000000011102230246251566",
    "1.00000000000000011102230246251564", "1" * 400, "0." + "3" * 400, "1e999", "-1e999",
    "1" * 309, "9" * 309, "nan", "inf", "-inf", "Infinity", "0x1", "0x1p4", "1_0", "1e", "e1",
    "1e1.5", ".", "+", "-", "+.", "--1", "1-", "1+1", "1e+-1", "\u0661", "1\u0661", "½", "1,0",
    "1\x7f",
]  # fmt: skip


@pytest.mark.parametrize("text", SINGLE)
def test_single_numbers(text):
    check([text])


def test_a_token_of_very_many_digits_takes_no_longer_than_it_is_long():
    assert parse_decimal(b"9" * 200_000 + b"x") is None
    assert parse_decimal(b"9" * 200_000) is None
    assert parse_decimal(b"." + b"9" * 200_000) == (1.0, False)
    assert parse_decimal(b"." + b"0" * 200_000 + b"1e200001") == (1.0, False)


def test_the_decimal_point_of_a_locale_changes_nothing():
    """Numbers that are left to Python, whose parser knows no locale."""
    hard = ["5e-324", "1.00000000000000011102230246251565", "0." + "3" * 400]
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C"):
        try:
            before = locale.setlocale(locale.LC_NUMERIC)
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            check(hard)
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)


def test_the_last_number_of_a_text_has_nothing_behind_it():
    run = gw.read_run(io.BytesIO(b"1 a 0.12345678901234567890123456789"))
    assert run.scores.tolist() == [0.12345678901234568]
    run = gw.read_run(io.BytesIO(b"1 Q0 a 1 2.5 t"))
    assert run.scores.tolist() == [2.5]
