"""Words of 64 bits: the product of two, and how many of the highest bits are 0."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    #if defined(_M_ARM64)
    static inline uint64_t gw_multiply(uint64_t a, uint64_t b, uint64_t* low) {
        *low = a * b;
        return __umulh(a, b);
    }
    #else
    static inline uint64_t gw_multiply(uint64_t a, uint64_t b, uint64_t* low) {
        uint64_t high;
        *low = _umul128(a, b, &high);
        return high;
    }
    #endif
    static inline int gw_leading_zeros(uint64_t word) {
        unsigned long index;
        _BitScanReverse64(&index, word);
        return 63 - (int)index;
    }
    #else
    static inline uint64_t gw_multiply(uint64_t a, uint64_t b, uint64_t* low) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *low = (uint64_t)product;
        return (uint64_t)(product >> 64);
    }
    static inline int gw_leading_zeros(uint64_t word) { return __builtin_clzll(word); }
    #endif
    """
    # the upper half of a*b; the lower half is stored
    uint64_t multiply "gw_multiply"(uint64_t a, uint64_t b, uint64_t* low) noexcept nogil
    # of a word that is not 0
    int leading_zeros "gw_leading_zeros"(uint64_t word) noexcept nogil
