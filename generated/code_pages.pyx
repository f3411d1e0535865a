# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/single_byte.pyx.j2
# Handler: templates/_handlers/whole_byte.pyx.j2
# Handler: templates/_handlers/utf_32.pyx.j2
# Data: data/code_pages.json, after Python's codecs.

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Code pages outside the standard: cp437, cp720, cp737, cp775, cp850, cp852, cp855, cp856, cp857, cp858, cp860, cp861,
cp862, cp863, cp864, cp865, cp866, cp869, cp1125, mac_arabic, mac_croatian, mac_farsi, mac_greek, mac_iceland,
mac_latin2, mac_romanian, mac_turkish, cp037, cp273, cp424, cp500, cp875, cp1026, cp1140, cp1006, UTF-32LE, UTF-32BE.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "code_pages_tables.h" nogil:
    const uint16_t cp437[128]
    const uint8_t cp437_latin1[128]
    const uint8_t cp437_rows[144]
    const uint8_t cp437_reverse_stage1[512]
    const uint8_t cp437_reverse_stage2[1280]
    const uint16_t cp720[128]
    const uint8_t cp720_latin1[128]
    const uint8_t cp720_rows[176]
    const uint8_t cp720_reverse_stage1[512]
    const uint8_t cp720_reverse_stage2[896]
    const uint16_t cp737[128]
    const uint8_t cp737_latin1[128]
    const uint8_t cp737_rows[176]
    const uint8_t cp737_reverse_stage1[512]
    const uint8_t cp737_reverse_stage2[896]
    const uint16_t cp775[128]
    const uint8_t cp775_latin1[128]
    const uint8_t cp775_rows[176]
    const uint8_t cp775_reverse_stage1[512]
    const uint8_t cp775_reverse_stage2[896]
    const uint16_t cp850[128]
    const uint8_t cp850_latin1[128]
    const uint8_t cp850_rows[176]
    const uint8_t cp850_reverse_stage1[512]
    const uint8_t cp850_reverse_stage2[896]
    const uint16_t cp852[128]
    const uint8_t cp852_latin1[128]
    const uint8_t cp852_rows[208]
    const uint8_t cp852_reverse_stage1[512]
    const uint8_t cp852_reverse_stage2[768]
    const uint16_t cp855[128]
    const uint8_t cp855_latin1[128]
    const uint8_t cp855_rows[80]
    const uint8_t cp855_reverse_stage1[512]
    const uint8_t cp855_reverse_stage2[768]
    const uint16_t cp856_replaced[128]
    const uint16_t cp856[128]
    const uint8_t cp856_latin1[128]
    const uint8_t cp856_rows[80]
    const uint8_t cp856_reverse_stage1[512]
    const uint8_t cp856_reverse_stage2[768]
    const uint16_t cp857_replaced[128]
    const uint16_t cp857[128]
    const uint8_t cp857_latin1[128]
    const uint8_t cp857_rows[176]
    const uint8_t cp857_reverse_stage1[512]
    const uint8_t cp857_reverse_stage2[640]
    const uint16_t cp858[128]
    const uint8_t cp858_latin1[128]
    const uint8_t cp858_rows[176]
    const uint8_t cp858_reverse_stage1[512]
    const uint8_t cp858_reverse_stage2[896]
    const uint16_t cp860[128]
    const uint8_t cp860_latin1[128]
    const uint8_t cp860_rows[144]
    const uint8_t cp860_reverse_stage1[512]
    const uint8_t cp860_reverse_stage2[1152]
    const uint16_t cp861[128]
    const uint8_t cp861_latin1[128]
    const uint8_t cp861_rows[144]
    const uint8_t cp861_reverse_stage1[512]
    const uint8_t cp861_reverse_stage2[1280]
    const uint16_t cp862[128]
    const uint8_t cp862_latin1[128]
    const uint8_t cp862_rows[80]
    const uint8_t cp862_reverse_stage1[512]
    const uint8_t cp862_reverse_stage2[1408]
    const uint16_t cp863[128]
    const uint8_t cp863_latin1[128]
    const uint8_t cp863_rows[144]
    const uint8_t cp863_reverse_stage1[512]
    const uint8_t cp863_reverse_stage2[1152]
    const uint16_t cp864[256]
    const uint8_t cp864_reverse_stage1[512]
    const uint8_t cp864_reverse_stage2[1280]
    const uint16_t cp865[128]
    const uint8_t cp865_latin1[128]
    const uint8_t cp865_rows[176]
    const uint8_t cp865_reverse_stage1[512]
    const uint8_t cp865_reverse_stage2[1280]
    const uint16_t cp866[128]
    const uint8_t cp866_latin1[128]
    const uint8_t cp866_rows[208]
    const uint8_t cp866_reverse_stage1[512]
    const uint8_t cp866_reverse_stage2[896]
    const uint16_t cp869_replaced[128]
    const uint16_t cp869[128]
    const uint8_t cp869_latin1[128]
    const uint8_t cp869_rows[176]
    const uint8_t cp869_reverse_stage1[512]
    const uint8_t cp869_reverse_stage2[768]
    const uint16_t cp1125[128]
    const uint8_t cp1125_latin1[128]
    const uint8_t cp1125_rows[208]
    const uint8_t cp1125_reverse_stage1[512]
    const uint8_t cp1125_reverse_stage2[1024]
    const uint16_t mac_arabic[256]
    const uint8_t mac_arabic_reverse_stage1[512]
    const uint8_t mac_arabic_reverse_stage2[896]
    const uint16_t mac_croatian[128]
    const uint8_t mac_croatian_latin1[128]
    const uint8_t mac_croatian_rows[176]
    const uint8_t mac_croatian_reverse_stage1[512]
    const uint8_t mac_croatian_reverse_stage2[1536]
    const uint16_t mac_farsi[256]
    const uint8_t mac_farsi_reverse_stage1[512]
    const uint8_t mac_farsi_reverse_stage2[896]
    const uint16_t mac_greek[128]
    const uint8_t mac_greek_latin1[128]
    const uint8_t mac_greek_rows[176]
    const uint8_t mac_greek_reverse_stage1[512]
    const uint8_t mac_greek_reverse_stage2[1024]
    const uint16_t mac_iceland[128]
    const uint8_t mac_iceland_latin1[128]
    const uint8_t mac_iceland_rows[176]
    const uint8_t mac_iceland_reverse_stage1[512]
    const uint8_t mac_iceland_reverse_stage2[1536]
    const uint16_t mac_latin2[128]
    const uint8_t mac_latin2_latin1[128]
    const uint8_t mac_latin2_rows[208]
    const uint8_t mac_latin2_reverse_stage1[512]
    const uint8_t mac_latin2_reverse_stage2[1024]
    const uint16_t mac_romanian[128]
    const uint8_t mac_romanian_latin1[128]
    const uint8_t mac_romanian_rows[176]
    const uint8_t mac_romanian_reverse_stage1[512]
    const uint8_t mac_romanian_reverse_stage2[1664]
    const uint16_t mac_turkish[128]
    const uint8_t mac_turkish_latin1[128]
    const uint8_t mac_turkish_rows[176]
    const uint8_t mac_turkish_reverse_stage1[512]
    const uint8_t mac_turkish_reverse_stage2[1408]
    const uint16_t cp037[256]
    const uint8_t cp037_reverse_stage1[512]
    const uint8_t cp037_reverse_stage2[384]
    const uint16_t cp273[256]
    const uint8_t cp273_reverse_stage1[512]
    const uint8_t cp273_reverse_stage2[512]
    const uint16_t cp424[256]
    const uint8_t cp424_reverse_stage1[512]
    const uint8_t cp424_reverse_stage2[640]
    const uint16_t cp500[256]
    const uint8_t cp500_reverse_stage1[512]
    const uint8_t cp500_reverse_stage2[384]
    const uint16_t cp875[256]
    const uint8_t cp875_reverse_stage1[512]
    const uint8_t cp875_reverse_stage2[640]
    const uint16_t cp1026[256]
    const uint8_t cp1026_reverse_stage1[512]
    const uint8_t cp1026_reverse_stage2[512]
    const uint16_t cp1140[256]
    const uint8_t cp1140_reverse_stage1[512]
    const uint8_t cp1140_reverse_stage2[512]
    const uint16_t cp1006[128]
    const uint8_t cp1006_latin1[128]
    const uint8_t cp1006_rows[80]
    const uint8_t cp1006_reverse_stage1[512]
    const uint8_t cp1006_reverse_stage2[1024]


