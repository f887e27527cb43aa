"""Faults on purpose: what sanitizers and bounds checks must catch before they are believed."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np


def read_behind_the_end():
    """Read one byte behind an array, as no memoryview would allow."""
    cdef const uint8_t[::1] data = np.zeros(64, np.uint8)
    cdef const uint8_t* bytes_ = &data[0]
    return bytes_[64]


def shift_too_far(int32_t places):
    """Shift a whole number of 32 bits by more places than it has."""
    return <int32_t>1 << places


def index_behind_the_end(Py_ssize_t index):
    """Read an element that an array does not have."""
    cdef const uint8_t[::1] data = np.zeros(64, np.uint8)
    return data[index]
