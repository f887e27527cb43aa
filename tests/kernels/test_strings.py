"""String views and whole numbers as columns of ids."""

import numpy as np
import pytest
from columns import column, strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels.strings import find_blank, from_integers, from_views

often = settings(max_examples=150, deadline=None, derandomize=True)


def views_of(strings: list[str], buffer_size: int):
    """Write string views as the format says: up to 12 bytes in place, others in buffers."""
    views, buffers = [], [b""]
    for string in strings:
        text = string.encode()
        if len(text) <= 12:
            views.append(len(text).to_bytes(4, "little") + text.ljust(12, b"\0"))
            continue
        if len(buffers[-1]) > buffer_size:
            buffers.append(b"")
        place = [len(buffers) - 1, len(buffers[-1])]
        buffers[-1] += text
        numbers = [number.to_bytes(4, "little") for number in place]
        views.append(len(text).to_bytes(4, "little") + text[:4] + b"".join(numbers))
    return np.frombuffer(b"".join(views), np.uint8), [np.frombuffer(b, np.uint8) for b in buffers]


def read(views, buffers) -> list[str]:
    addresses = [buffer.__array_interface__["data"][0] for buffer in buffers]
    sizes = [len(buffer) for buffer in buffers]
    return strings_of(*from_views(views, np.array(addresses, np.uint64), np.array(sizes)))


@often
@given(st.lists(st.text("abé日", max_size=20), max_size=20), st.sampled_from([1, 40, 1000]))
def test_views(strings, buffer_size):
    assert read(*views_of(strings, buffer_size)) == strings


@pytest.mark.parametrize(("place", "value"), [(0, 99), (0, -1), (8, 1), (8, -1), (12, 1), (12, -5)])
def test_a_view_outside_its_buffer_is_refused(place, value):
    views, buffers = views_of(["a string of 22 letters"], 1000)
    wrong = views.copy()
    wrong[place : place + 4] = np.frombuffer(np.int32(value).tobytes(), np.uint8)
    with pytest.raises(ValueError, match="outside"):
        read(wrong, buffers)


@often
@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20))
def test_whole_numbers(numbers):
    found = from_integers(np.array(numbers, np.int64), False)
    assert strings_of(*found) == list(map(str, numbers))


def test_numbers_without_sign():
    numbers = np.array([0, 1, 2**63, 2**64 - 1], np.uint64)
    assert strings_of(*from_integers(numbers.view(np.int64), True)) == list(map(str, numbers))


SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]
NO_SPACES = ["a", "é", "\x00", "\u200b", "\u0084", "\u2010", "\u3001", "日", "\U0001f600"]


@often
@given(st.lists(st.text(st.sampled_from([*SPACES, *NO_SPACES]), max_size=4), max_size=8))
def test_the_first_blank_id(strings):
    blank = [not string.strip() for string in strings]
    assert find_blank(*column(strings)) == (blank.index(True) if any(blank) else -1)


def test_every_white_space_is_blank():
    for space in SPACES:
        assert find_blank(*column(["x", space])) == 1, hex(ord(space))
