# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/replacement.pyx.j2
# Handler: templates/_handlers/utf_16.pyx.j2
# Handler: templates/_handlers/single_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy miscellaneous encodings: replacement, UTF-16BE, UTF-16LE, x-user-defined.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "miscellaneous_tables.h" nogil:
    const uint16_t x_user_defined[128]
    const uint8_t x_user_defined_latin1[128]
    const uint8_t x_user_defined_rows[80]
    const uint8_t x_user_defined_reverse_stage1[512]
    const uint8_t x_user_defined_reverse_stage2[256]


# -- Decoder: replacement
# Template: templates/_handlers/replacement.pyx.j2. Standard: https://encoding.spec.whatwg.org/#replacement-decoder

cdef inline size_t replacement_decode_kernel "replacement_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_decode_nothing(written)


cdef inline uint32_t replacement_decode_item "replacement_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#replacement-decoder"""
    # replacement-decoder 1: at end-of-queue the loop ends.
    # replacement-decoder 2: the first byte is an error.
    if not run.state.replacement_error_returned:
        run.state.replacement_error_returned = True
        return WE_ITEM_ERROR
    # replacement-decoder 3: finished, so the rest is skipped.
    consumed[0] = length
    return WE_ITEM_NONE


# -- Decoder: UTF-16BE
# Template: templates/_handlers/utf_16.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

cdef inline size_t utf_16be_decode_kernel "utf_16be_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_utf_16_decode(run, kind, source, length, True, target, written)


cdef inline uint32_t utf_16be_decode_item "utf_16be_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: a code unit, or two, are read at once, so the steps for the second follow those for a leading surrogate.
    """
    cdef uint32_t code_unit, second
    # shared-utf-16-decoder 2: at end-of-queue the loop ends.
    # shared-utf-16-decoder 3: UTF-16 leading byte.
    # shared-utf-16-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is true.
    code_unit = source[0] << 8 | source[1]
    consumed[0] = 2
    # shared-utf-16-decoder 7: UTF-16 leading surrogate.
    if 0xD800 <= code_unit <= 0xDBFF:
        # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
        if length < 4:
            consumed[0] = length
            return WE_ITEM_INCOMPLETE
        # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
        second = source[2] << 8 | source[3]
        # shared-utf-16-decoder 6.3 (kernel): a trailing surrogate.
        if 0xDC00 <= second <= 0xDFFF:
            consumed[0] = 4
            return 0x10000 + ((code_unit - 0xD800) << 10) + (second - 0xDC00)
        # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
        return WE_ITEM_ERROR
    # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
    if 0xDC00 <= code_unit <= 0xDFFF:
        return WE_ITEM_ERROR
    # shared-utf-16-decoder 9 (kernel): otherwise it is the code point.
    return code_unit


# -- Decoder: UTF-16LE
# Template: templates/_handlers/utf_16.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

cdef inline size_t utf_16le_decode_kernel "utf_16le_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_utf_16_decode(run, kind, source, length, False, target, written)


cdef inline uint32_t utf_16le_decode_item "utf_16le_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: a code unit, or two, are read at once, so the steps for the second follow those for a leading surrogate.
    """
    cdef uint32_t code_unit, second
    # shared-utf-16-decoder 2: at end-of-queue the loop ends.
    # shared-utf-16-decoder 3: UTF-16 leading byte.
    # shared-utf-16-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is false.
    code_unit = source[1] << 8 | source[0]
    consumed[0] = 2
    # shared-utf-16-decoder 7: UTF-16 leading surrogate.
    if 0xD800 <= code_unit <= 0xDBFF:
        # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
        if length < 4:
            consumed[0] = length
            return WE_ITEM_INCOMPLETE
        # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
        second = source[3] << 8 | source[2]
        # shared-utf-16-decoder 6.3 (kernel): a trailing surrogate.
        if 0xDC00 <= second <= 0xDFFF:
            consumed[0] = 4
            return 0x10000 + ((code_unit - 0xD800) << 10) + (second - 0xDC00)
        # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
        return WE_ITEM_ERROR
    # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
    if 0xDC00 <= code_unit <= 0xDFFF:
        return WE_ITEM_ERROR
    # shared-utf-16-decoder 9 (kernel): otherwise it is the code point.
    return code_unit


