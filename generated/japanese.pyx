# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/euc_jp.pyx.j2
# Handler: templates/_handlers/iso_2022_jp.pyx.j2
# Handler: templates/_handlers/double_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index iso-2022-jp-katakana: Identifier 6ffc12c11f6eab1ccb3dada740d9b0db096ef0b0783c3bd5ec951dcb4a44b95e
# Index jis0208: Identifier cbaa91f3deb7d0841faf5c33041fc15a285da0e87e64ab802c4bf04b7c4da861
# Index jis0212: Identifier 83bf90dd1c591a4355730d8c4567efc499d74da7490531019ef22a879991cfb7

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Japanese encodings: EUC-JP, ISO-2022-JP, Shift_JIS.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "japanese_tables.h" nogil:
    const uint16_t euc_jp_pairs[32768]
    const uint16_t jis0212[8836]
    const uint16_t euc_jp_reverse[65536]
    const uint16_t iso_2022_jp_katakana[63]
    const uint16_t shift_jis_pairs[32768]
    const uint16_t shift_jis_reverse[65536]


# -- Decoder: EUC-JP
# Template: templates/_handlers/euc_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-jp-decoder

cdef inline size_t euc_jp_decode_kernel "euc_jp_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_double_byte_decode(run, kind, source, length, euc_jp_pairs, False, target, written)


cdef inline uint32_t euc_jp_decode_item "euc_jp_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#euc-jp-decoder

    Order: a sequence is read at once, so the steps for its trailing byte follow those for its leading byte.
    """
    cdef uint8_t leading = source[0], trailing
    cdef uint32_t code_point = 0
    # euc-jp-decoder 2: at end-of-queue the loop ends.
    # euc-jp-decoder 6 (kernel): an ASCII byte is the code point of its value.
    if leading < 0x80:
        return leading
    # euc-jp-decoder 8: any byte but a leading byte is an error.
    if leading != 0x8E and leading != 0x8F and not 0xA1 <= leading <= 0xFE:
        return WE_ITEM_ERROR
    # euc-jp-decoder 7: a leading byte.
    # euc-jp-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    trailing = source[1]
    # euc-jp-decoder 4: EUC-JP jis0212 is true, and this byte is the leading byte.
    if leading == 0x8F and 0xA1 <= trailing <= 0xFE:
        consumed[0] = 2
        leading = trailing
        # euc-jp-decoder 1: end-of-queue after it is an error.
        if length == 2:
            return WE_ITEM_INCOMPLETE
        # euc-jp-decoder 5, 5.1-5.3: its trailing byte.
        trailing = source[2]
        # euc-jp-decoder 5.4: the index code point in jis0212, 0 for null. Both bytes are within the index's range.
        if 0xA1 <= trailing <= 0xFE:
            code_point = jis0212[(leading - 0xA1) * 94 + trailing - 0xA1]
        # euc-jp-decoder 5.5: the next sequence starts with EUC-JP jis0212 false.
    else:
        # euc-jp-decoder 3: the table also has half-width katakana, with the leading byte 0x8E.
        # euc-jp-decoder 5, 5.1-5.3: the trailing byte.
        # euc-jp-decoder 5.4 (kernel): the index code point in jis0208, 0 for null and for other bytes.
        # In range: the key of any two bytes is below 0x8000, the length of the table.
        code_point = euc_jp_pairs[(leading & 0x7F) << 8 | trailing]
    # euc-jp-decoder 3 (kernel): half-width katakana are no null.
    # euc-jp-decoder 5.6 (kernel): it is the code point, unless it is null.
    # euc-jp-decoder 5.7-5.8: null is an error; an ASCII byte is restored.
    if code_point != 0 or trailing >= 0x80:
        consumed[0] += 1
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Decoder: ISO-2022-JP
# Template: templates/_handlers/iso_2022_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

cdef inline uint32_t iso_2022_jp_escape_start(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Switch the state as the escape sequence at `source` says: the decoder states escape start and escape."""
    cdef uint8_t leading = source[1] if length > 1 else 0, byte = source[2] if length > 2 else 0
    cdef int state = -1, is_start = length == 1 or (length == 2 and (leading == 0x24 or leading == 0x28))
    # iso-2022-jp-decoder [escape start].1: escape. At end-of-queue its sequence is null.
    if is_start and not run.end_of_queue:
        return WE_ITEM_INCOMPLETE
    # iso-2022-jp-decoder [escape].1: the byte after 0x1B is the leading byte.
    # iso-2022-jp-decoder [escape].2: null is -1.
    # iso-2022-jp-decoder [escape].3: ASCII.
    if leading == 0x28 and byte == 0x42:
        state = WE_ISO_2022_JP_ASCII
    # iso-2022-jp-decoder [escape].4: Roman.
    elif leading == 0x28 and byte == 0x4A:
        state = WE_ISO_2022_JP_ROMAN
    # iso-2022-jp-decoder [escape].5: katakana.
    elif leading == 0x28 and byte == 0x49:
        state = WE_ISO_2022_JP_KATAKANA
    # iso-2022-jp-decoder [escape].6: leading byte.
    elif leading == 0x24 and (byte == 0x40 or byte == 0x42):
        state = WE_ISO_2022_JP_LEADING_BYTE
    # iso-2022-jp-decoder [escape start].2-3: an error; byte is restored.
    # iso-2022-jp-decoder [escape].8-9: an error; leading byte and byte are restored.
    if state == -1:
        run.state.iso_2022_jp_output = False
        return WE_ITEM_INCOMPLETE if is_start else WE_ITEM_ERROR
    # iso-2022-jp-decoder [escape].7, [escape].7.1: the new state.
    run.state.iso_2022_jp_decoder_output_state = <uint8_t> state
    consumed[0] = 3
    # iso-2022-jp-decoder [escape].7.2-4: an error if there is no character between two escape sequences.
    if run.state.iso_2022_jp_output:
        return WE_ITEM_ERROR
    # iso-2022-jp-decoder [escape].7.2-4: otherwise there is none.
    run.state.iso_2022_jp_output = True
    return WE_ITEM_NONE


