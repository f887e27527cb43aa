"""Decimal text to doubles: what Python's float() says, to the bit, or a failure."""

import io
import math
import re
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from literal_readers import Refused, decimal

import gradewise as gw
from gradewise.collection.decimals import Decimals, parse_decimals
from gradewise.collection.text import text_from_bytes

often = settings(max_examples=120, deadline=None, derandomize=True)


def parse(texts: list[str], after: str = " ") -> Decimals:
    """Parse a column of numbers, each followed by white space and whatever comes after."""
    encoded = [text.encode() for text in texts]
    separator = after.encode()
    starts, place = [], 0
    for field in encoded:
        starts.append(place)
        place += len(field) + len(separator)
    content = separator.join([*encoded, b""])
    lengths = np.array([len(field) for field in encoded], np.int64)
    return parse_decimals(text_from_bytes("x", content).data, np.array(starts, np.int64), lengths)


def bits(number: float) -> str:
    return struct.pack(">d", number).hex()


def check(texts: list[str], after: str = " ") -> None:
    """Compare a column with float(); its first numbers also on their own, where words are fewer."""
    for column in (texts, texts[:1], texts[1:2]):
        parsed = parse(column, after)
        for row, text in enumerate(column):
            try:
                expected = decimal(text)
            except Refused:
                assert parsed.failed[row], text
                assert math.isnan(parsed.values[row])
                continue
            assert not parsed.failed[row], text
            assert bits(parsed.values[row]) == bits(expected), text
            whole = re.fullmatch("[+-]?[0-9]+", text) is not None
            assert parsed.whole[row] == whole, text


AFTER = st.sampled_from([" ", "\t", "\n", " .5 ", " 0.25 tag\n", "\n12345678 Q0 9.9 "])
DIGITS = st.text("0123456789", min_size=1, max_size=12)
SIGNS = st.sampled_from(["", "", "", "-", "+"])


@st.composite
def fixed_point(draw: st.DrawFn, most: int = 12) -> str:
    digits = st.text("0123456789", max_size=most)
    text = draw(SIGNS) + draw(digits) + draw(st.sampled_from([".", ".", "."])) + draw(digits)
    return text if any(character.isdigit() for character in text) else text + "0"


@st.composite
def near_the_middle(draw: st.DrawFn) -> str:
    """Write the middle of two neighbouring doubles, cut to so many digits, and perhaps nudged."""
    low = draw(st.floats(1e-6, 9e6))
    middle = (Fraction(low) + Fraction(math.nextafter(low, math.inf))) / 2
    places = draw(st.integers(9, 22))
    scaled = round(middle * 10**places) + draw(st.integers(-2, 2))
    digits = str(scaled).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"


@often
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), max_size=20), AFTER)
def test_what_python_writes(texts, after):
    check(texts, after)


@often
@given(st.lists(st.floats(-1e6, 1e6).map(repr), min_size=1, max_size=20), AFTER)
def test_what_python_writes_of_usual_scores(texts, after):
    check(texts, after)


FORMATS = ["{!r}", "{:.4f}", "{:.6f}", "{:.10f}", "{:.15f}", "{:.20f}", "{:.17g}", "{:.3e}"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 30.0, 1e5, 1e12])
def test_many_scores_in_a_column(form, scale):
    numbers = np.random.default_rng(7).normal(scale=scale, size=5000).tolist()
    texts = [form.format(number) for number in numbers]
    parsed = parse(texts, after="\t")
    assert not parsed.failed.any()
    assert parsed.values.tobytes() == np.array([float(text) for text in texts]).tobytes()


@pytest.mark.parametrize("digits", [15, 16, 17, 18, 19, 20, 21, 22, 23])
@pytest.mark.parametrize("before_dot", [0, 1, 4, 7])
def test_random_digits_in_a_column(digits, before_dot):
    drawn = np.random.default_rng(digits).integers(48, 58, (3000, digits), np.uint8)
    rows = [row.tobytes().decode() for row in drawn]
    texts = [f"{row[:before_dot]}.{row[before_dot:]}" for row in rows]
    parsed = parse(texts)
    assert not parsed.failed.any()
    assert parsed.values.tobytes() == np.array([float(text) for text in texts]).tobytes()


@often
@given(st.lists(fixed_point(), min_size=1, max_size=20), AFTER)
def test_fixed_point(texts, after):
    check(texts, after)


@often
@given(st.lists(fixed_point(most=40), min_size=1, max_size=20), AFTER)
def test_many_digits(texts, after):
    check(texts, after)


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
    parsed = parse(texts)
    assert not parsed.failed.any()
    assert parsed.values.tobytes() == np.array([float(text) for text in texts]).tobytes()


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
@given(st.lists(st.tuples(SIGNS, DIGITS).map("".join), min_size=1, max_size=20), AFTER)
def test_whole_numbers(texts, after):
    check(texts, after)


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
@example(["/", ":", "1/", "1:", "12345678:", "1.2345678/"])  # the neighbours of the digits
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
    check([text], after=" 12.5 x\n")


def test_a_column_without_rows():
    parsed = parse([])
    assert len(parsed.values) == len(parsed.whole) == len(parsed.failed) == 0


def test_the_last_number_of_a_text_has_nothing_behind_it():
    run = gw.read_run(io.BytesIO(b"1 a 0.12345678901234567890123456789"))
    assert run.scores.tolist() == [-0.12345678901234568]
    run = gw.read_run(io.BytesIO(b"1 Q0 a 1 2.5 t"))
    assert run.scores.tolist() == [2.5]