# -- Decoder: x-user-defined
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#x-user-defined-decoder

cdef inline size_t x_user_defined_decode_kernel "x_user_defined_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_single_byte_decode(run, kind, source, length, target, written)


cdef inline uint32_t x_user_defined_decode_item "x_user_defined_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
    cdef uint8_t byte = source[0]
    cdef uint32_t code_point
    # x-user-defined-decoder 1: at end-of-queue the loop ends.
    # x-user-defined-decoder 2 (kernel): an ASCII byte is the code point of its value.
    if byte < 0x80:
        return byte
    # x-user-defined-decoder 3 (kernel): the table has the code points that the formula gives; none of them is null.
    # In range: the index has 0x80 entries.
    code_point = (<const we_single_byte_tables *> run.tables).index[byte - 0x80]
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: x-user-defined
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#x-user-defined-encoder

cdef inline size_t x_user_defined_encode_kernel "x_user_defined_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_single_byte_encode(run, kind, source, length, target, written)


cdef inline size_t x_user_defined_encode_item "x_user_defined_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#x-user-defined-encoder"""
    cdef uint8_t byte
    # x-user-defined-encoder 1: at end-of-queue the loop ends.
    # x-user-defined-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # x-user-defined-encoder 3 (kernel): the table has the byte of each code point, 0 for null.
    byte = we_single_byte_of(&(<const we_single_byte_tables *> run.tables).reverse, code_point)
    # x-user-defined-encoder 4: null is an error with code point.
    if byte == 0:
        error[0] = code_point
        return 0
    # x-user-defined-encoder 3 (kernel): the byte.
    target[0] = byte
    return 1


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME replacement
    #include "decode_loop.h"
    #define WE_NAME utf_16be
    #define WE_SURROGATE we_utf_16be_surrogate
    #include "decode_loop.h"
    #define WE_NAME utf_16le
    #define WE_SURROGATE we_utf_16le_surrogate
    #include "decode_loop.h"
    #define WE_NAME x_user_defined
    #include "decode_loop.h"
    #define WE_NAME x_user_defined
    #include "encode_loop.h"
    static const we_codec replacement_codec = {
        WE_DECODES(replacement), WE_NO_ENCODER, {2, 2, 2},
        12, 0, NULL};
    static const we_codec utf_16be_codec = {
        WE_DECODES(utf_16be), WE_NO_ENCODER, {2, 2, 2},
        1, 0, NULL};
    static const we_codec utf_16le_codec = {
        WE_DECODES(utf_16le), WE_NO_ENCODER, {2, 2, 2},
        1, 0, NULL};
    static const we_single_byte_tables x_user_defined_tables = {
        x_user_defined, x_user_defined, x_user_defined_latin1, WE_SINGLE_BYTE_VECTORS(x_user_defined_rows),
        {x_user_defined_reverse_stage1, x_user_defined_reverse_stage2}};
    static const we_codec x_user_defined_codec = {
        WE_DECODES(x_user_defined), WE_ENCODES(x_user_defined), {1, 1, 1},
        0, 1, &x_user_defined_tables};
    """
    const we_codec replacement_codec
    const we_codec utf_16be_codec
    const we_codec utf_16le_codec
    const we_codec x_user_defined_codec

CODECS = {
    "replacement": PyCapsule_New(<void *> &replacement_codec, "whatwg_encoding.codec", NULL),
    "UTF-16BE": PyCapsule_New(<void *> &utf_16be_codec, "whatwg_encoding.codec", NULL),
    "UTF-16LE": PyCapsule_New(<void *> &utf_16le_codec, "whatwg_encoding.codec", NULL),
    "x-user-defined": PyCapsule_New(<void *> &x_user_defined_codec, "whatwg_encoding.codec", NULL),
}