cdef inline uint32_t iso_2022_jp_trailing_byte(uint8_t leading, uint8_t byte, size_t *consumed) noexcept nogil:
    """Return the code point of two bytes: the decoder state trailing byte."""
    cdef uint32_t code_point = 0
    # iso-2022-jp-decoder [trailing byte].[0x1B]: an error; 0x1B is read as the next item's first byte.
    if byte == 0x1B:
        return WE_ITEM_ERROR
    consumed[0] = 2
    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E], [trailing byte].[0x21 to 0x7E].1: a trailing byte.
    if 0x21 <= byte <= 0x7E:
        # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].2-3 (kernel): the index code point in jis0208.
        # EUC-JP has it at these bytes with 0x80 added. In range: the leading byte is below 0x80, so the key is below
        # the length of the table, 0x8000.
        code_point = euc_jp_pairs[leading << 8 | byte + 0x80]
    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].4: null is an error.
    # iso-2022-jp-decoder [trailing byte].[Otherwise]: an error.
    if code_point == 0:
        return WE_ITEM_ERROR
    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].5: otherwise it is the code point.
    return code_point


cdef inline size_t iso_2022_jp_decode_kernel "iso_2022_jp_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_iso_2022_jp_decode(run, kind, source, length, euc_jp_pairs, target, written)


