# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/utf_8.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The Encoding: UTF-8.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *


# -- Decoder: UTF-8
# Template: templates/_handlers/utf_8.pyx.j2. Standard: https://encoding.spec.whatwg.org/#utf-8-decoder

cdef inline size_t utf_8_decode_kernel "utf_8_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_utf_8_decode(run, kind, after_error, source, length, target, written)


cdef inline uint32_t utf_8_decode_item "utf_8_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#utf-8-decoder

    Order: a sequence is read at once, so the steps for its further bytes follow those for its first.
    """
    cdef uint8_t byte = source[0], lower_boundary = 0x80, upper_boundary = 0xBF
    cdef size_t bytes_seen = 0, bytes_needed
    cdef uint32_t code_point
    # utf-8-decoder 2: at end-of-queue the loop ends.
    # utf-8-decoder 3: the first byte.
    # utf-8-decoder 3.[0x00 to 0x7F] (kernel): the code point of its value.
    if byte < 0x80:
        return byte
    # utf-8-decoder 3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2 (kernel): one more byte.
    if 0xC2 <= byte <= 0xDF:
        bytes_needed = 1
        code_point = byte & 0x1F
    # utf-8-decoder 3.[0xE0 to 0xEF], 3.[0xE0 to 0xEF].1-4 (kernel): two more bytes.
    elif 0xE0 <= byte <= 0xEF:
        if byte == 0xE0:
            lower_boundary = 0xA0
        if byte == 0xED:
            upper_boundary = 0x9F
        bytes_needed = 2
        code_point = byte & 0xF
    # utf-8-decoder 3.[0xF0 to 0xF4], 3.[0xF0 to 0xF4].1-4 (kernel): three more bytes.
    elif 0xF0 <= byte <= 0xF4:
        if byte == 0xF0:
            lower_boundary = 0x90
        if byte == 0xF4:
            upper_boundary = 0x8F
        bytes_needed = 3
        code_point = byte & 0x7
    # utf-8-decoder 3.[Otherwise]: any other byte is an error.
    else:
        return WE_ITEM_ERROR
    while bytes_seen < bytes_needed:
        # utf-8-decoder 1: end-of-queue within a sequence is an error.
        consumed[0] = 1 + bytes_seen
        if consumed[0] == length:
            return WE_ITEM_INCOMPLETE
        # utf-8-decoder 4, 4.1-4.3: an error; byte is restored.
        byte = source[1 + bytes_seen]
        if not lower_boundary <= byte <= upper_boundary:
            return WE_ITEM_ERROR
        # utf-8-decoder 5-8 (kernel): the next bits.
        lower_boundary = 0x80
        upper_boundary = 0xBF
        code_point = code_point << 6 | byte & 0x3F
        bytes_seen += 1
    # utf-8-decoder 9-11 (kernel): the code point is complete.
    consumed[0] = 1 + bytes_seen
    return code_point


# -- Encoder: UTF-8
# Template: templates/_handlers/utf_8.pyx.j2. Standard: https://encoding.spec.whatwg.org/#utf-8-encoder

cdef inline size_t utf_8_encode_kernel "utf_8_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_utf_8_encode(run, kind, source, length, target, written)


cdef inline size_t utf_8_encode_item "utf_8_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#utf-8-encoder"""
    # utf-8-encoder 1: at end-of-queue the loop ends.
    # A surrogate is no scalar value: the engine replaces it.
    if we_is_surrogate(code_point):
        error[0] = code_point
        return 0
    # utf-8-encoder 2 (kernel): a byte of the same value.
    # utf-8-encoder 3-5, 5.1-5.3, 6 (kernel): the bytes of every other scalar value.
    return we_put_utf8(target, code_point)


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME utf_8
    #define WE_SURROGATE we_utf_8_surrogate
    #include "decode_loop.h"
    #define WE_NAME utf_8
    #define WE_PASSES_SURROGATES 1
    #include "encode_loop.h"
    static const we_codec utf_8_codec = {
        WE_DECODES(utf_8), WE_ENCODES(utf_8), {2, 3, 4},
        0, 1, NULL};
    """
    const we_codec utf_8_codec

CODECS = {
    "UTF-8": PyCapsule_New(<void *> &utf_8_codec, "whatwg_encoding.codec", NULL),
}
