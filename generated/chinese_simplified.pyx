# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/gb18030.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index gb18030: Identifier ff1c9a923b5d24f9761b3a2de2c0f07b395f9f6f36519508944de4f0415be81c
# Index gb18030-ranges: Identifier f963aaa1653f630c523e7b04729fb4e4458f35806c45eb5c179445623138f0c0

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Chinese (simplified) encodings: GBK, gb18030.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "chinese_simplified_tables.h" nogil:
    const uint16_t gb18030_pairs[32768]
    const uint8_t gb18030_ranges_stage1[616]
    const uint16_t gb18030_ranges_stage2[6848]
    const uint16_t gb18030_reverse[65536]
    const uint8_t gb18030_ranges_reverse_stage1[1024]
    const uint16_t gb18030_ranges_reverse_stage2[7872]


cdef inline uint16_t gb18030_ranges(uint32_t key) noexcept nogil:
    """index gb18030-ranges: offset of a pointer, modulo 65536; 616 blocks of 64 keys, 107 distinct, 14312 bytes."""
    # In range: callers pass keys below 0x9A00, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = gb18030_ranges_stage1[key >> 6]
    return gb18030_ranges_stage2[block << 6 | key & 0x3F]


cdef inline uint16_t gb18030_ranges_reverse(uint32_t key) noexcept nogil:
    """index gb18030-ranges: offset of a code point, modulo 65536; 1024 blocks of 64 keys, 123 distinct, 16768 bytes."""
    # In range: callers pass keys below 0x10000, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = gb18030_ranges_reverse_stage1[key >> 6]
    return gb18030_ranges_reverse_stage2[block << 6 | key & 0x3F]


# -- Decoder: GBK, gb18030
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-decoder

cdef inline uint32_t gb18030_ranges_code_point(uint32_t pointer) noexcept nogil:
    """Return the code point, or WE_ITEM_ERROR: https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point"""
    # index-gb18030-ranges-code-point 1: pointers without a code point.
    if 39419 < pointer < 189000 or pointer > 1237575:
        return WE_ITEM_ERROR
    # index-gb18030-ranges-code-point 3-4: the last range begins with U+10000 and has no end.
    if pointer >= 189000:
        return 0x10000 + pointer - 189000
    # index-gb18030-ranges-code-point 2: the table has the exception as a separate offset.
    # index-gb18030-ranges-code-point 3-4: the table holds for each pointer the offset of its range.
    return (pointer + gb18030_ranges(pointer)) & 0xFFFF


cdef inline uint32_t gb18030_ranges_pointer(uint32_t code_point) noexcept nogil:
    """Return the pointer: https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer"""
    # index-gb18030-ranges-pointer 2-3: the last range begins with U+10000 and has no end.
    if code_point >= 0x10000:
        return code_point - 0x10000 + 189000
    # index-gb18030-ranges-pointer 1: the table has the exception as a separate offset.
    # index-gb18030-ranges-pointer 2-3: the table holds for each code point the offset of its range.
    return (code_point + gb18030_ranges_reverse(code_point)) & 0xFFFF


cdef inline size_t gb18030_decode_kernel "gb18030_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_double_byte_decode(run, kind, source, length, gb18030_pairs, False, target, written)