cdef inline uint32_t iso_2022_jp_decode_item "iso_2022_jp_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

    Order: an escape sequence and a pair are read at once, and an escape sequence is the first case of every state.
    """
    cdef uint8_t byte = source[0]
    cdef int state = run.state.iso_2022_jp_decoder_output_state
    # iso-2022-jp-decoder [ASCII].[end-of-queue]: at end-of-queue the loop ends.
    # iso-2022-jp-decoder [Roman].[end-of-queue]: at end-of-queue the loop ends.
    # iso-2022-jp-decoder [katakana].[end-of-queue]: at end-of-queue the loop ends.
    # iso-2022-jp-decoder [leading byte].[end-of-queue]: at end-of-queue the loop ends.
    # iso-2022-jp-decoder [ASCII].[0x1B]: escape start.
    # iso-2022-jp-decoder [Roman].[0x1B]: escape start.
    # iso-2022-jp-decoder [katakana].[0x1B]: escape start.
    # iso-2022-jp-decoder [leading byte].[0x1B] (kernel): escape start.
    if byte == 0x1B:
        return iso_2022_jp_escape_start(run, source, length, consumed)

    if state == WE_ISO_2022_JP_LEADING_BYTE:
        # iso-2022-jp-decoder [leading byte].[0x21 to 0x7E]: a leading byte.
        # iso-2022-jp-decoder [trailing byte].[end-of-queue]: end-of-queue after it is an error.
        if 0x21 <= byte <= 0x7E and length == 1 and not run.end_of_queue:
            return WE_ITEM_INCOMPLETE
        run.state.iso_2022_jp_output = False
        if 0x21 <= byte <= 0x7E and length > 1:
            return iso_2022_jp_trailing_byte(byte, source[1], consumed)
        # iso-2022-jp-decoder [leading byte].[Otherwise]: an error.
        # iso-2022-jp-decoder [trailing byte].[end-of-queue]: an error, too.
        return WE_ITEM_INCOMPLETE if 0x21 <= byte <= 0x7E else WE_ITEM_ERROR

    run.state.iso_2022_jp_output = False
    if state == WE_ISO_2022_JP_ASCII:
        # iso-2022-jp-decoder [ASCII].[0x00 to 0x7F] (kernel): the code point of the same value.
        if byte < 0x80 and byte != 0x0E and byte != 0x0F:
            return byte
        # iso-2022-jp-decoder [ASCII].[Otherwise]: an error.
        return WE_ITEM_ERROR

    if state == WE_ISO_2022_JP_ROMAN:
        # iso-2022-jp-decoder [Roman].[0x5C]: the yen sign.
        if byte == 0x5C:
            return 0x00A5
        # iso-2022-jp-decoder [Roman].[0x7E]: the overline.
        if byte == 0x7E:
            return 0x203E
        # iso-2022-jp-decoder [Roman].[0x00 to 0x7F] (kernel): the code point of the same value.
        if byte < 0x80 and byte != 0x0E and byte != 0x0F:
            return byte
        # iso-2022-jp-decoder [Roman].[Otherwise]: an error.
        return WE_ITEM_ERROR

    # iso-2022-jp-decoder [katakana].[0x21 to 0x5F]: half-width katakana.
    if 0x21 <= byte <= 0x5F:
        return 0xFF61 - 0x21 + byte
    # iso-2022-jp-decoder [katakana].[Otherwise]: an error.
    return WE_ITEM_ERROR


# -- Decoder: Shift_JIS
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shift_jis-decoder


cdef inline size_t shift_jis_decode_kernel "shift_jis_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_double_byte_decode(run, kind, source, length, shift_jis_pairs, True, target, written)


cdef inline uint32_t shift_jis_decode_item "shift_jis_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#shift_jis-decoder

    Order: a sequence is read at once, so the steps for its trailing byte follow those for its leading byte.
    """
    cdef uint8_t leading = source[0], trailing
    cdef uint32_t code_point
    # shift_jis-decoder 2: at end-of-queue the loop ends.
    # shift_jis-decoder 4 (kernel): an ASCII byte or 0x80 is the code point of its value.
    if leading <= 0x80:
        return leading
    # shift_jis-decoder 5 (kernel): half-width katakana.
    if 0xA1 <= leading <= 0xDF:
        return 0xFF61 - 0xA1 + leading
    # shift_jis-decoder 7: any byte but a leading byte is an error.
    if not (0x81 <= leading <= 0x9F or 0xE0 <= leading <= 0xFC):
        return WE_ITEM_ERROR
    # shift_jis-decoder 6: a leading byte.
    # shift_jis-decoder 1: end-of-queue after it is an error.
    if length == 1:
        return WE_ITEM_INCOMPLETE
    # shift_jis-decoder 3, 3.1-3.3: its trailing byte.
    trailing = source[1]
    # shift_jis-decoder 3.4-3.6 (kernel): the table's key replaces the pointer; other bytes have null.
    # shift_jis-decoder 3.7 (kernel): the table includes the user-defined characters.
    # shift_jis-decoder 3.8 (kernel): the index code point, 0 for null.
    # shift_jis-decoder 3.9 (kernel): it is the code point, unless it is null.
    # shift_jis-decoder 3.10-3.11: null is an error; an ASCII byte is restored.
    # In range: the key of any two bytes is below 0x8000, the length of the table.
    code_point = shift_jis_pairs[(leading & 0x7F) << 8 | trailing]
    if code_point != 0 or trailing >= 0x80:
        consumed[0] = 2
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: EUC-JP
# Template: templates/_handlers/euc_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-jp-encoder

