# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/double_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index euc-kr: Identifier 1d97134cbf187263585bc8f593ca4196654ed4c7a673f5672eaad4f5d9fdc4ba

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Korean encodings: EUC-KR.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "korean_tables.h" nogil:
    const uint16_t euc_kr_pairs[32768]
    const uint16_t euc_kr_reverse[65536]


# -- Decoder: EUC-KR
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-kr-decoder


cdef inline size_t euc_kr_decode_kernel "euc_kr_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_double_byte_decode(run, kind, source, length, euc_kr_pairs, False, target, written)


cdef inline uint32_t euc_kr_decode_item "euc_kr_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#euc-kr-decoder

    Order: a sequence is read at once, so the steps for its trailing byte follow those for its leading byte.
    """
    cdef uint8_t leading = source[0], trailing
    cdef uint32_t code_point
    # euc-kr-decoder 2: at end-of-queue the loop ends.
    # euc-kr-decoder 4 (kernel): an ASCII byte is the code point of its value.
    if leading < 0x80:
        return leading
    # euc-kr-decoder 6: any byte but a leading byte is an error.
    if not (0x81 <= leading <= 0xFE):
        return WE_ITEM_ERROR
    # euc-kr-decoder 5: a leading byte.
    # euc-kr-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    # euc-kr-decoder 3, 3.1-3.3: its trailing byte.
    trailing = source[1]
    # euc-kr-decoder 3.4 (kernel): the table's key replaces the pointer; other bytes have null.
    # euc-kr-decoder 3.5 (kernel): the index code point, 0 for null.
    # euc-kr-decoder 3.6 (kernel): it is the code point, unless it is null.
    # euc-kr-decoder 3.7-3.8: null is an error; an ASCII byte is restored.
    # In range: the key of any two bytes is below 0x8000, the length of the table.
    code_point = euc_kr_pairs[(leading & 0x7F) << 8 | trailing]
    if code_point != 0 or trailing >= 0x80:
        consumed[0] = 2
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: EUC-KR
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-kr-encoder

cdef inline size_t euc_kr_encode_kernel "euc_kr_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, euc_kr_reverse, target, written)


cdef inline size_t euc_kr_encode_item "euc_kr_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#euc-kr-encoder"""
    cdef uint16_t pair = 0
    # euc-kr-encoder 1: at end-of-queue the loop ends.
    # euc-kr-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # euc-kr-encoder 3 (kernel): the table has for each code point the bytes of its pointer, 0 for null.
    if code_point < 0x10000:
        pair = euc_kr_reverse[code_point]
    # euc-kr-encoder 4: null is an error with code point.
    if pair == 0:
        error[0] = code_point
        return 0
    # euc-kr-encoder 5-7 (kernel): its bytes.
    we_store_pair(target, pair)
    return 1 + (pair > 0xFF)


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME euc_kr
    #include "decode_loop.h"
    #define WE_NAME euc_kr
    #include "encode_loop.h"
    static const we_codec euc_kr_codec = {
        WE_DECODES(euc_kr), WE_ENCODES(euc_kr), {2, 2, 2},
        0, 1, NULL};
    """
    const we_codec euc_kr_codec

CODECS = {
    "EUC-KR": PyCapsule_New(<void *> &euc_kr_codec, "whatwg_encoding.codec", NULL),
}