# -- Decoder: cp437, cp720, cp737, cp775, cp850, cp852, cp855, cp856, cp857, cp858, cp860, cp861, cp862, cp863, cp865,
# cp866, cp869, cp1125, mac_croatian, mac_greek, mac_iceland, mac_latin2, mac_romanian, mac_turkish, cp1006
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-decoder

cdef inline size_t single_byte_decode_kernel "single_byte_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_single_byte_decode(run, kind, source, length, target, written)


cdef inline uint32_t single_byte_decode_item "single_byte_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#single-byte-decoder"""
    cdef uint8_t byte = source[0]
    cdef uint32_t code_point
    # single-byte-decoder 1: at end-of-queue the loop ends.
    # single-byte-decoder 2 (kernel): an ASCII byte is the code point of its value.
    if byte < 0x80:
        return byte
    # single-byte-decoder 3 (kernel): the index code point for byte - 0x80.
    # In range: the index has 0x80 entries.
    code_point = (<const we_single_byte_tables *> run.tables).index[byte - 0x80]
    # single-byte-decoder 4: null is an error.
    # single-byte-decoder 5 (kernel): otherwise it is the code point.
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Decoder: cp864, mac_arabic, mac_farsi, cp037, cp273, cp424, cp500, cp875, cp1026, cp1140
# Template: templates/_handlers/whole_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-decoder

