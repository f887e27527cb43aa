from libc.stdint cimport uint8_t

ctypedef const uint8_t* Bytes

cdef enum:
    NO_NUMBER = 0
    NUMBER = 1
    WHOLE = 2  # written with digits only, and perhaps a sign

cdef int parse(Bytes text, Py_ssize_t length, double* value) noexcept nogil