cdef inline size_t euc_jp_encode_kernel "euc_jp_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, euc_jp_reverse, target, written)


cdef inline size_t euc_jp_encode_item "euc_jp_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#euc-jp-encoder"""
    cdef uint16_t pair = 0
    # euc-jp-encoder 1: at end-of-queue the loop ends.
    # euc-jp-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # euc-jp-encoder 3-5 (kernel): euc_jp_reverse also has the bytes computed from the code point,
    # euc-jp-encoder 6 (kernel): and for U+2212 those of U+FF0D.
    # euc-jp-encoder 7 (kernel): the table has for each code point the bytes of its pointer, 0 for null.
    if code_point < 0x10000:
        pair = euc_jp_reverse[code_point]
    # euc-jp-encoder 8: null is an error with code point.
    if pair == 0:
        error[0] = code_point
        return 0
    # euc-jp-encoder 9-11 (kernel): its bytes.
    # euc-jp-encoder 3-5 (kernel): or those computed from the code point.
    we_store_pair(target, pair)
    return 1 + (pair > 0xFF)


# -- Encoder: ISO-2022-JP
# Template: templates/_handlers/iso_2022_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder

cdef inline size_t iso_2022_jp_encode_kernel "iso_2022_jp_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_iso_2022_jp_encode(run, kind, source, length, euc_jp_reverse, target, written)


cdef inline size_t iso_2022_jp_encode_item "iso_2022_jp_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder"""
    cdef int state = run.state.iso_2022_jp_encoder_state
    cdef uint16_t pair = 0
    cdef size_t written = 0
    while True:
        # iso-2022-jp-encoder 1: at end-of-queue, back to ASCII.
        if code_point == WE_END_OF_QUEUE and state != WE_ISO_2022_JP_ASCII:
            run.state.iso_2022_jp_encoder_state = state = WE_ISO_2022_JP_ASCII
            target[0] = 0x1B
            target[1] = 0x28
            target[2] = 0x42
            written = 3
        # iso-2022-jp-encoder 2: at end-of-queue the loop ends.
        if code_point == WE_END_OF_QUEUE:
            return written
        # iso-2022-jp-encoder 3: an error with U+FFFD, since these code points could form an escape sequence.
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            error[0] = 0xFFFD
            return written
        # iso-2022-jp-encoder 4 (kernel): a byte of the same value.
        if state == WE_ISO_2022_JP_ASCII and code_point < 0x80:
            target[written] = <uint8_t> code_point
            return written + 1
        if state == WE_ISO_2022_JP_ROMAN:
            # iso-2022-jp-encoder 5: the state Roman has
            # iso-2022-jp-encoder 5.1 (kernel): ASCII but for two bytes,
            if code_point < 0x80 and code_point != 0x5C and code_point != 0x7E:
                target[written] = <uint8_t> code_point
                return written + 1
            # iso-2022-jp-encoder 5.2-5.3: and two code points in their place.
            if code_point == 0x00A5 or code_point == 0x203E:
                target[written] = 0x5C if code_point == 0x00A5 else 0x7E
                return written + 1
        # iso-2022-jp-encoder 6 (kernel): to ASCII; the code point is restored.
        if code_point < 0x80:
            run.state.iso_2022_jp_encoder_state = state = WE_ISO_2022_JP_ASCII
            target[0] = 0x1B
            target[1] = 0x28
            target[2] = 0x42
            written = 3
            continue
        # iso-2022-jp-encoder 7: to Roman; the code point is restored.
        if code_point == 0x00A5 or code_point == 0x203E:
            run.state.iso_2022_jp_encoder_state = state = WE_ISO_2022_JP_ROMAN
            target[0] = 0x1B
            target[1] = 0x28
            target[2] = 0x4A
            written = 3
            continue
        # iso-2022-jp-encoder 8 (kernel): euc_jp_reverse has for U+2212 the bytes of U+FF0D.
        # iso-2022-jp-encoder 9: half-width katakana become full-width.
        if 0xFF61 <= code_point <= 0xFF9F:
            code_point = iso_2022_jp_katakana[code_point - 0xFF61]
        # iso-2022-jp-encoder 10 (kernel): the index pointer in jis0208: its bytes in EUC-JP, 0 for null.
        if code_point < 0x10000:
            pair = euc_jp_reverse[code_point]
        # iso-2022-jp-encoder 11: null is an error with code point,
        if pair == 0:
            # iso-2022-jp-encoder 11.1: in the state ASCII, to which jis0208 switches; the code point is restored.
            if state == WE_ISO_2022_JP_JIS0208:
                run.state.iso_2022_jp_encoder_state = state = WE_ISO_2022_JP_ASCII
                target[0] = 0x1B
                target[1] = 0x28
                target[2] = 0x42
                written = 3
            # iso-2022-jp-encoder 11.2: the error.
            error[0] = code_point
            return written
        # iso-2022-jp-encoder 12 (kernel): to jis0208; the code point is restored.
        if state != WE_ISO_2022_JP_JIS0208:
            run.state.iso_2022_jp_encoder_state = state = WE_ISO_2022_JP_JIS0208
            target[0] = 0x1B
            target[1] = 0x24
            target[2] = 0x42
            written = 3
        # iso-2022-jp-encoder 13-15 (kernel): its two bytes, which are EUC-JP's without 0x80.
        we_store_pair(target + written, pair - 0x8080)
        return written + 2