cdef inline size_t whole_byte_decode_kernel "whole_byte_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_whole_byte_decode(run, kind, source, length, target, written)


cdef inline uint32_t whole_byte_decode_item "whole_byte_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#single-byte-decoder"""
    cdef uint8_t byte = source[0]
    # In range: the table has an entry for each byte; 0 is null, except for byte 00.
    cdef uint32_t code_point = (<const we_whole_byte_tables *> run.tables).index[byte]
    return code_point if code_point != 0 or byte == 0 else WE_ITEM_ERROR


# -- Decoder: UTF-32LE
# Template: templates/_handlers/utf_32.pyx.j2. Standard: https://www.unicode.org/reports/tr19/

cdef inline size_t utf_32le_decode_kernel "utf_32le_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_utf_32_decode(run, kind, source, length, 0, target, written)


cdef inline uint32_t utf_32le_decode_item "utf_32le_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://www.unicode.org/reports/tr19/"""
    cdef uint32_t code_point
    # End-of-queue after fewer than four bytes is one error.
    if length < 4:
        consumed[0] = length
        return WE_ITEM_INCOMPLETE
    code_point = we_utf_32_code_point(source, 0)
    consumed[0] = 4
    if code_point > 0x10FFFF or we_is_surrogate(code_point):
        return WE_ITEM_ERROR
    return code_point


# -- Decoder: UTF-32BE
# Template: templates/_handlers/utf_32.pyx.j2. Standard: https://www.unicode.org/reports/tr19/

cdef inline size_t utf_32be_decode_kernel "utf_32be_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_utf_32_decode(run, kind, source, length, 1, target, written)


