# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/double_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index big5: Identifier 8dfc771062e7be0810919082c2c06baa2236147909e0ecc235b1cb9ad782ac82

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Chinese (traditional) encodings: Big5.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "chinese_traditional_tables.h" nogil:
    const uint16_t big5_pairs[32768]
    const uint8_t big5_astral_stage1[1024]
    const uint32_t big5_astral_stage2[4608]
    const uint16_t big5_reverse[65536]
    const uint8_t big5_astral_reverse_stage1[2048]
    const uint16_t big5_astral_reverse_stage2[7232]


cdef inline uint32_t big5_astral(uint32_t key) noexcept nogil:
    """index Big5 above U+FFFF by byte pair; 1024 blocks of 32 keys, 144 distinct, 19456 bytes."""
    # In range: callers pass keys below 0x8000, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = big5_astral_stage1[key >> 5]
    return big5_astral_stage2[block << 5 | key & 0x1F]


cdef inline uint16_t big5_astral_reverse(uint32_t key) noexcept nogil:
    """bytes of Big5 by code point above U+FFFF; 2048 blocks of 32 keys, 226 distinct, 16512 bytes."""
    # In range: callers pass keys below 0x10000, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = big5_astral_reverse_stage1[key >> 5]
    return big5_astral_reverse_stage2[block << 5 | key & 0x1F]


# -- Decoder: Big5
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#big5-decoder

cdef inline uint32_t big5_two_code_points(uint8_t leading, uint8_t trailing) noexcept nogil:
    """Return the two code points of a pointer that has two, the first in the upper half; 0 for any other pointer."""
    # big5-decoder 3.6: the table.
    if leading == 0x88 and trailing == 0x62:  # pointer 1133
        return 0x00CA << 16 | 0x0304
    if leading == 0x88 and trailing == 0x64:  # pointer 1135
        return 0x00CA << 16 | 0x030C
    if leading == 0x88 and trailing == 0xA3:  # pointer 1164
        return 0x00EA << 16 | 0x0304
    if leading == 0x88 and trailing == 0xA5:  # pointer 1166
        return 0x00EA << 16 | 0x030C
    return 0


cdef inline size_t big5_decode_kernel "big5_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_double_byte_decode(run, kind, source, length, big5_pairs, False, target, written)


cdef inline uint32_t big5_decode_item "big5_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#big5-decoder

    Order: a sequence is read at once, so the steps for its trailing byte follow those for its leading byte.
    """
    cdef uint8_t leading = source[0], trailing
    cdef uint32_t code_point
    # big5-decoder 2: at end-of-queue the loop ends.
    # big5-decoder 4 (kernel): an ASCII byte is the code point of its value.
    if leading < 0x80:
        return leading
    # big5-decoder 6: any byte but a leading byte is an error.
    if not (0x81 <= leading <= 0xFE):
        return WE_ITEM_ERROR
    # big5-decoder 5: a leading byte.
    # big5-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    # big5-decoder 3, 3.1-3.3: its trailing byte.
    trailing = source[1]
    # big5-decoder 3.4-3.5 (kernel): the table's key replaces the pointer; other bytes have null.
    # big5-decoder 3.7 (kernel): the index code point, 0 for null.
    # big5-decoder 3.8 (kernel): it is the code point, unless it is null.
    # big5-decoder 3.9-3.10: null is an error; an ASCII byte is restored.
    # In range: the key of any two bytes is below 0x8000, the length of the table.
    code_point = big5_pairs[(leading & 0x7F) << 8 | trailing]
    if code_point == 0:
        code_point = big5_astral((leading & 0x7F) << 8 | trailing)
    # big5-decoder 3.6: two code points. Last, since these pointers are rare and in no index.
    code_point = code_point if code_point != 0 else big5_two_code_points(leading, trailing)
    if code_point != 0 or trailing >= 0x80:
        consumed[0] = 2
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: Big5
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#big5-encoder

cdef inline size_t big5_encode_kernel "big5_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, big5_reverse, target, written)


cdef inline size_t big5_encode_item "big5_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#big5-encoder"""
    cdef uint16_t pair = 0
    # big5-encoder 1: at end-of-queue the loop ends.
    # big5-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # big5-encoder 3 (kernel): the table has for each code point the bytes of its pointer, 0 for null.
    if code_point < 0x10000:
        pair = big5_reverse[code_point]
    # All code points above U+FFFF that have a pointer lie in plane 2.
    elif 0x20000 <= code_point < 0x30000:
        pair = big5_astral_reverse(code_point - 0x20000)
    # big5-encoder 4: null is an error with code point.
    if pair == 0:
        error[0] = code_point
        return 0
    # big5-encoder 5-8 (kernel): its bytes.
    we_store_pair(target, pair)
    return 1 + (pair > 0xFF)


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME big5
    #include "decode_loop.h"
    #define WE_NAME big5
    #include "encode_loop.h"
    static const we_codec big5_codec = {
        WE_DECODES(big5), WE_ENCODES(big5), {2, 2, 2},
        0, 1, NULL};
    """
    const we_codec big5_codec

CODECS = {
    "Big5": PyCapsule_New(<void *> &big5_codec, "whatwg_encoding.codec", NULL),
}