# -- Encoder: Shift_JIS
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shift_jis-encoder

cdef inline size_t shift_jis_encode_kernel "shift_jis_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_double_byte_encode(run, kind, source, length, shift_jis_reverse, target, written)


cdef inline size_t shift_jis_encode_item "shift_jis_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#shift_jis-encoder"""
    cdef uint16_t pair = 0
    # shift_jis-encoder 1: at end-of-queue the loop ends.
    # shift_jis-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # shift_jis-encoder 3-5 (kernel): shift_jis_reverse also has the bytes computed from the code point,
    # shift_jis-encoder 6 (kernel): and for U+2212 those of U+FF0D.
    # shift_jis-encoder 7 (kernel): the table has for each code point the bytes of its pointer, 0 for null.
    # shift_jis-encoder 2 (kernel): it has U+0080, too.
    if code_point < 0x10000:
        pair = shift_jis_reverse[code_point]
    # shift_jis-encoder 8: null is an error with code point.
    if pair == 0:
        error[0] = code_point
        return 0
    # shift_jis-encoder 9-13 (kernel): its bytes.
    # shift_jis-encoder 3-5 (kernel): or those computed from the code point.
    # shift_jis-encoder 2 (kernel): or U+0080's.
    we_store_pair(target, pair)
    return 1 + (pair > 0xFF)


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME euc_jp
    #include "decode_loop.h"
    #define WE_NAME iso_2022_jp
    #include "decode_loop.h"
    #define WE_NAME shift_jis
    #include "decode_loop.h"
    #define WE_NAME euc_jp
    #include "encode_loop.h"
    #define WE_NAME iso_2022_jp
    #define WE_FLUSHES 1
    #include "encode_loop.h"
    #define WE_NAME shift_jis
    #include "encode_loop.h"
    static const we_codec euc_jp_codec = {
        WE_DECODES(euc_jp), WE_ENCODES(euc_jp), {2, 2, 2},
        0, 1, NULL};
    static const we_codec iso_2022_jp_codec = {
        WE_DECODES(iso_2022_jp), WE_ENCODES(iso_2022_jp), {5, 5, 5},
        0, 0, NULL};
    static const we_codec shift_jis_codec = {
        WE_DECODES(shift_jis), WE_ENCODES(shift_jis), {2, 2, 2},
        0, 1, NULL};
    """
    const we_codec euc_jp_codec
    const we_codec iso_2022_jp_codec
    const we_codec shift_jis_codec

CODECS = {
    "EUC-JP": PyCapsule_New(<void *> &euc_jp_codec, "whatwg_encoding.codec", NULL),
    "ISO-2022-JP": PyCapsule_New(<void *> &iso_2022_jp_codec, "whatwg_encoding.codec", NULL),
    "Shift_JIS": PyCapsule_New(<void *> &shift_jis_codec, "whatwg_encoding.codec", NULL),
}