cdef inline uint32_t utf_32be_decode_item "utf_32be_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://www.unicode.org/reports/tr19/"""
    cdef uint32_t code_point
    # End-of-queue after fewer than four bytes is one error.
    if length < 4:
        consumed[0] = length
        return WE_ITEM_INCOMPLETE
    code_point = we_utf_32_code_point(source, 1)
    consumed[0] = 4
    if code_point > 0x10FFFF or we_is_surrogate(code_point):
        return WE_ITEM_ERROR
    return code_point


# -- Encoder: cp437, cp720, cp737, cp775, cp850, cp852, cp855, cp856, cp857, cp858, cp860, cp861, cp862, cp863, cp865,
# cp866, cp869, cp1125, mac_croatian, mac_greek, mac_iceland, mac_latin2, mac_romanian, mac_turkish, cp1006
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-encoder

cdef inline size_t single_byte_encode_kernel "single_byte_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_single_byte_encode(run, kind, source, length, target, written)


cdef inline size_t single_byte_encode_item "single_byte_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#single-byte-encoder"""
    cdef uint8_t byte
    # single-byte-encoder 1: at end-of-queue the loop ends.
    # single-byte-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # single-byte-encoder 3 (kernel): the table has the byte of each code point, 0 for null.
    byte = we_single_byte_of(&(<const we_single_byte_tables *> run.tables).reverse, code_point)
    # single-byte-encoder 4: null is an error with code point.
    if byte == 0:
        error[0] = code_point
        return 0
    # single-byte-encoder 5 (kernel): the byte.
    target[0] = byte
    return 1


# -- Encoder: cp864, mac_arabic, mac_farsi, cp037, cp273, cp424, cp500, cp875, cp1026, cp1140
# Template: templates/_handlers/whole_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-encoder

cdef inline size_t whole_byte_encode_kernel "whole_byte_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_whole_byte_encode(run, kind, source, length, target, written)


cdef inline size_t whole_byte_encode_item "whole_byte_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#single-byte-encoder"""
    # 0 is null, except for U+0000.
    cdef uint8_t byte = we_whole_byte_of(&(<const we_whole_byte_tables *> run.tables).reverse, code_point)
    if byte == 0 and code_point != 0:
        error[0] = code_point
        return 0
    target[0] = byte
    return 1


# -- Encoder: UTF-32LE
# Template: templates/_handlers/utf_32.pyx.j2. Standard: https://www.unicode.org/reports/tr19/

cdef inline size_t utf_32le_encode_kernel "utf_32le_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_utf_32_encode(run, kind, source, length, 0, target, written)


cdef inline size_t utf_32le_encode_item "utf_32le_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://www.unicode.org/reports/tr19/"""
    # A surrogate is no scalar value: the engine replaces it.
    if we_is_surrogate(code_point):
        error[0] = code_point
        return 0
    we_utf_32_put(target, code_point, 0)
    return 4


# -- Encoder: UTF-32BE
# Template: templates/_handlers/utf_32.pyx.j2. Standard: https://www.unicode.org/reports/tr19/

cdef inline size_t utf_32be_encode_kernel "utf_32be_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_utf_32_encode(run, kind, source, length, 1, target, written)