cdef inline uint32_t gb18030_decode_item "gb18030_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#gb18030-decoder

    Order: a sequence is read at once, so the steps for gb18030 second, third and the fourth byte follow those for
    gb18030 first.
    """
    cdef uint8_t first = source[0], second, third, fourth
    cdef uint32_t code_point
    # gb18030-decoder 1: at end-of-queue the loop ends.
    # gb18030-decoder 6 (kernel): an ASCII byte is the code point of its value.
    if first < 0x80:
        return first
    # gb18030-decoder 7: the euro sign.
    if first == 0x80:
        return 0x20AC
    # gb18030-decoder 9: the only byte left that is not gb18030 first is an error.
    if first == 0xFF:
        return WE_ITEM_ERROR
    # gb18030-decoder 8: gb18030 first.
    # gb18030-decoder 2: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    second = source[1]
    # gb18030-decoder 5, 5.1: gb18030 second.
    if 0x30 <= second <= 0x39:
        # gb18030-decoder 2: end-of-queue after it is an error.
        if length == 2:
            consumed[0] = 2
            return WE_ITEM_INCOMPLETE
        third = source[2]
        # gb18030-decoder 4.2: an error; gb18030 second and byte are restored.
        if not 0x81 <= third <= 0xFE:
            return WE_ITEM_ERROR
        # gb18030-decoder 4, 4.1: gb18030 third.
        # gb18030-decoder 2: end-of-queue after it is an error.
        if length == 3:
            consumed[0] = 3
            return WE_ITEM_INCOMPLETE
        # gb18030-decoder 3: the fourth byte.
        fourth = source[3]
        # gb18030-decoder 3.1, 3.1.1-3.1.3: an error; gb18030 second, gb18030 third and byte are restored.
        if not 0x30 <= fourth <= 0x39:
            return WE_ITEM_ERROR
        consumed[0] = 4
        # gb18030-decoder 3.2-3.3: the index gb18030 ranges code point.
        # gb18030-decoder 3.4: null is an error.
        # gb18030-decoder 3.5: otherwise it is the code point.
        return gb18030_ranges_code_point(
            (first - 0x81) * (10 * 126 * 10) + (second - 0x30) * (10 * 126) + (third - 0x81) * 10 + fourth - 0x30)
    # gb18030-decoder 5.2-5.6 (kernel): the table's key replaces the pointer; other bytes have null.
    # gb18030-decoder 5.7 (kernel): the index code point, 0 for null.
    # In range: the key of any two bytes is below 0x8000, the length of the table.
    code_point = gb18030_pairs[(first & 0x7F) << 8 | second]
    # gb18030-decoder 5.8 (kernel): it is the code point, unless it is null.
    # gb18030-decoder 5.9-5.10: null is an error; an ASCII byte is restored.
    if code_point != 0 or second >= 0x80:
        consumed[0] = 2
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: GBK
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-encoder

cdef inline size_t gbk_encode_kernel "gbk_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, gb18030_reverse, target, written)


cdef inline size_t gbk_encode_item "gbk_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef uint16_t pair = 0
    # gb18030-encoder 1: at end-of-queue the loop ends.
    # gb18030-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # gb18030-encoder 3: an error with code point. So is a surrogate, which is no scalar value.
    if code_point == 0xE5E5 or we_is_surrogate(code_point):
        error[0] = code_point
        return 0
    # gb18030-encoder 4: is GBK is true.
    if code_point == 0x20AC:
        target[0] = 0x80
        return 1
    # gb18030-encoder 5 (kernel): the table has the bytes of the standard's table,
    # gb18030-encoder 6-7, 7.1-7.4 (kernel): and of each code point in index gb18030, 0 for null.
    if code_point < 0x10000:
        pair = gb18030_reverse[code_point]
    if pair != 0:
        we_store_pair(target, pair)
        return 2
    # gb18030-encoder 8: is GBK is true, so no pointer is an error with code point.
    # gb18030-encoder 9: never taken where is GBK is true.
    # gb18030-encoder 10-16: never taken where is GBK is true.
    error[0] = code_point
    return 0


# -- Encoder: gb18030
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-encoder

cdef inline size_t gb18030_encode_kernel "gb18030_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, gb18030_reverse, target, written)


cdef inline size_t gb18030_encode_item "gb18030_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef uint16_t pair = 0
    cdef uint32_t pointer
    # gb18030-encoder 1: at end-of-queue the loop ends.
    # gb18030-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # gb18030-encoder 3: an error with code point. So is a surrogate, which is no scalar value.
    if code_point == 0xE5E5 or we_is_surrogate(code_point):
        error[0] = code_point
        return 0
    # gb18030-encoder 4: is GBK is false.
    # gb18030-encoder 5 (kernel): the table has the bytes of the standard's table,
    # gb18030-encoder 6-7, 7.1-7.4 (kernel): and of each code point in index gb18030, 0 for null.
    if code_point < 0x10000:
        pair = gb18030_reverse[code_point]
        # It is also GBK's, and does not have the euro sign.
        if code_point == 0x20AC:
            pair = 0xE3A2
    if pair != 0:
        we_store_pair(target, pair)
        return 2
    # gb18030-encoder 8: is GBK is false.
    # gb18030-encoder 9: the index gb18030 ranges pointer.
    pointer = gb18030_ranges_pointer(code_point)
    # gb18030-encoder 10-16: its four digits, of base 10, 126, 10 and 10.
    target[0] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
    target[1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
    target[2] = <uint8_t> (pointer // 10 % 126 + 0x81)
    target[3] = <uint8_t> (pointer % 10 + 0x30)
    return 4


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME gb18030
    #include "decode_loop.h"
    #define WE_NAME gbk
    #include "encode_loop.h"
    #define WE_NAME gb18030
    #include "encode_loop.h"
    static const we_codec gbk_codec = {
        WE_DECODES(gb18030), WE_ENCODES(gbk), {2, 2, 2},
        0, 1, NULL};
    static const we_codec gb18030_codec = {
        WE_DECODES(gb18030), WE_ENCODES(gb18030), {4, 4, 4},
        0, 1, NULL};
    """
    const we_codec gbk_codec
    const we_codec gb18030_codec

CODECS = {
    "GBK": PyCapsule_New(<void *> &gbk_codec, "whatwg_encoding.codec", NULL),
    "gb18030": PyCapsule_New(<void *> &gb18030_codec, "whatwg_encoding.codec", NULL),
}