cdef inline size_t utf_32be_encode_item "utf_32be_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://www.unicode.org/reports/tr19/"""
    # A surrogate is no scalar value: the engine replaces it.
    if we_is_surrogate(code_point):
        error[0] = code_point
        return 0
    we_utf_32_put(target, code_point, 1)
    return 4


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME single_byte
    #include "decode_loop.h"
    #define WE_NAME whole_byte
    #include "decode_loop.h"
    #define WE_NAME utf_32le
    #include "decode_loop.h"
    #define WE_NAME utf_32be
    #include "decode_loop.h"
    #define WE_NAME single_byte
    #include "encode_loop.h"
    #define WE_NAME whole_byte
    #include "encode_loop.h"
    #define WE_NAME utf_32le
    #include "encode_loop.h"
    #define WE_NAME utf_32be
    #include "encode_loop.h"
    static const we_single_byte_tables cp437_tables = {
        cp437, cp437, cp437_latin1, WE_SINGLE_BYTE_VECTORS(cp437_rows),
        {cp437_reverse_stage1, cp437_reverse_stage2}};
    static const we_codec cp437_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp437_tables};
    static const we_single_byte_tables cp720_tables = {
        cp720, cp720, cp720_latin1, WE_SINGLE_BYTE_VECTORS(cp720_rows),
        {cp720_reverse_stage1, cp720_reverse_stage2}};
    static const we_codec cp720_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp720_tables};
    static const we_single_byte_tables cp737_tables = {
        cp737, cp737, cp737_latin1, WE_SINGLE_BYTE_VECTORS(cp737_rows),
        {cp737_reverse_stage1, cp737_reverse_stage2}};
    static const we_codec cp737_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp737_tables};
    static const we_single_byte_tables cp775_tables = {
        cp775, cp775, cp775_latin1, WE_SINGLE_BYTE_VECTORS(cp775_rows),
        {cp775_reverse_stage1, cp775_reverse_stage2}};
    static const we_codec cp775_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp775_tables};
    static const we_single_byte_tables cp850_tables = {
        cp850, cp850, cp850_latin1, WE_SINGLE_BYTE_VECTORS(cp850_rows),
        {cp850_reverse_stage1, cp850_reverse_stage2}};
    static const we_codec cp850_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp850_tables};
    static const we_single_byte_tables cp852_tables = {
        cp852, cp852, cp852_latin1, WE_SINGLE_BYTE_VECTORS(cp852_rows),
        {cp852_reverse_stage1, cp852_reverse_stage2}};
    static const we_codec cp852_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp852_tables};
    static const we_single_byte_tables cp855_tables = {
        cp855, cp855, cp855_latin1, WE_SINGLE_BYTE_VECTORS(cp855_rows),
        {cp855_reverse_stage1, cp855_reverse_stage2}};
    static const we_codec cp855_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp855_tables};
    static const we_single_byte_tables cp856_tables = {
        cp856, cp856_replaced, cp856_latin1, WE_SINGLE_BYTE_VECTORS(cp856_rows),
        {cp856_reverse_stage1, cp856_reverse_stage2}};
    static const we_codec cp856_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp856_tables};
    static const we_single_byte_tables cp857_tables = {
        cp857, cp857_replaced, cp857_latin1, WE_SINGLE_BYTE_VECTORS(cp857_rows),
        {cp857_reverse_stage1, cp857_reverse_stage2}};
    static const we_codec cp857_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp857_tables};
    static const we_single_byte_tables cp858_tables = {
        cp858, cp858, cp858_latin1, WE_SINGLE_BYTE_VECTORS(cp858_rows),
        {cp858_reverse_stage1, cp858_reverse_stage2}};
    static const we_codec cp858_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp858_tables};
    static const we_single_byte_tables cp860_tables = {
        cp860, cp860, cp860_latin1, WE_SINGLE_BYTE_VECTORS(cp860_rows),
        {cp860_reverse_stage1, cp860_reverse_stage2}};
    static const we_codec cp860_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp860_tables};
    static const we_single_byte_tables cp861_tables = {
        cp861, cp861, cp861_latin1, WE_SINGLE_BYTE_VECTORS(cp861_rows),
        {cp861_reverse_stage1, cp861_reverse_stage2}};
    static const we_codec cp861_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp861_tables};
    static const we_single_byte_tables cp862_tables = {
        cp862, cp862, cp862_latin1, WE_SINGLE_BYTE_VECTORS(cp862_rows),
        {cp862_reverse_stage1, cp862_reverse_stage2}};
    static const we_codec cp862_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp862_tables};
    static const we_single_byte_tables cp863_tables = {
        cp863, cp863, cp863_latin1, WE_SINGLE_BYTE_VECTORS(cp863_rows),
        {cp863_reverse_stage1, cp863_reverse_stage2}};
    static const we_codec cp863_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp863_tables};
    static const we_whole_byte_tables cp864_tables = {
        cp864, {cp864_reverse_stage1, cp864_reverse_stage2}};
    static const we_codec cp864_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp864_tables};
    static const we_single_byte_tables cp865_tables = {
        cp865, cp865, cp865_latin1, WE_SINGLE_BYTE_VECTORS(cp865_rows),
        {cp865_reverse_stage1, cp865_reverse_stage2}};
    static const we_codec cp865_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp865_tables};
    static const we_single_byte_tables cp866_tables = {
        cp866, cp866, cp866_latin1, WE_SINGLE_BYTE_VECTORS(cp866_rows),
        {cp866_reverse_stage1, cp866_reverse_stage2}};
    static const we_codec cp866_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp866_tables};
    static const we_single_byte_tables cp869_tables = {
        cp869, cp869_replaced, cp869_latin1, WE_SINGLE_BYTE_VECTORS(cp869_rows),
        {cp869_reverse_stage1, cp869_reverse_stage2}};
    static const we_codec cp869_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp869_tables};
    static const we_single_byte_tables cp1125_tables = {
        cp1125, cp1125, cp1125_latin1, WE_SINGLE_BYTE_VECTORS(cp1125_rows),
        {cp1125_reverse_stage1, cp1125_reverse_stage2}};
    static const we_codec cp1125_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp1125_tables};
    static const we_whole_byte_tables mac_arabic_tables = {
        mac_arabic, {mac_arabic_reverse_stage1, mac_arabic_reverse_stage2}};
    static const we_codec mac_arabic_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &mac_arabic_tables};
    static const we_single_byte_tables mac_croatian_tables = {
        mac_croatian, mac_croatian, mac_croatian_latin1, WE_SINGLE_BYTE_VECTORS(mac_croatian_rows),
        {mac_croatian_reverse_stage1, mac_croatian_reverse_stage2}};
    static const we_codec mac_croatian_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_croatian_tables};
    static const we_whole_byte_tables mac_farsi_tables = {
        mac_farsi, {mac_farsi_reverse_stage1, mac_farsi_reverse_stage2}};
    static const we_codec mac_farsi_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &mac_farsi_tables};
    static const we_single_byte_tables mac_greek_tables = {
        mac_greek, mac_greek, mac_greek_latin1, WE_SINGLE_BYTE_VECTORS(mac_greek_rows),
        {mac_greek_reverse_stage1, mac_greek_reverse_stage2}};
    static const we_codec mac_greek_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_greek_tables};
    static const we_single_byte_tables mac_iceland_tables = {
        mac_iceland, mac_iceland, mac_iceland_latin1, WE_SINGLE_BYTE_VECTORS(mac_iceland_rows),
        {mac_iceland_reverse_stage1, mac_iceland_reverse_stage2}};
    static const we_codec mac_iceland_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_iceland_tables};
    static const we_single_byte_tables mac_latin2_tables = {
        mac_latin2, mac_latin2, mac_latin2_latin1, WE_SINGLE_BYTE_VECTORS(mac_latin2_rows),
        {mac_latin2_reverse_stage1, mac_latin2_reverse_stage2}};
    static const we_codec mac_latin2_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_latin2_tables};
    static const we_single_byte_tables mac_romanian_tables = {
        mac_romanian, mac_romanian, mac_romanian_latin1, WE_SINGLE_BYTE_VECTORS(mac_romanian_rows),
        {mac_romanian_reverse_stage1, mac_romanian_reverse_stage2}};
    static const we_codec mac_romanian_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_romanian_tables};
    static const we_single_byte_tables mac_turkish_tables = {
        mac_turkish, mac_turkish, mac_turkish_latin1, WE_SINGLE_BYTE_VECTORS(mac_turkish_rows),
        {mac_turkish_reverse_stage1, mac_turkish_reverse_stage2}};
    static const we_codec mac_turkish_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &mac_turkish_tables};
    static const we_whole_byte_tables cp037_tables = {
        cp037, {cp037_reverse_stage1, cp037_reverse_stage2}};
    static const we_codec cp037_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp037_tables};
    static const we_whole_byte_tables cp273_tables = {
        cp273, {cp273_reverse_stage1, cp273_reverse_stage2}};
    static const we_codec cp273_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp273_tables};
    static const we_whole_byte_tables cp424_tables = {
        cp424, {cp424_reverse_stage1, cp424_reverse_stage2}};
    static const we_codec cp424_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp424_tables};
    static const we_whole_byte_tables cp500_tables = {
        cp500, {cp500_reverse_stage1, cp500_reverse_stage2}};
    static const we_codec cp500_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp500_tables};
    static const we_whole_byte_tables cp875_tables = {
        cp875, {cp875_reverse_stage1, cp875_reverse_stage2}};
    static const we_codec cp875_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp875_tables};
    static const we_whole_byte_tables cp1026_tables = {
        cp1026, {cp1026_reverse_stage1, cp1026_reverse_stage2}};
    static const we_codec cp1026_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp1026_tables};
    static const we_whole_byte_tables cp1140_tables = {
        cp1140, {cp1140_reverse_stage1, cp1140_reverse_stage2}};
    static const we_codec cp1140_codec = {
        WE_DECODES(whole_byte), WE_ENCODES(whole_byte), {1, 1, 1},
        0, 0, &cp1140_tables};
    static const we_single_byte_tables cp1006_tables = {
        cp1006, cp1006, cp1006_latin1, WE_SINGLE_BYTE_VECTORS(cp1006_rows),
        {cp1006_reverse_stage1, cp1006_reverse_stage2}};
    static const we_codec cp1006_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &cp1006_tables};
    static const we_codec utf_32le_codec = {
        WE_DECODES(utf_32le), WE_ENCODES(utf_32le), {4, 4, 4},
        1, 0, NULL};
    static const we_codec utf_32be_codec = {
        WE_DECODES(utf_32be), WE_ENCODES(utf_32be), {4, 4, 4},
        1, 0, NULL};
    """
    const we_codec cp437_codec
    const we_codec cp720_codec
    const we_codec cp737_codec
    const we_codec cp775_codec
    const we_codec cp850_codec
    const we_codec cp852_codec
    const we_codec cp855_codec
    const we_codec cp856_codec
    const we_codec cp857_codec
    const we_codec cp858_codec
    const we_codec cp860_codec
    const we_codec cp861_codec
    const we_codec cp862_codec
    const we_codec cp863_codec
    const we_codec cp864_codec
    const we_codec cp865_codec
    const we_codec cp866_codec
    const we_codec cp869_codec
    const we_codec cp1125_codec
    const we_codec mac_arabic_codec
    const we_codec mac_croatian_codec
    const we_codec mac_farsi_codec
    const we_codec mac_greek_codec
    const we_codec mac_iceland_codec
    const we_codec mac_latin2_codec
    const we_codec mac_romanian_codec
    const we_codec mac_turkish_codec
    const we_codec cp037_codec
    const we_codec cp273_codec
    const we_codec cp424_codec
    const we_codec cp500_codec
    const we_codec cp875_codec
    const we_codec cp1026_codec
    const we_codec cp1140_codec
    const we_codec cp1006_codec
    const we_codec utf_32le_codec
    const we_codec utf_32be_codec

CODECS = {
    "cp437": PyCapsule_New(<void *> &cp437_codec, "whatwg_encoding.codec", NULL),
    "cp720": PyCapsule_New(<void *> &cp720_codec, "whatwg_encoding.codec", NULL),
    "cp737": PyCapsule_New(<void *> &cp737_codec, "whatwg_encoding.codec", NULL),
    "cp775": PyCapsule_New(<void *> &cp775_codec, "whatwg_encoding.codec", NULL),
    "cp850": PyCapsule_New(<void *> &cp850_codec, "whatwg_encoding.codec", NULL),
    "cp852": PyCapsule_New(<void *> &cp852_codec, "whatwg_encoding.codec", NULL),
    "cp855": PyCapsule_New(<void *> &cp855_codec, "whatwg_encoding.codec", NULL),
    "cp856": PyCapsule_New(<void *> &cp856_codec, "whatwg_encoding.codec", NULL),
    "cp857": PyCapsule_New(<void *> &cp857_codec, "whatwg_encoding.codec", NULL),
    "cp858": PyCapsule_New(<void *> &cp858_codec, "whatwg_encoding.codec", NULL),
    "cp860": PyCapsule_New(<void *> &cp860_codec, "whatwg_encoding.codec", NULL),
    "cp861": PyCapsule_New(<void *> &cp861_codec, "whatwg_encoding.codec", NULL),
    "cp862": PyCapsule_New(<void *> &cp862_codec, "whatwg_encoding.codec", NULL),
    "cp863": PyCapsule_New(<void *> &cp863_codec, "whatwg_encoding.codec", NULL),
    "cp864": PyCapsule_New(<void *> &cp864_codec, "whatwg_encoding.codec", NULL),
    "cp865": PyCapsule_New(<void *> &cp865_codec, "whatwg_encoding.codec", NULL),
    "cp866": PyCapsule_New(<void *> &cp866_codec, "whatwg_encoding.codec", NULL),
    "cp869": PyCapsule_New(<void *> &cp869_codec, "whatwg_encoding.codec", NULL),
    "cp1125": PyCapsule_New(<void *> &cp1125_codec, "whatwg_encoding.codec", NULL),
    "mac_arabic": PyCapsule_New(<void *> &mac_arabic_codec, "whatwg_encoding.codec", NULL),
    "mac_croatian": PyCapsule_New(<void *> &mac_croatian_codec, "whatwg_encoding.codec", NULL),
    "mac_farsi": PyCapsule_New(<void *> &mac_farsi_codec, "whatwg_encoding.codec", NULL),
    "mac_greek": PyCapsule_New(<void *> &mac_greek_codec, "whatwg_encoding.codec", NULL),
    "mac_iceland": PyCapsule_New(<void *> &mac_iceland_codec, "whatwg_encoding.codec", NULL),
    "mac_latin2": PyCapsule_New(<void *> &mac_latin2_codec, "whatwg_encoding.codec", NULL),
    "mac_romanian": PyCapsule_New(<void *> &mac_romanian_codec, "whatwg_encoding.codec", NULL),
    "mac_turkish": PyCapsule_New(<void *> &mac_turkish_codec, "whatwg_encoding.codec", NULL),
    "cp037": PyCapsule_New(<void *> &cp037_codec, "whatwg_encoding.codec", NULL),
    "cp273": PyCapsule_New(<void *> &cp273_codec, "whatwg_encoding.codec", NULL),
    "cp424": PyCapsule_New(<void *> &cp424_codec, "whatwg_encoding.codec", NULL),
    "cp500": PyCapsule_New(<void *> &cp500_codec, "whatwg_encoding.codec", NULL),
    "cp875": PyCapsule_New(<void *> &cp875_codec, "whatwg_encoding.codec", NULL),
    "cp1026": PyCapsule_New(<void *> &cp1026_codec, "whatwg_encoding.codec", NULL),
    "cp1140": PyCapsule_New(<void *> &cp1140_codec, "whatwg_encoding.codec", NULL),
    "cp1006": PyCapsule_New(<void *> &cp1006_codec, "whatwg_encoding.codec", NULL),
    "UTF-32LE": PyCapsule_New(<void *> &utf_32le_codec, "whatwg_encoding.codec", NULL),
    "UTF-32BE": PyCapsule_New(<void *> &utf_32be_codec, "whatwg_encoding.codec", NULL),
}
